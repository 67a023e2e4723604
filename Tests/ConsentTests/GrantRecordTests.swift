import Runtime
import Testing

@testable import Consent

@Suite struct GrantRecordTests {
  private static let here = GrantRecord.Boot(cutting: "01234567-89ab-cdef-0123-456789abcdef")
  private static let later = GrantRecord.Boot(cutting: "ffffffff-89ab-cdef-0123-456789abcdef")
  private static let wall: Int64 = 1_795_728_600_000

  /// One grant of a minute, one for the session, one for one use, all given at 1 s.
  private static var table: GrantTable {
    var table = GrantTable()
    table.give(.camera, Grant(.until, by: .screen, givenAt: wall, start: 1_000, duration: 60_000, isDated: true))
    table.give(.location, Grant(.session, by: .screen, givenAt: wall, start: 1_000))
    table.give(.motion, Grant(.once, by: .console, givenAt: wall, start: 1_000))
    return table
  }

  private static func stored(_ table: GrantTable = table) throws -> GrantRecord {
    let buffer = FixedBuffer(capacity: Budget.grantRecordBytes)
    let count = GrantRecord(table, boot: here, at: 2_000).encode(into: buffer.bytes)
    #expect(count <= Budget.grantRecordBytes)
    let record = GrantRecord(Span(_unsafeElements: UnsafeBufferPointer(buffer.bytes).extracting(..<count)))
    return try #require(record)
  }

  @Test func `Flash brings back a grant until an instant, and nothing for a session or a use`() throws {
    let record = try Self.stored()
    #expect(record.use(in: Self.here) == .same)
    var table = GrantTable()
    record.restore(to: &table, wall: nil, at: 30_000)
    #expect(table.covered(.all, for: 31_000, at: 30_000) == [.camera])
    var late = GrantTable()
    record.restore(to: &late, wall: nil, at: 61_000)
    #expect(late.isEmpty)
  }

  @Test func `After a power cut only a date that something has set counts, and it makes nothing longer`() throws {
    let record = try Self.stored()
    #expect(record.use(in: Self.later) == .waits)
    #expect(record.use(in: GrantRecord.Boot()) == .never)
    func left(_ wall: Int64) -> Int64? {
      var table = GrantTable()
      record.restore(to: &table, wall: wall, at: 5)
      return table.grant(.camera, at: 5).flatMap { $0.end.map { $0 - 5 } }
    }
    #expect(left(Self.wall) == 60_000)
    #expect(left(Self.wall + 59_999) == 1)
    #expect(left(Self.wall + 60_000) == nil)
    // The clock jumped back, far or a little.
    #expect(left(Self.wall - 1) == nil)
    #expect(left(0) == nil)
    #expect(left(.min) == nil)
  }

  @Test func `A grant that was given without a date does not survive a power cut`() throws {
    var table = GrantTable()
    table.give(.camera, Grant(.until, by: .button, givenAt: Self.wall, start: 1_000, duration: 60_000))
    var restored = GrantTable()
    try Self.stored(table).restore(to: &restored, wall: Self.wall + 1, at: 0)
    #expect(restored.isEmpty)
  }

  @Test func `All permissions fit the record`() throws {
    var table = GrantTable()
    var rest = PermissionSet.all
    while let permission = rest.popFirst() {
      table.give(
        permission,
        Grant(.until, by: .console, givenAt: 1 << 51, start: 1_000, duration: Budget.grantMilliseconds))
    }
    var restored = GrantTable()
    try Self.stored(table).restore(to: &restored, wall: nil, at: 2_000)
    #expect(restored.covered(.all, for: 0, at: 2_000) == .all)
  }

  @Test(arguments: [
    "", "{}", "null", #"{"boot":"x"}"#, #"{"boot":"x","grants":{}}"#, #"{"boot":1,"grants":[]}"#,
    #"{"boot":"x","grants":[{}]}"#,
    #"{"boot":"x","grants":[{"permission":"shoes","source":1,"givenAt":1,"isDated":true,"start":1,"duration":1}]}"#,
    #"{"boot":"x","grants":[{"permission":"camera","source":9,"givenAt":1,"isDated":true,"start":1,"duration":1}]}"#,
    #"{"boot":"x","grants":[{"permission":"camera","source":1,"givenAt":-1,"isDated":true,"start":1,"duration":1}]}"#,
    #"{"boot":"x","grants":[{"permission":"camera","source":1,"givenAt":1,"isDated":true,"start":1,"duration":86400001}]}"#,
    #"{"boot":"x","grants":[{"permission":"camera","source":1,"givenAt":1,"isDated":true,"start":1,"duration":-1}]}"#,
  ]) func `What is no record of grants is not read`(text: String) {
    let record = GrantRecord(text.utf8.span)
    #expect(record == nil)
  }
}
