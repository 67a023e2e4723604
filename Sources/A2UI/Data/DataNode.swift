/// The place of a value in the pool of all data models. Stays the same as long as a value is at its path, however it
/// changes.
typealias NodeIndex = Int32

extension NodeIndex {
  /// No value.
  static var none: NodeIndex { -1 }
}

/// One value of a data model. Children of maps and arrays hang in a chain, in order of insertion, and in a tree by which they are found
/// (`DataStore+Tree.swift`). A string that was read as JSON has what it said as its only child.
struct DataNode {
  enum Kind: UInt8 {
    case null, string, number, bool, map, array
  }

  var kind = Kind.null
  /// What an obscured field shows.
  var isSecret = false
  /// The string was looked at as JSON, with or without success.
  var wasParsed = false
  /// Height in the tree of its parent's children.
  var level: UInt8 = 1
  /// Of the name inside a map; the place inside an array.
  var keyHash: UInt32 = 0
  /// The name inside a map.
  var key = Block()
  var text = Block()
  /// A number, or a boolean as 0 and 1.
  var number = 0.0
  var first = NodeIndex.none
  var last = NodeIndex.none
  var next = NodeIndex.none
  var count: Int32 = 0
  /// The tree of its children, and those before and after it in the tree that it is in itself.
  var root = NodeIndex.none
  var left = NodeIndex.none
  var right = NodeIndex.none

  var isContainer: Bool { kind == .map || kind == .array }
}

/// Why a data update was not taken.
enum DataLimit: Error {
  /// More values than one update may have, maps in each other, or bytes of a key or a string.
  case entries, depth, key, string
  /// The memory of all data models is full.
  case full
  /// An index behind the end of a list, or no index at all.
  case index
}
