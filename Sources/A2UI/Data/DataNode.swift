/// The index of a value in the pool of all data models. Stays the same as long as there is a value at its path, however
/// it changes.
typealias NodeIndex = Int32

extension NodeIndex {
  /// No value.
  static var none: NodeIndex { -1 }
}

/// One value of a data model. Children of maps and arrays are in a linked list, in order of insertion, and in a search
/// tree (`DataStore+Tree.swift`). A string that was parsed as JSON has the parsed value as its only child.
struct DataNode {
  enum Kind: UInt8 {
    case null, string, number, bool, map, array
  }

  var kind = Kind.null
  /// The value of an obscured field.
  var isSecret = false
  /// Parsing the string as JSON was tried, with or without success.
  var wasParsed = false
  /// Level in the search tree of its parent's children.
  var level: UInt8 = 1
  /// Hash of the name inside a map; index inside an array.
  var keyHash: UInt32 = 0
  /// The name inside a map.
  var key = Block()
  var text = Block()
  /// A number, or a boolean as 0 and 1.
  var number = 0.0
  var first = NodeIndex.none
  var next = NodeIndex.none
  /// Its neighbor before, of the first child the last one; and what it is a child of.
  var previous = NodeIndex.none
  var parent = NodeIndex.none
  var count: Int32 = 0
  /// The search tree of its children, and its own left and right nodes.
  var root = NodeIndex.none
  var left = NodeIndex.none
  var right = NodeIndex.none

  var isContainer: Bool { kind == .map || kind == .array }
}

/// Why something of a data update was left out.
enum DataLimit: UInt8, Error {
  /// Too many values in one update, too deep nesting, or a key or a string that is too long.
  case entries, depth, key, string
  /// The memory of all data models is full.
  case full
  /// An index beyond the end of a list, or not an index.
  case index
}
