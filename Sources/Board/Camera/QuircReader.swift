import CQuirc
import Camera
import Runtime

/// QR codes by quirc, for one caller at a time. Its memory is that of the last size of picture, one byte for each
/// pixel.
public final class QuircReader: CodeReader {
  private var reader: OpaquePointer?
  private var size = (width: 0, height: 0)
  private let text = FixedBuffer(capacity: Budget.scannedTextBytes)

  @export(interface)
  public init() {}

  deinit { tl_qr_reader_free(reader) }

  public func read(_ luma: Plane, _ take: (Span<UInt8>) -> Bool) throws(Errno) -> Bool {
    let (width, height) = (min(luma.width, Budget.scannedSide), min(luma.height, Budget.scannedSide))
    guard width > 0, height > 0 else { return false }
    let reader = try reader(width, height)
    guard let picture = tl_qr_reader_picture(reader) else { throw .outOfMemory }
    for y in 0..<height { (picture + y * width).update(from: luma.base + y * luma.rowBytes, count: width) }
    let found = tl_qr_reader_find(reader)
    for index in 0..<found {
      let count = tl_qr_reader_text(reader, index, text.bytes.baseAddress, Int32(text.bytes.count))
      guard count > 0 else { continue }
      let bytes = UnsafeBufferPointer(text.bytes).extracting(0..<Int(count))
      if take(Span(_unsafeElements: bytes)) { return true }
    }
    return false
  }

  private func reader(_ width: Int, _ height: Int) throws(Errno) -> OpaquePointer {
    if let reader, size == (width, height) { return reader }
    tl_qr_reader_free(reader)
    reader = tl_qr_reader_new(Int32(width), Int32(height))
    size = (width, height)
    guard let reader else { throw .outOfMemory }
    return reader
  }
}
