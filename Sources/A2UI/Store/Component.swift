import Codec
import Runtime

/// The index of a component in the table of all.
typealias ComponentIndex = Int32

/// A component by its latest definition.
struct Component {
  var id = Block()
  var hash: UInt64 = 0
  /// The unchanged JSON of `component` in the message, of v0.9 the whole component: comparing bytes shows whether a
  /// definition changed.
  var definition = Block()
  /// The range of the properties in the definition; empty when it has no type or several.
  var propertiesStart: UInt32 = 0
  var propertiesCount: UInt32 = 0
  /// Share of free space in a row or column; 0 for none.
  var weight: Float = 0
  var type = ComponentType.unknown
  var slot: UInt8 = 0
  /// It is of v0.9: its properties stand beside its type, under that version's names.
  var isFlat = false
  /// A property has both a literal and a path (canvas reference 1.4).
  var hasInitialValues = false
  /// It stands in the tree of its surface.
  var isReached = false
  /// The list of components that has its last definition (`SurfaceRecord.lists`).
  var list: UInt32 = 0
  /// The next one in the chain of the table, and in the surface.
  var nextInChain = ComponentIndex.none
  var nextInSurface = ComponentIndex.none
}

/// A definition without its properties.
struct Definition {
  var type = ComponentType.unknown
  /// The range of the type's properties in the text.
  var properties = 0..<0
  /// Number of type names; must be one.
  var names = 0
  /// The range of the name with its quotes.
  var name = 0..<0
  /// It is of v0.9.
  var isFlat = false

  /// - Parameter text: checked JSON, without white space before it: `{"Text":{...}}`, or
  ///   `{"id":"a","component":"Text",...}`.
  init(_ text: Bytes) {
    let view = JSONView(Span(_unsafeElements: text))
    if let type = view.member("component"), type.kind == .string {
      (names, isFlat) = (1, true)
      properties = 0..<text.count
      name = text.range(of: type.rawText.withUnsafeBufferPointer { $0 })
      self.type = ComponentType(type)
      return
    }
    var members = view.members()
    while let member = members.next() {
      names += 1
      let value = member.value.rawText.withUnsafeBufferPointer { $0 }
      let written = member.name.rawText.withUnsafeBufferPointer { $0 }
      properties = text.range(of: value)
      name = text.range(of: written)
      type = ComponentType(member.name)
    }
    guard names != 1 else { return }
    type = .unknown
    properties = 0..<0
    name = 0..<0
  }
}

extension JSONView {
  /// True when one of its strings, at any depth, is above the limit. Goes over the text once, not once for each depth.
  var hasLongString: Bool {
    let text = rawText
    var (index, start) = (0, -1)
    while index < text.count {
      switch text[index] {
      case UInt8(ascii: "\"") where start < 0: start = index
      case UInt8(ascii: "\""):
        // With escapes it is longer than what it says.
        if index - start > Budget.a2uiStringBytes,
          (JSONView(text.extracting(start...)).stringLength ?? 0) > Budget.a2uiStringBytes
        {
          return true
        }
        start = -1
      case UInt8(ascii: "\\") where start >= 0: index += 1
      default: break
      }
      index += 1
    }
    return false
  }

  /// True when one of the properties has both a literal and a path.
  var hasInitialValues: Bool {
    var members = members()
    while let member = members.next() {
      guard member.value.kind == .object, member.value.member("path") != nil else { continue }
      if member.value.literal != nil { return true }
    }
    return false
  }
}

extension ComponentType {
  /// The type by this name; `unknown` for any other.
  init(_ name: JSONView) {
    self = .unknown
    var raw: UInt8 = 0
    while let type = ComponentType(rawValue: raw), type != .unknown {
      if name.equals(type.name) {
        self = type
        return
      }
      raw += 1
    }
    // Of v0.9.
    if name.equals("ChoicePicker") { self = .multipleChoice }
  }
}

extension UnsafeBufferPointer where Element == UInt8 {
  /// The range of a part of this text.
  fileprivate func range(of part: UnsafeBufferPointer<UInt8>) -> Range<Int> {
    guard let start = baseAddress, let from = part.baseAddress else { return 0..<0 }
    let offset = from - start
    return offset..<offset + part.count
  }
}
