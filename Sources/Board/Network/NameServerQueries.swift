import CCares
import Codec
import Runtime

/// Told what name servers answer.
protocol NameServerQueriesDelegate: AnyObject {
  /// A whole answer. Nothing may be closed here.
  func answered(_ packet: Span<UInt8>)

  /// Answers came or time passed; more may be asked, and everything may be closed.
  func queriesAdvanced()
}

/// Single DNS questions to the system's name servers by c-ares, which repeats them, tries the next server, and goes
/// over to TCP when an answer is cut. Questions and answers are in our own codec: c-ares 1.18 does not read `\DDD`.
final class NameServerQueries: AresChannelDelegate {
  private let channel: AresChannel
  private let random = SystemRandom()
  private let query = FixedBuffer(capacity: 512)
  private var delegate: (any NameServerQueriesDelegate)?
  /// Questions without an answer yet.
  private(set) var open = 0
  /// What c-ares said of the last question that got no answer; a literal of the library.
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

  /// True when another question may be asked.
  var hasRoom: Bool { open < Budget.wideAreaQuestions }

  /// Asks; only when there is room.
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

  /// Drops every question; the delegate hears nothing.
  func close() {
    delegate = nil
    channel.close()
    open = 0
  }

  private func take(_ status: Int32, _ packet: UnsafeBufferPointer<UInt8>) {
    // Closing answers what is open with ARES_EDESTRUCTION.
    guard let delegate else { return }
    open -= 1
    // The C enumeration's numbers: ARES_SUCCESS is 0.
    if status == 0, !packet.isEmpty { return delegate.answered(Span(_unsafeElements: packet)) }
    failure = ares_strerror(status)
  }

  func channelAdvanced(_ channel: AresChannel) {
    channel.wait()
    delegate?.queriesAdvanced()
  }
}
