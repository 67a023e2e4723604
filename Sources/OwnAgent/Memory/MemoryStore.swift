import Runtime

/// What opening a store found.
public enum MemoryOpening: Equatable, Sendable {
  /// The memory of earlier runs.
  case opened
  /// There was none.
  case fresh
  /// There was one that is damaged: it was set aside, and a new one begins.
  case setAside
  /// The index of words was damaged, and was made again.
  case indexed
}

/// Which entries are wanted, newest first unless it says otherwise.
public enum MemorySelection: Equatable, Sendable {
  case one(Int64)
  case conversation
  /// Notes of a day, in days since 1 January 1970.
  case notes(day: Int64)
  case recentNotes
  case facts
  /// Entries that have no vector.
  case withoutVector
  /// All of a kind, oldest first: notes by day, facts as they were learned.
  case all(MemoryKind)
}

/// Entries of which the first goes when there is no room.
public enum MemoryGroup: UInt8, Equatable, Sendable {
  case conversation
  case notes
  /// Facts that no search has found yet.
  case factsNeverFound
  case facts
}

/// Keeps the memory. Calls block: use them on a worker, one at a time. Between `begin` and `commit` changes are one:
/// after a power cut all of them are there, or none.
public protocol MemoryStore: AnyObject {
  /// Makes the store ready. After a failure, or `close`, it may be called again.
  func open() throws(MemoryFault) -> MemoryOpening
  /// Gives back what `open` took. Nothing is lost.
  func close()

  func begin() throws(MemoryFault)
  func commit() throws(MemoryFault)
  /// Undoes what has been changed since `begin`.
  func rollback()

  /// Bytes that entries, indexes and vectors take, unused room in the file left out.
  func usedBytes() throws(MemoryFault) -> Int64
  /// How many entries there are.
  func count() throws(MemoryFault) -> Int
  /// Adds an entry; its number, which is larger than all before.
  func add(_ row: MemoryRow) throws(MemoryFault) -> Int64
  /// True when an entry of the same kind, speaker, time and day has the same texts.
  func contains(_ row: MemoryRow) throws(MemoryFault) -> Bool
  /// Removes an entry, and its vector; false when there is none.
  func remove(_ id: Int64) throws(MemoryFault) -> Bool
  /// Removes everything.
  func removeAll() throws(MemoryFault)
  /// Lets what has been removed take no more room. Writes the index of words anew: for where room is needed.
  func compact() throws(MemoryFault)
  /// A search has found this fact.
  func markFound(_ id: Int64) throws(MemoryFault)
  /// What has been removed is to be wiped (`wipe`), by the next run if this one has no time for it.
  func markForWiping() throws(MemoryFault)
  /// Makes the file anew, so that nothing is left in it of what was removed. Not between `begin` and `commit`.
  func wipe() throws(MemoryFault)

  /// Calls `body` with entries until it returns false, or there are `limit`. `body` changes nothing in the store.
  func select(_ selection: MemorySelection, limit: Int, _ body: (MemoryRow) -> Bool) throws(MemoryFault)
  /// Offers the entries that match a query (`MemoryQuery`) to a list; a better match has a larger score.
  func search(_ query: UnsafeBufferPointer<UInt8>, _ best: inout BestList) throws(MemoryFault)
  /// The oldest entry of a group; nil when there is none.
  func oldest(_ group: MemoryGroup) throws(MemoryFault) -> Int64?

  /// Gives an entry its coded vector (`VectorCode`), in the place of another; false when there is no such entry.
  func attach(_ code: UnsafeBufferPointer<UInt8>, to id: Int64) throws(MemoryFault) -> Bool
  /// How many entries have a vector.
  func vectorCount() throws(MemoryFault) -> Int
  /// Removes the vectors of the first `count` entries to go.
  func removeVectors(_ count: Int) throws(MemoryFault)
  /// Calls `body` with each vector.
  func forEachVector(_ body: (Int64, UnsafeBufferPointer<UInt8>) -> Void) throws(MemoryFault)
}
