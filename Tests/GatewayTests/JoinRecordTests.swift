import Board
import Codec
import Runtime
import Simulated
import Testing

@testable import Gateway

@Suite("What is known of join URLs after a crash")
struct JoinRecordTests {
  private func digest(_ number: UInt8) -> Fingerprint {
    Fingerprint(digest: InlineArray<32, UInt8>(repeating: number))
  }

  private func keep(_ text: String, in record: inout JoinRecord) {
    Array(text.utf8).withUnsafeBufferPointer { record.keep($0) }
  }

  /// What flash has after this.
  private func kept(_ record: JoinRecord) throws -> JoinRecord {
    let buffer = FixedBuffer(capacity: Budget.joinRecordBytes)
    let count = record.encode(into: buffer.bytes)
    let text = Array(buffer.bytes[..<count])
    let again = JoinRecord(text.span)
    return try #require(again)
  }

  @Test("a URL is new, then asked for, then its payload is kept, then it is done")
  func life() throws {
    var record = JoinRecord()
    #expect(record.state(of: digest(1)) == .new)
    record.noteAsked(digest(1))
    record = try kept(record)
    #expect(record.state(of: digest(1)) == .spent, "it is never asked for again")
    keep(#"{"url":"wss://gw","bootstrapToken":"abc"}"#, in: &record)
    record = try kept(record)
    #expect(record.state(of: digest(1)) == .kept)
    #expect(String(decoding: record.payload, as: UTF8.self) == #"{"url":"wss://gw","bootstrapToken":"abc"}"#)
    record.finish()
    record = try kept(record)
    #expect(record.state(of: digest(1)) == .done)
    #expect(record.payload.isEmpty)
  }

  @Test("another URL drops the payload of the one before, and the oldest of many is forgotten")
  func many() throws {
    var record = JoinRecord()
    record.noteAsked(digest(1))
    keep("{}", in: &record)
    record.noteAsked(digest(2))
    #expect(record.state(of: digest(1)) == .spent)
    #expect(record.payload.isEmpty)
    for number in 3...UInt8(Budget.joinURLs + 1) { record.noteAsked(digest(number)) }
    record = try kept(record)
    #expect(record.state(of: digest(1)) == .new)
    #expect(record.state(of: digest(2)) == .spent)
  }

  @Test("a URL waits for the network, until it is asked for")
  func waiting() throws {
    var record = JoinRecord()
    let url = try JoinURL("https://gw/j/\(JoinURLTests.code)")
    record.wait(for: url)
    record = try kept(record)
    #expect(record.waiting?.text == url.text)
    record.noteAsked(digest(1))
    #expect(try kept(record).waiting == nil)
  }

  @Test("what was secret is gone from both generations on flash")
  func erased() throws {
    let store = MemoryStore()
    var record = JoinRecord()
    record.noteAsked(digest(1))
    keep(#"{"bootstrapToken":"S3cret"}"#, in: &record)
    try record.save(to: store)
    record.finish()
    try record.save(to: store)
    #expect(store.holds("S3cret") == false)
    #expect(try JoinRecord.load(from: store).state(of: digest(1)) == .done)
  }

  @Test(
    "what is no record is torn",
    arguments: [
      "", "{}", "[]", #"{"asked":1}"#, #"{"asked":[{}]}"#, #"{"asked":[],"waiting":"https://gw"}"#,
      #"{"asked":[],"payload":"x"}"#,
    ])
  func torn(text: String) {
    let bytes = Array(text.utf8)
    let isRecord = JoinRecord(bytes.span) != nil
    #expect(!isRecord)
  }

  @Test(
    "a join URL that authorities vouched for makes them vouch for its gateway, not for hosts of other names",
    arguments: [
      (#""url":"wss://gw.test""#, "gw.test", true), (#""url":"wss://gw.test:8443/a""#, "gw.test", true),
      (#""url":"wss://gw.test","tlsFingerprint":"PIN""#, "gw.test", true),
      (#""url":"wss://gw.test""#, "", false), (#""url":"wss://gw.test""#, "join.test", false),
      (#""urls":["wss://gw.test","wss://10.0.0.5"],"tlsFingerprint":"PIN""#, "gw.test", false),
      (#""urls":["wss://gw.test","wss://other.test"]"#, "gw.test", false), (#""url":"ws://gw.test""#, "gw.test", false),
      (#""url":"wss://10.0.0.5""#, "10.0.0.5", false),
    ])
  func verification(members: String, host: String, expected: Bool) throws {
    let pin = String(repeating: "ab", count: 32)
    let payload = Array("{\(members),\"bootstrapToken\":\"abcdefg\"}".replacing("PIN", with: pin).utf8)
    var join = JoinRecord()
    join.noteAsked(digest(1))
    payload.withUnsafeBufferPointer { join.keep($0, vouchedHost: host) }
    let store = MemoryStore()
    try join.save(to: store)
    let loaded = try JoinRecord.load(from: store)
    var code = try SetupCode(json: loaded.payload.span)
    code.keepVerification(by: loaded.vouchedHost)
    let record = GatewayRecord(key: "k", cryptography: OpenSSLCryptography())
    code.adopt(into: record)
    let named = members.contains("PIN") ? Fingerprint(text: pin.utf8.span) : nil
    let known = named.map { KnownTrust.pin($0, key: nil) } ?? .nothing
    #expect(record.trust == (expected ? .authorities : known))
  }

  @Test("a setup code's token is erased when its time is over, on a board that knows the date")
  func expiry() throws {
    let cryptography = OpenSSLCryptography()
    let json = #"{"url":"wss://gw","bootstrapToken":"abcdefg","expiresAtMs":1800000000000}"#
    let record = GatewayRecord(key: "k", cryptography: cryptography)
    try SetupCode(json: Array(json.utf8).span).adopt(into: record)
    #expect(!record.forgetExpiredBootstrap(wall: 1_799_999_999_999))
    #expect(!record.forgetExpiredBootstrap(wall: 0))
    let buffer = FixedBuffer(capacity: Budget.gatewayRecordBytes)
    let count = record.encode(into: buffer.bytes)
    let again = GatewayRecord(key: "k", cryptography: cryptography)
    let text = Array(buffer.bytes[..<count])
    let isRead = again.decode(text.span)
    #expect(isRead)
    // A clock that has jumped by years tells nothing of a code that is used within hours.
    for years in [-30, 2, 30, 60] as [Int64] {
      #expect(!again.forgetExpiredBootstrap(wall: 1_800_000_000_000 + years * 365 * 86_400_000), "\(years) years")
    }
    #expect(again.forgetExpiredBootstrap(wall: 1_800_000_000_000))
    #expect(again.secret(.bootstrapToken).isEmpty && again.mustErase)
  }
}

/// Both generations of one record, in memory.
private final class MemoryStore: RecordStore {
  private var generations: [[UInt8]] = []

  func load(
    _ name: UnsafePointer<CChar>, into bytes: UnsafeMutableBufferPointer<UInt8>
  ) throws(StoreError) -> (count: Int, origin: RecordOrigin)? {
    guard let newest = generations.last else { return nil }
    for (index, byte) in newest.enumerated() { bytes[index] = byte }
    return (newest.count, .current)
  }

  func save(_ name: UnsafePointer<CChar>, _ bytes: UnsafeBufferPointer<UInt8>) throws(StoreError) {
    generations = generations.suffix(1) + [Array(bytes)]
  }

  func holds(_ text: String) -> Bool {
    generations.contains { String(decoding: $0, as: UTF8.self).contains(text) }
  }
}
