import Codec
import Runtime

/// A label that every series of a board has.
public struct BoardLabel: Sendable {
  public let name: InlineText<32>
  public let value: InlineText<64>
}

/// Why a label cannot be used.
public enum LabelError: Error, Equatable, Sendable {
  /// Not a label name of Prometheus' data model: `[a-zA-Z_][a-zA-Z0-9_]*`, and no more bytes than there is room for.
  case name
  /// Begins with `__`, which Prometheus keeps for itself.
  case reserved
  /// A label of Talon's own series.
  case taken
  case value, tooMany, twice

  /// What a person reads, after the label's name.
  public var text: StaticString {
    switch self {
    case .name: "is not a label name: letters, digits and _, no digit first, at most 32 bytes"
    case .reserved: "begins with __, which is kept for the server"
    case .taken: "is a label of Talon's own series"
    case .value: "needs a value of 1 to 64 bytes"
    case .tooMany: "is one too many: a board has at most 10 labels of its owner's"
    case .twice: "appears twice"
    }
  }
}

/// The labels that every series of a board has, sorted by their names in bytes, as the receiver wants them.
public struct BoardLabels: Sendable {
  private var list = InlineList<15, BoardLabel>()

  /// No labels.
  public init() {}

  public var count: Int { list.count }
  public subscript(index: Int) -> BoardLabel { list[index] }

  /// True when there is a label of this name.
  public func has(_ name: Span<UInt8>) -> Bool {
    for index in 0..<list.count where list[index].name.equals(name) { return true }
    return false
  }

  /// Adds a label of the owner's.
  public mutating func add(_ name: Span<UInt8>, _ value: Span<UInt8>) throws(LabelError) {
    guard Self.isName(name), name.count <= Budget.metricLabelNameBytes else { throw .name }
    guard name.count < 2 || name[0] != UInt8(ascii: "_") || name[1] != UInt8(ascii: "_") else { throw .reserved }
    guard !Self.isOwn(name) else { throw .taken }
    guard !value.isEmpty, value.count <= Budget.metricLabelValueBytes else { throw .value }
    guard !has(name) else { throw .twice }
    guard list.count < Budget.metricOwnersLabels else { throw .tooMany }
    insert(name, value)
  }

  /// Adds a label that a board has unless its owner chose another value; one that has no value is left out.
  public mutating func addDefault(_ name: StaticString, _ value: Span<UInt8>) {
    if value.isEmpty || has(name.utf8Bytes) { return }
    insert(name.utf8Bytes, value)
  }

  private mutating func insert(_ name: Span<UInt8>, _ value: Span<UInt8>) {
    let label = BoardLabel(name: InlineText(cutting: name), value: InlineText(cutting: value))
    guard list.append(label) else { return }
    var index = list.count - 1
    while index > 0, list[index].name.span.isLess(than: list[index - 1].name.span) {
      (list[index], list[index - 1]) = (list[index - 1], list[index])
      index -= 1
    }
  }

  /// `[a-zA-Z_][a-zA-Z0-9_]*` ("Data model", Prometheus' documentation).
  private static func isName(_ text: Span<UInt8>) -> Bool {
    guard !text.isEmpty else { return false }
    for index in 0..<text.count {
      switch text[index] {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): continue
      case UInt8(ascii: "0")...UInt8(ascii: "9") where index > 0: continue
      default: return false
      }
    }
    return true
  }

  /// True for a label of the catalogue's.
  private static func isOwn(_ name: Span<UInt8>) -> Bool {
    for row in MetricCatalogue.rows {
      for label in row.labels where name.isSame(as: label.name.utf8Bytes) { return true }
    }
    return false
  }
}
