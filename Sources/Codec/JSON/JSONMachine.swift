/// The kind of a value, which follows from its first byte.
public enum JSONKind: UInt8, Sendable {
  /// `{ ... }`
  case object
  /// `[ ... ]`
  case array
  /// `"..."`
  case string
  /// Digits with an optional sign, fraction and exponent.
  case number
  /// `true` or `false`
  case bool
  /// `null`
  case null
}

/// Receives the machine's events in order. Keys and strings arrive unescaped, in pieces of any size.
protocol JSONSink {
  mutating func value(_ kind: JSONKind)
  mutating func key()
  mutating func text(_ piece: Span<UInt8>)
  mutating func text(_ scalar: UInt32)
  mutating func endText()
  mutating func endContainer()
}

/// The grammar of RFC 8259 as a state machine that can pause after any byte. Its size is fixed: one bit for each level
/// of nesting, object or array.
struct JSONMachine {
  /// The most levels that the fixed state holds, whatever limit is requested.
  static let deepestLimit = 1024

  /// What the next byte belongs to.
  enum State: UInt8 {
    case value, firstElement, firstKey, nextKey, colon, afterValue
    case literal, string, escape, hexDigits, lowBackslash, lowLetter
    case minus, zero, integer, point, fraction, exponent, exponentSign, exponentDigits
  }

  var state = State.value
  /// True while the string being read is a key.
  var isKey = false
  var utf8 = UTF8Validator()
  /// The rest of `true`, `false` or `null`, first letter lowest.
  var literal: UInt32 = 0
  /// Digits of `\uXXXX` still to come, what they made so far, and the high surrogate that waits for its
  /// partner.
  var hexRemaining: UInt8 = 0
  var hexValue: UInt32 = 0
  var highSurrogate: UInt32 = 0

  private(set) var depth = 0
  private let depthLimit: Int
  private var objectLevels = InlineArray<32, UInt32>(repeating: 0)
  /// Bytes read by earlier calls of `feed`.
  private var consumed: UInt64 = 0
  private var failure: JSONError?

  init(depthLimit: Int) {
    precondition(depthLimit > 0 && depthLimit <= Self.deepestLimit)
    self.depthLimit = depthLimit
  }

  /// Reads the next bytes of the text. After an error every further call throws it again.
  @inline(__always)
  mutating func feed<Sink: JSONSink>(_ bytes: Span<UInt8>, into sink: inout Sink) throws(JSONError) {
    if let failure { throw failure }
    var index = 0
    while index < bytes.count {
      if let kind = step(bytes, &index, &sink) { throw fail(kind, at: index) }
    }
    consumed &+= UInt64(bytes.count)
  }

  /// Ends the text.
  mutating func finish() throws(JSONError) {
    if let failure { throw failure }
    guard depth == 0, state == .afterValue || state.endsNumber else { throw fail(.unexpectedEnd, at: 0) }
  }

  private mutating func fail(_ kind: JSONError.Kind, at index: Int) -> JSONError {
    let error = JSONError(kind: kind, offset: consumed &+ UInt64(index))
    failure = error
    return error
  }

  /// Reads at least one byte, as many as belong to the same state; what was wrong, or nil.
  @inline(__always)
  private mutating func step<Sink: JSONSink>(
    _ bytes: Span<UInt8>, _ index: inout Int, _ sink: inout Sink
  ) -> JSONError.Kind? {
    if state.rawValue <= State.afterValue.rawValue {
      let byte = bytes[index]
      if byte.isJSONSpace {
        index &+= 1
        return nil
      }
      return structure(byte, &index, &sink)
    }
    if state == .string { return string(bytes, &index, &sink) }
    if state.rawValue >= State.minus.rawValue { return number(bytes, &index) }
    return state == .literal ? literal(bytes[index], &index) : escape(bytes[index], &index, &sink)
  }

  /// Reads a byte outside strings, numbers and literals.
  @inline(__always)
  private mutating func structure<Sink: JSONSink>(
    _ byte: UInt8, _ index: inout Int, _ sink: inout Sink
  ) -> JSONError.Kind? {
    switch state {
    case .afterValue: return afterValue(byte, &index, &sink)
    case .colon:
      guard byte == UInt8(ascii: ":") else { return .unexpectedByte }
      state = .value
    case .firstKey where byte == UInt8(ascii: "}"), .firstElement where byte == UInt8(ascii: "]"):
      close(&sink)
    case .firstKey, .nextKey:
      guard byte == UInt8(ascii: "\"") else { return .unexpectedByte }
      isKey = true
      state = .string
      sink.key()
    default: return value(byte, &index, &sink)
    }
    index &+= 1
    return nil
  }

  /// Reads the first byte of a value.
  @inline(__always)
  private mutating func value<Sink: JSONSink>(
    _ byte: UInt8, _ index: inout Int, _ sink: inout Sink
  ) -> JSONError.Kind? {
    switch byte {
    case UInt8(ascii: "\""): begin(.string, .string, &sink)
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      guard depth < depthLimit else { return .tooDeep }
      open(isObject: byte == UInt8(ascii: "{"), &sink)
    case UInt8(ascii: "-"): begin(.number, .minus, &sink)
    case UInt8(ascii: "0"): begin(.number, .zero, &sink)
    case UInt8(ascii: "1")...UInt8(ascii: "9"): begin(.number, .integer, &sink)
    case UInt8(ascii: "t"): begin(.bool, rest: 0x65_7572, &sink)
    case UInt8(ascii: "f"): begin(.bool, rest: 0x6573_6C61, &sink)
    case UInt8(ascii: "n"): begin(.null, rest: 0x6C_6C75, &sink)
    default: return .unexpectedByte
    }
    index &+= 1
    return nil
  }

  @inline(__always)
  private mutating func begin<Sink: JSONSink>(_ kind: JSONKind, _ next: State, _ sink: inout Sink) {
    isKey = false
    state = next
    sink.value(kind)
  }

  private mutating func begin<Sink: JSONSink>(_ kind: JSONKind, rest: UInt32, _ sink: inout Sink) {
    literal = rest
    begin(kind, .literal, &sink)
  }

  /// Reads what may follow a value: a comma, the end of its container, or nothing when it is the text's own.
  @inline(__always)
  private mutating func afterValue<Sink: JSONSink>(
    _ byte: UInt8, _ index: inout Int, _ sink: inout Sink
  ) -> JSONError.Kind? {
    guard depth > 0 else { return .unexpectedByte }
    if byte == UInt8(ascii: ",") {
      state = isInObject ? .nextKey : .value
    } else if byte == (isInObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
      close(&sink)
    } else {
      return .unexpectedByte
    }
    index &+= 1
    return nil
  }

  private var isInObject: Bool {
    @inline(__always) get { objectLevels[(depth &- 1) >> 5] >> UInt32((depth &- 1) & 31) & 1 == 1 }
  }

  @inline(__always)
  private mutating func open<Sink: JSONSink>(isObject: Bool, _ sink: inout Sink) {
    let bit: UInt32 = 1 << UInt32(depth & 31)
    if isObject { objectLevels[depth >> 5] |= bit } else { objectLevels[depth >> 5] &= ~bit }
    depth &+= 1
    state = isObject ? .firstKey : .firstElement
    sink.value(isObject ? .object : .array)
  }

  @inline(__always)
  private mutating func close<Sink: JSONSink>(_ sink: inout Sink) {
    depth &-= 1
    state = .afterValue
    sink.endContainer()
  }

  private mutating func literal(_ byte: UInt8, _ index: inout Int) -> JSONError.Kind? {
    guard UInt32(byte) == literal & 0xFF else { return .unexpectedByte }
    literal >>= 8
    if literal == 0 { state = .afterValue }
    index &+= 1
    return nil
  }
}
