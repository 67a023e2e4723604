import Runtime
import Testing

@testable import Consent

@Suite struct GrantTableTests {
  private func minute(at now: Int64) -> Grant {
    Grant(.until, by: .screen, givenAt: 0, start: now, duration: 60_000)
  }

  @Test func `A grant until an instant covers what ends by then, and nothing longer`() {
    var table = GrantTable()
    table.give(.camera, minute(at: 1_000))
    #expect(table.covered([.camera, .microphone], for: 0, at: 1_000) == [.camera])
    #expect(table.covered([.camera], for: 60_000, at: 1_000) == [.camera])
    #expect(table.covered([.camera], for: 60_001, at: 1_000).isEmpty)
    #expect(table.covered([.camera], for: .max, at: 1_000).isEmpty)
    #expect(table.covered([.camera], for: 0, at: 60_999) == [.camera])
    #expect(table.covered([.camera], for: 0, at: 61_000).isEmpty)
    #expect(table.expire(at: 60_999).isEmpty)
    #expect(table.expire(at: 61_000) == [.camera])
    #expect(table.isEmpty)
  }

  @Test func `A grant for one use is used up by it`() {
    var table = GrantTable()
    table.give(.camera, Grant(.once, by: .button, givenAt: 0, start: 0))
    table.give(.microphone, Grant(.session, by: .button, givenAt: 0, start: 0))
    #expect(table.use([.camera, .microphone], for: 0, at: 5) == [.camera])
    #expect(table.covered(.all, for: 0, at: 5) == [.microphone])
  }

  @Test func `A grant for one use stays while one that lasts covers the use`() {
    var table = GrantTable()
    table.give(.camera, minute(at: 0))
    table.give(.camera, Grant(.once, by: .button, givenAt: 0, start: 0))
    #expect(table.use([.camera], for: 60_000, at: 0).isEmpty)
    #expect(table.use([.camera], for: 60_001, at: 0) == [.camera])
    #expect(table.covered([.camera], for: 0, at: 0) == [.camera])
    #expect(table.end([.camera, .run]) == [.camera])
    #expect(table.isEmpty)
  }

  @Test func `A session ends its grants and no others`() {
    var table = GrantTable()
    table.give(.camera, Grant(.session, by: .screen, givenAt: 0, start: 0))
    table.give(.location, minute(at: 0))
    table.give(.motion, Grant(.once, by: .console, givenAt: 0, start: 0))
    #expect(table.endSession() == [.camera])
    #expect(table.covered(.all, for: 0, at: 1) == [.location, .motion])
    #expect(table.end(.all) == [.location, .motion])
  }

  @Test func `No grant is longer than a day, and none begins before it was given`() {
    let long = Grant(.until, by: .screen, givenAt: 0, start: 10, duration: .max)
    #expect(long.duration == Budget.grantMilliseconds)
    var table = GrantTable()
    table.give(.run, long)
    #expect(table.grant(.run, at: 9) == nil)
    #expect(Grant(.until, by: .screen, givenAt: 0, start: .max, duration: .max).end == .max)
    #expect(Grant(.until, by: .screen, givenAt: 0, start: 0, duration: -5).duration == 0)
  }

  @Test func `Today ends at the midnight of the board's time zone`() {
    // 2026-11-26 21:30 UTC.
    let wall: Int64 = 1_795_728_600_000
    #expect(ConsentAnswer.restOfDay(wall: wall, offset: 0) == 9_000_000)
    #expect(ConsentAnswer.restOfDay(wall: wall, offset: 60) == 5_400_000)
    #expect(ConsentAnswer.restOfDay(wall: wall, offset: 180) == 9_000_000 + 86_400_000 - 10_800_000)
    #expect(ConsentAnswer.restOfDay(wall: wall, offset: -720) == 9_000_000 + 43_200_000)
    // Without a date, half a day.
    #expect(ConsentAnswer.restOfDay(wall: 0, offset: 0) == 43_200_000)
    let moment = ConsentMoment(now: 0, wall: wall, offset: 0, isDateRight: true)
    #expect(ConsentAnswer.no.grant(by: .screen, at: moment) == nil)
    #expect(ConsentAnswer.today.grant(by: .screen, at: moment)?.end == 9_000_000)
  }

  @Test func `Words name their permission, and others none`() {
    func named(_ word: String) -> Permission? { Permission.named(word.utf8.span) }
    var rest = PermissionSet.all
    while let permission = rest.popFirst() { #expect(named("\(permission.word)") == permission) }
    #expect(named("camer") == nil)
    #expect(named("") == nil)
  }

  @Test func `Without a rule of its own, the front camera has that of cameras`() {
    var rules = ConsentRules()
    #expect(rules.those(of: .all, with: .allow) == .all)
    rules[.camera] = .ask
    #expect(rules[.frontCamera] == .ask)
    rules[.frontCamera] = .deny
    #expect(rules[.camera] == .ask && rules[.frontCamera] == .deny)
    #expect(rules.those(of: [.camera, .frontCamera, .run], with: .deny) == [.frontCamera])
  }

  @Test func `A refusal holds for its time, and a later yes ends it`() {
    var refusals = Refusals()
    refusals.add([.camera], until: 100, byPerson: true)
    refusals.add([.microphone], until: 200, byPerson: false)
    #expect(refusals.holding([.location], at: 0) == nil)
    #expect(refusals.holding([.camera], at: 99)?.byPerson == true)
    #expect(refusals.holding([.camera], at: 100) == nil)
    let both = refusals.holding([.camera, .microphone], at: 0)
    #expect(both?.end == 200 && both?.byPerson == true)
    refusals.forget([.camera, .microphone])
    #expect(refusals.holding(.all, at: 0) == nil)
  }

  @Test func `A grant for one command line covers that alone, and is not kept on flash`() {
    let (one, other) = (InlineText<32>(cutting: "one"), InlineText<32>(cutting: "other"))
    var table = GrantTable()
    var grant = minute(at: 0)
    grant.digest = one
    table.give(.run, grant)
    #expect(table.covered([.run], one, for: 0, at: 1) == [.run])
    #expect(table.covered([.run], other, for: 0, at: 1).isEmpty && table.covered([.run], for: 0, at: 1).isEmpty)
    #expect(table.use([.run], one, for: 0, at: 1).isEmpty && table.use([.run], other, for: 0, at: 1) == [.run])
    #expect(table.grant(.run, at: 1) == grant && table.grant(.run, at: 60_000) == nil)
    #expect(GrantRecord(table, boot: GrantRecord.Boot(cutting: "boot"), at: 1).isEmpty)
    #expect(table.expire(at: 60_000) == [.run] && table.isEmpty)
  }

  @Test func `The name of a question is its number and four signs of its words`() {
    func name(_ number: Int, _ mark: UInt32) -> String {
      let name = QuestionName(question: number, mark: mark)
      return name.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }
    #expect(name(7, 0) == "7-0000" && name(7, 0xFFFFF) == "7-zzzz" && name(7, 1 << 20) == "7-0000")
    #expect(name(12, 0b00001_00010_00011_00100) == "12-1234")
    #expect(name(Int.max, 1) == "\(Int.max)-0001")
  }
}
