import CPNG
import CTurboJPEG
import Canvas
import Graphics
import Runtime

/// Why a snapshot could not be encoded.
public enum SnapshotFault: Error {
  /// The file is larger than the buffer: ask for a smaller width.
  case doesNotFit
  case outOfMemory
}

/// Encodes the screen as PNG or JPEG. For workers, while nothing is painted.
public enum SnapshotEncoder {
  /// Encodes a buffer, scaled down to at most `width` pixels across, into `target`; returns the bytes and the size of
  /// the picture.
  public static func encode(
    _ buffer: PixelBuffer, _ format: SnapshotFormat, atMost width: Int32, into target: UnsafeMutableBufferPointer<UInt8>
  ) throws(SnapshotFault) -> (count: Int, size: Size) {
    let size = BufferScaler.size(of: buffer, atMost: width)
    let scaler = BufferScaler(buffer, size)
    switch format {
    case .png: return (try png(scaler, into: target), size)
    case .jpeg(let quality):
      if size == buffer.size { return (try jpeg(buffer, quality, into: target), size) }
      return (try jpeg(try scaled(scaler), quality, into: target), size)
    }
  }

  private static func scaled(_ scaler: BufferScaler) throws(SnapshotFault) -> PixelBuffer {
    do {
      let result = try PixelBuffer(scaler.size)
      for y in 0..<scaler.size.height {
        scaler.row(y, into: result.pixels.baseAddress! + Int(y) * Int(scaler.size.width))
      }
      return result
    } catch {
      throw .outOfMemory
    }
  }

  private static func png(
    _ scaler: BufferScaler, into target: UnsafeMutableBufferPointer<UInt8>
  ) throws(SnapshotFault) -> Int {
    guard let writer = tl_png_create(target.baseAddress, Int64(target.count)) else { throw .outOfMemory }
    defer { tl_png_destroy(writer) }
    let width = Int(scaler.size.width)
    let pixels = UnsafeMutablePointer<UInt32>.allocate(capacity: width)
    let row = UnsafeMutablePointer<UInt8>.allocate(capacity: 3 * width)
    defer {
      pixels.deallocate()
      row.deallocate()
    }
    guard tl_png_write_header(writer, scaler.size.width, scaler.size.height) == 0 else { throw .doesNotFit }
    for y in 0..<scaler.size.height {
      scaler.row(y, into: pixels)
      for x in 0..<width {
        row[3 * x] = UInt8(truncatingIfNeeded: pixels[x] >> 16)
        row[3 * x + 1] = UInt8(truncatingIfNeeded: pixels[x] >> 8)
        row[3 * x + 2] = UInt8(truncatingIfNeeded: pixels[x])
      }
      guard tl_png_write_row(writer, row) == 0 else { throw .doesNotFit }
    }
    let count = tl_png_finish(writer)
    guard count > 0 else { throw .doesNotFit }
    return Int(count)
  }

  /// Chroma is not subsampled (4:4:4): colored text would be blurred otherwise.
  private static func jpeg(
    _ buffer: PixelBuffer, _ quality: Int, into target: UnsafeMutableBufferPointer<UInt8>
  ) throws(SnapshotFault) -> Int {
    guard let handle = tjInitCompress() else { throw .outOfMemory }
    defer { tjDestroy(handle) }
    // The library's own buffer grows with the file; a buffer for the worst case would take six bytes per pixel.
    var start: UnsafeMutablePointer<UInt8>?
    var count: UInt = 0
    let result = tjCompress2(
      handle, buffer.bytes.baseAddress, buffer.size.width, Int32(buffer.stride), buffer.size.height,
      Int32(TJPF_BGRX.rawValue), &start, &count, Int32(TJSAMP_444.rawValue), Int32(min(max(quality, 1), 100)),
      TJFLAG_ACCURATEDCT)
    defer { tjFree(start) }
    guard result == 0, let start else { throw .outOfMemory }
    guard Int(count) <= target.count else { throw .doesNotFit }
    target.baseAddress!.update(from: start, count: Int(count))
    return Int(count)
  }
}
