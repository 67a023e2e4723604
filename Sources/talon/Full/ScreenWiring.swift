import Board
import Canvas
import Fetch
import Graphics
import Runtime
import ScreenPart

/// Builds the screen from a configuration.
struct ScreenWiring {
  let configuration: CanvasConfiguration
  var route = GatewayRoute()
  /// The input device that is for links alone; empty for none.
  var scanner = ""
  let loop: Loop
  let clock: any Clock
  let log: Log

  /// The screen's devices; nil without a configured one.
  func parts() throws(Errno) -> CanvasParts? {
    let screen = configuration.screen
    if case .none = screen.output { return nil }
    var size = screen.virtualSize
    if case .virtual(let wanted) = screen.output { size = wanted }
    let display = ScreenDisplay(screen, loop: loop, clock: clock, log: log)
    var parts = CanvasParts(
      display: display, input: input(display),
      painter: SoftwarePainter(glyphs: try FontShelf(packs: FontPacks())),
      measurer: try FontShelf(packs: FontPacks()), snapshots: ScreenSnapshots(),
      codes: QRCodes(),
      fetching: fetching, size: size, mode: configuration.theme,
      scale: configuration.scale == 0 ? nil : Int32(configuration.scale),
      brightness: configuration.brightness == 0 ? nil : Int(configuration.brightness),
      keyboard: configuration.screenKeyboard,
      letters: ScreenLetters(configuration.locale, configuration.keyboard),
      offset: { SystemClock.localOffset(at: $0) })
    parts.restsAfter = configuration.blankAfter == 0 ? nil : configuration.blankAfter * 1000
    parts.isStill = configuration.isStill
    parts.night = NightWatch(
      hours: configuration.night, darkness: configuration.nightLight > 0 ? Float(configuration.nightLight) : nil)
    if parts.night.needsLight { parts.light = AmbientLightSensor() }
    parts.locale = configuration.locale
    parts.hasChat = configuration.hasChat
    parts.hasPanicTap = configuration.hasPanicTap
    return parts
  }

  private var fetching: FetchParts {
    let authorities = CertificateAuthorities(path: configuration.authorities)
    return FetchParts(
      documents: FetchLink(loop: loop, clock: clock, authorities: authorities, route: route),
      pages: FetchLink(loop: loop, clock: clock, authorities: authorities, route: route),
      videos: FetchLink(loop: loop, clock: clock, authorities: authorities, route: route), pictures: PictureProcess(),
      allowed: configuration.allowed, changes: NetworkTransport(loop: loop, clock: clock, route: route))
  }

  /// Input devices, if there is a display; a screen without one has none unless they are named.
  private func input(_ display: ScreenDisplay) -> (any InputSource)? {
    guard configuration.hasInput else { return nil }
    if case .virtual = configuration.screen.output, configuration.inputs.isEmpty { return nil }
    let input = EvdevInput(
      calibration: configuration.calibration, layout: configuration.keyboard ?? .us, paths: configuration.inputs,
      excluded: scanner, loop: loop, clock: clock, log: log)
    input.consoleWanted = { display.showConsole($0) }
    return input
  }
}
