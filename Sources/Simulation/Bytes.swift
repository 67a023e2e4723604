import Codec
import Runtime

/// Bytes that come at one end and go at the other. Its room is reused, so that a quiet link allocates nothing.
final class ByteStream {
  private var storage: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  /// Where in the whole stream the storage begins.
  private var base = 0
  /// Bytes ever added.
  private(set) var end = 0

  init(capacity: Int = 2048) {
    self.capacity = capacity
    storage = .allocate(capacity: capacity)
  }

  deinit { storage.deallocate() }

  /// Adds bytes at the end.
  func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let source = bytes.baseAddress else { return }
    reserve(bytes.count)
    (storage + (end - base)).update(from: source, count: bytes.count)
    end += bytes.count
  }

  /// Makes room after the end.
  private func reserve(_ count: Int) {
    guard end - base + count > capacity else { return }
    capacity = max(2 * capacity, end - base + count)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    larger.update(from: storage, count: end - base)
    storage.deallocate()
    storage = larger
  }

  /// The bytes between two offsets of the stream that have not been dropped. Valid until the next call.
  func bytes(_ start: Int, _ end: Int) -> UnsafeMutableBufferPointer<UInt8> {
    UnsafeMutableBufferPointer(start: storage + (start - base), count: end - start)
  }

  /// Forgets everything before `offset`.
  func drop(before offset: Int) {
    if offset == end {
      base = end
    } else if offset - base > 65_536, offset - base > (end - base) / 2 {
      storage.update(from: storage + (offset - base), count: end - offset)
      base = offset
    }
  }
}

/// Builds one frame of a server at a time (RFC 6455 section 5.2).
final class FrameBuilder {
  private static let head = 10
  private var buffer: UnsafeMutablePointer<UInt8>
  private var capacity = 64 * 1024
  private var count = 0

  init() { buffer = .allocate(capacity: 64 * 1024) }

  deinit { buffer.deallocate() }

  /// Begins an empty message.
  func begin() { count = Self.head }

  private func reserve(_ more: Int) {
    guard count + more > capacity else { return }
    capacity = 2 * (count + more)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    larger.update(from: buffer, count: count)
    buffer.deallocate()
    buffer = larger
  }

  func text(_ text: StaticString) { bytes(text.bytes) }

  func text(_ text: String) {
    var text = text
    text.withUTF8 { bytes($0) }
  }

  func bytes(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let source = bytes.baseAddress else { return }
    reserve(bytes.count)
    (buffer + count).update(from: source, count: bytes.count)
    count += bytes.count
  }

  func bytes(_ span: Span<UInt8>) { span.withUnsafeBufferPointer { bytes($0) } }

  func fill(_ byte: UInt8, _ times: Int) {
    reserve(times)
    (buffer + count).update(repeating: byte, count: times)
    count += times
  }

  func decimal(_ value: Int64) {
    reserve(20)
    if value < 0 {
      buffer[count] = UInt8(ascii: "-")
      count += 1
    }
    var rest = value.magnitude
    var length = 1
    var bound: UInt64 = 10
    while length < 20, rest >= bound {
      length += 1
      bound = length == 20 ? .max : bound &* 10
    }
    for place in stride(from: length - 1, through: 0, by: -1) {
      buffer[count + place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    count += length
  }

  /// The payload so far.
  var payload: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: buffer + Self.head, count: count - Self.head)
  }

  /// The frame around the payload; `first` is the first byte of its header.
  func frame(_ first: UInt8 = 0x81) -> UnsafeBufferPointer<UInt8> {
    let length = count - Self.head
    let start: Int
    if length < 126 {
      start = Self.head - 2
      buffer[start + 1] = UInt8(length)
    } else if length < 65_536 {
      start = Self.head - 4
      buffer[start + 1] = 126
      buffer[start + 2] = UInt8(length >> 8)
      buffer[start + 3] = UInt8(length & 255)
    } else {
      start = Self.head - 10
      buffer[start + 1] = 127
      for place in 0..<8 { buffer[start + 2 + place] = UInt8(truncatingIfNeeded: length >> (8 * (7 - place))) }
    }
    buffer[start] = first
    return UnsafeBufferPointer(start: buffer + start, count: count - start)
  }
}
