import Runtime
import Testing
@testable import Updates

@Suite("The course of an update")
struct CourseTests {
  @Test("success is told after the new system runs, passed its test and reached the gateway, and not before")
  func success() {
    let board = FakeBoard()
    board.offer = "7"
    board.reaches = { version, seconds in version == "1.0" || seconds > 60 }
    board.run(50)
    #expect(board.version == "2.0" && board.isTrial)
    #expect(board.end == nil)
    board.run(60)
    #expect(board.slots["b"]?.state == "good")
    #expect(board.end == "closed success: the new system runs, and is confirmed")
    #expect(board.discards >= 1)
    board.offer = nil
    board.run(5)
    #expect(board.course.record.state == .idle)
  }

  @Test("the server that offers again what is over hears the end again, and nothing is installed twice")
  func repeated() {
    let board = FakeBoard()
    board.offer = "7"
    board.run(300)
    #expect(board.ends > 1)
    #expect(board.requests.filter { $0.order == .install }.count == 1)
  }

  @Test("a server that offers another action every ten minutes has no more written than flash bears, over restarts too")
  func pace() {
    let board = FakeBoard()
    let hours: Int64 = 12
    for action in 0..<6 * hours {
      board.offer = "\(action)"
      board.run(150)
      board.offer = nil
      board.run(5)
      board.now += 445_000
    }
    let written = Int64(board.requests.filter { $0.order == .install }.count) * Budget.updateSystemBytes
    #expect(written <= Budget.updateDayBytes * (24 + hours) / 24)
    // It goes on, as time gives back.
    #expect(written > Budget.updateDayBytes)
    #expect(board.told.contains { $0.contains("as much to this board's flash as a day allows") })
  }

  @Test("what a person at the board wants is not held back, and time gives back what was written")
  func unpaced() {
    var course = UpdateCourse(UpdateRecord(), slots: nil, proof: .selfTest, at: 0)
    course.record.origin = .server
    course.wrote(.max)
    #expect(course.mayWrite(.max, at: 0) == false)
    #expect(course.retryAt == Budget.updateAttemptSpacing && course.isChanged)
    #expect(course.mayWrite(1, at: 2 * 86_400_000) == true)
    course.wrote(.max)
    course.record.isHurried = true
    #expect(course.mayWrite(.max, at: 2 * 86_400_000) == true)
    (course.record.isHurried, course.record.origin) = (false, .local)
    #expect(course.mayWrite(.max, at: 2 * 86_400_000) == true)
  }

  @Test("each piece of a bundle counts once, and again when a server begins again")
  func pieces() {
    var course = UpdateCourse(UpdateRecord(), slots: nil, proof: .selfTest, at: 0)
    let piece = Int64(Budget.updatePieceBytes)
    for _ in 0..<3 { for number in 1...10 { course.progressed(to: Int64(number) * piece) } }
    #expect(course.record.spent == 30 * piece)
    var bytes = [UInt8](repeating: 0, count: Budget.updateRecordBytes)
    let count = bytes.withUnsafeMutableBufferPointer { course.record.encode(into: $0) }
    #expect(UpdateRecord(bytes.span.extracting(..<count))?.spent == 30 * piece)
  }

  @Test("a system that fails its self-test is left, with the reason")
  func selfTest() {
    let board = FakeBoard()
    board.offer = "7"
    board.passes = { $0 == "1.0" }
    board.run(200)
    board.offer = nil
    #expect(board.version == "1.0")
    #expect(board.end == "closed failure: the new system was left: the self-test failed: camera: no frame")
  }

  @Test("what was broken in the old system is no fault of the new one")
  func baseline() {
    let board = FakeBoard()
    board.offer = "7"
    board.passes = { _ in false }
    board.run(100)
    #expect(board.end == "closed success: the new system runs, and is confirmed")
  }

  @Test("a system that starts three times without being confirmed is left")
  func crash() {
    let board = FakeBoard()
    board.offer = "7"
    board.crashes = { $0 == "2.0" }
    board.run(100)
    #expect(board.version == "1.0")
    #expect(board.end?.hasPrefix("closed failure: the new system was left: it started three times") == true)
  }

  @Test("an agent that hangs in its trial is left by root's side after ten minutes")
  func hang() {
    let board = FakeBoard()
    board.offer = "7"
    board.hangs = { $0 == "2.0" }
    board.run(700)
    #expect(board.end?.hasPrefix("closed failure: the new system was left: it was not confirmed in time") == true)
  }

  @Test("where the old system reaches the gateway and the new one did not, the new one is at fault")
  func newOneAtFault() {
    let board = FakeBoard()
    board.offer = "7"
    board.reaches = { version, _ in version == "1.0" }
    board.connects = { version, _ in version == "1.0" }
    board.run(800)
    #expect(board.version == "1.0")
    #expect(board.end == "closed failure: the new system did not reach the gateway, and the old one does")
  }

  @Test("a gateway that refuses the new system is an answer: nothing is compared")
  func refused() {
    let board = FakeBoard()
    board.offer = "7"
    board.reaches = { version, _ in version == "1.0" }
    board.run(800)
    #expect(board.end?.contains("the gateway was reached, but did not accept this board") == true)
    #expect(!board.told.contains { $0.contains("reached no gateway") })
  }

  @Test("a gateway that is away for everybody is nobody's fault, and the trial is repeated when it is back")
  func awayForAll() {
    let board = FakeBoard()
    board.offer = "7"
    board.connects = { _, seconds in seconds < 4 || seconds > 4000 }
    board.run(3900)
    #expect(board.version == "1.0")
    #expect(board.end == nil)
    #expect(board.told.contains { $0.contains("the gateway is away for this board's old system too") })
    board.run(1000)
    #expect(board.version == "2.0")
    #expect(board.end == "closed success: the new system runs, and is confirmed")
    #expect(board.requests.filter { $0.order == .trial }.count == 2)
  }

  @Test("three trials without a gateway are all")
  func threeTrials() {
    let board = FakeBoard()
    board.offer = "7"
    // There for the old system, except after each trial; never for the new one.
    var awayUntil: Int64 = 0
    board.connects = { version, seconds in
      if version == "2.0" { awayUntil = seconds + 700 }
      return version == "1.0" && seconds > awayUntil
    }
    for _ in 0..<80 where board.end == nil { board.run(100) }
    board.offer = nil
    #expect(board.requests.filter { $0.order == .trial }.count == 3)
    #expect(board.end?.hasPrefix("closed failure") == true)
  }

  @Test(
    "with the power cut after any record, the update ends as without, and the server hears one truth", arguments: 1...14
  )
  func powerCuts(cut: Int) {
    let board = FakeBoard()
    board.offer = "7"
    board.cutAfter = cut
    board.run(150)
    board.offer = nil
    board.run(100)
    #expect(board.version == "2.0")
    #expect(board.slots["b"]?.state == "good")
    #expect(
      Set(board.told.filter { $0.hasPrefix("closed") }) == ["closed success: the new system runs, and is confirmed"])
  }

  @Test("with the power cut after any record, a system that reaches no gateway is left all the same", arguments: 1...16)
  func powerCutsOfFailures(cut: Int) {
    let board = FakeBoard()
    board.offer = "7"
    board.connects = { version, _ in version == "1.0" }
    board.cutAfter = cut
    board.run(2200)
    #expect(board.version == "1.0")
    #expect(!board.told.contains { $0.contains("success") })
    #expect(board.end?.hasPrefix("closed failure") == true)
  }

  @Test("root's side says what is wrong with a bundle, and the server hears it")
  func refusedBundle() {
    let board = FakeBoard()
    board.offer = "7"
    board.refusal[.install] = "the bundle is for talon-armhf, this board is talon-arm64"
    board.run(60)
    #expect(board.end == "closed failure: the bundle is for talon-armhf, this board is talon-arm64")
    #expect(board.requests.filter { $0.order == .trial }.isEmpty)
  }

  @Test("a board whose root side is not there says so, and does not hang")
  func noRootSide() {
    let board = FakeBoard()
    board.offer = "7"
    board.refusal[.trial] = "no such order"
    board.run(60)
    #expect(board.end == "closed failure: no such order")
  }
}

@Suite("When an update may go on")
struct PermissionTests {
  private func course(_ update: String, download: String = "attempt") -> UpdateCourse {
    let slots = SlotReport("slot = a\nstate = good\nversion = 1.0\nother_state = good\nother_version = 0.9\n".utf8.span)
    var course = UpdateCourse(UpdateRecord(), slots: slots, proof: .gateway, at: 0)
    course.offered(FakeBoard.action("1", download: download, update: update), at: 0)
    return course
  }

  private func scene(_ now: Int64, busy: Bool = false, open: Bool = true) -> UpdateScene {
    UpdateScene(now: now, isBusy: busy, isWindowOpen: open)
  }

  private func installed(_ update: String) -> UpdateCourse {
    var course = course(update)
    #expect(course.next(scene(0)) == .download)
    course.downloaded()
    #expect(course.next(scene(0)) == .request)
    course.answered(RootAnswer("id = 1\nstate = done\n".utf8.span)!, at: 0)
    return course
  }

  @Test("a soft update waits for its window and an idle board")
  func soft() {
    var course = installed("attempt")
    #expect(course.next(scene(1, open: false)) == nil)
    #expect(course.next(scene(900_000, busy: true)) == nil)
    #expect(course.next(scene(9_900_000, busy: true)) == nil)
    #expect(course.next(scene(9_900_001)) == .test)
    course.tested(passed: 1, failed: "".utf8.span, at: 9_900_001)
    #expect(course.next(scene(9_900_002)) == .request)
    #expect(course.record.state == .trying)
  }

  @Test("a forced update needs no window, and waits ten minutes for a call to end")
  func forced() {
    var course = installed("forced")
    #expect(course.next(scene(1000, busy: true, open: false)) == nil)
    #expect(course.next(scene(600_999, busy: true, open: false)) == nil)
    #expect(course.next(scene(601_000, busy: true, open: false)) == .test)
  }

  @Test("a soft update that the server makes forced goes on at once")
  func timeForced() {
    var course = installed("attempt")
    #expect(course.next(scene(1, open: false)) == nil)
    course.offered(FakeBoard.action("1", update: "forced"), at: 2)
    #expect(course.next(scene(3, open: false)) == .test)
  }

  @Test("a download alone is reported as such, and installed when the server says so")
  func downloadOnly() {
    var course = course("skip", download: "forced")
    #expect(course.next(scene(0)) == .download)
    course.downloaded()
    #expect(course.next(scene(1)) == nil)
    #expect(course.report?.execution == .downloaded)
    course.offered(FakeBoard.action("1", update: "attempt"), at: 2)
    #expect(course.next(scene(2)) == .request)
  }

  @Test("nothing is downloaded while the server says skip")
  func skip() {
    var course = course("skip", download: "skip")
    #expect(course.next(scene(0)) == nil)
    #expect(course.report?.execution == .scheduled)
  }

  @Test("what a person hurries needs no window and no leave of the server, also after its next poll and a restart")
  func hurried() throws {
    var waiting = course("skip", download: "skip")
    try waiting.hurry(at: 0)
    waiting.offered(FakeBoard.action("1", download: "skip", update: "skip"), at: 1)
    #expect(waiting.next(scene(2, open: false)) == .download)
    waiting.downloaded()
    #expect(waiting.next(scene(3, open: false)) == .request)
    var bytes = [UInt8](repeating: 0, count: Budget.updateRecordBytes)
    let count = bytes.withUnsafeMutableBufferPointer { waiting.record.encode(into: $0) }
    let found = UpdateRecord(bytes.span.extracting(0..<count))
    let record = try #require(found)
    #expect(record.isHurried && record.isForced)
    // Another action is nobody's haste.
    waiting.failed(UpdateText(cutting: "x"), at: 4)
    waiting.told()
    waiting.offered(FakeBoard.action("2", download: "skip", update: "skip"), at: 5)
    #expect(waiting.next(scene(6)) == nil)
  }

  @Test("a bundle that is not what was promised is tried again after an hour, three times in all")
  func faults() {
    var course = course("forced")
    for round in 0..<3 {
      let now = Int64(round) * Budget.updateAttemptSpacing
      if round > 0 { #expect(course.next(scene(now - 1)) == nil) }
      #expect(course.next(scene(now)) == .download)
      course.faulted(UpdateText(cutting: "wrong"), at: now)
    }
    #expect(course.record.state == .closed)
    #expect(course.record.outcome == .failure)
    // The server offers it again: not within the hour.
    course.told()
    course.offered(FakeBoard.action("1"), at: 2 * Budget.updateAttemptSpacing + 1)
    #expect(course.record.state == .closed)
    course.told()
    course.offered(FakeBoard.action("1"), at: 3 * Budget.updateAttemptSpacing + 1)
    #expect(course.record.state == .offered)
  }

  @Test("cancelling is done before the restart, and refused after it")
  func cancel() throws {
    var waiting = course("attempt")
    #expect(try waiting.cancel(at: 0))
    #expect(waiting.record.outcome == .canceled)
    var ready = installed("attempt")
    #expect(try ready.cancel(at: 0))
    var installing = course("forced")
    _ = installing.next(scene(0))
    installing.downloaded()
    _ = installing.next(scene(0))
    #expect(try !installing.cancel(at: 0))
    #expect(installing.next(scene(1)) == .request)
    #expect(installing.order == .cancel)
    installing.answered(RootAnswer("id = 2\nstate = done\n".utf8.span)!, at: 2)
    #expect(installing.record.outcome == .canceled)
    var trying = installed("forced")
    _ = trying.next(scene(1))
    trying.tested(passed: 1, failed: "".utf8.span, at: 1)
    _ = trying.next(scene(2))
    #expect(throws: UpdateRefusal.tooLate) { try trying.cancel(at: 3) }
    var idle = UpdateCourse(UpdateRecord(), slots: nil, proof: .gateway, at: 0)
    #expect(throws: UpdateRefusal.nothing) { try idle.cancel(at: 3) }
  }

  @Test("a person does not wait for ever for a server that is to hear how an update ended, and it hears so afterwards")
  func serverGone() throws {
    var course = course("forced")
    course.failed(UpdateText(cutting: "x"), at: 1000)
    #expect(throws: UpdateRefusal.busy) {
      try course.wanted("/x".utf8.span, at: 1000 + Budget.updateTellPatience - 1)
    }
    try course.wanted("/x".utf8.span, at: 1000 + Budget.updateTellPatience)
    #expect(course.record.state == .offered && course.record.origin == .local)
    course.offered(FakeBoard.action("1"), at: 1001 + Budget.updateTellPatience)
    #expect(course.record.state == .offered && course.record.origin == .local)
    #expect(try course.cancel(at: 1002 + Budget.updateTellPatience))
    course.told()
    course.offered(FakeBoard.action("1"), at: 1003 + Budget.updateTellPatience)
    #expect(course.record.state == .closed && course.record.outcome == .failure)
  }

  @Test("an action that the server takes back is forgotten before the restart")
  func withdrawn() {
    var course = course("attempt")
    course.withdrawn()
    #expect(course.record.state == .idle)
  }

  @Test("what a server wanted that is not asked any more is forgotten, and a trial goes on")
  func abandoned() {
    var waiting = installed("attempt")
    waiting.abandon(.list)
    #expect(waiting.record.state == .installed)
    waiting.abandon(.server)
    #expect(waiting.record.state == .idle)
    var closed = course("attempt")
    closed.failed(UpdateText(cutting: "x"), at: 0)
    closed.abandon(.server)
    #expect(closed.next(scene(1)) == .discard)
    #expect(closed.next(scene(2)) == nil)
    #expect(closed.record.state == .idle && closed.record.outcome == .failure)
  }

  @Test("a board with one system installs nothing for a person")
  func oneSystem() {
    var course = UpdateCourse(UpdateRecord(), slots: nil, proof: .gateway, at: 0)
    #expect(throws: UpdateRefusal.noSlots) {
      try course.wanted("/x".utf8.span, at: 0)
    }
    #expect(throws: UpdateRefusal.noSlots) { try course.rollback(at: 0) }
  }

  @Test("a board with one system downloads nothing for a server, which is told why")
  func oneSystemForServer() {
    var course = course("forced")
    course.slotsChanged(nil)
    #expect(course.next(scene(0)) == .discard)
    #expect(course.record.outcome == .failure)
    #expect(course.record.reason.string.hasPrefix("this board has one system only"))
  }

  @Test("rollback asks root's side once, and no list leads back to that release")
  func rollback() throws {
    let slots = SlotReport("slot = a\nstate = good\nversion = 1.0\nother_state = good\nother_version = 0.9\n".utf8.span)
    var course = UpdateCourse(UpdateRecord(), slots: slots, proof: .gateway, at: 0)
    try course.rollback(at: 0)
    let isAsked = course.takeRollback()
    #expect(isAsked)
    #expect(course.order == .rollback)
    #expect(course.record.refusedVersion.string == "1.0")
  }

  @Test("a trial that somebody else began is proved as well")
  func adopted() {
    let slots = SlotReport(
      "slot = b\nstate = trial\nversion = 2.0\nother_state = good\nother_version = 1.0\ntrial_seconds = 600\n".utf8.span
    )
    var course = UpdateCourse(UpdateRecord(), slots: slots, proof: .selfTest, at: 0)
    #expect(course.record.state == .trial)
    #expect(course.next(scene(6_000)) == .test)
    course.tested(passed: 0, failed: "".utf8.span, at: 6_000)
    #expect(course.next(scene(7_000)) == .request)
    #expect(course.order == .confirm)
  }
}
