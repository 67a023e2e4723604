import Codec
import OwnAgent
import Runtime

/// The memory of the board's own agent in one SQLite file, with `NAME-wal` beside it while it is used (`SQLiteSchema`
/// says why).
///
/// All its users take turns, in the whole process: SQLite is compiled for one thread at a time.
public final class SQLiteMemory: MemoryStore {
  let path: Path
  /// The file's limit in pages.
  private let pageLimit: Int64
  private(set) var database: SQLiteDatabase?
  var statements: SQLiteStatements?
  /// The number of the next entry. Counted here, so that none is used twice in a run, even of what was forgotten: a
  /// vector may come later than its entry goes.
  private var nextID: Int64 = 1
  /// Entries with vectors, counted once, for that reads all of them; nil when it is not known.
  var vectors: Int?

  /// A memory at `path`, in a folder of its user alone (0700), whose file takes `limit` bytes at most; the log beside
  /// it takes 1 MB, and for the moment of a wipe there are two files. Nothing is opened yet.
  @export(interface)
  public init(path: String, limit: Int64) throws(MemoryFault) {
    do throws(Errno) { self.path = try Path(path) } catch { throw MemoryFault(.system, error) }
    let range = Budget.memoryFileRange
    pageLimit = min(max(limit, range.lowerBound), range.upperBound) / Budget.memoryPageBytes
  }

  deinit { close() }

  public func close() {
    statements = nil
    database?.close()
    database = nil
  }

  // MARK: Opening

  public func open() throws(MemoryFault) -> MemoryOpening {
    close()
    removeLeftovers()
    var opening: MemoryOpening
    do throws(MemoryFault) {
      opening = try openFile(isChecked: true)
    } catch {
      close()
      guard error.kind == .damaged else { throw error }
      try setAside()
      do throws(MemoryFault) { _ = try openFile(isChecked: true) } catch {
        close()
        throw error
      }
      opening = .setAside
    }
    if try use().database.number("SELECT value FROM state WHERE id = 1") != 0 {
      // What could not be wiped is tried again at the next start, and is no reason not to remember.
      do throws(MemoryFault) { try wipe() } catch { if database == nil { throw error } }
    }
    return opening
  }

  private func openFile(isChecked: Bool) throws(MemoryFault) -> MemoryOpening {
    let database = try SQLiteDatabase(path)
    self.database = database
    do throws(Errno) { try Syscall.setPermissions(path, 0o600) } catch { throw MemoryFault(.system, error) }
    try database.run(SQLiteSchema.use)
    let version = try database.number("PRAGMA user_version")
    let isFresh = try database.number("SELECT count(*) FROM sqlite_schema") == 0
    let isOurs = try database.number("PRAGMA application_id") == SQLiteSchema.application
    if !isFresh, isOurs, version > SQLiteSchema.version { throw MemoryFault(.newer, code: Int32(clamping: version)) }
    guard isFresh || (isOurs && version >= 1) else { throw MemoryFault(.damaged, detail: "it is not a memory") }
    try configure(database)
    if !isFresh, isChecked { try check(database) }
    try SQLiteSchema.migrate(database, from: isFresh ? 0 : version)
    let isIndexed = isFresh || !isChecked ? true : try indexIsWhole(database)
    let statements = try SQLiteStatements(database)
    self.statements = statements
    let last = try first(statements.lastID)
    guard last >= 0, last < .max else { throw MemoryFault(.damaged, detail: "an entry's number is out of range") }
    nextID = max(nextID, last + 1)
    vectors = nil
    return isFresh ? .fresh : isIndexed ? .opened : .indexed
  }

  private func configure(_ database: SQLiteDatabase) throws(MemoryFault) {
    guard try database.answers("PRAGMA journal_mode = WAL", with: "wal") else {
      throw MemoryFault(.system, detail: "the file system takes no write-ahead log")
    }
    try set(database, "PRAGMA max_page_count = ", pageLimit)
    try set(database, "PRAGMA wal_autocheckpoint = ", Int64(Budget.memoryWALPages))
    try set(database, "PRAGMA journal_size_limit = ", Int64(Budget.memoryWALPages) * Budget.memoryPageBytes)
    try set(database, "PRAGMA cache_size = -", Int64(Budget.memoryCacheKilobytes))
  }

  /// Pragmas take no parameters.
  private func set(_ database: SQLiteDatabase, _ pragma: StaticString, _ value: Int64) throws(MemoryFault) {
    var text = InlineArray<64, UInt8>(repeating: 0)
    var span = text.mutableSpan
    let result: Int32 = span.withUnsafeMutableBufferPointer { buffer in
      var writer = ByteWriter(into: UnsafeMutableBufferPointer(rebasing: buffer[..<63]))
      writer.text(pragma)
      writer.decimal(value)
      return buffer.withMemoryRebound(to: CChar.self) { $0.baseAddress.map { database.result(of: $0) } ?? 0 }
    }
    guard result == SQLiteCode.ok else { throw database.fault(result) }
  }

  /// Reads the whole file: each page is where it belongs, and each entry in the index of its order.
  private func check(_ database: SQLiteDatabase) throws(MemoryFault) {
    guard try database.answers("PRAGMA integrity_check(1)", with: "ok") else {
      throw MemoryFault(.damaged, detail: "the check found pages or entries in disorder")
    }
  }

  /// False when the index of words was damaged, and was made again from the texts, which are whole.
  private func indexIsWhole(_ database: SQLiteDatabase) throws(MemoryFault) -> Bool {
    do throws(MemoryFault) {
      try database.run("INSERT INTO words(words, rank) VALUES('integrity-check', 0)")
      return true
    } catch {
      guard error.kind == .damaged else { throw error }
    }
    try database.run("INSERT INTO words(words) VALUES('rebuild')")
    return false
  }

  /// What is open; a failure before `open`.
  func use() throws(MemoryFault) -> (database: SQLiteDatabase, statements: SQLiteStatements) {
    guard let database, let statements else { throw MemoryFault(.system, detail: "it is not open") }
    return (database, statements)
  }

  /// The first number of the first row; 0 without one.
  func first(_ statement: SQLiteStatement) throws(MemoryFault) -> Int64 {
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) : 0
  }

  // MARK: Changing

  public func begin() throws(MemoryFault) {
    try use().statements.begin.run()
  }

  public func commit() throws(MemoryFault) {
    try use().statements.commit.run()
  }

  public func rollback() {
    vectors = nil
    // After some failures SQLite has done it already.
    do throws(MemoryFault) { try statements?.rollback.run() } catch {}
  }

  public func usedBytes() throws(MemoryFault) -> Int64 {
    let (_, statements) = try use()
    let pages = try first(statements.pages), free = try first(statements.freePages)
    return max(pages.subtracting(clamping: free), 0).multiplied(clamping: Budget.memoryPageBytes)
  }

  public func count() throws(MemoryFault) -> Int { Int(clamping: try first(use().statements.count)) }

  public func add(_ row: MemoryRow) throws(MemoryFault) -> Int64 {
    let (_, statements) = try use()
    // The last eighth is for the index when entries are removed: that takes room before it gives some.
    guard try usedBytes() <= pageLimit / 8 * 7 * Budget.memoryPageBytes, nextID < .max else {
      throw MemoryFault(.full, code: 13, detail: "the file has as many bytes as it may have")
    }
    let id = nextID
    defer { for statement in [statements.add, statements.addWords] { statement.reset() } }
    statements.add.bind(1, id)
    statements.add.bind(2, Int64(row.entry.kind.rawValue))
    statements.add.bind(3, row.entry.day)
    statements.add.bind(4, row.entry.time)
    statements.add.bind(5, Int64(row.entry.speaker.rawValue))
    statements.add.bind(6, text: row.subject)
    statements.add.bind(7, text: row.text)
    _ = try statements.add.step()
    nextID += 1
    statements.addWords.bind(1, id)
    statements.addWords.bind(2, text: row.subject)
    statements.addWords.bind(3, text: row.text)
    _ = try statements.addWords.step()
    return id
  }

  public func contains(_ row: MemoryRow) throws(MemoryFault) -> Bool {
    let same = try use().statements.same
    same.bind(1, Int64(row.entry.kind.rawValue))
    same.bind(2, row.entry.day)
    same.bind(3, row.entry.time)
    same.bind(4, Int64(row.entry.speaker.rawValue))
    same.bind(5, text: row.subject)
    same.bind(6, text: row.text)
    return try first(same) != 0
  }

  func run(_ statement: SQLiteStatement, _ id: Int64) throws(MemoryFault) {
    statement.bind(1, id)
    try statement.run()
  }

  func answers(_ statement: SQLiteStatement, _ id: Int64) throws(MemoryFault) -> Bool {
    statement.bind(1, id)
    return try first(statement) != 0
  }

  public func remove(_ id: Int64) throws(MemoryFault) -> Bool {
    let (_, statements) = try use()
    guard try answers(statements.exists, id) else { return false }
    try run(statements.removeWords, id)
    try run(statements.remove, id)
    guard try answers(statements.hasVector, id) else { return true }
    try run(statements.removeVector, id)
    vectors = vectors.map { $0 - 1 }
    return true
  }

  public func removeAll() throws(MemoryFault) {
    vectors = nil
    try use().database.run(
      "DELETE FROM entries; DELETE FROM vectors; INSERT INTO words(words) VALUES('delete-all')")
  }

  public func markFound(_ id: Int64) throws(MemoryFault) { try run(use().statements.markFound, id) }

  public func markForWiping() throws(MemoryFault) { try run(use().statements.setWiping, 1) }

  /// Opens the file again after a wipe, without looking at all of it.
  func reopen() throws(MemoryFault) { _ = try openFile(isChecked: false) }
}
