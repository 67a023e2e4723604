import Runtime

@testable import OwnAgent

/// A store in memory, with transactions, whose failures are chosen.
final class TableStore: MemoryStore {
  struct Row: Equatable {
    var entry: MemoryEntry
    var subject: [UInt8]
    var text: [UInt8]
    var isFound = false
    var code: [UInt8]?
  }

  var rows: [Row] = []
  var nextID: Int64 = 1
  var opening = MemoryOpening.fresh
  var calls: [String] = []
  /// Thrown by the next call of this name, once.
  var failure: (call: String, fault: MemoryFault)?
  var takesNoVectors = false
  private var before: [Row]?

  private func called(_ name: String) throws(MemoryFault) {
    calls.append(name)
    guard let (call, fault) = failure, call == name else { return }
    failure = nil
    throw fault
  }

  func open() throws(MemoryFault) -> MemoryOpening {
    try called("open")
    return opening
  }
  func close() { calls.append("close") }
  func begin() throws(MemoryFault) {
    try called("begin")
    precondition(before == nil)
    before = rows
  }
  func commit() throws(MemoryFault) {
    try called("commit")
    before = nil
  }
  func rollback() {
    calls.append("rollback")
    if let before { rows = before }
    before = nil
  }
  func usedBytes() throws(MemoryFault) -> Int64 {
    Int64(rows.reduce(0) { $0 + $1.text.count + $1.subject.count + ($1.code?.count ?? 0) })
  }
  func count() throws(MemoryFault) -> Int { rows.count }
  func add(_ row: MemoryRow) throws(MemoryFault) -> Int64 {
    try called("add")
    var entry = row.entry
    entry.id = nextID
    nextID += 1
    rows.append(Row(entry: entry, subject: Array(row.subject), text: Array(row.text)))
    return entry.id
  }
  func contains(_ row: MemoryRow) throws(MemoryFault) -> Bool {
    var entry = row.entry
    return rows.contains {
      entry.id = $0.entry.id
      return $0.entry == entry && $0.text == Array(row.text) && $0.subject == Array(row.subject)
    }
  }
  func remove(_ id: Int64) throws(MemoryFault) -> Bool {
    try called("remove")
    let count = rows.count
    rows.removeAll { $0.entry.id == id }
    return rows.count < count
  }
  func removeAll() throws(MemoryFault) { rows = [] }
  func compact() throws(MemoryFault) { try called("compact") }
  func markFound(_ id: Int64) throws(MemoryFault) {
    for index in rows.indices where rows[index].entry.id == id { rows[index].isFound = true }
  }
  func markForWiping() throws(MemoryFault) { try called("markForWiping") }
  func wipe() throws(MemoryFault) { try called("wipe") }

  func select(_ selection: MemorySelection, limit: Int, _ body: (MemoryRow) -> Bool) throws(MemoryFault) {
    try called("select")
    for row in chosen(selection).prefix(max(limit, 0)) where !pass(row, body) { return }
  }

  private func chosen(_ selection: MemorySelection) -> [Row] {
    let ordered = rows.sorted {
      ($0.entry.day, $0.entry.time, $0.entry.id) < ($1.entry.day, $1.entry.time, $1.entry.id)
    }
    switch selection {
    case .one(let id): return rows.filter { $0.entry.id == id }
    case .conversation: return ordered.filter { $0.entry.kind == .conversation }.reversed()
    case .notes(let day): return ordered.filter { $0.entry.kind == .note && $0.entry.day == day }.reversed()
    case .recentNotes: return ordered.filter { $0.entry.kind == .note }.reversed()
    case .facts: return ordered.filter { $0.entry.kind == .fact }.reversed()
    case .withoutVector: return rows.filter { $0.code == nil }.reversed()
    case .all(.fact): return rows.filter { $0.entry.kind == .fact }
    case .all(let kind): return ordered.filter { $0.entry.kind == kind }
    }
  }

  private func pass(_ row: Row, _ body: (MemoryRow) -> Bool) -> Bool {
    row.subject.withUnsafeBufferPointer { subject in
      row.text.withUnsafeBufferPointer { body(MemoryRow(row.entry, subject: subject, text: $0)) }
    }
  }

  /// Words between quotation marks, found anywhere in a text.
  func search(_ query: UnsafeBufferPointer<UInt8>, _ best: inout BestList) throws(MemoryFault) {
    try called("search")
    let query = String(decoding: query, as: UTF8.self)
    let words = query.split(separator: "\"").enumerated().filter { $0.offset % 2 == 0 }.map { $0.element.lowercased() }
    for row in rows {
      let text = String(decoding: row.subject + [0x20] + row.text, as: UTF8.self).lowercased()
      let found = words.filter { text.contains($0) }.count
      if query.contains(" OR ") || words.count == 1 ? found > 0 : found == words.count {
        best.offer(row.entry.id, Float(found))
      }
    }
  }

  func oldest(_ group: MemoryGroup) throws(MemoryFault) -> Int64? {
    let all =
      switch group {
      case .conversation: chosen(.all(.conversation))
      case .notes: chosen(.all(.note))
      case .factsNeverFound: chosen(.facts).reversed().filter { !$0.isFound }
      case .facts: chosen(.facts).reversed().filter { $0.isFound }
      }
    return all.first?.entry.id
  }

  func attach(_ code: UnsafeBufferPointer<UInt8>, to id: Int64) throws(MemoryFault) -> Bool {
    if takesNoVectors { throw MemoryFault(.full) }
    guard let index = rows.firstIndex(where: { $0.entry.id == id }) else { return false }
    rows[index].code = Array(code)
    return true
  }
  func vectorCount() throws(MemoryFault) -> Int { rows.count { $0.code != nil } }
  func removeVectors(_ count: Int) throws(MemoryFault) {
    try called("removeVectors")
    for index in rows.indices.filter({ rows[$0].code != nil }).prefix(count) { rows[index].code = nil }
  }
  func forEachVector(_ body: (Int64, UnsafeBufferPointer<UInt8>) -> Void) throws(MemoryFault) {
    for row in rows { if let code = row.code { code.withUnsafeBufferPointer { body(row.entry.id, $0) } } }
  }
}
