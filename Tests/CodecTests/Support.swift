import TestSupport

@testable import Codec

typealias Seeded = TestSupport.Seeded

extension String {
  var bytes: [UInt8] { Array(utf8) }
}

/// What `write` leaves in a buffer of `capacity` bytes, as text.
func written(capacity: Int = 4096, _ write: (UnsafeMutableBufferPointer<UInt8>) throws -> Int) rethrows
  -> String
{
  String(decoding: try writtenBytes(capacity: capacity, write), as: UTF8.self)
}

/// What `write` leaves in a buffer of `capacity` bytes.
func writtenBytes(
  capacity: Int = 4096, _ write: (UnsafeMutableBufferPointer<UInt8>) throws -> Int
) rethrows -> [UInt8] {
  try [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
    count = try write(buffer)
  }
}

/// The text in a span.
func text(_ bytes: Span<UInt8>) -> String {
  String(decoding: bytes.withUnsafeBufferPointer { Array($0) }, as: UTF8.self)
}

/// Damages a text in one to three places: another byte, one byte less, one more, or a piece repeated.
func mutated(_ bytes: [UInt8], _ random: inout Seeded) -> [UInt8] {
  var bytes = bytes
  for _ in 0..<Int.random(in: 1...3, using: &random) {
    let place = Int.random(in: 0...bytes.count, using: &random)
    switch Int.random(in: 0..<4, using: &random) {
    case 0 where place < bytes.count: bytes[place] = UInt8.random(in: 0...255, using: &random)
    case 1 where place < bytes.count: bytes.remove(at: place)
    case 2: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
    default: bytes.insert(contentsOf: bytes[place..<min(place + 8, bytes.count)], at: place)
    }
  }
  return bytes
}

/// Cuts bytes into pieces of random length.
func pieces(_ bytes: [UInt8], upTo longest: Int, _ random: inout Seeded) -> [[UInt8]] {
  var pieces: [[UInt8]] = []
  var start = 0
  while start < bytes.count {
    let length = min(Int.random(in: 1...longest, using: &random), bytes.count - start)
    pieces.append(Array(bytes[start..<start + length]))
    start += length
  }
  return pieces
}

/// What a reader finds in a line that comes in these pieces and then ends.
func readLine(_ pieces: [[UInt8]]) -> (messages: [GNSSMessage], counters: GNSSCounters) {
  var reader = GNSSReader()
  var messages: [GNSSMessage] = []
  for piece in pieces {
    var index = 0
    while let message = reader.next(piece.span, at: &index) { messages.append(message) }
    precondition(index == piece.count)
  }
  while let message = reader.finish() { messages.append(message) }
  return (messages, reader.counters)
}

/// Counts of frames.
func frames(
  good: UInt64 = 0, badChecksum: UInt64 = 0, overlong: UInt64 = 0, broken: UInt64 = 0, malformed: UInt64 = 0,
  unknown: UInt64 = 0, ignored: UInt64 = 0
) -> GNSSCounters.Frames {
  var frames = GNSSCounters.Frames()
  (frames.good, frames.badChecksum, frames.overlong, frames.broken) = (good, badChecksum, overlong, broken)
  (frames.malformed, frames.unknown, frames.ignored) = (malformed, unknown, ignored)
  return frames
}
