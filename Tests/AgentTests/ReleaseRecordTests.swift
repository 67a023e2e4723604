import Board
import Foundation
import Gateway
import Hands
import Location
import Node
import Runtime
import Simulated
import TestSupport
import Testing
@testable import Benches
@testable import Gateway
@testable import Location
@testable import Node
@testable import VoicePart

/// State folders as releases wrote them (Tests/Fixtures/records), and as a next release might: what an owner has must
/// survive an update, and going back.
@Suite("Records of other releases")
struct ReleaseRecordTests {
  static let releases = ["2026-11-21", "2026-11-26"]
  private static let gateway = "gateway-25131c2fe49c3153"
  private static let nodeID = "377403e4e4b74e77b2a5d3a435675898a3ef986101b37a4d305b5c621ff9630b"
  private static let pin = "12627a1eea654bbfc97ee2b8a27cce8f57a3f84f6b3ea78806e66dbf7eaf28a0"

  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("talon-records-\(UUID())").path
  private let cryptography = OpenSSLCryptography()
  private let clock = VirtualClock()
  private let runner = DeferredRunner()
  private let log = Log(level: .error, output: nil)

  private func use(_ release: String) throws {
    try FileManager.default.copyItem(atPath: Repository.path("Tests/Fixtures/records/\(release)"), toPath: folder)
  }

  private func store(_ recordBytes: Int = Budget.storeRecordBytes) throws -> FileStore {
    try FileStore(folder: folder, recordBytes: recordBytes)
  }

  private func bytes(_ name: String) -> [UInt8]? {
    FileManager.default.contents(atPath: folder + "/" + name).map { Array($0) }
  }

  private func identity() throws -> NodeIdentity {
    let (identity, origin) = try NodeIdentity.load(
      from: store(), random: SeededRandom(seed: 1), cryptography: cryptography)
    #expect(origin == .stored)
    return identity
  }

  private func record() throws -> GatewayRecord {
    let record = GatewayRecord(key: "manual|127.0.0.1|38695", cryptography: cryptography)
    #expect(try record.load(from: store()) == .current)
    return record
  }

  private func outbox() throws -> Outbox {
    let outbox = try Outbox(
      store: store(Budget.outboxRecordBytes), runner: runner, clock: clock, random: SeededRandom(seed: 2), log: log)
    outbox.load()
    return outbox
  }

  private func phrases() throws -> (keeper: PhraseKeeper, words: [String]) {
    let keeper = PhraseKeeper(store: try store(), runner: runner, clock: clock, log: log)
    var found = WakePhrases()
    guard keeper.load(into: &found) else { return (keeper, []) }
    return (keeper, (0..<found.count).map { String(decoding: found[$0], as: UTF8.self) })
  }

  private func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

  private func sent(_ outbox: Outbox) -> [String] {
    let channel = FakeChannel()
    outbox.online(channel)
    while !channel.waiting.isEmpty {
      channel.answer()
      outbox.advance(to: clock.monotonic)
      runner.runAll()
    }
    return channel.asked.map { $0.payload["text"] as? String ?? "?" }
  }

  // MARK: Forwards

  @Test("identity, pin, tokens, events, phrases and the last fix of the releases before are read", arguments: releases)
  func forwards(release: String) throws {
    try use(release)
    let isFirst = release == Self.releases[0]
    let id = try identity().id
    #expect(id.span.withUnsafeBufferPointer(text) == Self.nodeID)
    let record = try record()
    #expect(record.pin?.hex.span.withUnsafeBufferPointer(text) == Self.pin && record.keyPin != nil)
    #expect(text(record.token(.node)) == (isFirst ? "tokenOfTheNode" : "bhnLYlMyO3Yt1Bk0Is992cn5YWOIPXdFGHDDFAWiN24"))
    #expect(text(record.token(.operator)) == (isFirst ? "tokenOfTheOperator" : ""))
    #expect(record.urls.count == (isFirst ? 1 : 0))
    #expect(try sent(outbox()) == (isFirst ? ["first", "second"] : ["water the plants"]))
    #expect(try phrases().words == (isFirst ? ["talon"] : ["hey talon", "computer"]))
    let fix = FixKeeper(store: try store(), runner: runner, clock: clock, boot: LastFix.Boot(), log: log)
    fix.load()
    #expect(fix.restored?.fix.latitude == (isFirst ? 46.5 : 46.94798))
    let hold = PanicHold(store: try store(), runner: runner, clock: clock, log: log)
    hold.load()
    #expect(hold.isHeld != isFirst)
  }

  @Test("what a hand has counted is read")
  func hand() throws {
    try use(Self.releases[1])
    var memory = [UInt8](repeating: 0, count: Budget.handRecordRoom)
    let store = try store(Budget.handRecordRoom)
    let record = try memory.withUnsafeMutableBufferPointer { bytes in
      let count = try #require(try store.load(("io-meter" as StaticString).path, into: bytes)).count
      return HandRecord(UnsafeBufferPointer(rebasing: bytes[..<count]))
    }
    #expect(record == HandRecord(123_456))
  }

  // MARK: Backwards

  /// The release before has the same reader: what this one writes of the same state is what that one wrote.
  @Test("this release writes what the release before it wrote, byte for byte", arguments: releases)
  func backwards(release: String) throws {
    try use(release)
    let files = [Self.gateway, "outbox", "phrases"]
    let before = files.map { bytes($0) }
    try record().save(to: store())
    let outbox = try outbox()
    outbox.store()
    runner.runAll()
    let (keeper, words) = try phrases()
    for list in ["other", words.joined(separator: "\n")] {
      var phrases = WakePhrases()
      phrases.readLines(list.utf8.span)
      keeper.keep(phrases)
      runner.runAll()
    }
    #expect(files.map { bytes($0) } == before)
  }

  // MARK: A next release

  /// Puts a record of the next release in the place of one: with its contents changed, or in format 2.
  private func advance(_ name: String, version: Character = "1", _ change: ([UInt8]) -> [UInt8] = { $0 }) throws {
    let contents = change(Array(try #require(bytes(name)).dropFirst(12)))
    var checksum = Checksum()
    contents.withUnsafeBytes { checksum.update($0) }
    var header = Array("TLN\(version)".utf8)
    for number in [UInt32(contents.count), checksum.value] {
      for place in 0..<4 { header.append(UInt8(truncatingIfNeeded: number >> UInt32(8 * place))) }
    }
    try Data(header + contents).write(to: URL(fileURLWithPath: folder + "/" + name))
  }

  /// A member before the last brace.
  private func adding(_ member: String) -> ([UInt8]) -> [UInt8] {
    { Array($0.dropLast()) + Array(",\(member)}".utf8) }
  }

  @Test("members that only the next release knows are no harm, and a gateway's are there when it comes back")
  func unknownMembers() throws {
    try use(Self.releases[1])
    try advance("identity", adding(#""format":2,"attested":{"by":"x"}"#))
    try advance("fix", adding(#""speed":3"#))
    let member = #""fleet":{"ring":"early","keys":["a","b"]},"next":"\u00e9""#
    try advance(Self.gateway, adding(member))
    #expect(try identity().id.span.withUnsafeBufferPointer(text) == Self.nodeID)
    let record = try record()
    #expect(!record.token(.node).isEmpty)
    try record.save(to: store())
    let again = String(decoding: try #require(bytes(Self.gateway)).dropFirst(12), as: UTF8.self)
    #expect(again.hasSuffix("," + member + "}"))
    #expect((try? JSONSerialization.jsonObject(with: Data(again.utf8))) != nil)
    #expect(try self.record().token(.node).count == record.token(.node).count)
  }

  @Test("more unknown members than there is room for are forgotten, and the record stays whole")
  func manyUnknownMembers() throws {
    try use(Self.releases[1])
    let long = String(repeating: "x", count: Budget.unknownMemberBytes)
    try advance(Self.gateway, adding(#""long":"\#(long)","short":1"#))
    try record().save(to: store())
    let again = String(decoding: try #require(bytes(Self.gateway)).dropFirst(12), as: UTF8.self)
    #expect(again.hasSuffix(#","short":1}"#) && !again.contains("long"))
  }

  @Test("a hand's record that the next release has appended to is read")
  func appended() {
    var bytes = [UInt8](repeating: 7, count: Budget.handRecordRoom)
    _ = bytes.withUnsafeMutableBufferPointer { HandRecord(5, 6).encode(into: $0) }
    bytes[0] = 2
    #expect(bytes.withUnsafeBufferPointer { HandRecord($0) } == HandRecord(5, 6))
  }

  @Test("an identity and a gateway in a format that this release does not know stay as they are, and it says so")
  func newerFormat() throws {
    try use(Self.releases[1])
    for name in ["identity", Self.gateway, Self.gateway + ".old"] { try advance(name, version: "2") }
    let before = [bytes("identity"), bytes(Self.gateway)]
    #expect(throws: StoreError.newer) { try identity() }
    #expect(throws: StoreError.newer) { try record() }
    #expect([bytes("identity"), bytes(Self.gateway)] == before)
  }

  @Test("a gateway in such a format is read as it was before, and set aside when it is written")
  func newerGateway() throws {
    try use(Self.releases[1])
    try advance(Self.gateway, version: "2")
    let newer = bytes(Self.gateway)
    let record = GatewayRecord(key: "manual|127.0.0.1|38695", cryptography: cryptography)
    #expect(try record.load(from: store()) == .previous)
    #expect(record.pin != nil)
    try record.save(to: store())
    #expect(bytes(Self.gateway + ".newer") == newer)
  }

  @Test("phrases and events in such a format are set aside; the board goes on with its own")
  func newerOthers() throws {
    try use(Self.releases[1])
    for name in ["outbox", "phrases"] { try advance(name, version: "2") }
    let newer = ["outbox", "phrases"].map { bytes($0) }
    let outbox = try outbox()
    _ = outbox.post("voice.transcript", ageLimit: 60_000) {
      $0.key("text"); $0.string("new")
    }
    outbox.store()
    let (keeper, words) = try phrases()
    #expect(words.isEmpty)
    var own = WakePhrases()
    own.readLines("own".utf8.span)
    keeper.keep(own)
    runner.runAll()
    #expect(["outbox.newer", "phrases.newer"].map { bytes($0) } == newer)
    #expect(try sent(self.outbox()) == ["new"])
    #expect(try phrases().words == ["own"])
  }

  @Test("contents that this release does not understand are kept aside before its own take their place")
  func unknownContents() throws {
    try use(Self.releases[1])
    try advance("phrases") { _ in Array("a next release's phrases".utf8) }
    try advance("outbox") { $0 + Array("a next release's events".utf8) }
    #expect(try phrases().words.isEmpty)
    #expect(try sent(outbox()) == ["water the plants"])
    for (name, end) in [("phrases", "a next release's phrases"), ("outbox", "a next release's events")] {
      #expect(String(decoding: try #require(bytes(name + ".aside")), as: UTF8.self).hasSuffix(end))
    }
  }
}
