import Codec
import Runtime

/// Told when devices may have come or gone.
public protocol UeventWatcherDelegate: AnyObject {
  /// Devices of the watched class came, went or changed, or news of them may have been lost. A burst is told once,
  /// `Budget.ueventSettleMilliseconds` after its first.
  func devicesChanged()
}

/// Hears from the kernel that devices come and go (`netlink(7)`, `NETLINK_KOBJECT_UEVENT`), with or without udev.
public final class UeventWatcher: NewsReader {
  private let socket: NewsSocket
  private let subsystem: StaticString
  private var delegate: (any UeventWatcherDelegate)?

  /// Nothing is watched before `start`.
  /// - Parameter subsystem: the kernel's class of the devices that count.
  public init(subsystem: StaticString, loop: Loop, clock: any Clock) {
    self.subsystem = subsystem
    socket = NewsSocket(
      loop: loop, clock: clock, bytes: Budget.ueventBytes, settle: Budget.ueventSettleMilliseconds)
  }

  deinit { stop() }

  /// Starts watching. What is there already is not told.
  public func start(_ delegate: any UeventWatcherDelegate) throws(Errno) {
    stop()
    try socket.open(try Syscall.deviceNews(), self)
    self.delegate = delegate
  }

  /// Ends watching; the delegate hears nothing more.
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
      // The kernel does not speak so; whatever it was, looking again is harmless.
      socket.changed()
    }
  }

  /// A device that counts may have been in it.
  func newsLost() { socket.changed() }

  func newsSettled() { delegate?.devicesChanged() }
}
