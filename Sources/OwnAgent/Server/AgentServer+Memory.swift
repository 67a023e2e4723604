import Codec
import Completion
import Runtime

/// The memory as tools, and what was said before this run of the program.
extension AgentServer: MemoryDelegate {
  func callMemory(_ tool: OwnTool, _ place: Int, _ arguments: borrowing JSONView) {
    guard let memory = means.memory else { return finish(place, "this board keeps no memory", isError: true) }
    let ticket: UInt32?
    switch tool {
    case .memoryGet:
      guard let id = arguments.member("id")?.int64 else { return finish(place, "id is a number", isError: true) }
      ticket = memory.list(.one(id), limit: 1)
    case .remember:
      guard let fact = string(arguments.member("fact"), at: place) else {
        return finish(place, "fact is a text of at most 2048 bytes", isError: true)
      }
      var subject = InlineText<128>()
      if let word = arguments.member("subject") { subject.fill { word.copyString(into: $0) } }
      ticket = subject.span.withUnsafeBufferPointer { subject in
        memory.remember(
          .fact(at: clock.wall), subject: subject, text: fact, vector: UnsafeBufferPointer(start: nil, count: 0))
      }
    default:
      guard let query = string(arguments.member("query"), at: place) else {
        return finish(place, "query is a text of at most 2048 bytes", isError: true)
      }
      let limit = Int(clamping: min(max(arguments.member("limit")?.int64 ?? 5, 1), 10))
      calls[place] = .vector(limit: limit)
      if vectors?.search(query, for: place) == true { return }
      return lookUp(place, UnsafeBufferPointer(start: nil, count: 0))
    }
    wait(ticket, at: place)
    if tool == .remember { vectors?.remembered() }
  }

  private func wait(_ ticket: UInt32?, at place: Int) {
    guard let ticket else { return finish(place, "the memory is busy: try again", isError: true) }
    calls[place] = .memory(ticket)
  }

  /// Searches the memory for the text of a place, with its vector where there is one.
  func lookUp(_ place: Int, _ vector: UnsafeBufferPointer<Float>) {
    guard case .vector(let limit) = calls[place], let memory = means.memory else { return }
    wait(memory.search(calls.text(at: place), vector: vector, limit: limit), at: place)
  }

  /// Copies a string of the arguments to memory that lasts; nil when it is none, or too long.
  func string(_ member: JSONView?, at place: Int) -> UnsafeBufferPointer<UInt8>? {
    guard let member, member.kind == .string else { return nil }
    let isKept = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Budget.agentWaitingBytes) { room in
      guard let count = member.copyString(into: room), count > 0 else { return false }
      return calls.keep(UnsafeBufferPointer(rebasing: UnsafeBufferPointer(room)[..<count]), at: place)
    }
    return isKept ? calls.text(at: place) : nil
  }

  public func memoryEnded(_ ticket: UInt32, _ outcome: MemoryOutcome, _ results: MemoryResults) {
    if ticket == recallTicket {
      recallTicket = nil
      return recall(results)
    }
    if vectors?.listed(ticket, results) == true { return }
    if let owner, owner.ticket == ticket { return ownerEnded(owner, outcome, results) }
    guard let place = calls.place(of: .memory(ticket)) else { return }
    switch outcome {
    case .stored(_, let isCut): finish(place, isCut ? "remembered, but cut: it was too long" : "remembered")
    case .failed: finish(place, "the memory cannot be used now", isError: true)
    default: show(results, at: place)
    }
  }

  private func show(_ results: MemoryResults, at place: Int) {
    calls[place] = .nothing
    var hasWordsOfOthers = false
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Budget.agentResultBytes) { room in
      var writer = ByteWriter(into: room)
      for index in 0..<results.count {
        let row = results.row(index)
        if row.entry.speaker == .tool { hasWordsOfOthers = true }
        write(row, to: &writer)
      }
      if results.count == 0 { writer.text("nothing is remembered of that") }
      let text = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(room)[..<min(writer.count, room.count)])
      machine.toolEnded(
        place, Span(_unsafeElements: text), hasWordsOfOthers: hasWordsOfOthers, origin: Self.memoryName.utf8Bytes)
    }
  }

  private static let memoryName: StaticString = "an earlier answer"

  /// Writes an entry as a line: its number, what it is, when, and its text.
  func write(_ row: MemoryRow, to writer: inout ByteWriter) {
    writer.text("#")
    writer.decimal(row.entry.id)
    switch row.entry.kind {
    case .fact: writer.text(" fact")
    case .note: writer.text(" note")
    case .conversation: writer.text(row.entry.speaker == .person ? " the person said" : " you said")
    }
    writer.text(", ")
    writer.bytes(ISO8601(unixMilliseconds: row.entry.time).text.extracting(0..<16))
    writer.text("Z: ")
    if !row.subject.isEmpty {
      writer.bytes(Span(_unsafeElements: row.subject))
      writer.text(": ")
    }
    writer.bytes(Span(_unsafeElements: row.text))
    writer.text("\n")
  }

  /// The conversation goes on where it ended: each answer with the person's words before it.
  private func recall(_ results: MemoryResults) {
    var question: Int?
    for index in 0..<results.count {
      let row = results.row(index)
      if row.entry.speaker == .person {
        question = index
        continue
      }
      guard let asked = question else { continue }
      machine.recall(
        Span(_unsafeElements: results.row(asked).text), Span(_unsafeElements: row.text),
        isTainted: row.entry.speaker == .tool)
      question = nil
    }
  }
}
