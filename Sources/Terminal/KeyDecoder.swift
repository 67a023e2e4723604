// Terminal: what a text terminal on a bad line needs: keys, a line editor, and a screen that is updated by differences.
// It does no I/O, and does not know what the text is about.

import Runtime

/// Decodes keys from the bytes of a terminal: printable UTF-8, control characters, and the escape sequences of VT100,
/// xterm and the Linux console (ECMA-48 section 5.4; XTerm Control Sequences, "PC-Style Function Keys"). The result
/// does not depend on how the bytes are split, and memory is limited for any input.
///
/// NUL (a break condition), XON and XOFF are ignored: noise must not stop the line.
public struct KeyDecoder: Sendable {
  private enum State { case ground, escape, sequence, single, linux, text, string }

  private var state = State.ground
  private var sawReturn = false
  /// Bytes of the current sequence or string.
  private var length = 0
  /// The first number of a sequence, at most 9999.
  private var number = 0
  private var isFirstNumber = true
  /// An incomplete character.
  private var scalar: UInt32 = 0
  private var least: UInt32 = 0
  private var missing = 0

  public init() {}

  /// True while a sequence or a character is not complete, or ESC may be a key of its own.
  public var isPartial: Bool { state != .ground }

  /// The next key from `index` on, or nil when all bytes are read.
  public mutating func next(_ bytes: Span<UInt8>, at index: inout Int) -> Key? {
    while index < bytes.count {
      let byte = bytes[index]
      if let key = broken(by: byte) { return key }
      index += 1
      if let key = take(byte) { return key }
    }
    return nil
  }

  /// No byte came for `Budget.consoleEscapeMilliseconds`: ends an incomplete sequence.
  public mutating func timeOut() -> Key? {
    let last = state
    state = .ground
    switch last {
    case .ground: return nil
    case .escape: return .escape
    case .text: return .noise
    case .sequence, .single, .linux, .string: return .unknown
    }
  }

  /// A byte that is invalid in the current sequence ends it, and is decoded by itself. CAN and SUB only end it.
  private mutating func broken(by byte: UInt8) -> Key? {
    switch state {
    case .ground: return nil
    case .text:
      if byte & 0xC0 == 0x80 { return nil }
    case .escape, .sequence, .single, .linux:
      if byte >= 0x20, byte < 0x7F { return nil }
      // ESC twice: the second one starts over.
      if state == .escape, byte < 0x20 {
        state = .ground
        return byte == 0x1B ? .escape : nil
      }
    case .string:
      if byte >= 0x20 || byte == 0x07 || byte == 0x1B || byte == 0x09 { return nil }
    }
    state = .ground
    return .noise
  }

  private mutating func take(_ byte: UInt8) -> Key? {
    switch state {
    case .ground: ground(byte)
    case .text: text(byte)
    case .escape: escape(byte)
    case .sequence: sequence(byte)
    case .single: single(byte)
    case .linux: end(.unknown)
    case .string: string(byte)
    }
  }

  private mutating func end(_ key: Key?) -> Key? {
    state = .ground
    return key
  }

  // MARK: Characters

  private mutating func ground(_ byte: UInt8) -> Key? {
    let isBehindReturn = sawReturn
    sawReturn = byte == 0x0D
    if byte == 0x0A { return isBehindReturn ? nil : .enter }
    if byte < 0x20 || byte == 0x7F { return control(byte) }
    if byte < 0x80 { return .text(Unicode.Scalar(byte)) }
    switch byte {
    case 0xC2...0xDF: begin(byte & 0x1F, missing: 1, least: 0x80)
    case 0xE0...0xEF: begin(byte & 0x0F, missing: 2, least: 0x800)
    case 0xF0...0xF4: begin(byte & 0x07, missing: 3, least: 0x10000)
    default: return .noise
    }
    return nil
  }

  private mutating func begin(_ bits: UInt8, missing: Int, least: UInt32) {
    state = .text
    scalar = UInt32(bits)
    self.missing = missing
    self.least = least
  }

  private mutating func text(_ byte: UInt8) -> Key? {
    scalar = scalar << 6 | UInt32(byte & 0x3F)
    missing -= 1
    if missing > 0 { return nil }
    // Overlong forms, surrogates and C1 controls are not text.
    guard scalar >= max(least, 0xA0), let character = Unicode.Scalar(scalar) else { return end(.noise) }
    return end(.text(character))
  }

  private mutating func control(_ byte: UInt8) -> Key? {
    switch byte {
    case 0x00, 0x11, 0x13, 0x18, 0x1A: return nil
    case 0x01: return .home
    case 0x02: return .left
    case 0x03: return .interrupt
    case 0x04: return .endOfInput
    case 0x05: return .end
    case 0x06: return .right
    case 0x08, 0x7F: return .backspace
    case 0x09: return .tab
    case 0x0B: return .killToEnd
    case 0x0C: return .redraw
    case 0x0D: return .enter
    case 0x0E: return .down
    case 0x10: return .up
    case 0x15: return .killToStart
    case 0x17: return .killWord
    case 0x1B:
      state = .escape
      return nil
    default: return .unknown
    }
  }

  // MARK: Sequences

  private mutating func escape(_ byte: UInt8) -> Key? {
    switch byte {
    case UInt8(ascii: "["):
      state = .sequence
      (length, number, isFirstNumber) = (0, 0, true)
      return nil
    case UInt8(ascii: "O"):
      state = .single
      return nil
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"), UInt8(ascii: "_"):
      state = .string
      length = 0
      return nil
    // ESC \\ ends a string.
    case UInt8(ascii: "\\"): return end(nil)
    default: return end(.unknown)
    }
  }

  private mutating func sequence(_ byte: UInt8) -> Key? {
    if length == 0, byte == UInt8(ascii: "[") {
      state = .linux
      return nil
    }
    length += 1
    if length > Budget.consoleSequenceBytes { return end(.noise) }
    if byte >= 0x40 { return end(key(final: byte)) }
    if byte == UInt8(ascii: ";") { isFirstNumber = false }
    if isFirstNumber, (0x30...0x39).contains(byte) { number = min(number * 10 + Int(byte & 0x0F), 9999) }
    return nil
  }

  private func key(final byte: UInt8) -> Key {
    guard byte == UInt8(ascii: "~") else { return Self.cursor(byte) }
    switch number {
    case 1, 7: return .home
    case 3: return .delete
    case 4, 8: return .end
    case 5: return .pageUp
    case 6: return .pageDown
    default: return .unknown
    }
  }

  private mutating func single(_ byte: UInt8) -> Key? {
    end(byte == UInt8(ascii: "M") ? .enter : Self.cursor(byte))
  }

  private static func cursor(_ byte: UInt8) -> Key {
    switch byte {
    case UInt8(ascii: "A"): .up
    case UInt8(ascii: "B"): .down
    case UInt8(ascii: "C"): .right
    case UInt8(ascii: "D"): .left
    case UInt8(ascii: "H"): .home
    case UInt8(ascii: "F"): .end
    default: .unknown
    }
  }

  private mutating func string(_ byte: UInt8) -> Key? {
    if byte == 0x07 { return end(nil) }
    if byte == 0x1B {
      state = .escape
      return nil
    }
    length += 1
    return length > Budget.consoleStringBytes ? end(.noise) : nil
  }
}
