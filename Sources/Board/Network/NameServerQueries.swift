import CCares
import Codec
import Runtime

/// Gets responses of name servers.
protocol NameServerQueriesDelegate: AnyObject {
  /// A complete response. Nothing may be closed here.
  func answered(_ packet: Span<UInt8>)

  /// Responses came or a timeout passed; new queries and closing are allowed here.
  func queriesAdvanced()
}

/// Single DNS queries to the system's name servers by c-ares, which repeats them, tries the next server, and falls back
/// to TCP for truncated responses. Messages use the Codec module: c-ares 1.18 does not read `\DDD`.
final class NameServerQueries: AresChannelDelegate {
  private let channel: AresChannel
  private let random = SystemRandom()
  private let query = FixedBuffer(capacity: 512)
  private var delegate: (any NameServerQueriesDelegate)?
  /// Number of open queries.
  private(set) var open = 0
  /// c-ares's reason for the last query without an answer; a literal of the library.
  private(set) var failure: UnsafePointer<CChar>?

  init(loop: Loop, clock: any Clock) {
    channel = AresChannel(loop: loop, clock: clock)
  }

  deinit { close() }

  /// Reads the system's configuration; false when there is no memory.
  func start(_ delegate: any NameServerQueriesDelegate) -> Bool {
    close()
    failure = nil
    guard channel.open(self) else { return false }
    self.delegate = delegate
    return true
  }

  /// True when there is room for another query.
  var hasRoom: Bool { open < Budget.wideAreaQuestions }

  /// Sends a query; only when `hasRoom`.
  func ask(_ question: DNSQuestion) {
    guard let raw = channel.raw, hasRoom else { return }
    let id = UInt16(truncatingIfNeeded: randomNumber(below: 65_536, random))
    var writer = DNSQuery(into: query.bytes, id: id, recursionDesired: true)
    guard writer.ask(question) else { return }
    open += 1
    ares_send(
      raw, query.bytes.baseAddress, Int32(writer.count),
      { context, status, _, bytes, count in
        let queries = Unmanaged<NameServerQueries>.fromOpaque(context!).takeUnretainedValue()
        queries.take(status, UnsafeBufferPointer(start: bytes, count: Int(max(count, 0))))
      }, Unmanaged.passUnretained(self).toOpaque())
    channel.wait()
  }

  /// Cancels every query without calling the delegate.
  func close() {
    delegate = nil
    channel.close()
    open = 0
  }

  private func take(_ status: Int32, _ packet: UnsafeBufferPointer<UInt8>) {
    // Closing ends open queries with ARES_EDESTRUCTION.
    guard let delegate else { return }
    open -= 1
    // Values of the C enumeration: ARES_SUCCESS is 0.
    if status == 0, !packet.isEmpty { return delegate.answered(Span(_unsafeElements: packet)) }
    failure = ares_strerror(status)
  }

  func channelAdvanced(_ channel: AresChannel) {
    channel.wait()
    delegate?.queriesAdvanced()
  }
}
