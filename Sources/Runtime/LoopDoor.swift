import CLinux

/// Something that another thread wants done on the loop's thread, and waits for. One object for each kind, used again.
open class LoopCall {
  fileprivate(set) var isDone = false

  public init() {}

  /// Runs on the loop's thread.
  open func answer() {}
}

/// Takes calls to the loop.
public protocol LoopCaller: AnyObject {
  /// Waits until `call` was answered. False when nobody will answer any more.
  func call(_ call: LoopCall) -> Bool
}

/// The way from one other thread into the loop, through an eventfd.
public final class LoopDoor: LoopCaller, DescriptorHandler {
  private let monitor: OpaquePointer
  private let wakeup: Descriptor
  private let loop: Loop
  private var waiting: LoopCall?
  private var isClosed = false

  /// An open door.
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
    // A closed door has no descriptor: its number may be another's by now.
    guard !isClosed else { return false }
    waiting = call
    Syscall.signal(wakeup)
    while !call.isDone && !isClosed { tl_monitor_wait(monitor) }
    waiting = nil
    return call.isDone
  }

  /// Nobody waits at the door from now on. To be called before the thread behind it is joined.
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
    // Whoever calls waits, and takes no lock of the loop's: the monitor may be kept.
    call.answer()
    call.isDone = true
    tl_monitor_notify_all(monitor)
  }
}
