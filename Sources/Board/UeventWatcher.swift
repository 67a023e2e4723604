import Codec
import Runtime

/// Told when cameras may have come or gone.
public protocol UeventWatcherDelegate: AnyObject {
  /// Devices of the watched class came, went or changed, or news of them may have been lost. A burst is told once,
  /// `Budget.ueventSettleMilliseconds` after its first.
  func devicesChanged()
}

/// Hears from the kernel that devices come and go (`netlink(7)`, `NETLINK_KOBJECT_UEVENT`), with or without udev.
public final class UeventWatcher: DescriptorHandler, TimerHandler {
  /// Datagrams taken before the loop gets its turn.
  private static let datagramsPerTurn = 16

  private let loop: Loop
  private let clock: any Clock
  private let subsystem: StaticString
  private let buffer = FixedBuffer(capacity: Budget.ueventBytes)
  private var news: Descriptor?
  private var delegate: (any UeventWatcherDelegate)?
  private var isTelling = false

  /// Nothing is watched before `start`.
  /// - Parameter subsystem: the kernel's class of the devices that count.
  public init(subsystem: StaticString = "video4linux", loop: Loop, clock: any Clock) {
    self.subsystem = subsystem
    self.loop = loop
    self.clock = clock
  }

  deinit { stop() }

  /// Starts watching. What is there already is not told.
  public func start(_ delegate: any UeventWatcherDelegate) throws(Errno) {
    stop()
    let news = try Syscall.deviceNews()
    do throws(Errno) {
      try loop.watch(news, for: .readable, self)
    } catch {
      news.close()
      throw error
    }
    self.news = news
    self.delegate = delegate
  }

  /// Ends watching; the delegate hears nothing more.
  public func stop() {
    delegate = nil
    isTelling = false
    loop.cancelTimer(TimerID(0), of: self)
    guard let news else { return }
    loop.unwatch(news)
    news.close()
    self.news = nil
  }

  public func ready(_ descriptor: Descriptor, _ readiness: Readiness) {
    for _ in 0..<Self.datagramsPerTurn {
      do throws(Errno) {
        let count = try Syscall.receiveNews(descriptor, into: buffer.bytes)
        take(Span(_unsafeElements: UnsafeBufferPointer(rebasing: buffer.bytes[..<count])))
      } catch {
        // Some news was lost: a camera may have been in it.
        if error != .wouldBlock { changed() }
        return
      }
    }
  }

  /// An empty datagram came from another process and counts for nothing.
  private func take(_ datagram: Span<UInt8>) {
    if datagram.isEmpty { return }
    do throws(NetlinkError) {
      let event = try Uevent(datagram)
      if event.action != .other, event.isOf(subsystem: subsystem) { changed() }
    } catch {
      // The kernel does not speak so; whatever it was, looking again is harmless.
      changed()
    }
  }

  private func changed() {
    if isTelling { return }
    isTelling = true
    loop.setTimer(TimerID(0), of: self, at: clock.monotonic + Budget.ueventSettleMilliseconds)
  }

  public func timerFired(_ id: TimerID) {
    isTelling = false
    delegate?.devicesChanged()
  }
}
