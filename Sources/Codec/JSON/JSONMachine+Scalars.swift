// The machine's states inside strings and numbers, which most bytes of a text belong to.

extension UInt8 {
  /// White space between tokens (RFC 8259 section 2).
  @inline(__always)
  var isJSONSpace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }

  /// What the letter after a backslash stands for (section 7), or nil; `u` is not among them.
  var unescaped: UInt8? {
    switch self {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): self
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    default: nil
    }
  }
}

extension JSONMachine.State {
  /// True when a number may end here.
  var endsNumber: Bool { self == .zero || self == .integer || self == .fraction || self == .exponentDigits }

  /// The state after `byte` inside a number (section 6), or nil when the number does not go on with it.
  func number(_ byte: UInt8) -> JSONMachine.State? {
    switch (self, byte) {
    case (.minus, UInt8(ascii: "0")): .zero
    case (.minus, UInt8(ascii: "1")...UInt8(ascii: "9")), (.integer, UInt8(ascii: "0")...UInt8(ascii: "9")):
      .integer
    case (.point, UInt8(ascii: "0")...UInt8(ascii: "9")), (.fraction, UInt8(ascii: "0")...UInt8(ascii: "9")):
      .fraction
    case (.exponent, UInt8(ascii: "0")...UInt8(ascii: "9")),
      (.exponentSign, UInt8(ascii: "0")...UInt8(ascii: "9")),
      (.exponentDigits, UInt8(ascii: "0")...UInt8(ascii: "9")):
      .exponentDigits
    case (.zero, UInt8(ascii: ".")), (.integer, UInt8(ascii: ".")): .point
    case (.zero, 0x45), (.zero, 0x65), (.integer, 0x45), (.integer, 0x65), (.fraction, 0x45),
      (.fraction, 0x65):
      .exponent
    case (.exponent, UInt8(ascii: "+")), (.exponent, UInt8(ascii: "-")): .exponentSign
    default: nil
    }
  }
}

extension JSONMachine {
  /// Reads as much of a string as is there, up to its quote or an escape.
  @inline(__always)
  mutating func string<Sink: JSONSink>(
    _ bytes: Span<UInt8>, _ index: inout Int, _ sink: inout Sink
  ) -> JSONError.Kind? {
    let start = index
    while index < bytes.count {
      if utf8.isComplete {
        index = bytes.plainJSONEnd(from: index)
        if index == bytes.count { break }
        if bytes[index] < 0x80 { break }
      }
      guard utf8.accept(bytes[index]) else { return .invalidUTF8 }
      index &+= 1
    }
    if start < index { sink.text(bytes.extracting(start..<index)) }
    return index < bytes.count ? leaveRun(bytes[index], &index, &sink) : nil
  }

  /// Reads the byte that ended a run of plain characters.
  @inline(__always)
  private mutating func leaveRun<Sink: JSONSink>(
    _ byte: UInt8, _ index: inout Int, _ sink: inout Sink
  ) -> JSONError.Kind? {
    if byte == UInt8(ascii: "\"") {
      state = isKey ? .colon : .afterValue
      sink.endText()
    } else if byte == UInt8(ascii: "\\") {
      state = .escape
    } else {
      return .controlCharacter
    }
    index &+= 1
    return nil
  }

  /// Reads a byte of an escape, after its backslash.
  mutating func escape<Sink: JSONSink>(
    _ byte: UInt8, _ index: inout Int, _ sink: inout Sink
  ) -> JSONError.Kind? {
    switch state {
    case .escape where byte == UInt8(ascii: "u"), .lowLetter where byte == UInt8(ascii: "u"):
      state = .hexDigits
      hexRemaining = 4
      hexValue = 0
    case .escape:
      guard let plain = byte.unescaped else { return .invalidEscape }
      sink.text(UInt32(plain))
      state = .string
    case .lowBackslash where byte == UInt8(ascii: "\\"): state = .lowLetter
    case .hexDigits:
      if let kind = hexDigit(byte, &sink) { return kind }
    default: return .loneSurrogate
    }
    index &+= 1
    return nil
  }

  private mutating func hexDigit<Sink: JSONSink>(_ byte: UInt8, _ sink: inout Sink) -> JSONError.Kind? {
    guard let digit = byte.hexValue else { return .invalidEscape }
    hexValue = hexValue << 4 | UInt32(digit)
    hexRemaining -= 1
    guard hexRemaining == 0 else { return nil }
    if highSurrogate != 0 {
      guard UnicodeScalar.isLowSurrogate(hexValue) else { return .loneSurrogate }
      sink.text(UnicodeScalar.joined(high: highSurrogate, low: hexValue))
      highSurrogate = 0
    } else if UnicodeScalar.isHighSurrogate(hexValue) {
      highSurrogate = hexValue
      state = .lowBackslash
      return nil
    } else {
      guard !UnicodeScalar.isLowSurrogate(hexValue) else { return .loneSurrogate }
      sink.text(hexValue)
    }
    state = .string
    return nil
  }

  /// Reads as much of a number as is there; the byte that ends it is left for the next step.
  @inline(__always)
  mutating func number(_ bytes: Span<UInt8>, _ index: inout Int) -> JSONError.Kind? {
    while index < bytes.count {
      guard let next = state.number(bytes[index]) else {
        // A digit after a leading zero would otherwise be reported as garbage after a number.
        guard state.endsNumber, !bytes[index].isDigit else { return .invalidNumber }
        state = .afterValue
        return nil
      }
      state = next
      index &+= 1
    }
    return nil
  }
}

extension UnicodeScalar {
  static func isHighSurrogate(_ unit: UInt32) -> Bool { unit & 0xFC00 == 0xD800 }
  static func isLowSurrogate(_ unit: UInt32) -> Bool { unit & 0xFC00 == 0xDC00 }

  /// The scalar that a surrogate pair stands for (RFC 2781 section 2.2).
  static func joined(high: UInt32, low: UInt32) -> UInt32 { 0x1_0000 + (high & 0x3FF) << 10 + (low & 0x3FF) }
}
