@testable import Camera

/// A camera's frame: what is taken has its places inside the bytes, goes through whole, and is taken again; what is
/// refused has a reason. Nothing behind the end of the image matters.
func checkFrame(_ bytes: [UInt8]) {
  bytes.withUnsafeBufferPointer { bytes in
    do throws(FrameFault) {
      let layout = try JPEGLayout(checking: bytes)
      expect(layout.width > 0 && layout.height > 0, "a picture of \(layout.width) x \(layout.height)")
      expect(layout.scanOffset > 1 && layout.scanOffset < layout.length, "the scan is outside the picture")
      expect(layout.length <= bytes.count, "the picture is longer than its bytes")
      expect(bytes[layout.length - 1] == 0xD9, "the end is no marker")
      var copy = [UInt8](repeating: 0, count: bytes.count + StandardHuffmanTables.length)
      let count = copy.withUnsafeMutableBufferPointer { layout.copy(bytes, into: $0, limit: $0.count) }
      guard let count else { return expect(false, "a picture that has room is not copied") }
      let again = try copy[..<count].withUnsafeBufferPointer { (copy) throws(FrameFault) in
        try JPEGLayout(checking: copy)
      }
      expect(again.length == count, "the copy has \(count) bytes and ends at \(again.length)")
      expect(again.width == layout.width && again.height == layout.height, "the copy has another size")
    } catch {
      expect(error.text.utf8CodeUnitCount > 0, "refused without a reason")
    }
  }
}
