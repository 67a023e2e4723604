import CTurboJPEG
import Camera
import Runtime

/// JPEG by libjpeg-turbo (TurboJPEG API 2.1). Its two handles are created once; one worker uses them at a time.
public final class TurboJPEG: JPEGCodec {
  private let compressor: tjhandle
  private var decompressor: tjhandle
  /// See `JPEGCodec`.
  public private(set) var hadAllData = true

  /// Scaling factors, in eighths, for which the decoder has SIMD code.
  private static let eighths: InlineArray<4, Int> = [1, 2, 4, 8]

  /// Throws when memory is short.
  @export(interface)
  public init() throws(Errno) {
    guard let compressor = tjInitCompress() else { throw .outOfMemory }
    guard let decompressor = tjInitDecompress() else {
      tjDestroy(compressor)
      throw .outOfMemory
    }
    self.compressor = compressor
    self.decompressor = decompressor
  }

  deinit {
    tjDestroy(compressor)
    tjDestroy(decompressor)
  }

  /// See `JPEGCodec`. `tjDecompressHeader3`, `tjDecompressToYUVPlanes`. A warning of the library (stray bytes, a
  /// damaged block) still gives a picture; cameras earn such warnings with every frame.
  public func decode(
    _ jpeg: UnsafeBufferPointer<UInt8>, atLeast width: Int, into storage: UnsafeMutableBufferPointer<UInt8>
  ) throws(JPEGError) -> PlanarImage {
    var (across, down, sampling, colors): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
    let header = tjDecompressHeader3(
      decompressor, jpeg.baseAddress, numericCast(jpeg.count), &across, &down, &sampling, &colors)
    guard header == 0 || tjGetErrorCode(decompressor) == Int32(TJERR_WARNING.rawValue), across > 0, down > 0 else {
      renewDecompressor()
      throw .broken
    }
    guard let chroma = Self.layout(of: sampling) else { throw .unsupported }
    // The library holds a progressive picture as a whole, so the size in the header is bounded first.
    guard Int64(across) * Int64(down) <= Int64(Budget.cameraFrameBytes) else { throw .unsupported }
    guard let image = Self.place(Int(across), Int(down), chroma, atLeast: width, in: storage) else {
      throw .unsupported
    }
    let result = Self.withPlanes(of: image) { planes, strides in
      tjDecompressToYUVPlanes(
        decompressor, jpeg.baseAddress, numericCast(jpeg.count), planes, Int32(image.width), strides,
        Int32(image.height), TJFLAG_LIMITSCANS)
    }
    let isUsable = result == 0 || tjGetErrorCode(decompressor) == Int32(TJERR_WARNING.rawValue)
    guard isUsable else { throw .broken }
    hadAllData = result == 0 || tl_lacks_data(decompressor) == 0
    return image
  }

  /// TurboJPEG 2.1 leaves a decompressor inside a header that it refused, and then refuses every later picture.
  private func renewDecompressor() {
    guard let fresh = tjInitDecompress() else { return }
    tjDestroy(decompressor)
    decompressor = fresh
  }

  /// See `JPEGCodec`. `tjCompressFromYUVPlanes`, which trusts that the buffer has `tjBufSize` bytes.
  public func encode(
    _ image: PlanarImage, quality: Int, coding: JPEGCoding = .standard, into buffer: UnsafeMutableBufferPointer<UInt8>
  ) throws(JPEGError) -> Int {
    let sampling = Self.sampling(of: image.chroma)
    let needed = tjBufSize(Int32(image.width), Int32(image.height), sampling)
    guard needed != UInt.max, needed <= buffer.count else { throw .doesNotFit }
    // TurboJPEG 2.1 keeps the Huffman tables of one picture for the next one, which then decodes to wrong colors or not
    // at all. So a picture with its own tables gets its own handle.
    let hasTables = coding != .standard
    guard let handle = hasTables ? tjInitCompress() : compressor else { throw .doesNotFit }
    defer { if hasTables { tjDestroy(handle) } }
    var start = buffer.baseAddress
    var count: UInt = 0
    let flags = TJFLAG_NOREALLOC | TJFLAG_ACCURATEDCT | (coding == .progressive ? TJFLAG_PROGRESSIVE : 0)
    let result = Self.withPlanes(of: image) { planes, strides in
      planes.withMemoryRebound(to: UnsafePointer<UInt8>?.self, capacity: 3) { planes in
        tl_compress_planes(
          coding == .optimized ? 1 : 0, handle, planes, Int32(image.width), strides, Int32(image.height), sampling,
          &start, &count,
          Int32(min(max(quality, 1), 100)), flags)
      }
    }
    guard result == 0 else { throw .unsupported }
    return Int(count)
  }

  /// See `JPEGCodec`. `tjTransform` with a handle of its own, because it holds the coefficients of the whole picture.
  public func transform(
    _ jpeg: UnsafeBufferPointer<UInt8>, _ orientation: Orientation, into buffer: UnsafeMutableBufferPointer<UInt8>
  ) throws(JPEGError) -> Int {
    guard let handle = tjInitTransform() else { throw .doesNotFit }
    defer { tjDestroy(handle) }
    var (across, down, sampling, colors): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
    guard
      tjDecompressHeader3(
        handle, jpeg.baseAddress, numericCast(jpeg.count), &across, &down, &sampling, &colors) == 0,
      across > 0, down > 0
    else { throw .broken }
    guard let chroma = Self.layout(of: sampling) else { throw .unsupported }
    // Transposed 4:1:1 would share a chroma sample among four rows, which few decoders read; TurboJPEG does not.
    if orientation.isTransposed, chroma == .quarterWidth { throw .unsupported }
    guard Int64(across) * Int64(down) <= Int64(Budget.cameraFrameBytes) else { throw .unsupported }
    let needed = max(tjBufSize(across, down, sampling), tjBufSize(down, across, Int32(TJSAMP_444.rawValue)))
    guard needed != UInt.max, needed <= buffer.count else { throw .doesNotFit }
    var transform = tjtransform()
    transform.op = Self.operation(orientation)
    transform.options = TJXOPT_TRIM | TJXOPT_COPYNONE
    var start = buffer.baseAddress
    var count = UInt(buffer.count)
    let flags = TJFLAG_NOREALLOC | TJFLAG_LIMITSCANS
    let result = tjTransform(
      handle, jpeg.baseAddress, numericCast(jpeg.count), 1, &start, &count, &transform, flags)
    let isUsable = result == 0 || tjGetErrorCode(handle) == Int32(TJERR_WARNING.rawValue)
    guard isUsable else { throw .broken }
    return Int(count)
  }

  /// TurboJPEG's numbers for turns and flips (`enum TJXOP`).
  private static func operation(_ orientation: Orientation) -> Int32 {
    let operation: TJXOP
    switch (orientation.isTransposed, orientation.isMirrored, orientation.isFlipped) {
    case (false, false, false): operation = TJXOP_NONE
    case (false, true, false): operation = TJXOP_HFLIP
    case (false, false, true): operation = TJXOP_VFLIP
    case (false, true, true): operation = TJXOP_ROT180
    case (true, false, false): operation = TJXOP_TRANSPOSE
    case (true, true, false): operation = TJXOP_ROT90
    case (true, false, true): operation = TJXOP_ROT270
    case (true, true, true): operation = TJXOP_TRANSVERSE
    }
    return Int32(operation.rawValue)
  }

  /// The planes for the decoded picture: the smallest that keeps `width`, or the largest for which `storage`
  /// has room.
  private static func place(
    _ across: Int, _ down: Int, _ chroma: ChromaLayout, atLeast width: Int,
    in storage: UnsafeMutableBufferPointer<UInt8>
  ) -> PlanarImage? {
    var largest: PlanarImage?
    for index in 0..<eighths.count {
      let (reducedWidth, reducedHeight) = ((across * eighths[index] + 7) / 8, (down * eighths[index] + 7) / 8)
      guard
        let image = PlanarImage(in: storage, width: reducedWidth, height: reducedHeight, chroma: chroma)
      else { break }
      largest = image
      if reducedWidth >= width { break }
    }
    return largest
  }

  private static func withPlanes(
    of image: PlanarImage,
    _ body: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, UnsafeMutablePointer<Int32>) -> Int32
  ) -> Int32 {
    var planes: InlineArray<3, UnsafeMutablePointer<UInt8>?> = [
      image.luma.base, image.blue.base, image.red.base,
    ]
    var strides: InlineArray<3, Int32> = [
      Int32(image.luma.rowBytes), Int32(image.blue.rowBytes), Int32(image.red.rowBytes),
    ]
    var planeSpan = planes.mutableSpan
    var strideSpan = strides.mutableSpan
    return planeSpan.withUnsafeMutableBufferPointer { planes in
      strideSpan.withUnsafeMutableBufferPointer { strides in
        body(planes.baseAddress!, strides.baseAddress!)
      }
    }
  }

  /// TurboJPEG's numbers for chroma layouts (`enum TJSAMP`).
  private static func sampling(of chroma: ChromaLayout) -> Int32 {
    switch chroma {
    case .full: Int32(TJSAMP_444.rawValue)
    case .halfWidth: Int32(TJSAMP_422.rawValue)
    case .quarter: Int32(TJSAMP_420.rawValue)
    case .gray: Int32(TJSAMP_GRAY.rawValue)
    case .halfHeight: Int32(TJSAMP_440.rawValue)
    case .quarterWidth: Int32(TJSAMP_411.rawValue)
    }
  }

  private static func layout(of sampling: Int32) -> ChromaLayout? {
    for chroma in ChromaLayout.allCases where Self.sampling(of: chroma) == sampling { return chroma }
    return nil
  }
}
