import Board
import Canvas
import Graphics
import Runtime

/// `talon screen`: lists displays and input devices, shows a test picture, and prints input events. Needs no agent; a
/// running one has the display.
enum ScreenCommand {
  static func run(_ options: Options) throws(Failure) -> ExitCode {
    switch options.words.first {
    case nil: return list()
    case "test":
      if let file = options.value("--out") { return try write(file, options) }
      return try ScreenTest(choice(options), parts: 16).show(seconds: seconds(options))
    case "input":
      let size = try options.value("--size").map(size) ?? Size(800, 480)
      return try InputView(layout(options)).show(seconds: seconds(options), size, try rotation(options) ?? .none)
    case "release": return try release()
    default:
      throw Failure(.usage, "expected: talon screen, talon screen test, talon screen input or talon screen release")
    }
  }

  /// Without a running service there is nothing to say.
  private static func release() throws(Failure) -> ExitCode {
    do throws(Errno) {
      if try ScreenDisplay.releaseConsole() { Console.out("the text console is given back") }
      return .ok
    } catch {
      let trouble = DeviceTrouble(error, of: .display)
      throw Failure(.unavailable, "cannot give the text console back: \(String(trouble.text))")
    }
  }

  // MARK: Options

  private static func seconds(_ options: Options) throws(Failure) -> Int64? {
    guard let text = options.value("--seconds") else { return nil }
    guard let seconds = ConfigurationKey.decimal(text), (1...3600).contains(seconds) else {
      throw Failure(.usage, "--seconds is a whole number from 1 to 3600")
    }
    return seconds
  }

  private static func choice(_ options: Options) throws(Failure) -> ScreenChoice {
    var choice = ScreenChoice()
    if let text = options.value("--device") {
      guard let output = ScreenChoice.Output(text.utf8.span) else {
        throw Failure(.usage, "--device is a display such as /dev/dri/card0 or /dev/fb0, or a size such as 800x480")
      }
      choice.output = output
    }
    if let text = options.value("--mode") {
      guard let mode = ScreenMode(text.utf8.span) else {
        throw Failure(.usage, "--mode is a mode such as 1280x720 or 1280x720@60")
      }
      choice.mode = mode
    }
    choice.rotation = try rotation(options)
    switch options.value("--depth") {
    case nil: break
    case "16": choice.bitsPerPixel = 16
    case "32": choice.bitsPerPixel = 32
    default: throw Failure(.usage, "--depth is 16 or 32")
    }
    return choice
  }

  private static func rotation(_ options: Options) throws(Failure) -> Rotation? {
    guard let text = options.value("--rotate") else { return nil }
    guard let degrees = ConfigurationKey.decimal(text), let rotation = Rotation(degrees: Int(clamping: degrees)) else {
      throw Failure(.usage, "--rotate is 0, 90, 180 or 270")
    }
    return rotation
  }

  private static func size(_ text: String) throws(Failure) -> Size {
    guard let mode = ScreenMode(text.utf8.span), mode.rate == nil else {
      throw Failure(.usage, "--size is a size such as 800x480")
    }
    return mode.size
  }

  private static func layout(_ options: Options) throws(Failure) -> KeyboardLayout {
    guard let text = options.value("--keyboard") else { return .us }
    guard let layout = KeyboardLayout(text.utf8.span) else {
      throw Failure(.usage, "--keyboard is us, uk, de, fr, es or it")
    }
    return layout
  }

  // MARK: What there is

  private static func list() -> ExitCode {
    let displays = ScreenProbe.entries()
    for display in displays { show(display) }
    if displays.isEmpty { Console.out("no display: the canvas would be virtual, and seen in snapshots alone") }
    for input in InputProbe.entries() {
      let (path, name) = (IdentityCommand.string(input.path.span), IdentityCommand.string(input.name.span))
      Console.show("\(path)  \(String(input.kind))  \(name)")
    }
    return .ok
  }

  private static func show(_ display: ScreenProbe.Entry) {
    var line = "\(IdentityCommand.string(display.path.span))  \(String(display.driver))"
    if let fault = display.fault {
      return Console.show("\(line)  \(text(fault))")
    }
    guard let size = display.size else { return Console.show("\(line)  nothing is connected") }
    line += "  \(text(size))"
    if display.rate > 0 { line += "@\((display.rate + 500) / 1000)" }
    line += ", \(display.bitsPerPixel) bits"
    if let size = display.millimeters { line += ", \(text(size)) mm" }
    if display.rotation != .none { line += ", mounted for --rotate \(display.rotation.rawValue)" }
    Console.show(line)
    var modes = ""
    for mode in display.modes { modes += " \(text(mode.size))@\((mode.rate + 500) / 1000)" }
    if !modes.isEmpty { Console.show("  modes\(modes)") }
  }

  /// What a display could not do, why, and what to do.
  static func text(_ fault: DisplayFault) -> String {
    let trouble = fault.trouble
    return "cannot \(String(fault.what)): \(String(trouble.text)); \(String(trouble.step))"
  }

  static func text(_ size: Size) -> String { "\(size.width)x\(size.height)" }

  // MARK: The picture as a file

  private static func write(_ path: String, _ options: Options) throws(Failure) -> ExitCode {
    let size = try options.value("--size").map(size) ?? Size(800, 480)
    try PersonFile.replace(path) { (file) throws(Errno) in
      let picture = try PixelBuffer(size)
      TestPattern.draw(picture, name: ScreenTest.name.utf8.span)
      let head = "P6\n\(size.width) \(size.height)\n255\n"
      var bytes = Array(head.utf8)
      for pixel in picture.pixels {
        for shift in [UInt32(16), 8, 0] { bytes.append(UInt8(truncatingIfNeeded: pixel >> shift)) }
      }
      let span = bytes.span
      try span.withUnsafeBytes { bytes throws(Errno) in try Syscall.writeAll(file, bytes) }
    }
    return .ok
  }
}

/// The test picture on a display: part after part, so that only changes are sent, until its time is over or Ctrl-C.
private final class ScreenTest: DisplayDelegate, TimerHandler {
  static let name = "talon"

  private let loop: Loop
  private let clock = SystemClock()
  private let display: ScreenDisplay
  private let parts: Int32
  private var part: Int32 = 0
  private var pattern: PixelBuffer?
  private var picture: PixelBuffer?
  private var fault: DisplayFault?

  init(_ choice: ScreenChoice, parts: Int32) throws(Failure) {
    self.parts = parts
    do throws(Errno) { loop = try Loop(clock: clock) } catch { throw Failure(.system, String(error.text)) }
    display = ScreenDisplay(choice, loop: loop, clock: clock, log: Log(clock: clock))
  }

  func show(seconds: Int64?) throws(Failure) -> ExitCode {
    do throws(Errno) {
      let interruption = try Signals(loop: loop) { [self] _ in loop.stop() }
      defer { interruption.close() }
      try open()
      defer { display.close() }
      if let seconds { loop.setTimer(TimerID(0), of: self, at: clock.monotonic + seconds * 1000) }
      try loop.run()
    } catch {
      if let fault { throw Self.failure(fault) }
      throw Failure(.system, String(error.text))
    }
    if let fault { throw Self.failure(fault) }
    return .ok
  }

  private func open() throws(Errno) {
    do throws(DisplayFault) {
      let mode = try display.open(self)
      let driver = IdentityCommand.string(mode.path.span)
      let size = ScreenCommand.text(mode.size)
      let turn = mode.rotation.rawValue
      Console.show("\(String(mode.driver)) \(driver) \(size) \(mode.bitsPerPixel) bits, turned by \(turn)")
      try begin(mode.size)
    } catch {
      fault = error
      loop.stop()
      throw error.errno
    }
  }

  private func begin(_ size: Size) throws(DisplayFault) {
    do throws(Errno) {
      let pattern = try PixelBuffer(size)
      TestPattern.draw(pattern, name: Self.name.utf8.span)
      self.pattern = pattern
      picture = try PixelBuffer(size)
    } catch {
      throw DisplayFault("take memory for a picture", error)
    }
    part = 0
    try display.show(picture!, Damage(Rect(0, 0, size.width, size.height)))
  }

  /// Draws one more part of the picture, at a pseudorandom place.
  func displayIsReady(isVisible: Bool) {
    guard let pattern, let picture, part < parts else { return }
    let size = pattern.size
    let place = part * 7 % parts
    part += 1
    let rows = Rect(
      0, size.height * place / parts, size.width, size.height * (place + 1) / parts - size.height * place / parts)
    let first = Int(rows.y) * Int(size.width)
    for index in first..<(first + rows.area) { picture.pixels[index] = pattern.pixels[index] }
    show(Damage(rows))
  }

  func displayWantsAll() {
    guard let picture else { return }
    show(Damage(Rect(0, 0, picture.size.width, picture.size.height)))
  }

  func displayIsAway(_ isAway: Bool) {}

  func displayChanged() {
    Console.out("the display was changed or removed")
    display.close()
    do throws(Errno) { try open() } catch { loop.stop() }
  }

  private func show(_ damage: Damage) {
    guard let picture else { return }
    do throws(DisplayFault) {
      try display.show(picture, damage)
    } catch {
      fault = error
      loop.stop()
    }
  }

  func timerFired(_ id: TimerID) { loop.stop() }

  private static func failure(_ fault: DisplayFault) -> Failure {
    Failure(.unavailable, ScreenCommand.text(fault))
  }
}

/// Prints touches, turns and keys, a line for each event.
private final class InputView: InputDelegate, TimerHandler {
  private let loop: Loop
  private let clock = SystemClock()
  private let input: EvdevInput

  init(_ layout: KeyboardLayout) throws(Failure) {
    do throws(Errno) { loop = try Loop(clock: clock) } catch { throw Failure(.system, String(error.text)) }
    // Devices are not grabbed: the person may need Ctrl-C.
    input = EvdevInput(layout: layout, grabs: false, loop: loop, clock: clock, log: Log(clock: clock))
  }

  func show(seconds: Int64?, _ size: Size, _ rotation: Rotation) throws(Failure) -> ExitCode {
    do throws(Errno) {
      let interruption = try Signals(loop: loop) { [self] _ in loop.stop() }
      defer { interruption.close() }
      input.consoleWanted = { Console.show("console \($0)") }
      input.start(self, size: size, rotation: rotation)
      defer { input.stop() }
      if let seconds { loop.setTimer(TimerID(0), of: self, at: clock.monotonic + seconds * 1000) }
      try loop.run()
    } catch {
      throw Failure(.system, String(error.text))
    }
    return .ok
  }

  func timerFired(_ id: TimerID) { loop.stop() }

  func inputsChanged(hasTouch: Bool, hasKeyboard: Bool, hasKeys: Bool) {
    Console.out(
      "touch \(hasTouch ? "yes" : "no"), keyboard \(hasKeyboard ? "yes" : "no"), keys \(hasKeys ? "yes" : "no")")
  }

  func input(_ event: InputEvent, at instant: Int64) {
    switch event {
    case .pointer(let what, let id, let place): Console.show("\(name(what)) \(id) \(place.x),\(place.y)")
    case .hover(let place): Console.show("hover \(place.x),\(place.y)")
    case .wheel(_, let x, let y): Console.show("wheel \(x),\(y)")
    case .key(let key, let isDown, let isRepeat, let modifiers):
      let what = isRepeat ? "repeat" : isDown ? "press" : "release"
      Console.show("\(what) \(name(key))\(modifiers.isEmpty ? "" : " with \(modifiers.rawValue)")")
    case .character(let scalar): Console.show("character \(String(Character(scalar)))")
    }
  }

  private func name(_ what: InputEvent.Pointer) -> String {
    switch what {
    case .down: "down"
    case .move: "move"
    case .up: "up"
    case .cancel: "cancel"
    }
  }

  private func name(_ key: Key) -> String {
    switch key {
    case .enter: "enter"
    case .escape: "escape"
    case .tab: "tab"
    case .backspace: "backspace"
    case .delete: "delete"
    case .space: "space"
    case .left: "left"
    case .right: "right"
    case .up: "up"
    case .down: "down"
    case .home: "home"
    case .end: "end"
    case .pageUp: "page up"
    case .pageDown: "page down"
    case .next: "next"
    case .previous: "previous"
    case .activate: "activate"
    case .chat: "chat"
    }
  }
}
