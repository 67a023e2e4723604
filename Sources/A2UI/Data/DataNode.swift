/// The place of a value in the pool of all data models. Stays the same as long as a value is at its path, however it
/// changes.
typealias NodeIndex = Int32

extension NodeIndex {
  /// No value.
  static var none: NodeIndex { -1 }
}

/// One value of a data model. Children of maps and arrays hang in a chain, in order of insertion. A string that was
/// read as JSON has what it said as its only child.
struct DataNode {
  enum Kind: UInt8 {
    case null, string, number, bool, map, array
  }

  var kind = Kind.null
  /// What an obscured field shows.
  var isSecret = false
  /// The string was looked at as JSON, with or without success.
  var wasParsed = false
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
