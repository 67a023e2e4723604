import Codec
import Gateway
import Runtime

/// Gets the addresses of a `.local` host.
protocol LocalResolverDelegate: AnyObject {
  /// The answer is in `local.forEachAddress`; empty when there was no reply.
  func resolvedLocally(_ local: LocalResolver)
}

/// Addresses of `.local` hosts by multicast DNS, without a daemon.
final class LocalResolver: MulticastSocketDelegate, TimerHandler {
  private let loop: Loop
  private let clock: any Clock
  private let socket: MulticastSocket
  private let random = SystemRandom()
  private var lookup: HostLookup?
  private var delegate: (any LocalResolverDelegate)?

  init(loop: Loop, clock: any Clock) {
    self.loop = loop
    self.clock = clock
    socket = MulticastSocket(loop: loop)
  }

  deinit { cancel() }

  /// True for `NAME.local`, with or without a final dot.
  static func isLocal(_ host: String) -> Bool {
    guard let name = name(host) else { return false }
    return name.hasSuffix(DNSName("local")) && name != DNSName("local")
  }

  private static func name(_ host: String) -> DNSName? {
    do throws(DNSError) { return try DNSName(text: host.utf8.span) } catch { return nil }
  }

  /// Queries on every interface. Calls the delegate within four seconds, never from inside this call.
  func ask(_ host: String, port: UInt16, _ delegate: any LocalResolverDelegate) {
    cancel()
    self.delegate = delegate
    guard let name = Self.name(host) else { return endSoon() }
    // Without a socket there is no reply; the board may have no network yet.
    do throws(Errno) { try socket.open(self) } catch { return endSoon() }
    let id = UInt16(truncatingIfNeeded: randomNumber(below: 65_536, random))
    lookup = HostLookup(name, port: port, queryID: id, at: clock.monotonic)
    advance()
  }

  private func endSoon() { loop.setTimer(TimerID(0), of: self, at: clock.monotonic) }

  /// Cancels the query without calling the delegate.
  func cancel() {
    delegate = nil
    lookup = nil
    socket.close()
    loop.cancelTimer(TimerID(0), of: self)
  }

  /// Calls `body` with each address that was found, best first.
  func forEachAddress(_ body: (SocketAddress) -> Void) {
    guard let lookup else { return }
    for index in 0..<lookup.addresses.count { body(lookup.addresses[index]) }
  }

  func received(_ packet: Span<UInt8>, from origin: PacketOrigin) {
    lookup?.take(packet, from: origin, at: clock.monotonic)
  }

  func receivedAll() { advance() }

  func timerFired(_ id: TimerID) { advance() }

  private func advance() {
    let now = clock.monotonic
    guard let lookup, !lookup.isOver(at: now) else { return finish() }
    if self.lookup!.isDue(at: now) {
      socket.send(id: lookup.queryID) { query in
        _ = query.ask(DNSQuestion(lookup.name, .a), wantsUnicast: true)
        _ = query.ask(DNSQuestion(lookup.name, .aaaa), wantsUnicast: true)
      }
    }
    loop.setTimer(TimerID(0), of: self, at: self.lookup!.deadline)
  }

  private func finish() {
    guard let delegate else { return }
    self.delegate = nil
    socket.close()
    loop.cancelTimer(TimerID(0), of: self)
    delegate.resolvedLocally(self)
  }
}
