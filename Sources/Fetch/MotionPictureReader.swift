import Codec
import Runtime

/// Takes pictures out of a stream of them, as cameras of a network send it: `multipart/x-mixed-replace`, whose parts
/// are JPEG files (RFC 2046 section 5.1; the type is of Netscape, and every browser knows it).
///
/// The line between parts is learned from the first one, because some servers name another in their header. A part has
/// its length in `Content-Length`, or goes on to the next such line. A picture that is too large is left out.
public struct MotionPictureReader: ~Copyable {
  private enum Place { case preamble, header, counted, searched, between }

  private let picture: UnsafeMutableBufferPointer<UInt8>
  private var place = Place.preamble
  /// The current line, without its end; cut after its room.
  private let line: UnsafeMutableBufferPointer<UInt8>
  private var lineCount = 0
  /// The current line is the rest of a delimiter, which says nothing.
  private var isRest = false
  private var headerCount = 0
  /// Two hyphens and the boundary.
  private var delimiter = InlineText<76>()
  /// Bytes of the picture in memory, and of a counted part that are still to come.
  private var count = 0
  private var left = 0
  private var length: Int?
  private var isTooLarge = false
  /// Pictures that were left out because they are too large.
  public private(set) var leftOut: UInt32 = 0
  /// What came is no such stream: nothing is taken any more.
  public private(set) var isMalformed = false

  /// A reader at the start of a stream. Pictures are put together in `picture`; `line` has `Budget.videoLineBytes`.
  /// Both outlive it.
  public init(into picture: UnsafeMutableBufferPointer<UInt8>, line: UnsafeMutableBufferPointer<UInt8>) {
    precondition(Budget.videoDelimiterBytes == 76)
    (self.picture, self.line) = (picture, line)
  }

  /// Takes bytes from `index` on, which moves behind them, up to the end of a picture.
  /// - Returns: the length of a picture, which is in memory until the next call; nil: all bytes were taken
  public mutating func next(_ bytes: Span<UInt8>, _ index: inout Int) -> Int? {
    while index < bytes.count, !isMalformed {
      let byte = bytes[index]
      index += 1
      switch place {
      case .preamble, .header, .between: character(byte)
      case .counted:
        keep(byte)
        left -= 1
        if left == 0, let count = end(count) { return count }
      case .searched:
        keep(byte)
        if let found = foundDelimiter(byte), let count = end(found) { return count }
      }
    }
    if isMalformed { index = bytes.count }
    return nil
  }

  // MARK: Lines

  private mutating func character(_ byte: UInt8) {
    headerCount += 1
    guard headerCount <= Budget.videoHeaderBytes else { return isMalformed = true }
    if byte == UInt8(ascii: "\n") {
      if !isRest { endLine() }
      (lineCount, isRest) = (0, false)
      return
    }
    // Only the beginning matters of a line that is longer.
    guard lineCount < min(line.count, Budget.videoLineBytes) else { return }
    line[lineCount] = byte
    lineCount += 1
  }

  private mutating func endLine() {
    let text = UnsafeBufferPointer(line).extracting(0..<lineCount).span.trimmed
    switch place {
    case .preamble, .between:
      guard text.count > 2, text.hasPrefix(lowercased: "--") else { return }
      if delimiter.isEmpty {
        guard delimiter.set(text) else { return isMalformed = true }
      } else if text.count < delimiter.span.count
        || !delimiter.equals(text.extracting(0..<delimiter.span.count))
      {
        return
      }
      begin()
    case .header:
      if text.isEmpty { return beginPart() }
      let name: StaticString = "content-length:"
      guard text.hasPrefix(lowercased: name) else { return }
      length = Self.decimal(text.extracting(name.utf8CodeUnitCount..<text.count).trimmed)
      if length == nil { isMalformed = true }
    case .counted, .searched: return
    }
  }

  /// One to nine digits.
  private static func decimal(_ text: Span<UInt8>) -> Int? {
    guard (1...9).contains(text.count) else { return nil }
    var value = 0
    for index in 0..<text.count {
      guard text[index] >= 48, text[index] <= 57 else { return nil }
      value = value * 10 + Int(text[index] - 48)
    }
    return value
  }

  private mutating func begin() { (place, headerCount, length) = (.header, 0, nil) }

  // MARK: Parts

  private mutating func beginPart() {
    (count, isTooLarge) = (0, false)
    guard let length else { return place = .searched }
    left = length
    place = length == 0 ? .between : .counted
    headerCount = 0
  }

  private mutating func keep(_ byte: UInt8) {
    guard count < picture.count else { return isTooLarge = true }
    picture[count] = byte
    count += 1
  }

  /// The length of the picture when the bytes so far end with a line end and the delimiter.
  private mutating func foundDelimiter(_ byte: UInt8) -> Int? {
    // Behind what did not fit, the delimiter is looked for in a window of its own size.
    if isTooLarge { slide(byte) }
    let text = delimiter.span
    guard byte == text[text.count - 1], count >= text.count + 1 else { return nil }
    let start = count - text.count
    for index in 0..<text.count where picture[start + index] != text[index] { return nil }
    guard picture[start - 1] == UInt8(ascii: "\n") else { return nil }
    let end = start - 1
    return end > 0 && picture[end - 1] == UInt8(ascii: "\r") ? end - 1 : end
  }

  /// The last bytes of the memory move on by one.
  private mutating func slide(_ byte: UInt8) {
    let window = delimiter.span.count + 2
    guard count >= window else { return }
    for index in (count - window)..<(count - 1) { picture[index] = picture[index + 1] }
    picture[count - 1] = byte
  }

  /// A part has ended: its picture, if it is one.
  private mutating func end(_ count: Int) -> Int? {
    // After a delimiter that was found in the content, the rest of its line and the header follow.
    isRest = place == .searched
    lineCount = 0
    if isRest { begin() } else { (place, headerCount) = (.between, 0) }
    guard !isTooLarge else {
      leftOut &+= 1
      return nil
    }
    return count > 0 ? count : nil
  }
}
