import Codec
import Runtime

/// Gets device changes.
public protocol UeventWatcherDelegate: AnyObject {
  /// Devices of the watched class were added, removed or changed, or events may have been lost. Called once for a
  /// burst, `Budget.ueventSettleMilliseconds` after the first event.
  func devicesChanged()
}

/// Watches for added and removed devices by `netlink(7)`, `NETLINK_KOBJECT_UEVENT`, with or without udev.
public final class UeventWatcher: NetlinkEventReader {
  private let socket: NetlinkEventSocket
  private let subsystem: StaticString
  private var delegate: (any UeventWatcherDelegate)?

  /// An idle watcher; call `start`.
  /// - Parameter subsystem: the kernel's class of the watched devices.
  @export(interface)
  public init(subsystem: StaticString, loop: Loop, clock: any Clock) {
    self.subsystem = subsystem
    socket = NetlinkEventSocket(
      loop: loop, clock: clock, bytes: Budget.ueventBytes, settle: Budget.ueventSettleMilliseconds)
  }

  deinit { stop() }

  /// Starts watching. Present devices are not reported.
  public func start(_ delegate: any UeventWatcherDelegate) throws(Errno) {
    stop()
    try socket.open(try Syscall.deviceEventSocket(), self)
    self.delegate = delegate
  }

  /// Stops watching.
  public func stop() {
    delegate = nil
    socket.close()
  }

  func take(_ datagram: Span<UInt8>) {
    if datagram.isEmpty { return }
    do throws(NetlinkError) {
      let event = try Uevent(datagram)
      if event.action != .other, event.isOf(subsystem: subsystem) { socket.changed() }
    } catch {
      // Unexpected from the kernel; checking again is harmless.
      socket.changed()
    }
  }

  /// The lost events may have been about a watched device.
  func newsLost() { socket.changed() }

  func newsSettled() { delegate?.devicesChanged() }
}
