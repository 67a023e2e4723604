import Board
import Canvas
import Graphics
import Runtime

/// Any bytes as a picture: pixels within the limits, premultiplied, or an error in words.
func checkPicture(_ bytes: [UInt8]) {
  let wanted = Size(Int32(bytes.last ?? 0) + 1, 40)
  let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
  defer { copy.deallocate() }
  _ = copy.initialize(from: bytes)
  for limit in [PictureLimit(wanted: wanted), PictureLimit(wanted: Size(9_999, 9_999))] {
    do {
      let picture = try PictureDecoder.decode(UnsafeBufferPointer(copy), limit)
      let area = Int(picture.size.width) * Int(picture.size.height)
      expect(area > 0 && area <= Budget.shownPixels, "\(area) pixels")
      for pixel in picture.pixels.prefix(4_096) {
        let alpha = pixel >> 24
        expect(pixel & 255 <= alpha && pixel >> 8 & 255 <= alpha && pixel >> 16 & 255 <= alpha, "not premultiplied")
      }
    } catch {
      expect(!error.text.isEmpty, "an error without words")
    }
  }
}
