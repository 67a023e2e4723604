import CSQLite
import OwnAgent
import Runtime

/// A database file, open.
final class SQLiteDatabase {
  private var handle: OpaquePointer?

  /// Opens the file, or creates it (0600). SQLite takes no more memory than `Budget.memorySQLiteBytes`, in the whole
  /// process.
  init(_ path: Path) throws(MemoryFault) {
    let started = tl_sqlite_start(Budget.memorySQLiteBytes)
    guard started == SQLiteCode.ok else { throw SQLiteDatabase.fault(started, tl_sqlite_code_text(started)) }
    let opened = tl_sqlite_open(path.cString, Self.valueBytes, &handle)
    withExtendedLifetime(path) {}
    guard opened == SQLiteCode.ok else { throw SQLiteDatabase.fault(opened, tl_sqlite_code_text(opened)) }
  }

  /// Bytes of a value that is read or written: texts and vectors are far shorter, what SQLite keeps of its index too.
  private static let valueBytes: Int32 = 1 << 18

  /// Closes the file. All statements have to be gone.
  func close() {
    tl_sqlite_close(handle)
    handle = nil
  }

  deinit { close() }

  /// Runs a statement that was built: SQLite's code.
  func result(of sql: UnsafePointer<CChar>) -> Int32 { tl_sqlite_run(handle, sql) }

  /// Runs statements without parameters.
  func run(_ sql: StaticString) throws(MemoryFault) {
    let result = tl_sqlite_run(handle, sql.path)
    guard result == SQLiteCode.ok else { throw fault(result) }
  }

  /// Prepares a statement.
  func prepare(_ sql: StaticString) throws(MemoryFault) -> SQLiteStatement {
    var statement: OpaquePointer?
    let result = tl_sqlite_prepare(handle, sql.path, &statement)
    guard result == SQLiteCode.ok, let statement else { throw fault(result) }
    return SQLiteStatement(statement, self)
  }

  /// Rows that have been changed since it was opened.
  var changes: Int32 { tl_sqlite_changes(handle) }

  /// The first number of the first row of a statement; 0 without a row.
  func number(_ sql: StaticString) throws(MemoryFault) -> Int64 {
    let statement = try prepare(sql)
    return try statement.step() ? statement.integer(0) : 0
  }

  /// True when the first value of the first row of a statement is this text.
  func answers(_ sql: StaticString, with text: StaticString) throws(MemoryFault) -> Bool {
    let statement = try prepare(sql)
    return try statement.step() && statement.text(0).elementsEqual(text.bytes)
  }

  /// The most bytes of memory that SQLite has had at once.
  static var memoryPeak: Int64 { tl_sqlite_memory_peak() }

  /// The failure behind a code, in SQLite's words.
  func fault(_ code: Int32) -> MemoryFault { Self.fault(code, tl_sqlite_message(handle)) }

  private static func fault(_ code: Int32, _ sentence: UnsafePointer<CChar>?) -> MemoryFault {
    let kind: MemoryFault.Kind
    switch code & 0xFF {
    case SQLiteCode.corrupt, SQLiteCode.notADatabase: kind = .damaged
    case SQLiteCode.full: kind = .full
    case SQLiteCode.busy: kind = .inUse
    case SQLiteCode.noMemory: kind = .memory
    default: kind = .system
    }
    return MemoryFault(kind, code: code, sentence: sentence)
  }
}

/// SQLite's result codes (https://www.sqlite.org/rescode.html), the low eight bits of extended ones.
enum SQLiteCode {
  static let ok = Int32(TL_SQLITE_OK)
  static let busy = Int32(TL_SQLITE_BUSY)
  static let noMemory = Int32(TL_SQLITE_NOMEM)
  static let corrupt = Int32(TL_SQLITE_CORRUPT)
  static let full = Int32(TL_SQLITE_FULL)
  static let notADatabase = Int32(TL_SQLITE_NOTADB)
  static let row = Int32(TL_SQLITE_ROW)
  static let done = Int32(TL_SQLITE_DONE)
}

/// A prepared statement. Whoever steps it resets it afterwards, so that it holds no lock and no bytes of others.
final class SQLiteStatement {
  private let handle: OpaquePointer
  private let database: SQLiteDatabase

  init(_ handle: OpaquePointer, _ database: SQLiteDatabase) {
    self.handle = handle
    self.database = database
  }

  deinit { tl_sqlite_finalize(handle) }

  /// Give the parameter `index`, counted from 1, a value. Bytes stay where they are until `reset`.
  func bind(_ index: Int32, _ value: Int64) { _ = tl_sqlite_bind_integer(handle, index, value) }
  func bind(_ index: Int32, text: UnsafeBufferPointer<UInt8>) {
    _ = tl_sqlite_bind_text(handle, index, text.baseAddress, Int32(clamping: text.count))
  }
  func bind(_ index: Int32, blob: UnsafeBufferPointer<UInt8>) {
    _ = tl_sqlite_bind_blob(handle, index, blob.baseAddress, Int32(clamping: blob.count))
  }

  /// True when there is a row, false at the end.
  func step() throws(MemoryFault) -> Bool {
    let result = tl_sqlite_step(handle)
    if result == SQLiteCode.row { return true }
    if result == SQLiteCode.done { return false }
    // The sentence first: a reset may change it.
    let fault = database.fault(result)
    tl_sqlite_reset(handle)
    throw fault
  }

  /// Steps once, and resets.
  func run() throws(MemoryFault) {
    defer { reset() }
    _ = try step()
  }

  /// Makes it ready for the next use.
  func reset() { tl_sqlite_reset(handle) }

  /// Values of the row, columns counted from 0; bytes are valid until the next step or reset.
  func integer(_ column: Int32) -> Int64 { tl_sqlite_integer(handle, column) }
  func real(_ column: Int32) -> Double { tl_sqlite_real(handle, column) }
  func text(_ column: Int32) -> UnsafeBufferPointer<UInt8> {
    var count: Int32 = 0
    let bytes = tl_sqlite_text(handle, column, &count)
    return UnsafeBufferPointer(start: bytes, count: bytes == nil ? 0 : Int(count))
  }
  func blob(_ column: Int32) -> UnsafeBufferPointer<UInt8> {
    var count: Int32 = 0
    let bytes = tl_sqlite_blob(handle, column, &count)
    return UnsafeBufferPointer(start: bytes, count: bytes == nil ? 0 : Int(count))
  }
}
