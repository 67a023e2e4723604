import CLinux
import Foundation
import Runtime
import Testing

@testable import Board
@testable import Canvas
@testable import Graphics

private final class Listener: DisplayDelegate {
  var ready = 0, changes = 0, lost = 0, visible: [Bool] = []
  func displayIsReady(isVisible: Bool) {
    ready += 1
    visible.append(isVisible)
  }
  func displayChanged() { changes += 1 }
  func displayWantsAll() { lost += 1 }
  func displayIsAway(_ isAway: Bool) {}
}

@Suite("Displays")
struct ScreenTests {
  private let fake = FakeScreen()

  private func open(_ choice: ScreenChoice = ScreenChoice()) throws -> DRMScanout {
    guard let card = try DRMCard(devicePath("/dev/dri/card", 0), root: fake.tree.root) else { throw Errno.noSuchDevice }
    do {
      guard let output = try card.output(choice.mode) else { throw Errno.noSuchDevice }
      return try DRMScanout(card, output, choice)
    } catch {
      card.file.close()
      throw error
    }
  }

  private func picture(_ color: UInt32, _ size: Size = FakeScreen.size) throws -> PixelBuffer {
    let picture = try PixelBuffer(size)
    for index in picture.pixels.indices { picture.pixels[index] = color }
    return picture
  }

  private let all = Damage(Rect(0, 0, 64, 40))

  @Test("a card's pages are flipped, and each frame is whole on the page that is seen")
  func flips() throws {
    let display = try open()
    #expect(display.mode.size == FakeScreen.size && display.mode.bitsPerPixel == 32)
    #expect(display.mode.millimeters == Size(160, 100))
    #expect(fake.handles.count == 2 && fake.buffers.count == 2)
    let first = fake.shown
    #expect(try display.show(try picture(0x112233), all) == .later)
    #expect(fake.shown != first && fake.pixel(63, 39) == 0x112233)
    let next = try picture(0x112233)
    next.pixels[0] = 0x445566
    #expect(try display.show(next, Damage(Rect(0, 0, 1, 1))) == .later)
    #expect(fake.shown == first && fake.pixel(0, 0) == 0x445566 && fake.pixel(63, 39) == 0x112233)
    display.close()
    #expect(fake.handles.isEmpty && fake.buffers.isEmpty && fake.openFiles == 0 && fake.shown == 7)
  }

  @Test("a virtual display has one buffer, and is told what changed")
  func tells() throws {
    fake.connectorType = 15
    let display = try open(ScreenChoice(rotation: .quarter))
    #expect(display.mode.size == Size(40, 64) && fake.handles.count == 1)
    #expect(try display.show(try picture(0xABCDEF, Size(40, 64)), Damage(Rect(0, 0, 40, 64))) == .now)
    #expect(fake.clips == [Rect(0, 0, 64, 40)] && fake.pixel(5, 5) == 0xABCDEF)
    _ = try display.show(try picture(0xABCDEF, Size(40, 64)), Damage(Rect(0, 0, 3, 5)))
    #expect(fake.clips == [Rect(59, 0, 5, 3)])
    fake.refusals[0x64B1] = ENOSYS
    #expect(try display.show(try picture(1, Size(40, 64)), Damage(Rect(0, 0, 40, 64))) == .now)
    fake.count()
    #expect(try display.show(try picture(2, Size(40, 64)), Damage(Rect(0, 0, 40, 64))) == .now)
    #expect(!fake.requests.contains(0x64B1) && fake.pixel(0, 0) == 2)
    display.close()
  }

  @Test("slow panels, wishes and short memory get 16 bits")
  func words() throws {
    fake.connectorType = 19
    var display = try open()
    #expect(display.mode.bitsPerPixel == 16)
    display.close()
    fake.connectorType = 11
    display = try open(ScreenChoice(bitsPerPixel: 16))
    #expect(display.mode.bitsPerPixel == 16)
    display.close()
    fake.passing[0x64B2] = (1, ENOMEM)
    display = try open()
    #expect(display.mode.bitsPerPixel == 16)
    display.close()
    #expect(fake.handles.isEmpty && fake.openFiles == 0)
  }

  @Test("a flip that is refused for a while is tried again; one that is refused for good is given up")
  func busy() throws {
    let display = try open()
    fake.passing[0x64B0] = (Budget.displayFlipTries - 1, EBUSY)
    #expect(try display.show(try picture(3), all) == .later)
    fake.refusals[0x64B0] = EACCES
    #expect(try display.show(try picture(4), all) == .dropped)
    fake.refusals[0x64B0] = EBUSY
    #expect(try display.show(try picture(5), all) == .now)
    #expect(fake.pixel(63, 39) == 5)
    #expect(try display.show(try picture(6), all) == .now)
    #expect(fake.pixel(0, 0) == 6)
    display.close()
  }

  @Test("a dark card is shown nothing, and flips pages again when it is lit")
  func dark() throws {
    let display = try open()
    try display.setBlank(true)
    #expect(fake.isBlank)
    fake.count()
    #expect(try display.show(try picture(3), all) == .dropped)
    #expect(!fake.requests.contains(0x64B0))
    try display.setBlank(false)
    #expect(try display.show(try picture(4), all) == .later)
    #expect(fake.pixel(63, 39) == 4)
    fake.refusals[0x64AB] = EACCES
    #expect(throws: DisplayFault.self) { try display.setBlank(true) }
    #expect(try display.show(try picture(5), all) == .later)
    fake.refusals = [:]
    try display.setBlank(true)
    // Whoever had the screen set a mode, which lights it.
    display.release()
    display.acquire()
    #expect(!fake.isBlank)
    #expect(try display.show(try picture(6), all) == .later)
    display.close()
  }

  @Test("when it is lit again all is shown again; another program's screen is left as it is")
  func lit() throws {
    let loop = try Loop(clock: SystemClock())
    let listener = Listener()
    let display = screen(.device(devicePath("/dev/fb", 0)), loop)
    _ = try display.open(listener)
    try display.setBlank(true)
    try display.setBlank(true)
    #expect(listener.lost == 0)
    try display.setBlank(false)
    try display.setBlank(false)
    #expect(listener.lost == 1)
    display.consoleLeaves()
    try display.setBlank(true)
    #expect(!fake.isBlank)
    display.consoleReturns()
    #expect(listener.lost == 2)
    try display.setBlank(true)
    #expect(fake.isBlank)
    display.close()
    #expect(!fake.isBlank)
  }

  @Test("the loop tells whether a frame is on the panel, or was dropped because it is dark")
  func told() throws {
    let loop = try Loop(clock: SystemClock())
    let listener = Listener()
    let display = screen(.device(devicePath("/dev/fb", 0)), loop)
    let mode = try display.open(listener)
    for isDark in [false, true, false] {
      try display.setBlank(isDark)
      let count = listener.ready + 1
      try display.show(try PixelBuffer(mode.size), Damage())
      try loop.run { if listener.ready == count { loop.stop() } }
    }
    #expect(listener.visible == [true, false, true])
    display.close()
  }

  @Test("a card that another program has is left to it, with its console")
  func taken() throws {
    let loop = try Loop(clock: SystemClock())
    fake.refusals[0x641E] = EBUSY
    let display = screen(.automatic, loop)
    #expect(throws: DisplayFault.self) { try display.open(Listener()) }
    #expect(fake.shown == 7 && fake.handles.isEmpty && !fake.requests.contains(0x64A2))
  }

  @Test("a display that is unplugged, or that has another mode, is another one")
  func outdated() throws {
    let display = try open()
    #expect(!display.isOutdated())
    fake.connections = [20: 2]
    #expect(display.isOutdated())
    display.close()
    #expect(ScreenProbe.entries(root: fake.tree.root).count == 2)
    #expect(ScreenProbe.entries(root: fake.tree.root)[0].size == nil)
  }

  @Test(
    "a connector of which the kernel does not know whether it has a display is used when no other has one",
    arguments: [
      ([20: 1], 20), ([20: 3], 20), ([20: 2], nil), ([20: 3, 21: 1], 21), ([20: 1, 21: 3], 20), ([20: 2, 21: 3], 21),
      ([20: 3, 21: 3], 20), ([20: 2, 21: 2], nil), ([20: 3, 21: 2, 22: 1], 22),
    ] as [([UInt32: UInt32], UInt32?)])
  func unknownConnectors(connections: [UInt32: UInt32], used: UInt32?) throws {
    fake.connections = connections
    let entries = ScreenProbe.entries(root: fake.tree.root)
    #expect((entries[0].size != nil) == (used != nil))
    guard let used else {
      #expect(throws: Errno.self) { try open() }
      return
    }
    let display = try open()
    #expect(fake.driven == used)
    display.close()
  }

  @Test("a display that the kernel only supposed gives way to one that it knows")
  func supposed() throws {
    fake.connections = [20: 3, 21: 2]
    let display = try open()
    #expect(!display.isOutdated())
    fake.connections[21] = 1
    #expect(display.isOutdated())
    fake.connections = [20: 2, 21: 2]
    #expect(display.isOutdated())
    fake.connections = [20: 3, 21: 3]
    #expect(!display.isOutdated())
    // A monitor that is switched on at the same connector changes nothing.
    fake.connections = [20: 1, 21: 2]
    #expect(!display.isOutdated())
    display.close()
  }

  @Test("whatever call fails while a card is opened, nothing is left behind")
  func faults() throws {
    fake.count()
    try open().close()
    let calls = fake.calls
    #expect(calls > 15)
    for index in 0..<calls {
      fake.count()
      fake.refusedCall = index
      (try? open())?.close()
      fake.refusedCall = nil
      #expect(fake.openFiles == 0, "call \(index)")
      // What gives memory back may be what was refused.
      if fake.handles.isEmpty == false { #expect(fake.handles.count == 1 && index > calls / 2, "call \(index)") }
      fake.refusals = [:]
      fake.forget()
    }
  }

  @Test("a mode of the configuration is chosen at its rate, else the display's own")
  func modes() {
    func mode(_ width: UInt32, _ rate: UInt32, isPreferred: Int32 = 0, isInterlaced: Int32 = 0) -> tl_drm_mode {
      var mode = tl_drm_mode()
      (mode.width, mode.height, mode.rate) = (width, 480, rate)
      (mode.is_preferred, mode.is_interlaced) = (isPreferred, isInterlaced)
      return mode
    }
    let modes = [
      mode(1920, 60_000, isInterlaced: 1), mode(640, 75_000), mode(800, 60_000, isPreferred: 1), mode(640, 59_940),
      mode(UInt32(Budget.displaySide) + 1, 60_000),
    ]
    func choose(_ requested: ScreenMode?) -> (mode: tl_drm_mode, lacksRequestedMode: Bool)? {
      modes.withUnsafeBufferPointer { DRMOutput.choose($0, requested) }
    }
    #expect(choose(nil)?.mode.width == 800 && choose(nil)?.lacksRequestedMode == false)
    #expect(choose(ScreenMode(size: Size(640, 480), rate: 60))?.mode.rate == 59_940)
    #expect(choose(ScreenMode(size: Size(640, 480), rate: 72))?.mode.rate == 75_000)
    #expect(choose(ScreenMode(size: Size(1920, 480)))?.mode.width == 800)
    #expect(choose(ScreenMode(size: Size(1920, 480)))?.lacksRequestedMode == true)
    #expect(choose(ScreenMode(size: Size(Budget.displaySide + 1, 480)))?.lacksRequestedMode == true)
  }

  @Test("composite video, which has interlaced modes alone, is shown in one of them")
  func interlacedModes() {
    func mode(_ width: UInt32, _ height: UInt32, _ rate: UInt32, isPreferred: Int32 = 0) -> tl_drm_mode {
      var mode = tl_drm_mode()
      (mode.width, mode.height, mode.rate) = (width, height, rate)
      (mode.is_preferred, mode.is_interlaced) = (isPreferred, 1)
      return mode
    }
    func choose(_ modes: [tl_drm_mode], _ requested: ScreenMode? = nil) -> tl_drm_mode? {
      modes.withUnsafeBufferPointer { DRMOutput.choose($0, requested)?.mode }
    }
    // What vc4 offers of its VEC.
    var modes = [mode(720, 480, 59_940, isPreferred: 1), mode(720, 576, 50_000)]
    #expect(choose(modes)?.height == 480)
    #expect(choose(modes, ScreenMode(size: Size(720, 576)))?.height == 576)
    #expect(choose([mode(UInt32(Budget.displaySide) + 1, 480, 60_000)]) == nil)
    var progressive = mode(640, 480, 60_000)
    progressive.is_interlaced = 0
    modes.append(progressive)
    #expect(choose(modes)?.width == 640)
    #expect(choose(modes, ScreenMode(size: Size(720, 576)))?.width == 640)
  }

  // MARK: Frame buffers

  @Test("a frame buffer shows its pages in turn where it has room for two", arguments: [UInt32(40), 80])
  func frameBuffer(_ height: UInt32) throws {
    fake.virtualHeight = height
    let display = try FrameBuffer(devicePath("/dev/fb", 0), ScreenChoice(), root: fake.tree.root)
    #expect(display.mode.size == FakeScreen.size && display.mode.bitsPerPixel == 16 && display.mode.millimeters == nil)
    #expect(try display.show(try picture(0xFF0000), all) == .now)
    #expect(fake.top == height - 40 && fake.frameBuffer(63, 39) == 0xF800)
    #expect(try display.show(try picture(0x0000FF), all) == .now)
    #expect(fake.top == 0 && fake.frameBuffer(0, 0) == 0x001F)
    display.release()
    #expect(try display.show(try picture(0xFFFFFF), all) == .dropped)
    #expect(fake.frameBuffer(0, 0) == 0x001F)
    display.acquire()
    fake.refusals[0x4606] = EINVAL
    #expect(try display.show(try picture(0xFFFFFF), all) == .now)
    #expect(fake.frameBuffer(9, 9) == 0xFFFF)
    try display.setBlank(true)
    #expect(fake.isBlank)
    #expect(try display.show(try picture(0), all) == .dropped)
    #expect(!display.isOutdated())
    fake.visual = 3
    #expect(display.isOutdated())
    display.close()
    #expect(fake.openFiles == 0 && !fake.isBlank)
  }

  @Test("a frame buffer with a palette is refused in words")
  func palette() {
    fake.visual = 3
    #expect(throws: DisplayFault.self) {
      try FrameBuffer(devicePath("/dev/fb", 0), ScreenChoice(), root: fake.tree.root)
    }
    #expect(fake.openFiles == 0)
  }

  // MARK: The whole display

  private func screen(_ output: ScreenChoice.Output, _ loop: Loop, root: String? = nil) -> ScreenDisplay {
    ScreenDisplay(
      ScreenChoice(output: output), loop: loop, clock: SystemClock(), log: Log(level: .debug, output: nil),
      root: root ?? fake.tree.root)
  }

  @Test("without any display the canvas is virtual, and each frame is answered by the loop")
  func virtual() throws {
    let loop = try Loop(clock: SystemClock())
    let listener = Listener()
    let display = screen(.automatic, loop, root: fake.tree.root + "/nowhere")
    let mode = try display.open(listener)
    #expect(mode.size == Size(800, 480) && mode.bitsPerPixel == 0)
    try display.show(try PixelBuffer(mode.size), Damage())
    try loop.run { if listener.ready == 1 { loop.stop() } }
    #expect(listener.ready == 1)
    #expect(try !display.setBrightness(50))
    display.close()
    #expect(throws: DisplayFault.self) { try display.show(try PixelBuffer(mode.size), Damage()) }
    #expect(throws: DisplayFault.self) { try screen(.none, loop).open(listener) }
  }

  @Test("a frame buffer is taken by its path, and what is no display is refused")
  func byPath() throws {
    let loop = try Loop(clock: SystemClock())
    let listener = Listener()
    let display = screen(.device(devicePath("/dev/fb", 0)), loop)
    #expect(try display.open(listener).size == FakeScreen.size)
    try display.show(try picture(0x00FF00), all)
    #expect(fake.frameBuffer(1, 1) == 0x07E0)
    display.close()
    fake.refusals[0x64A0] = EOPNOTSUPP
    #expect(throws: DisplayFault.self) { try screen(.device(devicePath("/dev/dri/card", 0)), loop).open(listener) }
    #expect(fake.openFiles <= 1)
  }

  @Test("so many cards and frame buffers are looked at")
  func counted() {
    for number in 1...Budget.displayCards { fake.tree.write("/dev/dri/card\(number)", "") }
    for number in 1...Budget.frameBuffers { fake.tree.write("/dev/fb\(number)", "") }
    let entries = ScreenProbe.entries(root: fake.tree.root)
    #expect(entries.count == Budget.displayCards + Budget.frameBuffers)
    #expect(!entries.contains { $0.path == devicePath("/dev/dri/card", Budget.displayCards) })
    #expect(!entries.contains { $0.path == devicePath("/dev/fb", Budget.frameBuffers) })
  }

  @Test("the backlight has at least one step unless it is off")
  func backlight() throws {
    #expect(Backlight(root: fake.tree.root) == nil)
    fake.tree.write("/sys/class/backlight/b/max_brightness", "31\n")
    fake.tree.write("/sys/class/backlight/b/brightness", "31\n")
    fake.tree.write("/sys/class/backlight/c/max_brightness", "9\n")
    let light = try #require(Backlight(root: fake.tree.root))
    func level() -> String? {
      try? String(contentsOfFile: fake.tree.root + "/sys/class/backlight/b/brightness", encoding: .utf8)
    }
    for (percent, expected) in [(100, "31\n"), (50, "15\n"), (1, "1\n"), (0, "0\n"), (900, "31\n"), (-5, "0\n")] {
      try light.set(percent: percent)
      #expect(level() == expected)
    }
  }
}
