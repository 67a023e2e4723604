import Hands
import Runtime

/// What a program writes to one of its outputs, as safe text, however it is cut into pieces.
final class ProgramText {
  /// Room that `SafeText` wants for each character.
  private static let slack = 8

  private let room: ReservedBuffer
  /// A piece, with the begin of a character that the one before has left.
  private let piece = FixedBuffer(capacity: Budget.runFrameBytes + 4)
  private var left = 0
  private(set) var count = 0
  /// There was more than fits.
  private(set) var isCut = false

  init(capacity: Int) throws(Errno) { room = try ReservedBuffer(capacity: capacity + Self.slack) }

  /// The text so far; valid until the next `append` or `clear`.
  var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: UnsafeBufferPointer(room.bytes)[..<count]) }

  /// Forgets the text, and gives its memory back.
  func clear() {
    (left, count, isCut) = (0, 0, false)
    room.release()
  }

  /// Takes a piece of at most `Budget.runFrameBytes`, so that the text has at most `limit` bytes.
  func append(_ bytes: UnsafeBufferPointer<UInt8>, limit: Int) {
    let length = min(bytes.count, piece.bytes.count - left)
    for index in 0..<length { piece.bytes[left + index] = bytes[index] }
    let end = left + length
    let whole = Self.whole(UnsafeBufferPointer(rebasing: UnsafeBufferPointer(piece.bytes)[..<end]))
    copy(whole, limit)
    left = end - whole
    for index in 0..<left { piece.bytes[index] = piece.bytes[whole + index] }
  }

  /// Nothing follows: what is left of a character is shown as it is.
  func finish(limit: Int) {
    copy(left, limit)
    left = 0
  }

  private func copy(_ length: Int, _ limit: Int) {
    guard length > 0 else { return }
    let end = min(max(limit, 0) + Self.slack, room.bytes.count)
    guard end > count else { return isCut = true }
    let target = UnsafeMutableBufferPointer(rebasing: room.bytes[count..<end])
    count += SafeText.copy(UnsafeBufferPointer(rebasing: UnsafeBufferPointer(piece.bytes)[..<length]), into: target)
    if end - count < Self.slack { isCut = true }
  }

  /// How many bytes at the front are whole characters. A carriage return may be the first half of a line end.
  private static func whole(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    if bytes.isEmpty { return 0 }
    let last = bytes[bytes.count - 1]
    if last == 0x0D { return bytes.count - 1 }
    if last < 0x80 { return bytes.count }
    var start = bytes.count - 1
    while start > 0, bytes.count - start < 4, bytes[start] & 0xC0 == 0x80 { start -= 1 }
    let needed = bytes[start] >= 0xF0 ? 4 : bytes[start] >= 0xE0 ? 3 : bytes[start] >= 0xC0 ? 2 : 1
    return bytes.count - start < needed ? start : bytes.count
  }
}
