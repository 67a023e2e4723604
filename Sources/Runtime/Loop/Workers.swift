import CLinux

/// Work that may block or burn CPU. One object for each kind of work, made at start and reused: set its inputs, submit
/// it, read its outputs in `finish`.
open class Job {
  /// True from submission until `finish` begins: meanwhile only `run` may touch the job's data.
  public package(set) var isPending = false

  @export(interface)
  public init() {}

  /// Runs on a worker thread. Touches only what belongs to this job.
  open func run() {}

  /// Runs on the loop's thread afterwards.
  open func finish() {}
}

/// Runs jobs away from the loop; a simulation runs them in virtual time.
public protocol JobRunner: AnyObject {
  /// Queues `job`; false when the queue is full or the job is already pending.
  func submit(_ job: Job) -> Bool
  /// True when a job that is submitted now begins at once: none is in front of it.
  var hasIdleWorker: Bool { get }
}

extension JobRunner {
  /// One that runs each job when it is asked to.
  public var hasIdleWorker: Bool { true }
}

/// A fixed number of threads with a bounded queue in both directions; results come back to the loop
/// through an eventfd.
public final class WorkerPool: JobRunner, DescriptorHandler {
  private let monitor: OpaquePointer
  private var waiting: BoundedQueue<Job>
  private var finished: BoundedQueue<Job>
  private var isStopping = false
  /// Jobs that may be pending at once.
  private let limit: Int
  private let wakeup: Descriptor
  private let loop: Loop
  private var threads: [OpaquePointer] = []
  /// Jobs submitted and not yet finished.
  private var pending = 0
  /// The monotonic time at which each thread began its job; `.max` while it is idle. Protected by the monitor.
  private let began: UnsafeMutableBufferPointer<Int64>
  private var numbered = 0

  /// Starts the threads. Create it after `Signals`, so that workers inherit the blocked signals.
  @export(interface)
  public init(
    loop: Loop, threads count: Int = Budget.workerThreads, queue: Int = Budget.workerQueue,
    stack: Int = Budget.workerStackBytes
  ) throws(Errno) {
    guard let monitor = tl_monitor_create() else { throw .outOfMemory }
    self.monitor = monitor
    self.loop = loop
    limit = queue
    waiting = BoundedQueue(capacity: queue)
    finished = BoundedQueue(capacity: queue)
    began = .allocate(capacity: count)
    began.initialize(repeating: .max)
    wakeup = try Syscall.eventDescriptor()
    do throws(Errno) {
      try loop.watch(wakeup, for: .readable, self)
    } catch {
      wakeup.close()
      throw error
    }
    for _ in 0..<count {
      let body: @convention(c) (UnsafeMutableRawPointer?) -> Void = { context in
        Unmanaged<WorkerPool>.fromOpaque(context!).takeUnretainedValue().work()
      }
      guard
        let thread = tl_thread_start(
          body, Unmanaged.passUnretained(self).toOpaque(), numericCast(stack))
      else {
        stop()
        throw .outOfMemory
      }
      threads.append(thread)
    }
  }

  deinit {
    tl_monitor_destroy(monitor)
    began.deallocate()
  }

  public func submit(_ job: Job) -> Bool {
    // One limit for both queues: an accepted job always finds room for its result.
    guard !isStopping, !job.isPending, pending < limit else { return false }
    job.isPending = true
    pending += 1
    tl_monitor_enter(monitor)
    let isQueued = waiting.push(job)
    tl_monitor_notify_all(monitor)
    tl_monitor_leave(monitor)
    precondition(isQueued)
    return true
  }

  public var hasIdleWorker: Bool { pending < threads.count }

  /// Waits for running jobs, drops queued ones and all results, joins the threads, and refuses later jobs. Must be
  /// called before the pool is released.
  public func stop() {
    if isStopping { return }
    tl_monitor_enter(monitor)
    isStopping = true
    tl_monitor_notify_all(monitor)
    tl_monitor_leave(monitor)
    for thread in threads { tl_thread_join(thread) }
    threads.removeAll()
    loop.unwatch(wakeup)
    wakeup.close()
  }

  /// True when a job has run for longer than `timeout` milliseconds and so counts as hung.
  public func isStuck(for timeout: Int64 = Budget.workerTimeoutMilliseconds) -> Bool {
    tl_monitor_enter(monitor)
    defer { tl_monitor_leave(monitor) }
    var earliest = Int64.max
    for index in 0..<began.count { earliest = min(earliest, began[index]) }
    return earliest < Self.now - timeout
  }

  private static var now: Int64 { SystemClock.monotonicMicroseconds / 1000 }

  private func work() {
    let number = takeNumber()
    while let job = next(number) {
      job.run()
      tl_monitor_enter(monitor)
      let isQueued = finished.push(job)
      tl_monitor_leave(monitor)
      precondition(isQueued)
      Syscall.signal(wakeup)
    }
  }

  private func takeNumber() -> Int {
    tl_monitor_enter(monitor)
    defer { tl_monitor_leave(monitor) }
    numbered += 1
    return numbered - 1
  }

  private func next(_ number: Int) -> Job? {
    tl_monitor_enter(monitor)
    defer { tl_monitor_leave(monitor) }
    began[number] = .max
    while waiting.isEmpty && !isStopping { tl_monitor_wait(monitor) }
    if isStopping { return nil }
    began[number] = Self.now
    return waiting.pop()
  }

  public func ready(_ descriptor: Descriptor, _ readiness: Readiness) {
    Syscall.clear(wakeup)
    while true {
      tl_monitor_enter(monitor)
      let job = finished.pop()
      tl_monitor_leave(monitor)
      guard let job else { return }
      pending -= 1
      job.isPending = false
      job.finish()
    }
  }
}
