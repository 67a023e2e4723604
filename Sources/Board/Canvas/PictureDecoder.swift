import CPNG
import CTurboJPEG
import CWebP
import Canvas
import Graphics
import Runtime

/// Decodes PNG, JPEG, WebP and GIF into pixels. Any input is safe: invalid data gives an error. For workers; keeps no
/// state between pictures.
public enum PictureDecoder {
  /// Decodes a picture, reduced by a whole factor while it is decoded (see `PictureLimit`). Of an animation, the first
  /// frame.
  @export(interface)
  public static func decode(
    _ bytes: UnsafeBufferPointer<UInt8>, _ limit: PictureLimit
  ) throws(PictureFault) -> DecodedPicture {
    switch PictureFormat(bytes) {
    case .png: return try png(bytes, limit)
    case .jpeg: return try jpeg(bytes, limit)
    case .webp: return try webp(bytes, limit)
    case .gif: return try DecodedPicture.gif(bytes, limit)
    case nil: throw PictureFault(.unknownFormat, "neither PNG, JPEG, WebP nor GIF")
    }
  }

  // MARK: PNG

  private static func png(
    _ bytes: UnsafeBufferPointer<UInt8>, _ limit: PictureLimit
  ) throws(PictureFault) -> DecodedPicture {
    guard let reader = tl_png_open(bytes.baseAddress, Int64(bytes.count)) else {
      throw PictureFault(.outOfMemory, "no memory for the picture")
    }
    defer { tl_png_close(reader) }
    var header = tl_png_header()
    if tl_png_read_header(reader, Budget.pictureSidePixels, &header) < 0 { throw pngFault(reader) }
    let size = Size(header.width, header.height)
    let factor = try limit.factor(of: size)
    let target = try DecodedPicture(PictureLimit.reduced(size, by: factor).size, original: size)
    var reducer = PictureReducer(size, by: factor, into: target)
    let isWhole = header.is_interlaced != 0
    let rows = isWhole ? Int(size.height) : 1
    guard rows * Int(size.width) * 4 <= Budget.wholePictureBytes else {
      throw PictureFault(.tooLarge, "PNG: interlaced, with more than 8 million pixels")
    }
    let memory = try scratch(rows * Int(size.width))
    if isWhole, tl_png_read_all(reader, memory.pixels.baseAddress) < 0 { throw pngFault(reader) }
    for y in 0..<Int(size.height) {
      if !isWhole, tl_png_read_row(reader, memory.pixels.baseAddress) < 0 { throw pngFault(reader) }
      reducer.add(memory.pixels.baseAddress! + (isWhole ? y * Int(size.width) : 0))
    }
    reducer.finish()
    return target
  }

  private static func pngFault(_ reader: OpaquePointer) -> PictureFault {
    PictureFault(.broken, "PNG: ", detail: tl_png_fault(reader)!)
  }

  private static func scratch(_ pixels: Int) throws(PictureFault) -> DecodedPicture {
    try DecodedPicture(Size(Int32(pixels), 1), original: Size(0, 0))
  }

  // MARK: JPEG

  private static func jpeg(
    _ bytes: UnsafeBufferPointer<UInt8>, _ limit: PictureLimit
  ) throws(PictureFault) -> DecodedPicture {
    guard let handle = tjInitDecompress() else { throw PictureFault(.outOfMemory, "no memory for the picture") }
    defer { tjDestroy(handle) }
    var (width, height, sampling, colors): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
    guard
      tjDecompressHeader3(handle, bytes.baseAddress, numericCast(bytes.count), &width, &height, &sampling, &colors) == 0
    else { throw PictureFault(.broken, "JPEG: ", detail: tjGetErrorStr2(handle)!) }
    guard width > 0, height > 0 else { throw PictureFault(.broken, "JPEG: the data ends before the picture begins") }
    let size = Size(width, height)
    let head = JPEGHead(bytes)
    let turn = head.turn
    let limit = turn.isTransposed ? PictureLimit(wanted: Size(limit.wanted.height, limit.wanted.width)) : limit
    // Refuses what is too large: after that the number of pixels fits in 32 bits.
    let factor = try limit.factor(of: size)
    if head.isProgressive, Int(width) * Int(height) * 4 > Budget.wholePictureBytes {
      throw PictureFault(.tooLarge, "JPEG: progressive, with more than 8 million pixels")
    }
    // The decoder has SIMD code for reduction by two, four and eight.
    var eighth: Int32 = 1
    while eighth < 8, eighth * 2 <= factor { eighth *= 2 }
    var target = try DecodedPicture(PictureLimit.reduced(size, by: eighth).size, original: size)
    let result = target.pixels.withMemoryRebound(to: UInt8.self) { pixels in
      tjDecompress2(
        handle, bytes.baseAddress, numericCast(bytes.count), pixels.baseAddress, target.size.width, 0,
        target.size.height, Int32(TJPF_BGRA.rawValue), TJFLAG_LIMITSCANS)
    }
    // A warning (stray bytes, a damaged block) still gives a picture.
    guard result == 0 || tjGetErrorCode(handle) == Int32(TJERR_WARNING.rawValue) else {
      throw PictureFault(.broken, "JPEG: ", detail: tjGetErrorStr2(handle)!)
    }
    let rest = try limit.factor(of: target.size)
    if rest > 1 { target = try reduced(target, by: rest) }
    return try turn.upright(target)
  }

  private static func reduced(_ picture: DecodedPicture, by factor: Int32) throws(PictureFault) -> DecodedPicture {
    let size = PictureLimit.reduced(picture.size, by: factor).size
    let target = try DecodedPicture(size, original: picture.original)
    var reducer = PictureReducer(picture.size, by: factor, into: target)
    for y in 0..<Int(picture.size.height) {
      reducer.add(picture.pixels.baseAddress! + y * Int(picture.size.width))
    }
    reducer.finish()
    return target
  }

  // MARK: WebP

  private static func webp(
    _ bytes: UnsafeBufferPointer<UInt8>, _ limit: PictureLimit
  ) throws(PictureFault) -> DecodedPicture {
    var size = Size(0, 0)
    guard tl_webp_size(bytes.baseAddress, Int64(bytes.count), &size.width, &size.height) == 0 else {
      throw PictureFault(.broken, "WebP: the header is damaged or cut off")
    }
    let factor = try limit.factor(of: size)
    let target = try DecodedPicture(PictureLimit.reduced(size, by: factor).size, original: size)
    let code = tl_webp_decode(
      bytes.baseAddress, Int64(bytes.count), target.size.width, target.size.height, target.pixels.baseAddress)
    guard code == 0 else {
      throw code == -Errno.outOfMemory.number
        ? PictureFault(.outOfMemory, "no memory for the picture")
        : PictureFault(.broken, "WebP: the data is damaged or cut off")
    }
    return target
  }
}
