import CLinux
import Canvas
import Graphics
import Runtime

/// The board's display of any kind: a DRM card, a frame buffer, or a virtual one. Waits without polling: the kernel
/// reports page flips, console switches and hot-plugging.
public final class ScreenDisplay: Display {
  private let choice: ScreenChoice
  private let root: String
  private let loop: Loop
  private let log: Log
  private let cards: UeventWatcher
  private let frameBuffers: UeventWatcher
  private var scanout: (any Scanout)?
  private var console: TextConsole?
  private var delegate: (any DisplayDelegate)?
  /// Signalled by a worker when a frame was shown at once.
  private var finished: Descriptor?
  /// Another program has the screen; this one is blanked.
  private var isAway = false
  private var isBlank = false
  /// The frame of which a worker signalled the end is not on the panel.
  private let isDropped = SharedFlag()
  private lazy var backlight = Backlight(root: root)

  /// A closed display. `root` is the prefix of /dev and /sys; empty except in tests.
  @export(interface)
  public init(_ choice: ScreenChoice, loop: Loop, clock: any Clock, log: Log, root: String = "") {
    self.choice = choice
    self.root = root
    self.loop = loop
    self.log = log
    cards = UeventWatcher(subsystem: "drm", loop: loop, clock: clock)
    frameBuffers = UeventWatcher(subsystem: "graphics", loop: loop, clock: clock)
  }

  // MARK: Display

  public func open(_ delegate: any DisplayDelegate) throws(DisplayFault) -> DisplayMode {
    close()
    self.delegate = delegate
    do throws(DisplayFault) {
      try prepare()
      let scanout = try findScanout()
      self.scanout = scanout
      if let events = scanout.events { try watch(events) }
    } catch {
      close()
      throw error
    }
    guard let scanout else { throw DisplayFault("open a display", .noSuchDevice) }
    return scanout.mode
  }

  public func close() {
    delegate = nil
    cards.stop()
    frameBuffers.stop()
    if let scanout {
      if let events = scanout.events { loop.unwatch(events) }
      scanout.close()
    }
    scanout = nil
    console?.close()
    console = nil
    (isAway, isBlank) = (false, false)
    isDropped.isSet = false
    if let finished {
      loop.unwatch(finished)
      finished.close()
    }
    finished = nil
  }

  public func show(_ pixels: PixelBuffer, _ damage: Damage) throws(DisplayFault) {
    guard let scanout, let finished else { throw DisplayFault("show a frame", .noSuchDevice) }
    switch try scanout.show(pixels, damage) {
    case .later: break
    case .now: Syscall.signal(finished)
    case .dropped:
      isDropped.isSet = true
      Syscall.signal(finished)
    }
  }

  public func setBlank(_ isBlank: Bool) throws(DisplayFault) {
    guard let scanout else { throw DisplayFault("blank the display", .noSuchDevice) }
    // Another program's screen is left as it is.
    guard !isAway else { return }
    try scanout.setBlank(isBlank)
    defer { self.isBlank = isBlank }
    if self.isBlank, !isBlank { delegate?.displayWantsAll() }
  }

  public func setBrightness(_ percent: Int) throws(DisplayFault) -> Bool {
    guard let backlight else { return false }
    do throws(Errno) { try backlight.set(percent: percent) } catch { throw DisplayFault("set the backlight", error) }
    return true
  }

  /// Restores the service's text console after a run that was killed; false when there is nothing to restore.
  public static func releaseConsole(root: String = "") throws(Errno) -> Bool { try TextConsole.release(root: root) }

  /// Switches to another text console, as Ctrl, Alt and a function key would: the kernel does not see these keys while
  /// the canvas is shown.
  public func showConsole(_ number: Int) { console?.show(Int32(clamping: number)) }

  // MARK: Opening

  private func prepare() throws(DisplayFault) {
    do throws(Errno) {
      let finished = try Syscall.eventDescriptor()
      self.finished = finished
      try loop.watch(finished, for: .readable, self)
    } catch {
      throw DisplayFault("watch the display", error)
    }
    // Without hot-plug events the current display is still usable.
    do throws(Errno) {
      try cards.start(self)
      try frameBuffers.start(self)
    } catch {
      log.write(.warning, "canvas") {
        $0.add("displays that are plugged in or removed will not be noticed: ")
        $0.add(error.text)
      }
    }
  }

  private func watch(_ events: Descriptor) throws(DisplayFault) {
    do throws(Errno) { try loop.watch(events, for: .readable, self) } catch {
      throw DisplayFault("watch the card", error)
    }
  }

  private func findScanout() throws(DisplayFault) -> any Scanout {
    switch choice.output {
    case .none: throw DisplayFault("open a display: the configuration has none", .noSuchDevice)
    case .virtual(let size): return VirtualScanout(size)
    case .device(let path):
      if ScreenProbe.isFrameBuffer(path) { return try frameBuffer(path) }
      guard let card = try DRMCard(path, root: root) else {
        throw DisplayFault("use the card as a display", .notSupported)
      }
      guard let scanout = try driven(card) else { throw DisplayFault("find a connected display", .noSuchDevice) }
      return scanout
    case .automatic:
      if let scanout = try automatic() { return scanout }
      return VirtualScanout(choice.virtualSize)
    }
  }

  /// nil when the board has no usable display.
  private func automatic() throws(DisplayFault) -> (any Scanout)? {
    if let scanout = try automatic(.connected) { return scanout }
    // Connectors of which the kernel does not know whether they have a display come last of all cards'.
    if let scanout = try automatic(.unknown) { return scanout }
    do throws(DisplayFault) {
      return try frameBuffer(devicePath("/dev/fb", 0))
    } catch {
      if error.errno == .noSuchFile || error.errno == .noSuchDevice { return nil }
      throw error
    }
  }

  /// The first card with a connector in this state.
  private func automatic(_ connection: DRMConnection) throws(DisplayFault) -> (any Scanout)? {
    var fault: DisplayFault?
    for number in 0..<Budget.displayCards {
      let path = devicePath("/dev/dri/card", number)
      do throws(DisplayFault) {
        guard let card = try DRMCard(path, root: root) else { continue }
        if let scanout = try driven(card, connection) { return scanout }
      } catch {
        if error.errno != .noSuchFile { fault = fault ?? error }
      }
    }
    // The card's display is in use by another program, or may not be opened: its frame buffer would show nothing.
    if let fault { throw fault }
    return nil
  }

  private func frameBuffer(_ path: InlineText<64>) throws(DisplayFault) -> any Scanout {
    let buffer = try FrameBuffer(path, choice, root: root)
    takeConsole()
    return buffer
  }

  /// The card's first display, on a connector in this state, or in any; nil when it has none, and then the card is
  /// closed.
  private func driven(
    _ card: DRMCard, _ connection: DRMConnection? = nil
  ) throws(DisplayFault) -> (any Scanout)? {
    do throws(DisplayFault) {
      let found =
        if let connection { try card.output(choice.mode, connection) } else { try card.output(choice.mode) }
      guard let output = found else {
        card.file.close()
        return nil
      }
      // The first program that opens a card is its master. A program that came first keeps the screen and its console.
      try accepted(tl_drm_set_master(card.file.number), "take the display, which another program has")
      takeConsole()
      let scanout = try DRMScanout(card, output, choice)
      if scanout.lacksMode {
        log.write(.warning, "canvas", "the display has no mode that matches [canvas] mode; its preferred mode is used")
      }
      return scanout
    } catch {
      card.file.close()
      throw error
    }
  }

  /// Without a console, or without the right to it, console text may show through; the canvas is still shown.
  private func takeConsole() {
    guard console == nil else { return }
    do throws(Errno) {
      console = try TextConsole(root: root, loop: loop, self)
    } catch {
      if TextConsole.isAbsent(error) { return }
      log.write(.warning, "canvas") {
        $0.add("the text console cannot be switched away: ")
        $0.add(DeviceTrouble(error, of: .display).text)
      }
    }
  }
}

extension ScreenDisplay: DescriptorHandler {
  public func ready(_ descriptor: Descriptor, _ readiness: Readiness) {
    if let finished, descriptor == finished {
      Syscall.clear(finished)
      // The next frame comes after this one's end.
      let isVisible = !isDropped.isSet
      isDropped.isSet = false
      delegate?.displayIsReady(isVisible: isVisible)
      return
    }
    guard let scanout else { return }
    if readiness.contains(.failed) {
      // The card is gone.
      loop.unwatch(descriptor)
      delegate?.displayChanged()
      return
    }
    for _ in 0..<scanout.takeEvents() { delegate?.displayIsReady(isVisible: true) }
  }
}

extension ScreenDisplay: UeventWatcherDelegate {
  public func devicesChanged() {
    guard let scanout else { return }
    var isOutdated = scanout.isOutdated()
    if case .automatic = choice.output, scanout.mode.bitsPerPixel == 0 {
      isOutdated = ScreenProbe.hasDisplay(root: root)
    }
    if isOutdated { delegate?.displayChanged() }
  }
}

extension ScreenDisplay: TextConsoleDelegate {
  func consoleLeaves() {
    scanout?.release()
    isAway = true
    delegate?.displayIsAway(true)
  }

  func consoleReturns() {
    scanout?.acquire()
    isBlank = false
    delegate?.displayWantsAll()
    // The first switch was requested here.
    guard isAway else { return }
    isAway = false
    delegate?.displayIsAway(false)
  }
}
