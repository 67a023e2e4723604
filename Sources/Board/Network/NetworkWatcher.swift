import Codec
import Runtime

/// Gets network changes after which connecting may succeed.
public protocol NetworkWatcherDelegate: AnyObject {
  /// A link came up, an address was added, or there is a new default route. Called once for a burst of changes,
  /// `Budget.networkSettleMilliseconds` after the first.
  func networkChanged()
}

/// Watches the network by `rtnetlink(7)`: reports additions, not removals.
public final class NetworkWatcher: NetlinkEventReader {
  private let socket: NetlinkEventSocket
  private var facts = NetworkFacts()
  private var delegate: (any NetworkWatcherDelegate)?
  /// The part of the existing state that is being read without reporting it; nil when all is known.
  private var dump: NetworkDump?

  /// An idle watcher; call `start`.
  @export(interface)
  public init(loop: Loop, clock: any Clock) {
    socket = NetlinkEventSocket(
      loop: loop, clock: clock, bytes: Budget.netlinkBytes, settle: Budget.networkSettleMilliseconds)
  }

  deinit { stop() }

  /// Starts watching: reads the existing state, then reports what is new.
  public func start(_ delegate: any NetworkWatcherDelegate) throws(Errno) {
    stop()
    try socket.open(try Syscall.networkEventSocket(), self)
    self.delegate = delegate
    learn()
  }

  /// Stops watching.
  public func stop() {
    delegate = nil
    socket.close()
  }

  /// True while a working interface other than loopback has an address; nil while unknown.
  public var hasNetwork: Bool? { delegate == nil || dump != nil ? nil : facts.hasNetwork }

  private func learn() {
    facts.removeAll()
    ask(.links)
  }

  /// The kernel processes one dump request at a time.
  private func ask(_ dump: NetworkDump) {
    guard let news = socket.descriptor else { return }
    // Without the reply, existing facts count as new when the kernel next reports them.
    do throws(Errno) {
      try Syscall.ask(news, for: dump)
      self.dump = dump
    } catch {
      self.dump = nil
    }
  }

  func take(_ datagram: Span<UInt8>) {
    var reader = NetlinkReader(datagram)
    do throws(NetlinkError) {
      while let message = try reader.next() { take(message) }
    } catch {
      // Unexpected from the kernel; checking again is harmless.
      socket.changed()
    }
  }

  private func take(_ message: NetworkMessage) {
    switch message {
    case .done, .refused:
      switch dump {
      case .links: ask(.addresses)
      case .addresses: ask(.routes)
      default: dump = nil
      }
    default:
      if facts.take(message), dump == nil { socket.changed() }
    }
  }

  /// Reports a change, and reads the existing state again.
  func newsLost() {
    socket.changed()
    learn()
  }

  func newsSettled() { delegate?.networkChanged() }
}
