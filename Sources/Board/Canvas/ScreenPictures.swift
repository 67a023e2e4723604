import Canvas
import Runtime

/// Makes pixels of the pictures that are shown on a screen.
public final class ScreenPictures: PictureCodec {
  public init() {}

  public func decode(
    _ bytes: UnsafeBufferPointer<UInt8>, _ kind: ContentKind, _ limit: PictureLimit
  ) throws(PictureFault) -> DecodedPicture? {
    switch kind {
    case .picture: return try PictureDecoder.decode(bytes, limit)
    case .svg:
      do throws(SVGError) {
        return try drawing(bytes, limit)
      } catch {
        let kind: PictureFault.Kind = error.kind == .unsupported ? .unknownFormat : .broken
        throw PictureFault(kind, "SVG: ", detail: error.text.path)
      }
    default: return nil
    }
  }

  /// A drawing is made as large as it is shown, whatever size it names; where nobody says, in its own.
  private func drawing(_ bytes: UnsafeBufferPointer<UInt8>, _ limit: PictureLimit) throws(SVGError) -> DecodedPicture {
    let own = try SVG.size(bytes)
    let size = Self.size(of: own, in: limit.wanted)
    let target: DecodedPicture
    do throws(PictureFault) { target = try DecodedPicture(size, original: own) } catch {
      throw SVGError(kind: .outOfMemory, text: "no memory for the drawing")
    }
    // Drawings are rare, and two may be drawn at once: each opens the fonts for itself.
    var fonts: FontShelf?
    do throws(Errno) { fonts = try FontShelf() } catch {}
    _ = try SVG.render(bytes, into: target.pixels, size, fonts: fonts) { picture in
      do throws(PictureFault) { return try PictureDecoder.decode(picture, limit) } catch { return nil }
    }
    return target
  }

  /// The largest size of this shape that fits, of at most so many pixels as a picture that is kept may have.
  static func size(of own: Size, in wanted: Size) -> Size {
    var scale = min(Double(wanted.width) / Double(own.width), Double(wanted.height) / Double(own.height))
    if wanted.width >= Budget.pictureSidePixels { scale = 1 }
    let area = Double(own.width) * Double(own.height) * scale * scale
    if area > Double(Budget.shownPixels) { scale *= (Double(Budget.shownPixels) / area).squareRoot() }
    return Size(max(Int32(Double(own.width) * scale), 1), max(Int32(Double(own.height) * scale), 1))
  }
}
