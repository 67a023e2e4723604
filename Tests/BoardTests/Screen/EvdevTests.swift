import Canvas
import Glibc
import Graphics
import Runtime
import Testing

@testable import Board

private final class Listener: InputDelegate {
  var events: [InputEvent] = []
  var instants: [Int64] = []
  var changes = 0
  var whenHeard: () -> Void = {}

  func input(_ event: InputEvent, at instant: Int64) {
    events.append(event)
    instants.append(instant)
    whenHeard()
  }
  func inputsChanged(hasTouch: Bool, hasKeyboard: Bool, hasKeys: Bool) {
    changes += 1
    whenHeard()
  }
}

@Suite("Input devices")
struct EvdevTests {
  private let loop: Loop
  private let listener = Listener()

  init() throws { loop = try Loop(clock: SystemClock()) }

  private func source(_ fake: FakeInputs) -> EvdevInput {
    EvdevInput(loop: loop, clock: SystemClock(), log: Log(level: .debug, output: nil), root: fake.tree.root)
  }

  @Test("events have the kernel's timestamp, and no other program gets them")
  func hears() throws {
    let fake = FakeInputs(1)
    let input = source(fake)
    input.start(listener, size: Size(100, 50), rotation: .none)
    #expect(fake.grabs == 1 && listener.changes == 1)
    fake.send(0, [(2, 0, 7), (0, 0, 0), (1, 0x110, 1), (0, 0, 0)], at: 1_234_567)
    listener.whenHeard = { [loop, listener] in if listener.events.count == 2 { loop.stop() } }
    try loop.run()
    #expect(listener.events == [.hover(Point(57, 25)), .pointer(.down, id: 0, Point(57, 25))])
    #expect(listener.instants == [1_234_567, 1_234_567])
    // Unplugged while it is pressed.
    listener.whenHeard = { [loop, listener] in if listener.changes == 2 { loop.stop() } }
    fake.unplug(0)
    try loop.run()
    #expect(listener.events.last == .pointer(.cancel, id: 0, Point(57, 25)))
    #expect(fake.grabs == 0)
    input.stop()
  }

  @Test("more devices than can be read are left alone, and all are given back")
  func limits() throws {
    let fake = FakeInputs(Budget.inputDevices + 2)
    let input = source(fake)
    input.start(listener, size: Size(100, 50), rotation: .none)
    #expect(fake.grabs == Budget.inputDevices)
    #expect(InputProbe.entries(root: fake.tree.root).count == Budget.inputDevices + 2)
    input.stop()
    #expect(fake.grabs == 0)
  }

  @Test("devices that are named are read, and no others")
  func named() throws {
    let fake = FakeInputs(3)
    let input = EvdevInput(
      paths: ["/dev/input/event1", "/dev/input/by-path/none"], loop: loop, clock: SystemClock(),
      log: Log(level: .debug, output: nil), root: fake.tree.root)
    input.start(listener, size: Size(100, 50), rotation: .none)
    #expect(fake.grabs == 1)
    fake.send(1, [(2, 0, 7), (0, 0, 0)], at: 1000)
    listener.whenHeard = { [loop, listener] in if listener.events.count == 1 { loop.stop() } }
    try loop.run()
    #expect(listener.events == [.hover(Point(57, 25))])
    input.stop()
    #expect(fake.grabs == 0)
  }

  @Test("a device that is for something else is left alone, whatever name it has")
  func excluded() throws {
    let fake = FakeInputs(2)
    symlink("event1", fake.tree.root + "/dev/input/scanner")
    let input = EvdevInput(
      excluded: "/dev/input/scanner", loop: loop, clock: SystemClock(), log: Log(level: .debug, output: nil),
      root: fake.tree.root)
    input.start(listener, size: Size(100, 50), rotation: .none)
    #expect(fake.grabs == 1)
    input.stop()
    #expect(fake.grabs == 0)
  }

  @Test("a device that never stops leaves the loop its turn")
  func flood() throws {
    let fake = FakeInputs(1)
    let input = source(fake)
    input.start(listener, size: Size(100, 50), rotation: .none)
    let move: [(UInt16, UInt16, Int32)] = [(2, 0, 1), (0, 0, 0), (2, 0, -1), (0, 0, 0)]
    for _ in 0..<(Budget.inputEventsPerTurn / 2) { fake.send(0, move, at: 1000) }
    var turns: [Int] = []
    try loop.run { [loop, listener] in
      turns.append(listener.events.count)
      if turns.count == 3 { loop.stop() }
    }
    #expect(turns == [0, Budget.inputEventsPerTurn / 2, Budget.inputEventsPerTurn])
    input.stop()
  }
}
