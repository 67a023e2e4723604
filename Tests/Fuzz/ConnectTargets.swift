import Codec
import Fetch
import Runtime

@testable import Gateway

/// What connects a board for the first time: a join URL means the same when it is read again, and never reaches another
/// server than the one that it names; a proxy's address keeps its secret out of what people read.
func checkConnect(_ bytes: [UInt8]) {
  let text = String(decoding: bytes, as: UTF8.self)
  if let url = try? JoinURL(text) {
    let again = try? JoinURL(url.text)
    expect(again?.text == url.text, "\(url.text) is another URL when it is read again")
    expect(url.endpoint.isSecure || url.endpoint.isLoopback, "\(url.text) is not encrypted")
    expect(url.endpoint.path.utf8.count >= 25 && url.endpoint.path.utf8.count <= Budget.urlBytes, url.endpoint.path)
    expect(url.endpoint.path.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "a path that breaks a request: \(url.text)")
    expect(!url.origin.contains(url.endpoint.path), "the code is in \(url.origin)")
  }
  if let proxy = try? ProxyAddress(text) {
    expect(!proxy.host.isEmpty && proxy.port > 0, "no proxy")
    expect(proxy.credentials.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "credentials that break a request")
    expect((try? ProxyAddress(proxy.text))?.text == proxy.text, "\(proxy.text) is not read again")
  }
  _ = try? ConnectTarget(text)
  _ = try? SetupCode(json: bytes.span)
}

/// A link: what is taken is within its bounds and is text, a gateway's is encrypted or on this board, and a refusal
/// says why and nothing of the link.
func checkLink(_ bytes: [UInt8]) {
  guard let link = try? DeepLink() else { return expect(false, "no memory") }
  do throws(LinkError) {
    try link.read(bytes.span)
  } catch {
    expect(error.place <= bytes.count && !error.text.isEmpty, "\(error.reason) at \(error.place)")
    for key in DeepLink.Key.allCases { expect(link[key] == nil, "something is left of what was refused") }
    return
  }
  var total = 0
  for key in DeepLink.Key.allCases {
    guard let value = link[key] else { continue }
    total += value.count
    expect(value.count <= key.limit && UTF8Validator.isValid(Span(_unsafeElements: value)), "\(key.word)")
  }
  expect(total <= bytes.count, "more than there was")
  switch link.kind {
  case .agent:
    expect(link[.message]?.isEmpty == false, "no message")
    expect(link.messageCharacters <= Budget.linkMessageCharacters, "\(link.messageCharacters)")
    let text = String(decoding: link[.message]!, as: UTF8.self)
    expect(text.utf16.count == link.messageCharacters, "\(text.utf16.count), not \(link.messageCharacters)")
    expect((link.timeoutSeconds ?? 0) >= 0, "a negative time")
  case .gateway:
    guard let url = try? link.setupCode().urls.first else { return expect(false, "no gateway") }
    expect(url.isSecure || url.isLoopback, "\(url.text) is not encrypted")
    expect((try? GatewayURL(url.text))?.text == url.text, "\(url.text) is another URL when it is read again")
  case .pairing: expect(!link.pairingCode.isEmpty, "no code")
  }
}

/// A proxy's answer means the same in one piece and in many, and what was opened is open at the last byte.
func checkProxy(_ bytes: [UInt8]) {
  for address in ["http://a:b@p:1", "socks5://a:b@p:1"] { checkProxy(bytes, address) }
}

private func checkProxy(_ bytes: [UInt8], _ address: String) {
  guard let address = try? ProxyAddress(address), let url = try? GatewayURL("wss://gw") else {
    return expect(false, "no proxy")
  }
  func outcome(_ ranges: [Range<Int>]) -> String {
    let tunnel = ProxyTunnel(address)
    expect(tunnel.request(to: url).count > 0, "no request")
    for range in ranges {
      let piece = Array(bytes[range])
      switch tunnel.receive(piece.span) {
      case .pending: continue
      case .send: return range.upperBound == bytes.count ? "sends" : "more"
      case .open: return range.upperBound == bytes.count ? "open" : "more"
      case .refused(let failure):
        expect(failure.kind == .proxy && failure.detail != nil, "refused without a reason")
        return failure.status == 0 ? "more" : "\(failure.status)"
      }
    }
    return "pending"
  }
  if bytes.isEmpty { return }
  let (whole, parts) = (outcome([0..<bytes.count]), outcome(pieces(bytes)))
  // What follows an answer is seen only when it arrives together with it.
  expect(whole == parts, "in one piece \(whole), in many \(parts)")
}

/// The answer to a join request: whatever comes, it ends once, and what is taken is not larger than it may be.
func checkJoin(_ bytes: [UInt8]) {
  guard let url = try? JoinURL("https://gw/j/AbCdEfGhIjKlMnOpQr_-19") else { return expect(false, "no URL") }
  let whole = FuzzedJoin(url, [bytes[...]])
  let parts = FuzzedJoin(url, pieces(bytes).map { bytes[$0] })
  expect(whole.ends == 1 && parts.ends == 1, "it ends \(whole.ends) and \(parts.ends) times")
  expect(whole.outcome == parts.outcome, "in one piece \(whole.outcome), in many \(parts.outcome)")
}

private final class FuzzedJoin: Transport, JoinDelegate {
  private(set) var ends = 0
  private(set) var outcome = ""
  private var join: JoinRequest?

  init(_ url: JoinURL, _ pieces: [ArraySlice<UInt8>]) {
    let join = JoinRequest(url, access: nil, version: "1", transport: self, delegate: self)
    self.join = join
    join.start()
    join.transportSecured(certificate: nil)
    for piece in pieces {
      let copy = Array(piece)
      _ = join.transportReceived(copy.span)
    }
    join.transportFailed(TransportFailure(.closedByPeer))
    join.timeOut()
    self.join = nil
  }

  func open(_ url: GatewayURL, _ delegate: any TransportDelegate) {}
  func write(_ bytes: UnsafeBufferPointer<UInt8>) -> Int { bytes.count }
  func resumeReading() {}
  func close() {}
  func joinWillAsk() -> Bool { true }
  func joinEnded(_ failure: JoinFailure?) {
    ends += 1
    guard let failure else {
      let payload = Array(join?.payload ?? UnsafeBufferPointer(start: nil, count: 0))
      expect(payload.count <= Budget.joinBodyBytes, "\(payload.count) bytes of payload")
      _ = try? SetupCode(json: payload.span)
      outcome = "payload of \(payload.count)"
      return
    }
    expect(failure.isFinal, "after the request a URL counts no more")
    outcome = "\(failure)"
  }
}

/// Which join URLs were asked for: what is read is written as something that means the same.
func checkJoinRecord(_ bytes: [UInt8]) {
  guard let record = JoinRecord(bytes.span) else { return }
  let buffer = FixedBuffer(capacity: 2 * bytes.count + 4096)
  let count = record.encode(into: buffer.bytes)
  expect(count <= buffer.bytes.count, "\(count) bytes of \(bytes.count)")
  let text = Array(buffer.bytes[..<min(count, buffer.bytes.count)])
  guard let again = JoinRecord(text.span) else { return expect(false, "what is written is not read") }
  expect(again.payload == record.payload && again.waiting?.text == record.waiting?.text, "read again it differs")
}
