import OwnAgent
import Runtime

extension SQLiteMemory {
  public func select(
    _ selection: MemorySelection, limit: Int, _ body: (MemoryRow) -> Bool
  ) throws(MemoryFault) {
    let statement = try statement(selection)
    defer { statement.reset() }
    statement.bind(2, Int64(max(limit, 0)))
    while try statement.step() {
      if !body(Self.row(statement)) { return }
    }
  }

  private func statement(_ selection: MemorySelection) throws(MemoryFault) -> SQLiteStatement {
    let (_, statements) = try use()
    switch selection {
    case .one(let id):
      statements.one.bind(1, id)
      return statements.one
    case .conversation: return statements.conversation
    case .notes(let day):
      statements.notesOfDay.bind(1, day)
      return statements.notesOfDay
    case .recentNotes: return statements.recentNotes
    case .facts: return statements.facts
    case .withoutVector: return statements.withoutVector
    case .all(.fact): return statements.allFacts
    case .all(let kind):
      statements.allOthers.bind(1, Int64(kind.rawValue))
      return statements.allOthers
    }
  }

  /// The row of a statement. What no release wrote is shown as what is nearest.
  private static func row(_ statement: SQLiteStatement) -> MemoryRow {
    let entry = MemoryEntry(
      id: statement.integer(0), kind: MemoryKind(rawValue: UInt8(clamping: statement.integer(1))) ?? .note,
      speaker: MemorySpeaker(rawValue: UInt8(clamping: statement.integer(2))) ?? .nobody, time: statement.integer(3),
      day: statement.integer(4))
    let subject = statement.text(5), text = statement.text(6)
    return MemoryRow(
      entry, subject: UnsafeBufferPointer(rebasing: subject.prefix(Budget.memorySubjectBytes)),
      text: UnsafeBufferPointer(rebasing: text.prefix(Budget.memoryEntryBytes)))
  }

  public func search(_ query: UnsafeBufferPointer<UInt8>, _ best: inout BestList) throws(MemoryFault) {
    guard !query.isEmpty else { return }
    let search = try use().statements.search
    defer { search.reset() }
    search.bind(1, text: query)
    // The better the match, the smaller is SQLite's number.
    while try search.step() { best.offer(search.integer(0), -Float(search.real(1))) }
  }

  public func oldest(_ group: MemoryGroup) throws(MemoryFault) -> Int64? {
    let oldest = try use().statements.oldest
    defer { oldest.reset() }
    let kind: MemoryKind = group == .conversation ? .conversation : group == .notes ? .note : .fact
    oldest.bind(1, Int64(kind.rawValue))
    oldest.bind(2, group == .facts ? 1 : 0)
    return try oldest.step() ? oldest.integer(0) : nil
  }
}
