import Runtime

/// Holds back the start of a reply until it is known whether its first non-blank line is a voice directive
/// (node-commands 7.2). That line is removed, with one blank line after it; everything else passes unchanged. A class,
/// because the receiver of the text may read the directive.
public final class ReplyHead {
  private enum Place {
    /// Only white space so far; in a line that may be a directive; after one, before the end of a blank line.
    case before, inside, after
    /// The rest is text.
    case passed
  }

  private let held = FixedBuffer(capacity: Budget.directiveBytes)
  private var count = 0
  /// White space before a directive is text if there is no directive.
  private var place = Place.before
  /// The directive of the reply, if any.
  public private(set) var directive: VoiceDirective?

  /// The start of a reply.
  @export(interface)
  public init() {}

  /// Resets for the next reply.
  public func reset() {
    (count, place, directive) = (0, .before, nil)
  }

  /// Takes more of the reply, and passes on its text.
  public func add(_ text: Span<UInt8>, _ pass: (Span<UInt8>) -> Void) {
    var index = 0
    while index < text.count {
      if place == .passed { return pass(text.extracting(index...)) }
      take(text[index], pass)
      index += 1
    }
  }

  /// The reply has ended.
  public func finish(_ pass: (Span<UInt8>) -> Void) {
    if place == .inside { endLine(pass) }
    if place != .after { letGo(pass) }
    place = .passed
  }

  private func take(_ byte: UInt8, _ pass: (Span<UInt8>) -> Void) {
    let isBlank = byte <= 0x20
    switch place {
    case .before where isBlank: return hold(byte, pass)
    case .before where byte == UInt8(ascii: "{"):
      // Blank lines before a directive are dropped, as they are at the start of any text.
      count = 0
      place = .inside
      return hold(byte, pass)
    case .inside:
      if byte == UInt8(ascii: "\n") { endLine(pass) }
      if place != .after { hold(byte, pass) }
    case .after where byte == UInt8(ascii: "\n"): place = .passed
    case .after where isBlank: break
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
    place = .after
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
