import Runtime
import Testing

@testable import OwnAgent

@Suite("The memory as Markdown") struct MarkdownTests {
  private func export(_ bench: MemoryBench) -> [UInt8] {
    let sink = TextSink()
    _ = bench.end(bench.desk.write(to: sink))
    #expect(sink.state == "finished" && sink.pieces <= Budget.memoryPieceBytes)
    return sink.bytes
  }

  /// What an import takes of a text: entries as lines, and the report.
  private func taken(_ text: String, piece: Int = .max) throws -> (
    entries: [String], report: MemoryImport?, said: String
  ) {
    let bench = try MemoryBench()
    let said = bench.end(bench.desk.read(from: TextSource(Array(text.utf8), piece: piece))).said
    let entries = bench.table.rows.map { row in
      let subject = row.subject.isEmpty ? "" : String(decoding: row.subject, as: UTF8.self) + ": "
      let text = String(decoding: row.text, as: UTF8.self)
      switch row.entry.kind {
      case .fact: return "fact " + subject + text
      case .note: return "note \(row.entry.day) " + text
      case .conversation: return "\(row.entry.speaker) " + text
      }
    }
    if case .read(let report) = bench.ends.last?.outcome { return (entries, report, said) }
    return (entries, nil, said)
  }

  @Test("facts, notes by day and conversation are written in this order, and read well")
  func layout() throws {
    let bench = try MemoryBench()
    bench.say("good night", at: 1_795_554_720_000)
    bench.note("watered the tomatoes\nand the beans", day: 20_781, at: 1_795_551_000_000)
    bench.note("later", day: 20_782, at: 1_795_641_000_000)
    bench.learn("the key is under the third pot", about: "garden *gate*", at: 1_795_507_200_000)
    bench.learn("no subject", at: 0)
    #expect(
      String(decoding: export(bench), as: UTF8.self) == """
        # Facts

        - **garden \\*gate\\*** (2026-11-24T08:00:00.000Z): the key is under the third pot
        - (1970-01-01T00:00:00.000Z): no subject

        # Notes

        ## 2026-11-24

        - (2026-11-24T20:10:00.000Z): watered the tomatoes
          and the beans

        ## 2026-11-25

        - (2026-11-25T21:10:00.000Z): later

        # Conversation

        - **person** (2026-11-24T21:12:00.000Z): good night

        """)
  }

  @Test("what was written comes back, whatever the texts are, in pieces of any size; twice changes nothing")
  func roundTrip() throws {
    var dice = MemoryDice(11)
    let parts = [
      "# Facts", "\n", "\n\n", "  ", " ", "- ", "* x", "## 2026-11-24", "**a**: ", "(2026-11-24T08:00:00.000Z): ", "\\",
      "*",
      "word", "---", "1. ", "\t", "ä", "🌱", "花", "**person** (2026-11-24T08:00:00.000Z): x", ":", "```", "\u{FFFD}",
      "> ",
    ]
    for round in 0..<60 {
      let bench = try MemoryBench()
      for time in 0..<dice.below(30) {
        let text = (0..<(1 + dice.below(9))).map { _ in parts[dice.below(parts.count)] }.joined()
        let subject = dice.below(2) == 0 ? "" : (0..<4).map { _ in parts[dice.below(parts.count)] }.joined()
        let at = Int64(time) * 977_777_777
        switch dice.below(3) {
        case 0: bench.learn(text, about: subject, at: at)
        case 1: bench.note(text, day: Int64(dice.below(3)) * 10_000 - 9_000, at: at)
        default:
          let speaker = [MemorySpeaker.person, .agent, .tool][dice.below(3)]
          _ = bench.end(bench.remember(.conversation(speaker, at: at), Array(text.utf8)))
        }
      }
      let bytes = export(bench)
      let other = try MemoryBench()
      let piece = round % 4 == 0 ? 1 : 1 + dice.below(100)
      let said = other.end(other.desk.read(from: TextSource(bytes, piece: piece))).said
      #expect(said == "read \(bench.table.rows.count) 0 0", "round \(round)")
      #expect(export(other) == bytes, "round \(round)")
      #expect(sorted(other) == sorted(bench), "round \(round)")
      let again = other.end(other.desk.read(from: TextSource(bytes))).said
      #expect(again == "read 0 \(bench.table.rows.count) 0" && sorted(other) == sorted(bench))
    }
  }

  private func sorted(_ bench: MemoryBench) -> [String] {
    bench.table.rows.map { row in
      "\(row.entry.kind) \(row.entry.speaker) \(row.entry.time) \(row.entry.day) \(row.subject) \(row.text)"
    }.sorted()
  }

  @Test("the largest entry comes back: every byte of it an end of a line, and every byte of its subject a star")
  func largest() throws {
    let bench = try MemoryBench(limit: 1 << 30)
    bench.learn(
      "x" + String(repeating: "\n", count: Budget.memoryEntryBytes - 1), about: String(repeating: "*", count: 96))
    bench.say(String(repeating: "y", count: Budget.memoryEntryBytes))
    let other = try MemoryBench(limit: 1 << 30)
    #expect(other.end(other.desk.read(from: TextSource(export(bench)))).said == "read 2 0 0")
    #expect(sorted(other) == sorted(bench))
  }

  @Test("a person's own file is taken: items and paragraphs, headings as subjects, dates as days of notes")
  func ownFile() throws {
    let text = """
      Allergic to nuts.

      # Garden

      * the hose is in the shed
      * **Gate:** 4711
      * **Pump**: in
        the cellar

      1. first
      2) second
      ---
      a paragraph
      of two lines

      ## 2026-11-24

      planted garlic
      - **beds**: three

      # NOTES
      - of no day

      # Conversation
      - **agent**: hello
      - who said this
      """
    let (entries, report, _) = try taken(text)
    #expect(
      entries == [
        "fact Allergic to nuts.", "fact Garden: the hose is in the shed", "fact Gate: 4711",
        "fact Pump: in\nthe cellar",
        "fact Garden: first", "fact Garden: second", "fact Garden: a paragraph\nof two lines",
        "note 20781 planted garlic",
        "note 20781 **beds**: three", "note 20781 of no day", "agent hello",
      ])
    #expect(report?.refused == 1 && report?.faults[0] == MemoryImport.Fault(line: 26, reason: .nobody))
    for piece in [1, 2, 3, 7] { #expect(try taken(text, piece: piece).entries == entries) }
    #expect(
      try taken(text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n")).entries
        == entries)
  }

  @Test("lines that cannot be taken are named, the first of them, and the others counted")
  func refused() throws {
    let long = String(repeating: "x", count: Budget.memoryEntryBytes + 1)
    let endless = String(repeating: "y", count: 5 * Budget.memoryLineBytes)
    let (entries, report, _) = try taken("- a\n- \(long)\n- b\n\(endless)\n\n- c\n- \(long.dropLast())\n")
    #expect(entries.map { $0.prefix(8) } == ["fact a", "fact c", "fact xxx"])
    #expect(report?.refused == 2 && report?.faults[0].line == 2 && report?.faults[1].line == 3)
    #expect(report?.faults[0].reason == .tooLong)
    let many = try taken("# Conversation\n" + String(repeating: "- nobody\n", count: 20))
    #expect(
      many.report?.refused == 20 && many.report?.faults.count == Budget.memoryImportFaults && many.entries.isEmpty)
  }

  @Test("times and days that are none are text")
  func badTimes() throws {
    let (entries, _, _) = try taken(
      "- (2026-13-24T08:00:00.000Z): a\n- (2026-11-24): b\n- ****: c\n- **x\n- **y\\\n# 2026-02-30\n- d\n#hash\n- \n-\n"
    )
    #expect(
      entries == [
        "fact (2026-13-24T08:00:00.000Z): a", "fact (2026-11-24): b", "fact ****: c", "fact **x", "fact **y\\",
        "fact 2026-02-30: d\n#hash",
      ])
  }

  @Test("nothing, and bytes that mean nothing, are taken without a fault", arguments: 0..<8)
  func anything(seed: Int) throws {
    var dice = MemoryDice(UInt64(seed))
    let alphabet: [[UInt8]] = [
      [0x0A], [0x20], [0x23, 0x20], [0x2D, 0x20], [0x2A, 0x2A], [0x28], Array("2026-11-24T08:00:00.000Z".utf8),
      [0x29, 0x3A],
      [0], [0xFF], [0xC3], Array("Conversation\n".utf8), Array("Notes\n".utf8), [0x5C], [0x09], [0x0D], [0x78],
    ]
    for _ in 0..<150 {
      let bytes = (0..<dice.below(120)).flatMap { _ in alphabet[dice.below(alphabet.count)] }
      let bench = try MemoryBench(), other = try MemoryBench()
      #expect(bench.end(bench.desk.read(from: TextSource(bytes, piece: 5))).said.hasPrefix("read"))
      let again = export(bench)
      _ = other.end(other.desk.read(from: TextSource(again)))
      #expect(sorted(other) == sorted(bench).reduce(into: [String]()) { if $0.last != $1 { $0.append($1) } })
    }
  }

  @Test("a file that ends in a failure takes nothing of the last transaction; one that is full is said, with the line")
  func failures() throws {
    let bench = try MemoryBench()
    let source = TextSource(Array("- a\n- b\n".utf8))
    source.failsAtEnd = true
    #expect(bench.end(bench.desk.read(from: source)).said == "failed markdown" && bench.table.rows.isEmpty)
    bench.table.failure = ("commit", MemoryFault(.system, Errno.inputOutput))
    #expect(bench.end(bench.desk.read(from: TextSource(Array("- a\n".utf8)))).said == "failed system")
    #expect(bench.table.rows.isEmpty)
    let full = try MemoryBench(limit: 400)
    let text = String(repeating: "f", count: 90)
    for time in 0..<3 { full.learn(text + "\(time)", at: Int64(time)) }
    let said = full.end(full.desk.read(from: TextSource(Array("# Conversation\n- **person**: \(text)\n".utf8)))).said
    #expect(said == "read 0 0 1" && full.table.rows.count == 3)
  }

  @Test("an export that cannot be written is given up")
  func brokenSink() throws {
    let bench = try MemoryBench()
    for index in 0..<3 { bench.learn(String(repeating: "x", count: 8000) + "\(index)") }
    let sink = TextSink()
    sink.failsAfter = 5000
    #expect(bench.end(bench.desk.write(to: sink)).said == "failed full" && sink.state == "cancelled")
  }
}
