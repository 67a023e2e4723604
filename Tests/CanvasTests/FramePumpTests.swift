import Runtime
import Simulated
import Testing

@testable import Canvas
@testable import Graphics

private final class ManualClock: Clock {
  var monotonic: Int64 = 0
  var wall: Int64 { monotonic }
}

/// Paints nothing, and remembers what it should have.
private final class RecordingPainter: Painter {
  private(set) var damages: [Rect] = []
  func paint(_ list: DisplayList, _ damage: Damage, into pixels: PixelBuffer) { damages.append(damage.bounds) }
  func keep(_ pixels: UnsafeBufferPointer<UInt32>, _ size: Size) -> PictureHandle? { nil }
  func drop(_ picture: PictureHandle) {}
}

/// Shows one rectangle.
private final class Owner: FrameDelegate {
  var rect = Rect(0, 0, 10, 10)
  private(set) var shown: [UInt64] = []
  private(set) var drawn = 0
  private(set) var changes = 0
  var isReady = true

  func draw(into list: DisplayList, _ size: Size) {
    drawn += 1
    list.add(.fill(rect, radius: 0, .solid(.white)))
  }
  private(set) var visible: [Bool] = []
  func frameShown(_ number: UInt64, isVisible: Bool) {
    shown.append(number)
    visible.append(isVisible)
  }
  func screenChanged() { changes += 1 }
  func screenIsAway(_ isAway: Bool) {}
}

/// A display that says it is larger than any memory when it is opened for the first time.
private final class BoastingDisplay: Display {
  private let display: MemoryDisplay
  private(set) var openings = 0

  init(_ display: MemoryDisplay) { self.display = display }

  func open(_ delegate: any DisplayDelegate) throws(DisplayFault) -> DisplayMode {
    openings += 1
    let mode = try display.open(delegate)
    guard openings == 1 else { return mode }
    return DisplayMode(
      size: Size(2_000_000, 100_000_000), rotation: .none, bitsPerPixel: 32, millimeters: nil, driver: mode.driver,
      path: mode.path)
  }
  func close() { display.close() }
  func show(_ pixels: PixelBuffer, _ damage: Damage) throws(DisplayFault) { try display.show(pixels, damage) }
  func setBlank(_ isBlank: Bool) throws(DisplayFault) { try display.setBlank(isBlank) }
  func setBrightness(_ percent: Int) throws(DisplayFault) -> Bool { try display.setBrightness(percent) }
}

@Suite("Frames on their way")
struct FramePumpTests {
  private let runner = DeferredRunner()
  private let clock = ManualClock()
  private let painter = RecordingPainter()
  private let delegate = Owner()
  private let display = MemoryDisplay(
    PanelLayout(format: .xrgb8888, size: Size(64, 32), stride: 256)!)
  private let pump: FramePump

  init() throws {
    pump = FramePump(
      display: display, painter: painter, size: Size(100, 50), runner: runner, clock: clock, log: Log(output: nil),
      delegate: delegate)
  }

  /// Everything that waits is done, and the panel takes what it is shown.
  private func settle() {
    for _ in 0..<4 {
      runner.runAll()
      if display.isBusy { display.takeFrame() }
    }
  }

  @Test("at start all of it is painted, and then only what changed")
  func damage() {
    pump.start()
    settle()
    #expect(painter.damages == [Rect(0, 0, 64, 32)])
    delegate.rect = Rect(20, 0, 10, 10)
    let number = pump.request()
    #expect(!pump.isShown(number))
    settle()
    #expect(pump.isShown(number))
    #expect(painter.damages == [Rect(0, 0, 64, 32), Rect(0, 0, 30, 10)])
  }

  @Test("what changes nothing is seen at once, and costs no frame")
  func nothing() {
    pump.start()
    settle()
    let number = pump.request()
    #expect(pump.isShown(number))
    #expect(painter.damages.count == 1)
  }

  @Test("changes that come while a frame is on its way share the next one")
  func merges() {
    pump.start()
    var last: UInt64 = 0
    for x in 1...5 {
      delegate.rect.x = Int32(x)
      last = pump.request()
    }
    runner.runAll()
    #expect(!pump.isShown(last))
    settle()
    #expect(pump.isShown(last))
    #expect(delegate.drawn == 2)
  }

  @Test("a frame counts when the panel has it, not before")
  func waitsForPanel() {
    pump.start()
    runner.runAll()
    #expect(delegate.shown.isEmpty)
    display.takeFrame()
    #expect(delegate.shown == [1])
  }

  @Test("a frame that the display drops is done, but nobody sees it, and the next has all of it")
  func dropped() {
    pump.start()
    settle()
    display.isTaken = true
    delegate.rect.x = 20
    let number = pump.request()
    settle()
    #expect(pump.isShown(number) && delegate.visible == [true, false])
    // Nothing has changed, and the display is the board's again.
    display.isTaken = false
    pump.request()
    settle()
    #expect(delegate.visible == [true, false, true] && painter.damages.last == Rect(0, 0, 64, 32))
    pump.request()
    #expect(delegate.visible.last == true && delegate.shown.count == 4)
  }

  @Test("nothing is visible without a display, nor on one that is dark until it is lit and painted again")
  func darkness() {
    pump.start()
    settle()
    pump.setBlank(true)
    delegate.rect.x = 20
    pump.request()
    settle()
    pump.request()
    #expect(delegate.visible == [true, false] || delegate.visible == [true, false, false])
    pump.setBlank(false)
    settle()
    #expect(delegate.visible.last == true)
    display.fault = DisplayFault("open a display", .noSuchDevice)
    display.change()
    settle()
    #expect(delegate.visible.last == false)
  }

  @Test("the pixels are lent only while nothing is painted, and nothing is painted while they are lent")
  func lends() {
    pump.start()
    #expect(pump.lend() == nil)
    settle()
    #expect(pump.lend() != nil)
    delegate.rect.x = 5
    pump.request()
    #expect(delegate.drawn == 1)
    // The frame that was asked for is not painted yet; who takes an older one may read, too.
    #expect(pump.lend() == nil)
    #expect(pump.lend(evenIfOld: true) != nil)
    pump.takeBack()
    #expect(delegate.drawn == 1)
    pump.takeBack()
    #expect(delegate.drawn == 2)
    #expect(pump.lend(evenIfOld: true) == nil)
  }

  @Test("what was painted is counted, not what looks the same")
  func paintings() {
    pump.start()
    settle()
    let before = pump.paintings
    pump.request()
    settle()
    #expect(pump.paintings == before)
    delegate.rect.x = 5
    pump.request()
    settle()
    #expect(pump.paintings == before + 1)
  }

  @Test("without a display frames go into the picture of the screen, and the display is looked for again")
  func noDisplay() {
    display.fault = DisplayFault("open it", .noSuchDevice)
    pump.start()
    settle()
    #expect(pump.mode == nil && pump.size == Size(100, 50))
    #expect(delegate.shown == [1])
    #expect(pump.nextDeadline == Budget.displayRetryMilliseconds)
    clock.monotonic = Budget.displayRetryMilliseconds
    pump.advance(to: clock.monotonic)
    #expect(pump.nextDeadline == 2 * Budget.displayRetryMilliseconds)
    display.fault = nil
    pump.advance(to: 2 * Budget.displayRetryMilliseconds)
    settle()
    #expect(pump.mode != nil && pump.size == Size(64, 32) && pump.nextDeadline == nil)
    #expect(delegate.shown.count == 2)
  }

  @Test("a display that there was no memory for is opened again after a pause, and works then")
  func noMemory() {
    let boasting = BoastingDisplay(display)
    let pump = FramePump(
      display: boasting, painter: painter, size: Size(100, 50), runner: runner, clock: clock, log: Log(output: nil),
      delegate: delegate)
    pump.start()
    settle()
    #expect(pump.mode == nil && !display.isOpen && delegate.shown.isEmpty)
    #expect(pump.nextDeadline == Budget.displayRetryMilliseconds)
    pump.advance(to: Budget.displayRetryMilliseconds)
    settle()
    #expect(boasting.openings == 2 && pump.mode != nil && delegate.shown == [1])
    pump.stop()
  }

  @Test("a display that fails in the middle is opened again, and all of it is painted")
  func recovers() {
    pump.start()
    settle()
    display.fault = DisplayFault("show a frame", .inputOutput)
    delegate.rect.x = 7
    let number = pump.request()
    settle()
    display.fault = nil
    clock.monotonic += Budget.displayRetryMilliseconds
    pump.advance(to: clock.monotonic)
    settle()
    #expect(pump.isShown(number))
    #expect(painter.damages.last == Rect(0, 0, 64, 32))
  }

  @Test("a display that opens and takes no frame is tried as often as one that does not open")
  func takesNothing() {
    display.frameFault = DisplayFault("show a frame", .notPermitted)
    pump.start()
    #expect(runner.runAll(atMost: 9) == 2)
    #expect(pump.mode == nil && pump.nextDeadline == Budget.displayRetryMilliseconds)
    // What is drawn goes into the picture of the screen meanwhile.
    let number = pump.request()
    settle()
    #expect(pump.isShown(number))
    clock.monotonic = Budget.displayRetryMilliseconds
    pump.advance(to: clock.monotonic)
    settle()
    #expect(pump.nextDeadline == 2 * Budget.displayRetryMilliseconds)
    display.frameFault = nil
    clock.monotonic = 2 * Budget.displayRetryMilliseconds
    pump.advance(to: clock.monotonic)
    settle()
    #expect(pump.mode != nil && pump.nextDeadline == nil && display.frames == 1)
  }

  @Test("a display that is opened again owes nothing of what it was shown before")
  func changesMeanwhile() {
    pump.start()
    runner.runAll()
    #expect(display.isBusy)
    display.change()
    #expect(runner.runAll(atMost: 9) == 1)
    #expect(pump.mode != nil && pump.nextDeadline == nil)
  }

  @Test("stopped, it gives the display back, also while a frame is painted")
  func stops() {
    pump.start()
    pump.stop()
    #expect(!pump.isStopped)
    settle()
    #expect(pump.isStopped && !display.isOpen)
  }
}
