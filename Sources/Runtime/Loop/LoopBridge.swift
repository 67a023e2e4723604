import CLinux

/// A synchronous call from another thread to the loop's thread. One object for each kind of call, reused.
open class LoopCall {
  fileprivate(set) var isDone = false

  @export(interface)
  public init() {}

  /// Runs on the loop's thread.
  open func answer() {}
}

/// Runs calls on the loop's thread.
public protocol LoopCaller: AnyObject {
  /// Blocks until `call` was answered. False when the loop is shutting down and will not answer.
  func call(_ call: LoopCall) -> Bool
}

/// Passes calls from one other thread to the loop, through an eventfd.
public final class LoopBridge: LoopCaller, DescriptorHandler {
  private let monitor: OpaquePointer
  private let wakeup: Descriptor
  private let loop: Loop
  private var waiting: LoopCall?
  private var isClosed = false

  /// Opens the bridge.
  @export(interface)
  public init(loop: Loop) throws(Errno) {
    guard let monitor = tl_monitor_create() else { throw .outOfMemory }
    self.monitor = monitor
    self.loop = loop
    wakeup = try Syscall.eventDescriptor()
    do throws(Errno) {
      try loop.watch(wakeup, for: .readable, self)
    } catch {
      wakeup.close()
      throw error
    }
  }

  deinit { tl_monitor_destroy(monitor) }

  public func call(_ call: LoopCall) -> Bool {
    tl_monitor_enter(monitor)
    defer { tl_monitor_leave(monitor) }
    call.isDone = false
    // After `close` the descriptor's number may belong to another file.
    guard !isClosed else { return false }
    waiting = call
    Syscall.signal(wakeup)
    while !call.isDone && !isClosed { tl_monitor_wait(monitor) }
    waiting = nil
    return call.isDone
  }

  /// Fails the waiting call and all later ones. Call it before joining the other thread.
  public func close() {
    tl_monitor_enter(monitor)
    let wasOpen = !isClosed
    isClosed = true
    tl_monitor_notify_all(monitor)
    tl_monitor_leave(monitor)
    guard wasOpen else { return }
    loop.unwatch(wakeup)
    wakeup.close()
  }

  public func ready(_ descriptor: Descriptor, _ readiness: Readiness) {
    Syscall.clear(wakeup)
    tl_monitor_enter(monitor)
    defer { tl_monitor_leave(monitor) }
    guard let call = waiting, !call.isDone else { return }
    // The calling thread only waits meanwhile and holds no other lock, so the monitor may stay locked.
    call.answer()
    call.isDone = true
    tl_monitor_notify_all(monitor)
  }
}
