import Runtime
import Testing

@testable import OwnAgent

@Suite("The desk of the memory") struct MemoryDeskTests {
  @Test("what is remembered is listed in its order, and found by its words")
  func remembers() throws {
    let bench = try MemoryBench()
    #expect(bench.say("where is the key", at: 1) == "stored 1")
    #expect(bench.say("under the third pot", at: 2) == "stored 2")
    #expect(bench.note("watered the beans", day: 20_000, at: 3) == "stored 3")
    #expect(bench.learn("4711", about: "garden gate", at: 4) == "stored 4")
    #expect(bench.list(.conversation) == ["where is the key", "under the third pot"])
    #expect(bench.list(.conversation, limit: 1) == ["under the third pot"])
    #expect(bench.list(.notes(day: 20_000)) == ["watered the beans"] && bench.list(.notes(day: 1)).isEmpty)
    #expect(bench.search("Which POT?") == ["under the third pot"])
    #expect(bench.search("gate") == ["4711"])
    #expect(bench.search("?!").isEmpty)
    #expect(bench.table.rows.map(\.isFound) == [false, false, false, true])
  }

  @Test("a text that is too long is cut at a character's edge, and it is said; an empty one is refused")
  func bounds() throws {
    let bench = try MemoryBench()
    let long = String(repeating: "ä", count: Budget.memoryEntryBytes / 2) + "ä"
    #expect(bench.say(long) == "stored 1 cut")
    #expect(bench.table.rows[0].text.count == Budget.memoryEntryBytes)
    #expect(bench.say("x" + long) == "stored 2 cut")
    #expect(bench.table.rows[1].text.count == Budget.memoryEntryBytes - 1)
    #expect(bench.say(" \n\t") == "failed empty" && bench.say("") == "failed empty")
    bench.learn("x", about: "  " + String(repeating: "é", count: 60) + " ")
    #expect(bench.table.rows[2].subject.count == Budget.memorySubjectBytes)
    #expect(bench.table.rows[2].subject.first == 0xC3)
  }

  @Test(
    "bytes that are no text, and control characters, become the replacement character; ends of lines are line feeds")
  func strangeText() throws {
    let bench = try MemoryBench()
    for bytes: [UInt8] in [
      [0x61, 0, 0x62], [0x61, 0xFF, 0x62], [0x61, 0x1B, 0x62], [0x61, 0xC3], [0xED, 0xA0, 0x80],
    ] {
      _ = bench.end(bench.remember(.conversation(.tool, at: 0), bytes))
    }
    _ = bench.end(bench.remember(.conversation(.tool, at: 0), Array("a\r\nb\rc\td 🌱".utf8)))
    #expect(
      bench.list(.conversation) == ["a\u{FFFD}b", "a\u{FFFD}b", "a\u{FFFD}b", "a\u{FFFD}", "\u{FFFD}\u{FFFD}\u{FFFD}"]
        + ["a\nb\nc\td 🌱"])
  }

  @Test("requests are done one at a time in their order; more than the budget has are refused")
  func order() throws {
    let bench = try MemoryBench()
    let tickets = (0...Budget.memoryRequests).map { bench.remember(.conversation(.agent, at: 0), Array("t\($0)".utf8)) }
    #expect(tickets.last == .some(nil) && tickets.dropLast().allSatisfy { $0 != nil })
    #expect(bench.desk.isBusy && bench.runner.held.count == 1)
    bench.runner.runOne()
    #expect(bench.ends.count == 1 && bench.runner.held.count == 1)
    #expect(bench.remember(.conversation(.agent, at: 0), Array("again".utf8)) != nil)
    bench.runner.runAll()
    #expect(!bench.desk.isBusy && bench.ends.map(\.ticket) == (1...UInt32(Budget.memoryRequests + 1)).map { $0 })
    #expect(bench.list(.conversation).last == "again" && bench.list(.conversation).first == "t0")
  }

  @Test("a delegate may ask for more while it gets an end, and each request has one end")
  func asksAgain() throws {
    let bench = try MemoryBench()
    var left = 20
    bench.atEnd = {
      left -= 1
      if left > 0 { #expect(bench.remember(.conversation(.agent, at: 0), [0x61]) != nil) }
    }
    bench.say("first")
    #expect(bench.ends.count == 20 && bench.table.rows.count == 20)
  }

  @Test("without a free worker a request waits, and is tried again")
  func busy() throws {
    let bench = try MemoryBench()
    bench.runner.isFull = true
    let ticket = bench.desk.list(.facts, limit: 3)
    #expect(bench.desk.nextDeadline == bench.clock.monotonic + Budget.memoryRetryMilliseconds)
    bench.desk.advance(to: bench.clock.monotonic)
    #expect(bench.runner.held.isEmpty)
    bench.runner.isFull = false
    bench.clock.monotonic += Budget.memoryRetryMilliseconds
    bench.desk.advance(to: bench.clock.monotonic)
    #expect(bench.end(ticket).said == "listed" && bench.desk.nextDeadline == nil)
  }

  @Test("after the end nothing is begun, and the store is closed")
  func stops() throws {
    let bench = try MemoryBench()
    bench.say("x")
    bench.desk.stop()
    bench.desk.stop()
    #expect(bench.desk.list(.facts, limit: 1) == nil && bench.table.calls.filter { $0 == "close" }.count == 1)
  }

  @Test("results are as many as fit, and never more than asked for")
  func results() throws {
    let bench = try MemoryBench()
    let long = String(repeating: "x", count: Budget.memoryEntryBytes)
    for time in 0..<7 { bench.say(long, at: Int64(time)) }
    #expect(bench.list(.conversation).count == Budget.memoryResultBytes / Budget.memoryEntryBytes)
    for time in 0..<100 { bench.note("n\(time)", at: Int64(time)) }
    #expect(bench.list(.recentNotes, limit: .max).count == Budget.memoryResults)
    #expect(bench.list(.recentNotes, limit: -1).isEmpty && bench.list(.recentNotes, limit: 2) == ["n99", "n98"])
  }

  // MARK: Forgetting

  @Test("what has all the words is forgotten, and then wiped; what has some of them stays")
  func forgets() throws {
    let bench = try MemoryBench()
    for text in ["the code is 4711", "4711 is the code of the gate", "a code", "4711"] { bench.say(text) }
    #expect(bench.forget("code 4711") == "forgotten 2")
    #expect(bench.list(.conversation) == ["a code", "4711"])
    #expect(bench.table.calls.suffix(4).contains("wipe") && bench.table.calls.contains("markForWiping"))
    #expect(bench.forget("nothing such") == "forgotten 0")
    #expect(
      bench.end(bench.desk.forget(3)).said == "forgotten 1" && bench.end(bench.desk.forget(3)).said == "forgotten 0")
    #expect(bench.end(bench.desk.forgetAll()).said == "forgotten 1" && bench.table.rows.isEmpty)
  }

  @Test("more than a list of candidates can be forgotten at once")
  func forgetsMany() throws {
    let bench = try MemoryBench()
    for _ in 0..<(3 * Budget.memoryCandidates) { bench.say("the same") }
    #expect(bench.forget("same") == "forgotten \(3 * Budget.memoryCandidates)")
  }

  @Test("no words, and more than are looked for, forget nothing")
  func forgetsNothing() throws {
    let bench = try MemoryBench()
    bench.say("w0 w1 w2")
    #expect(bench.forget("") == "failed badWords" && bench.forget(" -- ") == "failed badWords")
    let many = (0...Budget.memoryQueryWords).map { "w\($0)" }.joined(separator: " ")
    #expect(bench.forget(many) == "failed badWords")
    #expect(bench.forget(String(repeating: "w", count: Budget.memoryWordBytes + 1)) == "failed badWords")
    #expect(bench.forget("w0 " + String(repeating: " ", count: Budget.memoryEntryBytes)) == "failed badWords")
    #expect(bench.table.rows.count == 1)
  }

  @Test("what cannot be wiped is said, and the store is opened again")
  func notWiped() throws {
    let bench = try MemoryBench()
    bench.say("secret")
    bench.table.failure = ("wipe", MemoryFault(.full, code: 13))
    #expect(bench.forget("secret") == "failed remains")
    #expect(
      bench.logged.contains("memory: it is forgotten, but bytes of it stay in the file")
        && bench.logged.contains("(13)"))
    bench.say("x")
    #expect(bench.table.calls.filter { $0 == "open" }.count == 2)
  }

  // MARK: Failures

  @Test("a failure of the store undoes the request, and is logged; the next one is done")
  func failures() throws {
    for call in ["begin", "add", "commit", "search", "select"] {
      let bench = try MemoryBench()
      bench.say("before", at: 1)
      bench.table.failure = (call, MemoryFault(.system, Errno.inputOutput))
      _ = bench.say("lost", at: 2)
      _ = bench.search("before")
      #expect(bench.table.failure == nil && bench.logged.contains("input/output error (5)"), "\(call)")
      #expect(bench.say("after", at: 3).hasPrefix("stored"))
      let expected = call == "search" || call == "select" ? ["before", "lost", "after"] : ["before", "after"]
      #expect(bench.list(.conversation) == expected, "\(call)")
    }
  }

  @Test("a store that cannot be opened is tried again by the next request")
  func unopened() throws {
    let bench = try MemoryBench()
    bench.table.failure = ("open", MemoryFault(.newer, code: 7))
    #expect(bench.say("x") == "failed newer" && bench.logged.contains("newer release of Talon"))
    #expect(bench.say("x") == "stored 1")
  }

  @Test("a store that is damaged is closed, and opened again")
  func damaged() throws {
    let bench = try MemoryBench()
    bench.table.failure = ("add", MemoryFault(.damaged, code: 11))
    #expect(bench.say("x") == "failed damaged")
    bench.table.opening = .setAside
    #expect(bench.say("y") == "stored 1" && bench.logged.contains("NAME.damaged"))
  }

  @Test("when the file is full although entries would fit, some conversation goes, and it is tried once more")
  func fullFile() throws {
    let bench = try MemoryBench()
    for index in 0..<40 { bench.say("c\(index)", at: Int64(index)) }
    bench.table.failure = ("add", MemoryFault(.full, code: 13))
    #expect(bench.say("new", at: 99).hasPrefix("stored"))
    #expect(bench.list(.conversation).last == "new" && bench.table.rows.count < 41)
    let facts = try MemoryBench()
    facts.learn("keep")
    facts.table.failure = ("add", MemoryFault(.full, code: 13))
    #expect(facts.say("new").hasPrefix("stored") && facts.list(.facts) == ["keep"])
  }
}
