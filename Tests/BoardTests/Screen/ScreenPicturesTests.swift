import Canvas
import Graphics
import Runtime
import Testing

@testable import Board

@Suite("Pictures for the screen")
struct ScreenPicturesTests {
  private func decode(_ text: String, _ wanted: Size) -> String {
    let bytes = Array(text.utf8)
    return bytes.withUnsafeBufferPointer { bytes in
      do throws(PictureFault) {
        return try pictureWords(bytes, ScreenPictures(), PictureLimit(wanted: wanted)) { picture in
          " "
            + String(
              picture.pixels[Int(picture.size.height) / 2 * Int(picture.size.width) + Int(picture.size.width) / 2],
              radix: 16)
        }
      } catch {
        return faultWords(error)
      }
    }
  }

  @Test("a drawing is as large as it is shown")
  func drawings() {
    let svg =
      ##"<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20"><rect width="30" height="20" fill="#00f"/></svg>"##
    #expect(decode(svg, Size(300, 100)) == "150x100 of 30x20 ff0000ff")
    #expect(decode(svg, Size(15, 100)) == "15x10 of 30x20 ff0000ff")
    #expect(decode(svg, Size(Budget.pictureSidePixels, Budget.pictureSidePixels)) == "30x20 of 30x20 ff0000ff")
    #expect(
      decode(#"<svg xmlns="http://www.w3.org/2000/svg"><script>x()</script></svg>"#, Size(10, 10)).hasPrefix("SVG: "))
  }

  @Test(
    "a drawing of more work than its time allows is what was drawn until then; so is one that nobody waits for",
    arguments: [true, false])
  func work(isCancelled: Bool) throws {
    let group = "<g opacity='.9'><rect width='1900' height='1000'/></g>"
    let body = "<rect width='9' height='9'/>" + String(repeating: group, count: 2_000)
    let bytes = Array("<svg xmlns='http://www.w3.org/2000/svg' width='1900' height='1000'>\(body)</svg>".utf8)
    let cancellation = Cancellation()
    if isCancelled { cancellation.request() }
    let limit = PictureLimit(
      wanted: Size(Budget.pictureSidePixels, Budget.pictureSidePixels), cancellation: cancellation)
    let picture = try bytes.withUnsafeBufferPointer { bytes throws(PictureFault) in
      // Where nobody waits it would go on for minutes.
      try ScreenPictures(milliseconds: isCancelled ? 600_000 : 100).decode(bytes, .svg, limit)
    }
    #expect(
      picture?.omission?.text.description == "drawn in part: all of it takes more than 2 seconds of processor time")
    #expect(Budget.svgMilliseconds == 2_000)
  }

  @Test("of at most as many pixels as are kept")
  func bounds() {
    for (own, wanted) in [
      (Size(1, 1), Size(16_000, 16_000)), (Size(16_384, 16_384), Size(16_384, 16_384)), (Size(16_384, 1), Size(10, 10)),
    ] {
      let size = ScreenPictures.size(of: own, in: wanted)
      #expect(size.width > 0 && size.height > 0 && Int(size.width) * Int(size.height) <= Budget.shownPixels)
    }
  }

  @Test("a page is no picture")
  func others() {
    #expect(decode("<!doctype html><p>x", Size(10, 10)) == "none")
    #expect(decode("GIF89a", Size(10, 10)).hasPrefix("GIF"))
  }
}
