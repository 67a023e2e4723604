/// A value inside a JSON text that a `JSONValidator` has accepted, read in place. It is decoded on access, and nothing
/// is copied except by `copyString`. For a text that was not checked the results are meaningless, but no byte outside
/// of it is read.
public struct JSONView: ~Escapable {
  /// From the value's first byte to the end of the whole text.
  let text: Span<UInt8>

  /// The root value of a checked text.
  @_lifetime(copy text)
  public init(_ text: Span<UInt8>) {
    self.init(text, at: 0)
  }

  /// The value that begins after the white space at `index`.
  @_lifetime(copy text)
  init(_ text: Span<UInt8>, at index: Int) {
    self.text = text.extracting(text.jsonTokenStart(from: index)...)
  }

  /// What the value is.
  public var kind: JSONKind {
    guard !text.isEmpty else { return .null }
    switch text[0] {
    case UInt8(ascii: "{"): return .object
    case UInt8(ascii: "["): return .array
    case UInt8(ascii: "\""): return .string
    case UInt8(ascii: "t"), UInt8(ascii: "f"): return .bool
    case UInt8(ascii: "n"): return .null
    default: return .number
    }
  }

  /// True for `null`.
  public var isNull: Bool { kind == .null }

  /// The value as it is written, without white space around it.
  public var rawText: Span<UInt8> {
    @_lifetime(copy self)
    get { text.extracting(..<text.jsonValueEnd(from: 0)) }
  }

  /// From the value's first byte to the end of the whole text: another view of it is the same value. Where the value
  /// ends is not looked for.
  public var tail: Span<UInt8> {
    @_lifetime(copy self)
    get { text }
  }

  /// The value of an object's member, or nil when there is none by this name or this is no object. Names are
  /// compared unescaped; of several members by the same name the last one counts.
  @_lifetime(copy self)
  public func member(_ name: StaticString) -> JSONView? {
    var found: JSONView? = nil
    var members = members()
    while let member = members.next() {
      if member.name.equals(name) { found = member.value }
    }
    return found
  }

  /// An object's members in the order of the text; none when this is no object.
  @_lifetime(copy self)
  public func members() -> JSONMembers {
    JSONMembers(self)
  }

  /// An array's elements in order; none when this is no array.
  @_lifetime(copy self)
  public func elements() -> JSONElements {
    JSONElements(self)
  }
}

/// A name and its value.
public struct JSONMember: ~Escapable {
  /// The name, a string.
  public let name: JSONView
  /// The value.
  public let value: JSONView

  @_lifetime(copy name, copy value)
  init(name: JSONView, value: JSONView) {
    self.name = name
    self.value = value
  }
}

/// Walks over an object: `while let member = members.next() { ... }`.
public struct JSONMembers: ~Escapable {
  private let text: Span<UInt8>
  private var index: Int

  @_lifetime(copy object)
  init(_ object: JSONView) {
    text = object.text
    index = object.kind == .object ? 1 : text.count
  }

  /// The next member, or nil after the last one.
  @_lifetime(copy self)
  public mutating func next() -> JSONMember? {
    index = text.jsonTokenStart(from: index)
    guard index < text.count, text[index] == UInt8(ascii: "\"") else {
      index = text.count
      return nil
    }
    let name = JSONView(text, at: index)
    let value = JSONView(text, at: text.jsonStringEnd(from: index))
    index = text.jsonValueEnd(from: text.count - value.text.count)
    return JSONMember(name: name, value: value)
  }
}

/// Walks over an array: `while let element = elements.next() { ... }`.
public struct JSONElements: ~Escapable {
  private let text: Span<UInt8>
  private var index: Int

  @_lifetime(copy array)
  init(_ array: JSONView) {
    text = array.text
    index = array.kind == .array ? 1 : text.count
  }

  /// The offset of the walk in the array, for `skip`.
  public var offset: Int { index }

  /// Goes on at an offset that a walk over the same array had.
  public mutating func skip(to offset: Int) { index = min(max(offset, index), text.count) }

  /// The next element, or nil after the last one.
  @_lifetime(copy self)
  public mutating func next() -> JSONView? {
    index = text.jsonTokenStart(from: index)
    let end = text.jsonValueEnd(from: index)
    guard index < end else {
      index = text.count
      return nil
    }
    let element = JSONView(text, at: index)
    index = end
    return element
  }
}
