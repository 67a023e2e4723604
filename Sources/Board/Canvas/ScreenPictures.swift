import Canvas
import Codec
import Graphics
import Runtime

/// Decodes the pictures of the canvas in this process: for drawings that are part of the program, and for
/// `PictureServer`.
public final class ScreenPictures: PictureCodec {
  /// Processor time for one drawing.
  private let milliseconds: Int64

  /// `milliseconds`: processor time for one drawing.
  @export(interface)
  public init(milliseconds: Int64 = Budget.svgMilliseconds) { self.milliseconds = milliseconds }

  public func decode(
    _ bytes: UnsafeBufferPointer<UInt8>, _ kind: ContentKind, _ limit: PictureLimit
  ) throws(PictureFault) -> DecodedPicture? {
    switch kind {
    case .picture: return try PictureDecoder.decode(bytes, limit)
    case .svg: return try drawing(bytes, limit)
    case .html:
      // An HTML page that consists of one SVG drawing is decoded as that drawing.
      guard let range = ReaderPage.drawing(in: bytes) else { return nil }
      return try drawing(bytes.extracting(range), limit)
    default: return nil
    }
  }

  /// A drawing is rendered at the size at which it is shown, or in its own size when none is given.
  func drawing(_ bytes: UnsafeBufferPointer<UInt8>, _ limit: PictureLimit) throws(PictureFault) -> DecodedPicture {
    let own: Size
    do throws(SVGError) { own = try SVG.size(bytes) } catch { throw Self.fault(error) }
    let target = try DecodedPicture(Self.size(of: own, in: limit.wanted), original: own)
    // Drawings are rare, and two may be drawn at once: each opens its own fonts.
    var fonts: FontShelf?
    do throws(Errno) { fonts = try FontShelf() } catch {}
    do throws(SVGError) {
      let meter = ThreadMeter(milliseconds: milliseconds, limit.cancellation)
      let report = try SVG.render(
        bytes, into: target.pixels, target.size, fonts: fonts,
        pictures: { picture in
          do throws(PictureFault) { return try PictureDecoder.decode(picture, limit) } catch { return nil }
        }, meter: meter)
      target.omission = report.omission
    } catch {
      throw Self.fault(error)
    }
    return target
  }

  private static func fault(_ error: SVGError) -> PictureFault {
    PictureFault(error.kind == .unsupported ? .unknownFormat : .broken, "SVG: ", detail: error.text.path)
  }

  /// The largest size of this aspect ratio with no more pixels than a picture may have.
  static func size(of own: Size, in wanted: Size) -> Size {
    var scale = min(Double(wanted.width) / Double(own.width), Double(wanted.height) / Double(own.height))
    if wanted.width >= Budget.pictureSidePixels { scale = 1 }
    let area = Double(own.width) * Double(own.height) * scale * scale
    if area > Double(Budget.shownPixels) { scale *= (Double(Budget.shownPixels) / area).squareRoot() }
    return Size(max(Int32(clamping: Double(own.width) * scale), 1), max(Int32(clamping: Double(own.height) * scale), 1))
  }
}

/// Limits work on the calling thread to some milliseconds of processor time, or until it is cancelled.
final class ThreadMeter: WorkMeter {
  private let end: Int64
  private let cancellation: Cancellation?

  init(milliseconds: Int64, _ cancellation: Cancellation?) {
    end = SystemClock.threadMilliseconds + milliseconds
    self.cancellation = cancellation
  }

  var isOver: Bool { cancellation?.isRequested == true || SystemClock.threadMilliseconds >= end }
}
