import Codec
import Runtime

/// Told when trying again may succeed at once.
public protocol NetworkWatcherDelegate: AnyObject {
  /// A link came up, an address was added, or there is a new default route. A burst of changes is told once,
  /// `Budget.networkSettleMilliseconds` after its first.
  func networkChanged()
}

/// Hears of the network from the kernel (`rtnetlink(7)`): what is new counts, what goes away does not.
public final class NetworkWatcher: NewsReader {
  private let socket: NewsSocket
  private var facts = NetworkFacts()
  private var delegate: (any NetworkWatcherDelegate)?
  /// What is being learnt silently, because it was there before; nil when all is known.
  private var dump: NetworkDump?

  /// Nothing is watched before `start`.
  public init(loop: Loop, clock: any Clock) {
    socket = NewsSocket(
      loop: loop, clock: clock, bytes: Budget.netlinkBytes, settle: Budget.networkSettleMilliseconds)
  }

  deinit { stop() }

  /// Starts watching: learns what is there, then tells what is new.
  public func start(_ delegate: any NetworkWatcherDelegate) throws(Errno) {
    stop()
    try socket.open(try Syscall.networkNews(), self)
    self.delegate = delegate
    learn()
  }

  /// Ends watching; the delegate hears nothing more.
  public func stop() {
    delegate = nil
    socket.close()
  }

  /// True while an interface that leads out of the board works and has an address; nil while nobody knows.
  public var hasNetwork: Bool? { delegate == nil || dump != nil ? nil : facts.hasNetwork }

  private func learn() {
    facts.removeAll()
    ask(.links)
  }

  /// The kernel answers one such question at a time.
  private func ask(_ dump: NetworkDump) {
    guard let news = socket.descriptor else { return }
    // Without the answer, what is there counts as new when the kernel next mentions it.
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
      // The kernel does not speak so; whatever it was, looking again is harmless.
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

  /// Assumes the best, and learns anew what is there.
  func newsLost() {
    socket.changed()
    learn()
  }

  func newsSettled() { delegate?.networkChanged() }
}
