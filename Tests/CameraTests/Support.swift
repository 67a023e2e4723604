import Codec
import Runtime
import TestSupport

@testable import Camera

extension CameraError {
  /// The message as a string.
  var message: String {
    let bytes = [UInt8](unsafeUninitializedCapacity: 512) { buffer, count in
      var writer = ByteWriter(into: buffer)
      writeMessage(to: &writer)
      count = writer.count
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// A clock that stands still until it is moved.
final class StillClock: Clock {
  var monotonic: Int64 = 1000
  var wall: Int64 = 0
}

typealias Seeded = TestSupport.Seeded

extension Seeded {
  mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: 0...255, using: &self) }
  }
}

/// A plane's samples, without padding.
func samples(_ plane: Plane) -> [[UInt8]] {
  (0..<plane.height).map { y in (0..<plane.width).map { x in plane.base[y * plane.rowBytes + x] } }
}

/// A picture that has a JPEG's structure: one component, no sense in its coded data, of which there is just enough for
/// the blocks after `coded`.
func tinyJPEG(width: Int, height: Int, tables: Bool = true, coded: [UInt8] = [0x11, 0xFF, 0x00, 0x22])
  -> [UInt8]
{
  var bytes: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 0x41, 0x42]
  if tables { bytes += [0xFF, 0xC4, 0, 3, 0] }
  bytes += [
    0xFF, 0xC0, 0, 11, 8, UInt8(height >> 8), UInt8(height & 255), UInt8(width >> 8), UInt8(width & 255),
  ]
  bytes += [1, 1, 0x11, 0]
  bytes += [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0]
  let blocks = ((width + 7) / 8) * ((height + 7) / 8)
  return bytes + coded + [UInt8](repeating: 0x5A, count: max(blocks / 4 - coded.count, 0)) + [0xFF, 0xD9]
}

/// Looks at bytes as a JPEG picture.
func layout(_ bytes: [UInt8]) throws -> JPEGLayout {
  try bytes.withUnsafeBufferPointer { try JPEGLayout($0) }
}
