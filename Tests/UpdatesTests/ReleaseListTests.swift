import Board
import Codec
import Foundation
import Gateway
import Runtime
import Testing
@testable import Updates

@Suite("Signed lists of releases")
struct ReleaseListTests {
  private static let seed = InlineArray<32, UInt8>(repeating: 7)
  private static let now: Int64 = 1_800_000_000_000
  private let cryptography = OpenSSLCryptography()

  private static func release(
    _ version: String, board: String = "arm64", channel: String = "stable", minimum: String? = nil
  ) -> String {
    let least = minimum.map { #","minimum":"\#($0)""# } ?? ""
    let digest = String(repeating: "ab", count: 32)
    return """
      {"board":"\(board)","channel":"\(channel)","version":"\(version)"\(least),"url":"https://h/\(version)","size":10,\
      "sha256":"\(digest)"}
      """
  }

  private func list(_ releases: [String], number: Int = 5, expires: String = "2030-01-01T00:00:00Z") -> String {
    #"{"number":\#(number),"expires":"\#(expires)","releases":[\#(releases.joined(separator: ","))]}"#
  }

  private func signed(_ text: String, seed: InlineArray<32, UInt8> = seed) -> [UInt8] {
    let signature = cryptography.ed25519Signature(text.utf8.span, seed: seed)
    let bytes = Data((0..<64).map { signature[$0] })
    return Array((bytes.base64EncodedString() + "\n" + text).utf8)
  }

  private func query(_ version: String = "1.0", seen: Int64 = 0, wall: Int64? = now) -> ReleaseQuery {
    var query = ReleaseQuery()
    query.board = InlineText(cutting: "arm64")
    query.channel = InlineText(cutting: "stable")
    query.version = InlineText(cutting: version)
    query.key = cryptography.ed25519PublicKey(seed: Self.seed)
    (query.highestNumber, query.wall) = (seen, wall)
    return query
  }

  private func read(_ bytes: [UInt8], _ query: ReleaseQuery) throws -> ReleaseList {
    try ReleaseList(bytes.span, query, cryptography)
  }

  @Test("the newest release of this board and channel that may follow the running one is taken")
  func newest() throws {
    let text = list([
      Self.release("1.1"), Self.release("1.2"), Self.release("9.0", board: "armhf"),
      Self.release("8.0", channel: "beta"),
      Self.release("3.0", minimum: "2.0"), Self.release("0.9"),
    ])
    let found = try read(signed(text), query())
    #expect(found.newest?.version.string == "1.2")
    #expect(found.number == 5 && !found.needsStep)
    #expect(try read(signed(text), query("2.0")).newest?.version.string == "3.0")
    #expect(try read(signed(text), query("3.0")).newest == nil)
    #expect(try read(signed(list([Self.release("3.0", minimum: "2.0")])), query()).needsStep)
  }

  @Test("a list that somebody else signed, or that was changed, is refused before it is read")
  func forged() {
    let text = list([Self.release("1.1")])
    var changed = signed(text)
    changed[changed.count - 3] ^= 1
    let wrong = [
      changed, signed(text, seed: InlineArray(repeating: 8)), Array(text.utf8), Array("\n\(text)".utf8), [],
      Array("<html>\n</html>".utf8), Array(repeating: 65, count: 300),
    ]
    for bytes in wrong { #expect(throws: UpdateMessageError.notSigned) { try read(bytes, query()) } }
  }

  @Test("an old list is refused, also after a restart")
  func rollback() throws {
    let text = signed(list([Self.release("1.1")], number: 5))
    #expect(throws: UpdateMessageError.replayed) { try read(text, query(seen: 6)) }
    #expect(try read(text, query(seen: 5)).number == 5)
  }

  @Test("a list that has expired is refused, and one that cannot be judged without a date as well")
  func freeze() {
    let text = signed(list([], expires: "2020-01-01T00:00:00Z"))
    #expect(throws: UpdateMessageError.expired) { try read(text, query()) }
    #expect(throws: UpdateMessageError.noDate) { try read(text, query(wall: nil)) }
  }

  @Test("more releases than the budget allows are refused")
  func tooMany() {
    let releases = (0...Budget.updateReleases).map { _ in Self.release("0.1") }
    #expect(throws: UpdateMessageError.severalReleases) { try read(signed(list(releases)), query()) }
  }

  @Test("a list is taken once: a release that failed its trial is not tried again")
  func refused() throws {
    let found = try read(signed(list([Self.release("2.0")])), query())
    var course = UpdateCourse(UpdateRecord(), slots: nil, proof: .gateway, at: 0)
    course.listed(found, at: 0)
    #expect(course.record.state == .offered && course.record.listNumber == 5)
    course.record.refusedVersion = course.record.release.version
    course.failed(UpdateText(cutting: "x"), at: 0)
    course.told()
    course.listed(found, at: 1)
    #expect(course.record.state == .idle)
  }
}
