import Runtime

/// Holds back the start of a reply until it is known whether its first line that is not blank is a voice directive (node-commands
/// 7.2). That line goes, and one blank line behind it; all else passes as it is. A class, because what it passes on may ask it for the directive.
public final class ReplyHead {
  private enum Place {
    /// Nothing but white space yet; in a line that may be one; behind one, before the end of a blank line.
    case before, inside, behind
    /// The rest is text.
    case passed
  }

  private let held = FixedBuffer(capacity: Budget.directiveBytes)
  private var count = 0
  /// The white space that stands before the directive is part of the text if there is none.
  private var place = Place.before
  /// What the reply wants.
  public private(set) var directive: VoiceDirective?

  /// A reply that has not begun.
  public init() {}

  /// Forgets the reply.
  public func reset() {
    (count, place, directive) = (0, .before, nil)
  }

  /// Takes more of the reply, and gives on what of it is text.
  public func add(_ text: Span<UInt8>, _ pass: (Span<UInt8>) -> Void) {
    var index = 0
    while index < text.count {
      if place == .passed { return pass(text.extracting(index...)) }
      take(text[index], pass)
      index += 1
    }
  }

  /// The reply is over.
  public func finish(_ pass: (Span<UInt8>) -> Void) {
    if place == .inside { endLine(pass) }
    if place != .behind { letGo(pass) }
    place = .passed
  }

  private func take(_ byte: UInt8, _ pass: (Span<UInt8>) -> Void) {
    let isBlank = byte <= 0x20
    switch place {
    case .before where isBlank: return hold(byte, pass)
    case .before where byte == UInt8(ascii: "{"):
      // Blank lines before a directive are not worth keeping: of text they would be cut off as well.
      count = 0
      place = .inside
      return hold(byte, pass)
    case .inside:
      if byte == UInt8(ascii: "\n") { endLine(pass) }
      if place != .behind { hold(byte, pass) }
    case .behind where byte == UInt8(ascii: "\n"): place = .passed
    case .behind where isBlank: break
    default:
      letGo(pass)
      self.pass(byte, pass)
    }
  }

  private func endLine(_ pass: (Span<UInt8>) -> Void) {
    let line = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(held.bytes)[..<count])
    directive = VoiceDirective.read(Span(_unsafeElements: line))
    if directive == nil { return letGo(pass) }
    count = 0
    place = .behind
  }

  private func hold(_ byte: UInt8, _ pass: (Span<UInt8>) -> Void) {
    guard place != .passed, count < held.bytes.count else {
      letGo(pass)
      return self.pass(byte, pass)
    }
    held.bytes[count] = byte
    count += 1
  }

  private func letGo(_ pass: (Span<UInt8>) -> Void) {
    let all = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(held.bytes)[..<count])
    count = 0
    place = .passed
    if !all.isEmpty { pass(Span(_unsafeElements: all)) }
  }

  private func pass(_ byte: UInt8, _ pass: (Span<UInt8>) -> Void) {
    var one = InlineArray<1, UInt8>(repeating: byte)
    one[0] = byte
    pass(one.span)
  }
}
