import CLinux

/// Which way a descriptor is ready (`epoll(7)`).
public struct Readiness: OptionSet, Sendable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  public static let readable = Readiness(rawValue: UInt32(TL_IN))
  public static let writable = Readiness(rawValue: UInt32(TL_OUT))
  /// Error or hang-up: always reported, never asked for.
  public static let failed = Readiness(rawValue: UInt32(TL_ERR | TL_HUP))
}

/// Gets the readiness of its descriptors.
public protocol DescriptorHandler: AnyObject {
  /// `descriptor` is ready. Level-triggered: this is called again until the cause is handled.
  func ready(_ descriptor: Descriptor, _ readiness: Readiness)
}

/// The event loop of the thread that owns all state: descriptors, timers, and a hook that runs before it sleeps.
/// Allocates nothing after `init`.
public final class Loop {
  private struct Slot {
    var handler: (any DescriptorHandler)?
    var descriptor = Descriptor(-1)
    var generation: UInt32 = 0
  }

  private let epoll: Descriptor
  private let clock: any Clock
  private let slots: UnsafeMutableBufferPointer<Slot>
  private let events: UnsafeMutableBufferPointer<tl_event>
  private var timers = TimerQueue()
  private var isRunning = false
  /// Wake-ups since start, by which tests measure that an idle agent sleeps.
  public private(set) var wakeups: UInt64 = 0
  /// Gets the length of each turn; nil: nobody counts.
  public var turns: TurnTimes?

  /// Creates the loop with all of its memory.
  @export(interface)
  public init(clock: any Clock) throws(Errno) {
    self.clock = clock
    epoll = Descriptor(Int32(try check(tl_epoll_create())))
    slots = .allocate(capacity: Budget.loopDescriptors)
    slots.initialize(repeating: Slot())
    events = .allocate(capacity: Budget.loopEventsPerWait)
    events.initialize(repeating: tl_event())
  }

  deinit {
    epoll.close()
    slots.deinitialize()
    slots.deallocate()
    events.deallocate()
  }

  // MARK: Descriptors

  /// Watches `descriptor` for `readiness` and calls `handler`. Throws `.tooManyOpenFiles` when the table is full.
  public func watch(
    _ descriptor: Descriptor, for readiness: Readiness, _ handler: any DescriptorHandler
  ) throws(Errno) {
    guard let index = slots.firstIndex(where: { $0.handler == nil }) else { throw .tooManyOpenFiles }
    let generation = slots[index].generation &+ 1
    try check(
      tl_epoll_ctl(epoll.number, 1, descriptor.number, readiness.rawValue, UInt32(index), generation))
    slots[index] = Slot(handler: handler, descriptor: descriptor, generation: generation)
  }

  /// Changes what a watched descriptor is watched for.
  public func change(_ descriptor: Descriptor, to readiness: Readiness) throws(Errno) {
    guard let index = index(of: descriptor) else { throw .noSuchFile }
    try check(
      tl_epoll_ctl(
        epoll.number, 3, descriptor.number, readiness.rawValue, UInt32(index), slots[index].generation))
  }

  /// Stops watching, and drops events of it that were already read from the kernel. Call before closing.
  public func unwatch(_ descriptor: Descriptor) {
    guard let index = index(of: descriptor) else { return }
    _ = tl_epoll_ctl(epoll.number, 2, descriptor.number, 0, 0, 0)
    slots[index].handler = nil
    slots[index].descriptor = Descriptor(-1)
  }

  private func index(of descriptor: Descriptor) -> Int? {
    slots.firstIndex { $0.handler != nil && $0.descriptor == descriptor }
  }

  // MARK: Timers

  /// Sets or moves the timer `id` of `handler` to a monotonic instant in milliseconds.
  public func setTimer(_ id: TimerID, of handler: any TimerHandler, at deadline: Int64) {
    let isSet = timers.set(id, of: handler, at: deadline)
    precondition(isSet, "Budget.loopTimers is too small")
  }

  /// Forgets a timer.
  public func cancelTimer(_ id: TimerID, of handler: any TimerHandler) {
    timers.cancel(id, of: handler)
  }

  // MARK: Running

  /// Runs until `stop()`; `beforeSleep` is called each time before the loop waits.
  public func run(beforeSleep: () -> Void = {}) throws(Errno) {
    isRunning = true
    while isRunning {
      fireTimers()
      beforeSleep()
      turns?.ended(at: clock.monotonic)
      if isRunning { try turn() }
    }
  }

  /// Ends `run` after the current handler returns; other events wait for the next `run`.
  public func stop() { isRunning = false }

  private func fireTimers() {
    let now = clock.monotonic
    // Limited, so that a timer which is always due does not starve the descriptors.
    for _ in 0..<Budget.loopTimers {
      guard isRunning, let (handler, id) = timers.popDue(at: now) else { return }
      handler.timerFired(id)
    }
  }

  private func turn() throws(Errno) {
    let count = try check(
      tl_epoll_wait(epoll.number, events.baseAddress, Int32(events.count), timeout()))
    wakeups &+= 1
    turns?.began(at: clock.monotonic)
    for index in 0..<Int(count) where isRunning {
      let event = events[index]
      let slot = slots[Int(event.slot)]
      // Skips a slot that was freed, or reused, since the kernel reported it.
      guard slot.generation == event.generation, let handler = slot.handler else { continue }
      handler.ready(slot.descriptor, Readiness(rawValue: event.events))
    }
  }

  /// Milliseconds to sleep, rounded so that a timer is due on waking; -1 without timers.
  private func timeout() -> Int32 {
    guard let deadline = timers.nextDeadline else { return -1 }
    let wait = deadline - clock.monotonic
    return wait <= 0 ? 0 : Int32(min(wait, Int64(Int32.max)))
  }
}
