import Board
import Codec
import Consent
import Runtime
import Simulated

@testable import Node
@testable import Gateway
@testable import talon

nonisolated(unsafe) private let cryptography = OpenSSLCryptography()

/// An address that is taken means the same when its canonical text is read again.
func checkURL(_ bytes: [UInt8]) {
  let text = String(decoding: bytes, as: UTF8.self)
  if let url = try? GatewayURL(address: text) {
    let again = try? GatewayURL(address: url.text)
    expect(again?.text == url.text && !url.host.isEmpty && url.port > 0, "\(text) gives \(url)")
  }
  for allowsQuery in [false, true] {
    guard let url = try? GatewayURL(text, allowsQuery: allowsQuery) else { continue }
    expect(!url.host.isEmpty && url.port > 0 && url.path.hasPrefix("/"), "\(text) gives \(url)")
    expect(!url.host.utf8.contains(UInt8(ascii: "@")), "a user in \(url.host)")
    guard let again = try? GatewayURL(url.text, allowsQuery: allowsQuery) else {
      return expect(false, "\(url.text) is written, and not read")
    }
    let isSame = again.host == url.host && again.port == url.port && again.isSecure == url.isSecure
    expect(isSame && again.path == url.path && again.isLoopback == url.isLoopback, "\(url.text) is another address")
  }
}

/// A setup code, as text and as what is inside the base64: what is taken names a gateway, and can be stored.
func checkSetupCode(_ bytes: [UInt8]) {
  take(bytes)
  // Made-up base64 seldom holds JSON; this does whenever the bytes are.
  guard bytes.count <= 2_048 else { return }
  var text = [UInt8](repeating: 0, count: Base64.url.encodedLength(of: bytes.count))
  let count = text.withUnsafeMutableBufferPointer { Base64.url.encode(bytes.span, into: $0) }
  take(Array("oc-pair://".utf8) + text[..<count])
}

private func take(_ text: [UInt8]) {
  do throws(SetupCodeError) {
    let code = try SetupCode(text.span)
    expect(!code.urls.isEmpty && code.urls.count <= Budget.gatewayURLs, "\(code.urls.count) addresses")
    if let expiry = code.expiresAt { expect(expiry > 0, "expires at \(expiry)") }
    let record = GatewayRecord(key: "fuzz", cryptography: cryptography)
    code.adopt(into: record)
    let again = GatewayRecord(key: "fuzz", cryptography: cryptography)
    expect(again.decode(encoded(record).span), "what a code says cannot be stored")
    expect(again.pin == code.pin && again.urls.count == code.urls.count, "what a code says changes on flash")
  } catch {
    expect(error.text.utf8CodeUnitCount > 0, "refused without a reason")
  }
}

/// Stored records: what is taken is written as something that means the same; what is not, is said to be torn.
func checkState(_ bytes: [UInt8]) {
  let record = GatewayRecord(key: "fuzz", cryptography: cryptography)
  if record.decode(bytes.span) {
    let written = encoded(record)
    let again = GatewayRecord(key: "fuzz", cryptography: cryptography)
    expect(again.decode(written.span), "a record is written, and not read")
    expect(encoded(again) == written, "a record changes when it is read")
  }
  let store = MemoryStore()
  bytes.withUnsafeBufferPointer { bytes in try? store.save("identity", bytes) }
  let random = SeededRandom(seed: 1)
  do throws(StoreError) {
    let loaded = try NodeIdentity.load(from: store, random: random, cryptography: cryptography)
    expect(loaded.origin == .stored, "an identity that cannot be read was replaced")
    let again = try NodeIdentity.load(from: store, random: random, cryptography: cryptography)
    expect(Hex.same(loaded.identity, again.identity), "an identity changes when it is read again")
  } catch {
    expect(error == .torn, "an identity fails with \(error)")
  }
  expect(store.saves == 1, "an identity that is there was written")
}

/// An outbox: of the events that make sense none is lost when they are written and read again.
func checkOutbox(_ bytes: [UInt8]) {
  guard var queue = try? OutboxQueue(), var again = try? OutboxQueue() else { return expect(false, "no memory") }
  bytes.withUnsafeBufferPointer { _ = queue.decode($0, at: 1_000) }
  var written = [UInt8](repeating: 0, count: bytes.count)
  let count = written.withUnsafeMutableBufferPointer { queue.encode(into: $0, at: 1_000) }
  expect(count <= bytes.count, "\(bytes.count) bytes become \(count)")
  let isWhole = written[..<count].withUnsafeBufferPointer { again.decode($0, at: 1_000) }
  expect(isWhole && again.count == queue.count, "\(queue.count) events become \(again.count)")
  var twice = [UInt8](repeating: 0, count: count)
  let secondCount = twice.withUnsafeMutableBufferPointer { again.encode(into: $0, at: 1_000) }
  expect(twice[..<secondCount] == written[..<count], "events change when they are read")
}

private func encoded(_ record: GatewayRecord) -> [UInt8] {
  var bytes = [UInt8](repeating: 0, count: Budget.gatewayRecordBytes)
  let count = bytes.withUnsafeMutableBufferPointer { record.encode(into: $0) }
  expect(count <= bytes.count, "a record of \(count) bytes")
  return Array(bytes[..<count])
}

private enum Hex {
  static func same(_ left: NodeIdentity, _ right: NodeIdentity) -> Bool {
    (0..<64).allSatisfy { left.id[$0] == right.id[$0] }
  }
}

/// A configuration is taken or refused by file, line and reason, and a comment behind it changes nothing.
func checkConfiguration(_ bytes: [UInt8]) {
  let verdict = parse(bytes)
  let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).count
  if let error = verdict {
    expect(!error.reason.isEmpty, "refused without a reason")
    expect((1...lines).contains(error.line ?? 0), "refused in line \(String(describing: error.line)) of \(lines)")
  }
  let commented = parse(bytes + Array("\n# a comment\n".utf8))
  expect(commented?.reason == verdict?.reason && commented?.line == verdict?.line, "a comment changes the verdict")
}

private func parse(_ bytes: [UInt8]) -> ConfigurationError? {
  do throws(ConfigurationError) {
    _ = try ConfigurationFile.parse(bytes, file: "fuzz.conf")
    return nil
  } catch {
    return error
  }
}

/// Grants and pages of the journal, as flash has them: what is taken is written as something that means the same.
func checkConsent(_ bytes: [UInt8]) {
  if let record = GrantRecord(bytes.span) {
    let buffer = FixedBuffer(capacity: Budget.grantRecordBytes)
    let count = record.encode(into: buffer.bytes)
    expect(count <= buffer.bytes.count, "grants need \(count) bytes")
    expect(GrantRecord(Array(buffer.bytes[..<count]).span) != nil, "grants are written, and not read")
    for wall in [nil, 0, 1 << 50, Int64.max, .min] {
      var table = GrantTable()
      record.restore(to: &table, wall: wall, at: 1 << 40)
      expect(table.nextEnd ?? .max > 1 << 40, "a grant is over when it is restored")
    }
  }
  guard let journal = try? UseJournal() else { return }
  for page in 0..<Budget.consentPages where bytes.count > page {
    _ = journal.take(page, Array(bytes[(page * 7 % bytes.count)...]).span)
  }
  journal.resume()
  for back in 0..<journal.count { expect(journal.use(back: back) != nil, "an entry cannot be read") }
  expect(journal.use(back: journal.count) == nil, "there are more entries than are counted")
}
