import Codec
import Consent
import Node
import Runtime
import Testing

@testable import Agent
@testable import Benches
@testable import ConsentPart

/// Every demand against every other: an answer for longer is for what was asked.
@Suite struct DemandGrantTests {
  /// A request, and what is the same for a person who answered: requests of one group, and no others.
  private struct Asked {
    var group: Int
    var command: String
    var parameters = "{}"
  }

  private static let silent = #"{"includeAudio":false}"#
  private static let requests: [Asked] = [
    Asked(group: 0, command: "camera.snap"), Asked(group: 0, command: "camera.snap", parameters: #"{"quality":0.5}"#),
    Asked(group: 1, command: "camera.snap", parameters: #"{"deviceId":"/dev/video1"}"#),
    Asked(group: 1, command: "camera.snap", parameters: #"{"deviceId":"/dev/video1","purpose":"x"}"#),
    Asked(group: 2, command: "camera.snap", parameters: #"{"deviceId":"/dev/video2"}"#),
    Asked(group: 3, command: "camera.snap", parameters: #"{"facing":"back"}"#),
    Asked(group: 4, command: "camera.clip", parameters: silent),
    Asked(group: 5, command: "camera.clip", parameters: #"{"includeAudio":false,"deviceId":"/dev/video1"}"#),
    Asked(group: 6, command: "camera.clip", parameters: #"{"durationMs":1000}"#),
    Asked(group: 7, command: "camera.ptz.control"),
    Asked(group: 8, command: "photos.latest"),
    Asked(group: 9, command: "talk.ptt.start"), Asked(group: 9, command: "talk.ptt.once"),
    Asked(group: 9, command: "tool.listen"), Asked(group: 9, command: "stt.listen"),
    Asked(group: 9, command: "stt.transcribe", parameters: #"{"maxDurationMs":1000}"#),
    Asked(group: 10, command: "location.get"),
    Asked(group: 18, command: "tool.where_was"),
    Asked(group: 18, command: "tool.where_was", parameters: #"{"at":"2026-08-01T14:00:00Z"}"#),
    Asked(group: 11, command: "motion.activity"), Asked(group: 11, command: "motion.pedometer"),
    Asked(group: 12, command: "screen.record", parameters: silent),
    Asked(group: 13, command: "screen.record"),
    Asked(group: 14, command: "mcp.tools.call.v1", parameters: #"{"tool":"lamp","arguments":{"on":true}}"#),
    Asked(group: 15, command: "mcp.tools.call.v1", parameters: #"{"tool":"lamp","arguments":{"on":false}}"#),
    Asked(group: 16, command: "system.run", parameters: #"{"command":["df"]}"#),
    Asked(group: 17, command: "system.run", parameters: #"{"command":["df"],"cwd":"/tmp"}"#),
  ]
  /// Groups whose request needs no more than another one's, with the sound that it leaves out; and who may know where
  /// the board was may know where it is.
  private static let parts: Set<[Int]> = [[6, 4], [13, 12], [18, 10]]

  private func part() throws -> ConsentPart {
    let all: [Permission] = [.camera, .microphone, .location, .screen, .motion, .tools, .run]
    return try ConsentTests.part(ConsentTests.bench(all.map { ($0, .ask) }))
  }

  /// What a request needs on a board whose films have sound.
  private func demand(_ part: ConsentPart, _ asked: Asked) throws -> ConsentDemand {
    let found = ConsentDemand(
      asked.command, JSONView(asked.parameters.utf8.span), hasFront: part.settings.rules.hasFront,
      ConsentSurroundings(hasSound: true) { _ in .other })
    var demand = try #require(found)
    demand.addDigest(nil, JSONView(asked.parameters.utf8.span), part.cryptography)
    return demand
  }

  @Test func `An answer for longer covers the request that was asked about and those like it, and no other`() throws {
    let part = try part()
    for first in Self.requests {
      let answered = try demand(part, first)
      let grant = try #require(ConsentAnswer.session.grant(by: .screen, at: part.moment))
      var table = GrantTable()
      var rest = answered.permissions
      while let permission = rest.popFirst() { table.give(permission, answered.limited(grant, to: permission)) }
      for second in Self.requests {
        let next = try demand(part, second)
        let covered = table.covered(
          next.permissions, next.subject.digest, next.kinds, for: 0, at: part.clock.monotonic)
        let isLike = first.group == second.group || Self.parts.contains([first.group, second.group])
        #expect((covered == next.permissions) == isLike, "\(first) then \(second)")
      }
      // What somebody gives before anybody asks is for every use.
      rest = answered.permissions
      while let permission = rest.popFirst() { table.give(permission, grant) }
      #expect(
        table.covered(
          answered.permissions, answered.subject.digest, answered.kinds, for: 0, at: part.clock.monotonic)
          == answered.permissions)
    }
  }

  @Test func `What a grant is for outlives a restart with it`() throws {
    let part = try part()
    let answered = try demand(part, Self.requests[0])
    let grant = try #require(ConsentAnswer.today.grant(by: .screen, at: part.moment))
    var table = GrantTable()
    table.give(.camera, answered.limited(grant, to: .camera))
    let boot = GrantRecord.Boot(cutting: "0")
    let record = GrantRecord(table, boot: boot, at: part.clock.monotonic)
    let buffer = FixedBuffer(capacity: Budget.grantRecordBytes)
    let count = record.encode(into: buffer.bytes)
    let found = GrantRecord(Span(_unsafeElements: UnsafeBufferPointer(buffer.bytes).extracting(0..<count)))
    let read = try #require(found)
    var restored = GrantTable()
    read.restore(to: &restored, wall: nil, at: part.clock.monotonic)
    #expect(restored.covered([.camera], InlineText(), .photo, for: 0, at: part.clock.monotonic) == [.camera])
    #expect(restored.covered([.camera], InlineText(), .film, for: 0, at: part.clock.monotonic).isEmpty)
  }
}
