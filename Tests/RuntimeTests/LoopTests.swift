import Runtime
import Testing

@Suite struct LoopTests {
  private let clock = ManualClock()
  private let loop: Loop

  init() throws { loop = try Loop(clock: clock) }

  /// Tells a test what its descriptor is ready for.
  private final class Probe: DescriptorHandler {
    private let onReady: (Descriptor, Readiness) -> Void
    init(_ onReady: @escaping (Descriptor, Readiness) -> Void) { self.onReady = onReady }
    func ready(_ descriptor: Descriptor, _ readiness: Readiness) { onReady(descriptor, readiness) }
  }

  private final class TimerProbe: TimerHandler {
    private let onFire: (TimerID) -> Void
    init(_ onFire: @escaping (TimerID) -> Void) { self.onFire = onFire }
    func timerFired(_ id: TimerID) { onFire(id) }
  }

  /// Lets the loop turn `count` times without ever sleeping.
  private func turn(_ count: Int = 1) throws {
    let alarm = TimerProbe { _ in }
    var left = count
    try loop.run {
      loop.setTimer(TimerID(0), of: alarm, at: clock.monotonic)
      if left == 0 { loop.stop() }
      left -= 1
    }
    loop.cancelTimer(TimerID(0), of: alarm)
  }

  /// An event descriptor that is readable.
  private func signalled() throws -> Descriptor {
    let event = try Syscall.eventDescriptor()
    Syscall.signal(event)
    return event
  }

  @Test("turns are counted by how long they took")
  func turns() throws {
    let times = TurnTimes()
    loop.turns = times
    let alarm = TimerProbe { _ in }
    var lengths: [Int64] = [0, 3, 5, 6, 700, 5000]
    try loop.run {
      loop.setTimer(TimerID(0), of: alarm, at: clock.monotonic)
      // The first pass is no turn: nothing woke the loop.
      if loop.wakeups > 0 { clock.monotonic += lengths.removeFirst() }
      loop.setTimer(TimerID(0), of: alarm, at: clock.monotonic)
      if lengths.isEmpty { loop.stop() }
    }
    loop.cancelTimer(TimerID(0), of: alarm)
    #expect(times.count == 6)
    #expect(times.milliseconds == 5714)
    #expect((0..<TurnTimes.edges.count).map { times.atMost($0) } == [3, 4, 4, 4, 4, 5])
  }

  // MARK: Descriptors

  @Test("a descriptor is reported until the cause is gone")
  func levelTriggered() throws {
    let pipe = Pipe()
    var reports = 0
    try loop.watch(
      pipe.output, for: .readable,
      Probe { descriptor, readiness in
        #expect(descriptor == pipe.output)
        #expect(readiness == .readable)
        reports += 1
        if reports == 3 { #expect(pipe.read() == "x") }
      })
    try turn()
    #expect(reports == 0)
    pipe.write("x")
    try turn(5)
    #expect(reports == 3)
    #expect(loop.wakeups == 6)
  }

  @Test("a descriptor is watched for what was asked, and that can be changed")
  func change() throws {
    let pipe = Pipe()
    var seen: [Readiness] = []
    try loop.watch(pipe.input, for: [], Probe { seen.append($1) })
    try turn()
    #expect(seen == [])
    try loop.change(pipe.input, to: .writable)
    try turn()
    #expect(seen == [.writable])
    try loop.change(pipe.input, to: [])
    try turn()
    #expect(seen == [.writable])
    #expect(throws: Errno.noSuchFile) { try loop.change(pipe.output, to: .readable) }
  }

  @Test("a hang-up is reported without being asked for")
  func hangUp() throws {
    let pipe = Pipe()
    var seen: Readiness = []
    try loop.watch(pipe.output, for: [], Probe { seen.formUnion($1) })
    pipe.closeInput()
    try turn()
    #expect(!seen.isDisjoint(with: .failed))
  }

  @Test("a handler that unwatches another one silences it at once")
  func unwatchInHandler() throws {
    let events = [try signalled(), try signalled()]
    defer { for event in events { event.close() } }
    var reports = 0
    for (own, other) in [(0, 1), (1, 0)] {
      try loop.watch(
        events[own], for: .readable,
        Probe { _, _ in
          reports += 1
          loop.unwatch(events[other])
        })
    }
    try turn(3)
    #expect(reports == 3)
  }

  @Test("a place that is taken again within one batch does not get the event of its former holder")
  func generations() throws {
    let events = [try signalled(), try signalled()]
    let newcomer = try Syscall.eventDescriptor()
    defer { for event in events + [newcomer] { event.close() } }
    var strays = 0
    var hasMoved = false
    let stray = Probe { _, _ in strays += 1 }
    for (own, other) in [(0, 1), (1, 0)] {
      try loop.watch(
        events[own], for: .readable,
        Probe { _, _ in
          if hasMoved { return }
          hasMoved = true
          loop.unwatch(events[other])
          #expect(throws: Never.self) { try loop.watch(newcomer, for: .readable, stray) }
        })
    }
    try turn(2)
    #expect(hasMoved)
    #expect(strays == 0)
    Syscall.signal(newcomer)
    try turn()
    #expect(strays == 1)
  }

  @Test("a full table refuses one more descriptor, and has room again when one leaves")
  func fullTable() throws {
    var events: [Descriptor] = []
    defer { for event in events { event.close() } }
    let probe = Probe { _, _ in }
    for _ in 0...Budget.loopDescriptors { events.append(try Syscall.eventDescriptor()) }
    for event in events.dropLast() { try loop.watch(event, for: .readable, probe) }
    #expect(throws: Errno.tooManyOpenFiles) { try loop.watch(events.last!, for: .readable, probe) }
    loop.unwatch(events[5])
    try loop.watch(events.last!, for: .readable, probe)
  }

  @Test("what the kernel will not watch takes no place in the table")
  func refused() throws {
    let file = try Syscall.open(Path("/proc/self/exe"), .read)
    defer { file.close() }
    let probe = Probe { _, _ in }
    for _ in 0...Budget.loopDescriptors {
      #expect(throws: Errno.notPermitted) { try loop.watch(file, for: .readable, probe) }
    }
    let event = try Syscall.eventDescriptor()
    defer { event.close() }
    try loop.watch(event, for: .readable, probe)
  }

  @Test("a handler is kept as long as its descriptor is watched")
  func ownership() throws {
    let event = try Syscall.eventDescriptor()
    defer { event.close() }
    weak var probe: Probe?
    do {
      let made = Probe { _, _ in }
      probe = made
      try loop.watch(event, for: .readable, made)
    }
    #expect(probe != nil)
    loop.unwatch(event)
    #expect(probe == nil)
    loop.unwatch(event)
  }

  // MARK: Timers

  @Test("timers come in order, and only those that are due")
  func timers() throws {
    var fired: [Int] = []
    let probe = TimerProbe { fired.append($0.number) }
    for number in [3, 1, 4, 2] {
      loop.setTimer(TimerID(number), of: probe, at: clock.monotonic + Int64(number) * 10)
    }
    try turn()
    #expect(fired == [])
    clock.monotonic += 30
    try turn()
    #expect(fired == [1, 2, 3])
    clock.monotonic += 10
    try turn()
    #expect(fired == [1, 2, 3, 4])
  }

  @Test("a timer may cancel and move others that are due with it")
  func timersAmongThemselves() throws {
    var fired: [Int] = []
    var probe: TimerProbe!
    let start = clock.monotonic
    probe = TimerProbe { id in
      fired.append(id.number)
      if id.number != 1 { return }
      loop.cancelTimer(TimerID(2), of: probe)
      loop.setTimer(TimerID(3), of: probe, at: start + 100)
    }
    for number in 1...4 { loop.setTimer(TimerID(number), of: probe, at: start + Int64(number)) }
    clock.monotonic = start + 10
    try turn()
    #expect(fired == [1, 4])
    clock.monotonic = start + 100
    try turn()
    #expect(fired == [1, 4, 3])
  }

  @Test("a timer that is always due again leaves a turn to the descriptors")
  func noStarvation() throws {
    let event = try signalled()
    defer { event.close() }
    var timer: TimerProbe!
    timer = TimerProbe { id in loop.setTimer(id, of: timer, at: clock.monotonic) }
    loop.setTimer(TimerID(1), of: timer, at: clock.monotonic)
    try loop.watch(event, for: .readable, Probe { _, _ in loop.stop() })
    try loop.run()
    loop.unwatch(event)
    loop.cancelTimer(TimerID(1), of: timer)
  }

  @Test("the loop sleeps until a timer of the real clock is due")
  func realClock() throws {
    let clock = SystemClock()
    let loop = try Loop(clock: clock)
    let deadline = clock.monotonic + 20
    var firedAt: Int64 = 0
    let probe = TimerProbe { _ in
      firedAt = clock.monotonic
      loop.stop()
    }
    loop.setTimer(TimerID(1), of: probe, at: deadline)
    try loop.run()
    #expect(firedAt >= deadline)
    #expect(loop.wakeups <= 3)
  }

  // MARK: Ending

  @Test("a handler that stops the loop is the last one told")
  func stopInHandler() throws {
    let events = [try signalled(), try signalled(), try signalled()]
    defer { for event in events { event.close() } }
    var reports = 0
    let probe = Probe { _, _ in
      reports += 1
      loop.stop()
    }
    for event in events { try loop.watch(event, for: .readable, probe) }
    try loop.run()
    #expect(reports == 1)
    try loop.run()
    #expect(reports == 2)
  }

  @Test("a timer that stops the loop is the last one told; no sleep follows")
  func stopInTimer() throws {
    var fired: [Int] = []
    let probe = TimerProbe { id in
      fired.append(id.number)
      loop.stop()
    }
    loop.setTimer(TimerID(1), of: probe, at: clock.monotonic)
    loop.setTimer(TimerID(2), of: probe, at: clock.monotonic)
    try loop.run()
    #expect(fired == [1])
    #expect(loop.wakeups == 0)
  }

  @Test("a refusal of the kernel ends the loop with its reason")
  func waitFails() throws {
    let injector = try FaultInjector.record(fault: { _, name in name == "epoll_wait" ? .inputOutput : nil }) {
      () throws in
      #expect(throws: Errno.inputOutput) { try loop.run() }
    }
    #expect(injector.calls.map(\.name) == ["epoll_wait"])
  }
}
