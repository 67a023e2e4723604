import Codec
import Runtime

/// A path of a request, in the one form in which it is compared and answered: absolute, each name once, no `.`, no
/// slash at its end.
public final class FilePath {
  private let room = FixedBuffer(capacity: Budget.filePathBytes + 1)
  /// Bytes in use; 0: there is none.
  public private(set) var count = 0

  /// No path.
  @export(interface)
  public init() {}

  /// The path, valid until the next change.
  public var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: room.bytes[..<count]) }

  /// Forgets the path.
  func clear() { count = 0 }

  /// Reads a string of JSON. `..` is refused even where it would lead back: who writes a path knows it.
  ///
  /// Throws INVALID_PATH for what is no absolute path, and PATH_TRAVERSAL.
  public func read(_ value: borrowing JSONView) throws(FileFault) {
    count = 0
    guard value.kind == .string, let length = value.stringLength, length > 0 else {
      throw FileFault(.invalidPath, "path required: an absolute path of this board")
    }
    guard length <= Budget.filePathBytes else {
      throw FileFault(.invalidPath, "the path is too long, bytes and limit", Int64(length), Int64(Budget.filePathBytes))
    }
    guard let copied = value.copyString(into: room.bytes) else {
      throw FileFault(.invalidPath, "path required: an absolute path of this board")
    }
    try normalise(copied)
  }

  /// The same for bytes.
  public func set(_ text: Span<UInt8>) throws(FileFault) {
    count = 0
    guard !text.isEmpty, text.count <= Budget.filePathBytes else {
      throw FileFault(.invalidPath, "the path is empty or too long")
    }
    for index in 0..<text.count { room.bytes[index] = text[index] }
    try normalise(text.count)
  }

  private func normalise(_ length: Int) throws(FileFault) {
    guard room.bytes[0] == UInt8(ascii: "/") else {
      throw FileFault(.invalidPath, "the path must be absolute: it has to begin with /")
    }
    var (from, to) = (0, 0)
    while from < length {
      if room.bytes[from] == UInt8(ascii: "/") {
        from += 1
        continue
      }
      var end = from
      while end < length, room.bytes[end] != UInt8(ascii: "/") {
        guard room.bytes[end] != 0 else { throw FileFault(.invalidPath, "the path has a zero byte") }
        end += 1
      }
      let dots = dots(from..<end)
      if dots == 2 { throw FileFault(.traversal, "the path has .., which is not followed") }
      guard end - from <= Budget.fileNameBytes else {
        throw FileFault(
          .invalidPath, "a name in the path is too long, bytes and limit", Int64(end - from),
          Int64(Budget.fileNameBytes))
      }
      if dots == 0 {
        room.bytes[to] = UInt8(ascii: "/")
        to += 1
        for index in from..<end {
          room.bytes[to] = room.bytes[index]
          to += 1
        }
      }
      from = end
    }
    if to == 0 {
      room.bytes[0] = UInt8(ascii: "/")
      to = 1
    }
    count = to
  }

  /// 1 for ".", 2 for "..", 0 for any other name.
  private func dots(_ range: Range<Int>) -> Int {
    guard range.count <= 2, room.bytes[range.lowerBound] == UInt8(ascii: ".") else { return 0 }
    if range.count == 1 { return 1 }
    return room.bytes[range.lowerBound + 1] == UInt8(ascii: ".") ? 2 : 0
  }

  /// True when a name has a control character, with which nobody should be made to work.
  var hasControls: Bool { bytes.contains { $0 < 0x20 || $0 == 0x7F } }

  /// Where the last name begins.
  var lastName: Int {
    var start = count
    while start > 0, room.bytes[start - 1] != UInt8(ascii: "/") { start -= 1 }
    return start
  }
}
