import Codec
import Runtime

/// Told when trying again may succeed at once.
public protocol NetworkWatcherDelegate: AnyObject {
  /// A link came up, an address was added, or there is a new default route. A burst of changes is told once,
  /// `Budget.networkSettleMilliseconds` after its first.
  func networkChanged()
}

/// Hears of the network from the kernel (`rtnetlink(7)`): what is new counts, what goes away does not.
public final class NetworkWatcher: DescriptorHandler, TimerHandler {
  /// Datagrams taken before the loop gets its turn.
  private static let datagramsPerTurn = 16

  private let loop: Loop
  private let clock: any Clock
  private let buffer = FixedBuffer(capacity: Budget.netlinkBytes)
  private var facts = NetworkFacts()
  private var news: Descriptor?
  private var delegate: (any NetworkWatcherDelegate)?
  /// What is being learnt silently, because it was there before; nil when all is known.
  private var dump: NetworkDump?
  private var isTelling = false

  /// Nothing is watched before `start`.
  public init(loop: Loop, clock: any Clock) {
    self.loop = loop
    self.clock = clock
  }

  deinit { stop() }

  /// Starts watching: learns what is there, then tells what is new.
  public func start(_ delegate: any NetworkWatcherDelegate) throws(Errno) {
    stop()
    let news = try Syscall.networkNews()
    do throws(Errno) {
      try loop.watch(news, for: .readable, self)
    } catch {
      news.close()
      throw error
    }
    self.news = news
    self.delegate = delegate
    learn()
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

  private func learn() {
    facts.removeAll()
    ask(.links)
  }

  /// The kernel answers one such question at a time.
  private func ask(_ dump: NetworkDump) {
    guard let news else { return }
    // Without the answer, what is there counts as new when the kernel next mentions it.
    do throws(Errno) {
      try Syscall.ask(news, for: dump)
      self.dump = dump
    } catch {
      self.dump = nil
    }
  }

  public func ready(_ descriptor: Descriptor, _ readiness: Readiness) {
    for _ in 0..<Self.datagramsPerTurn {
      do throws(Errno) {
        let count = try Syscall.receiveNews(descriptor, into: buffer.bytes)
        take(Span(_unsafeElements: UnsafeBufferPointer(rebasing: buffer.bytes[..<count])))
      } catch {
        if error == .wouldBlock { return }
        // Some news was lost: assume the best, and learn anew what is there.
        changed()
        return learn()
      }
    }
  }

  private func take(_ datagram: Span<UInt8>) {
    var reader = NetlinkReader(datagram)
    do throws(NetlinkError) {
      while let message = try reader.next() { take(message) }
    } catch {
      // The kernel does not speak so; whatever it was, looking again is harmless.
      changed()
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
      if facts.take(message), dump == nil { changed() }
    }
  }

  private func changed() {
    if isTelling { return }
    isTelling = true
    loop.setTimer(TimerID(0), of: self, at: clock.monotonic + Budget.networkSettleMilliseconds)
  }

  public func timerFired(_ id: TimerID) {
    isTelling = false
    delegate?.networkChanged()
  }
}
