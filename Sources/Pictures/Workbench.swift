import Camera
import Runtime

/// Pictures in memory of their own, and what a codec makes of them.
public final class Workbench {
  private let codec: any JPEGCodec
  private let fitter: PhotoFitter
  private let scaler: BoxScaler
  private let source, spare, encoded: ReservedBuffer

  /// A bench for `codec`.
  public init(codec: any JPEGCodec) throws {
    self.codec = codec
    fitter = try PhotoFitter(codec: codec)
    scaler = try BoxScaler()
    source = try ReservedBuffer(capacity: Budget.cameraFrameBytes)
    spare = try ReservedBuffer(capacity: Budget.cameraFrameBytes)
    encoded = try ReservedBuffer(capacity: Budget.photoStorageBytes)
  }

  /// Draws `picture`. Valid until the next picture of this bench.
  public func draw(
    _ picture: MadePicture, width: Int, height: Int, chroma: ChromaLayout = .quarter
  ) throws -> PlanarImage {
    guard let image = PlanarImage(in: source.bytes, width: width, height: height, chroma: chroma) else {
      throw JPEGError.unsupported
    }
    picture.draw(into: image)
    return image
  }

  /// Reads a JPEG. Valid until the next picture of this bench.
  public func read(_ jpeg: [UInt8]) throws -> PlanarImage {
    try jpeg.withUnsafeBufferPointer { try codec.decode($0, atLeast: 65_535, into: source.bytes) }
  }

  /// A JPEG of `image`.
  public func encode(_ image: PlanarImage, quality: Int, coding: JPEGCoding = .standard) throws -> [UInt8] {
    let count = try codec.encode(image, quality: quality, coding: coding, into: encoded.bytes)
    return Array(encoded.bytes[..<count])
  }

  /// The photo that Talon makes of `image`.
  public func fit(
    _ image: PlanarImage, quality: Int, _ limits: PhotoLimits
  ) throws(CameraError) -> (photo: FittedPhoto, jpeg: [UInt8]) {
    let photo = try fitter.fit(image, quality: quality, limits, spare: spare.bytes, into: encoded.bytes) {}
    return (photo, Array(encoded.bytes[..<photo.count]))
  }

  /// What a phone makes of `image`.
  public func fit(
    _ image: PlanarImage, like phone: PhoneLimiter, quality: Int, budget: Int
  ) throws -> (outcome: PhoneLimiter.Outcome, jpeg: [UInt8]) {
    var jpeg: [UInt8] = []
    let outcome = try phone.limit(
      width: image.width, height: image.height, quality: Double(quality) / 100, budget: budget
    ) { step in
      let percent = Int((step.quality * 100).rounded())
      jpeg = try encode(try scaled(image, width: step.width, height: step.height), quality: percent)
      return jpeg.count
    }
    return (outcome, jpeg)
  }

  private func scaled(_ image: PlanarImage, width: Int, height: Int) throws -> PlanarImage {
    if (width, height) == (image.width, image.height) { return image }
    guard let small = PlanarImage(in: spare.bytes, width: width, height: height, chroma: image.chroma) else {
      throw JPEGError.unsupported
    }
    scaler.scale(image, into: small)
    return small
  }

  /// How near the Y of a JPEG is to that of `image`, in decibels; a smaller picture is enlarged first (bilinear).
  public func likeness(of jpeg: [UInt8], to image: PlanarImage) throws -> Double {
    let seen = try jpeg.withUnsafeBufferPointer { try codec.decode($0, atLeast: 65_535, into: spare.bytes) }
    var sum = 0.0
    for y in 0..<image.height {
      let row = Place(y, from: image.height, to: seen.height)
      for x in 0..<image.width {
        let column = Place(x, from: image.width, to: seen.width)
        let upper = seen.luma.base + row.first * seen.luma.rowBytes
        let lower = seen.luma.base + row.second * seen.luma.rowBytes
        let above = column.mix(upper[column.first], upper[column.second])
        let below = column.mix(lower[column.first], lower[column.second])
        let difference =
          above * (1 - row.part) + below * row.part - Double(image.luma.base[y * image.luma.rowBytes + x])
        sum += difference * difference
      }
    }
    let mean = sum / Double(image.width * image.height)
    return mean == 0 ? 99 : min(99, Decibels.of(255 * 255 / mean))
  }

  /// Between which two samples of a smaller picture a pixel lies.
  private struct Place {
    let first, second: Int
    let part: Double

    init(_ index: Int, from large: Int, to small: Int) {
      let place = (Double(index) + 0.5) * Double(small) / Double(large) - 0.5
      first = min(max(Int(place.rounded(.down)), 0), small - 1)
      second = min(first + 1, small - 1)
      part = min(max(place - Double(first), 0), 1)
    }

    func mix(_ one: UInt8, _ other: UInt8) -> Double { Double(one) * (1 - part) + Double(other) * part }
  }
}
