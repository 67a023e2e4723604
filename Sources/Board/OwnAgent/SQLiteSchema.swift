import OwnAgent

/// The tables of a memory, and how those of an older release become them.
enum SQLiteSchema {
  /// The number of this release's tables, in the file's header (`user_version`).
  static let version: Int64 = 1
  /// What the file says it is, in its header (`application_id`): "TLNM".
  static let application: Int64 = 0x544C_4E4D

  /// How the file is used, before anything is read from it.
  ///
  /// A write-ahead log, and not a rollback journal: a commit is one write at the end of one file and one fsync, where a
  /// journal needs two files and at least three, and on flash cards both the time and the wear are the fsyncs. A power
  /// cut at any moment leaves whole commits, for each page in the log has a checksum; a journal relies on the card
  /// writing in the order that it was told. The file is used by one process alone, so the log's index is in its memory.
  static let use: StaticString = """
    PRAGMA locking_mode = EXCLUSIVE;
    PRAGMA page_size = 4096;
    PRAGMA cell_size_check = ON;
    PRAGMA secure_delete = ON;
    PRAGMA trusted_schema = OFF;
    PRAGMA synchronous = FULL;
    """

  /// `kind` and `speaker` are numbers of `MemoryKind` and `MemorySpeaker`; `day` is that of a note, 0 of others;
  /// `found` is 1 of a fact that a search has found, so that one index has the order in which entries go. `words` has
  /// no copy of the texts.
  static let first: StaticString = """
    CREATE TABLE entries(
      id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, found INTEGER NOT NULL, day INTEGER NOT NULL,
      time INTEGER NOT NULL, speaker INTEGER NOT NULL, subject TEXT NOT NULL, text TEXT NOT NULL);
    CREATE INDEX entries_order ON entries(kind, found, day, time);
    CREATE TABLE vectors(id INTEGER PRIMARY KEY, code BLOB NOT NULL);
    CREATE TABLE state(id INTEGER PRIMARY KEY, value INTEGER NOT NULL);
    INSERT INTO state VALUES(1, 0);
    CREATE VIRTUAL TABLE words USING fts5(subject, text, content='entries', content_rowid='id', tokenize='talon');
    INSERT INTO words(words, rank) VALUES('hashsize', 131072);
    PRAGMA application_id = 0x544C4E4D;
    PRAGMA user_version = 1;
    """

  /// Makes the tables of this release of those of `version`; 0 where there are none. All of it, or nothing.
  static func migrate(_ database: SQLiteDatabase, from version: Int64) throws(MemoryFault) {
    guard version < Self.version else { return }
    try database.run("BEGIN IMMEDIATE")
    do throws(MemoryFault) {
      if version < 1 { try database.run(first) }
      try database.run("COMMIT")
    } catch {
      do throws(MemoryFault) { try database.run("ROLLBACK") } catch {}
      throw error
    }
  }
}

/// The statements of a memory, prepared once.
final class SQLiteStatements {
  let begin, commit, rollback: SQLiteStatement
  let pages, freePages, count, lastID, vectorCount: SQLiteStatement
  let add, addWords, same, exists, remove, removeWords, markFound, setWiping, merge: SQLiteStatement
  let search, oldest: SQLiteStatement
  let attach, hasVector, removeVector, removeVectors, vectors: SQLiteStatement
  let one, conversation, notesOfDay, recentNotes, facts, withoutVector, allFacts, allOthers: SQLiteStatement

  init(_ database: SQLiteDatabase) throws(MemoryFault) {
    begin = try database.prepare("BEGIN IMMEDIATE")
    commit = try database.prepare("COMMIT")
    rollback = try database.prepare("ROLLBACK")
    pages = try database.prepare("PRAGMA page_count")
    freePages = try database.prepare("PRAGMA freelist_count")
    count = try database.prepare("SELECT count(*) FROM entries")
    lastID = try database.prepare("SELECT max(id) FROM entries")
    vectorCount = try database.prepare("SELECT count(*) FROM vectors")
    add = try database.prepare("INSERT INTO entries VALUES(?1, ?2, 0, ?3, ?4, ?5, ?6, ?7)")
    addWords = try database.prepare("INSERT INTO words(rowid, subject, text) VALUES(?1, ?2, ?3)")
    same = try database.prepare(
      """
      SELECT 1 FROM entries WHERE kind = ?1 AND found IN (0, 1) AND day = ?2 AND time = ?3 AND speaker = ?4
        AND subject = ?5 AND text = ?6 LIMIT 1
      """)
    exists = try database.prepare("SELECT 1 FROM entries WHERE id = ?1")
    remove = try database.prepare("DELETE FROM entries WHERE id = ?1")
    removeWords = try database.prepare(
      "INSERT INTO words(words, rowid, subject, text) SELECT 'delete', id, subject, text FROM entries WHERE id = ?1")
    markFound = try database.prepare("UPDATE entries SET found = 1 WHERE id = ?1 AND kind = 3 AND found = 0")
    setWiping = try database.prepare("UPDATE state SET value = ?1 WHERE id = 1")
    merge = try database.prepare("INSERT INTO words(words, rank) VALUES('merge', ?1)")
    // Without an order: SQLite would sort all that match, in memory.
    search = try database.prepare("SELECT rowid, bm25(words, 2.0, 1.0) FROM words WHERE words MATCH ?1")
    oldest = try database.prepare(
      "SELECT id FROM entries WHERE kind = ?1 AND found = ?2 ORDER BY day, time, id LIMIT 1")
    attach = try database.prepare("INSERT OR REPLACE INTO vectors VALUES(?1, ?2)")
    hasVector = try database.prepare("SELECT 1 FROM vectors WHERE id = ?1")
    removeVector = try database.prepare("DELETE FROM vectors WHERE id = ?1")
    removeVectors = try database.prepare(
      """
      DELETE FROM vectors WHERE id IN (SELECT entries.id FROM entries JOIN vectors ON entries.id = vectors.id
        ORDER BY kind, found, day, time, entries.id LIMIT ?1)
      """)
    vectors = try database.prepare("SELECT id, code FROM vectors")
    one = try database.prepare("SELECT id, kind, speaker, time, day, subject, text FROM entries WHERE id = ?1 LIMIT ?2")
    conversation = try database.prepare(
      """
      SELECT id, kind, speaker, time, day, subject, text FROM entries
        WHERE kind = 1 AND found = 0 ORDER BY day DESC, time DESC, id DESC LIMIT ?2
      """)
    notesOfDay = try database.prepare(
      """
      SELECT id, kind, speaker, time, day, subject, text FROM entries
        WHERE kind = 2 AND found = 0 AND day = ?1 ORDER BY time DESC, id DESC LIMIT ?2
      """)
    recentNotes = try database.prepare(
      """
      SELECT id, kind, speaker, time, day, subject, text FROM entries
        WHERE kind = 2 AND found = 0 ORDER BY day DESC, time DESC, id DESC LIMIT ?2
      """)
    // By numbers alone, so that no text is sorted.
    facts = try database.prepare(
      """
      SELECT id, kind, speaker, time, day, subject, text FROM entries WHERE id IN
        (SELECT id FROM entries WHERE kind = 3 ORDER BY time DESC, id DESC LIMIT ?2) ORDER BY id DESC
      """)
    withoutVector = try database.prepare(
      """
      SELECT id, kind, speaker, time, day, subject, text FROM entries
        WHERE NOT EXISTS (SELECT 1 FROM vectors WHERE vectors.id = entries.id) ORDER BY id DESC LIMIT ?2
      """)
    allFacts = try database.prepare(
      "SELECT id, kind, speaker, time, day, subject, text FROM entries WHERE +kind = 3 ORDER BY id LIMIT ?2")
    allOthers = try database.prepare(
      """
      SELECT id, kind, speaker, time, day, subject, text FROM entries
        WHERE kind = ?1 AND found = 0 ORDER BY day, time, id LIMIT ?2
      """)
  }
}
