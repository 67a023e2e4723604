import Codec
import Runtime

/// A picture encoded within its limits, in a buffer of the caller's.
public struct FittedPhoto: Sendable {
  /// Bytes.
  public var count = 0
  /// Pixels across and down.
  public var width = 0, height = 0
  /// Percent.
  public var quality = 0
  /// Its coding.
  public var coding = JPEGCoding.standard
  /// Number of encodings.
  public var encodings = 0
}

/// Encodes a picture at the best quality that its limits allow: predicts the size, encodes, and corrects the prediction
/// by the result. When the limit is too small, optimized tables come first, because they lose nothing; then quality,
/// then chroma resolution, then the size is reduced.
public final class PhotoFitter {
  /// The fraction of the limit to aim at: first, and after an encoding has shown the model's error.
  private static let firstAim = 0.995, nextAim = 0.993
  /// A photo that uses this fraction of the limit is not improved further.
  private static let enough = 0.96
  /// The fraction of the limit for reducing the size at the lowest quality; higher quality uses the rest.
  private static let sizeAim = 0.95
  /// Encodings after which any result that fits is accepted.
  private static let encodingsForQuality = 2
  /// Tolerance for the size at the lowest quality.
  private static let sizeSlack = 0.85
  /// Sizes tried for one reduction.
  private static let sizesPerReduction = 6

  private let codec: any JPEGCodec
  private let scaler: BoxScaler
  private let model: JPEGSizeModel

  /// The work in progress.
  private struct Work {
    let source: PlanarImage
    let limits: PhotoLimits
    let start, least: Int
    /// The picture at its current size.
    var image: PlanarImage
    var isSampled = false
    var quality: Int
    var coding: JPEGCoding
    /// Ratio of real to predicted bytes, in each coding that was tried.
    private var ratios = InlineArray<3, Double?>(repeating: nil)
    private var lastRatio = 1.0
    /// At this size: the highest quality that fits (0: none known), and the lowest that does not.
    var fits = 0, exceeds: Int
    var smallest = Int.max
    var photo = FittedPhoto()

    init(_ source: PlanarImage, _ limits: PhotoLimits, start: Int) {
      self.source = source
      self.limits = limits
      self.start = start
      least = PhotoLimits.leastQuality(start: start)
      image = source
      quality = start
      exceeds = start + 1
      coding = limits.progressive == .always ? .progressive : .standard
    }

    /// The predicted bytes that should give `part` of the limit.
    func aim(_ part: Double) -> Double {
      part * Double(limits.bytes) / (ratios[coding.rawValue] ?? lastRatio)
    }

    mutating func learn(_ ratio: Double) {
      ratios[coding.rawValue] = ratio
      lastRatio = ratio
    }
  }

  /// A fitter that encodes with `codec`. Reserves address space; uses memory only while it works.
  @export(interface)
  public convenience init(codec: any JPEGCodec) throws(Errno) {
    self.init(codec: codec, scaler: try BoxScaler(), model: try JPEGSizeModel())
  }

  init(codec: any JPEGCodec, scaler: BoxScaler, model: JPEGSizeModel) {
    self.codec = codec
    self.scaler = scaler
    self.model = model
  }

  /// Releases the work memory.
  func release() {
    model.release()
    scaler.release()
  }

  /// Encodes `source` into `buffer`, which must be as large as `JPEGCodec.encode` requires.
  /// - Parameters:
  ///   - quality: percent, 1...100: the highest to use.
  ///   - spare: room for the picture at a smaller size.
  ///   - checkCancelled: called before each encoding; throws to stop.
  ///
  /// Throws `.tooLarge` when the smallest size at the lowest quality still has too many bytes.
  public func fit(
    _ source: PlanarImage, quality: Int, _ limits: PhotoLimits, spare: UnsafeMutableBufferPointer<UInt8>,
    into buffer: UnsafeMutableBufferPointer<UInt8>, _ checkCancelled: () throws(CameraError) -> Void
  ) throws(CameraError) -> FittedPhoto {
    var work = Work(source, limits, start: min(max(quality, 1), 100))
    // With at least a byte for each pixel it seldom must be reduced, so prediction is skipped.
    if source.width * source.height > limits.bytes { try plan(&work, spare, part: Self.firstAim) }
    while true {
      try checkCancelled()
      try encode(&work, into: buffer)
      if work.photo.count <= limits.bytes { return try improve(&work, in: buffer, checkCancelled) }
      work.smallest = min(work.smallest, work.photo.count)
      guard work.photo.encodings < Budget.photoEncodings else { throw .tooLarge(work.smallest, limit: limits.bytes) }
      try reduce(&work, spare)
    }
  }

  private func encode(_ work: inout Work, into buffer: UnsafeMutableBufferPointer<UInt8>) throws(CameraError) {
    do throws(JPEGError) {
      work.photo.count = try codec.encode(
        work.image, quality: work.quality, coding: work.coding, into: buffer)
    } catch {
      throw .unsupportedFormat
    }
    work.photo.width = work.image.width
    work.photo.height = work.image.height
    work.photo.quality = work.quality
    work.photo.coding = work.coding
    work.photo.encodings += 1
  }

  // MARK: Next step

  /// After an encoding that fits: tries a higher quality, if worthwhile. It is written after the first, which is kept
  /// in case the second does not fit.
  private func improve(
    _ work: inout Work, in buffer: UnsafeMutableBufferPointer<UInt8>, _ checkCancelled: () throws(CameraError) -> Void
  ) throws(CameraError) -> FittedPhoto {
    var kept = work.photo
    let rest = UnsafeMutableBufferPointer(rebasing: buffer[kept.count...])
    guard kept.encodings < Self.encodingsForQuality, Self.room(work.image) <= rest.count, let quality = better(&work)
    else { return kept }
    try checkCancelled()
    work.quality = quality
    try encode(&work, into: rest)
    kept.encodings = work.photo.encodings
    guard work.photo.count <= work.limits.bytes else { return kept }
    buffer.baseAddress!.update(from: rest.baseAddress!, count: work.photo.count)
    return work.photo
  }

  /// Bytes that an encoder needs (`JPEGCodec.encode`).
  private static func room(_ image: PlanarImage) -> Int {
    3 * ((image.width + 15) / 16 * 16) * ((image.height + 15) / 16 * 16) + 2048
  }

  /// After an encoding that fits: a higher quality that should also fit, if worth another encoding.
  private func better(_ work: inout Work) -> Int? {
    work.fits = work.quality
    if work.quality + 1 >= work.exceeds { return nil }
    if Double(work.photo.count) >= Self.enough * Double(work.limits.bytes) { return nil }
    learn(&work)
    return model.quality(
      for: work.aim(Self.nextAim), in: work.fits + 1...work.exceeds - 1, coding: work.coding)
  }

  /// After an encoding that does not fit: lowers the quality, or plans again.
  private func reduce(_ work: inout Work, _ spare: UnsafeMutableBufferPointer<UInt8>) throws(CameraError) {
    work.exceeds = work.quality
    learn(&work)
    if work.fits > 0 {
      work.quality = work.fits
    } else if work.photo.encodings + 1 >= Budget.photoEncodings {
      try shrink(&work, spare, longEdge: Self.leastLongEdge(work.source))
      work.quality = work.least
    } else {
      try plan(&work, spare, part: Self.nextAim)
    }
  }

  private func learn(_ work: inout Work) {
    look(&work)
    work.learn(Double(work.photo.count) / Double(predicted(work, work.photo.quality)))
  }

  private func predicted(_ work: Work, _ quality: Int) -> Int {
    model.bytes(quality: quality, coding: work.coding)
  }

  private func look(_ work: inout Work) {
    if !work.isSampled { model.sample(work.image, upTo: work.start) }
    work.isSampled = true
  }

  /// Chooses size, scans and quality for `part` of the limit.
  private func plan(
    _ work: inout Work, _ spare: UnsafeMutableBufferPointer<UInt8>, part: Double
  ) throws(CameraError) {
    look(&work)
    if work.coding == .standard {
      if work.exceeds > work.start, Double(predicted(work, work.start)) <= work.aim(part) {
        work.quality = work.start
        return
      }
      work.coding = .optimized
      work.exceeds = work.start + 1
    }
    let fits = lower(&work, part)
    if work.image.chroma != .gray, work.image.chroma != .quarter {
      if try share(&work, spare, part, instead: fits) { return }
    } else if fits {
      return
    }
    if useScans(&work, part) || lowest(&work) { return }
    let least = Self.leastLongEdge(work.source)
    if max(work.image.width, work.image.height) <= least {
      // Only a real encoding can be refused, not a prediction.
      if work.exceeds <= work.least { throw .tooLarge(work.smallest, limit: work.limits.bytes) }
      work.quality = work.least
      return
    }
    try shrinkToFit(&work, spare, least: least)
    if lower(&work, part) || useScans(&work, part) { return }
    work.quality = work.least
  }

  /// Switches to 4:2:0 chroma, if nothing else fits or the saved bytes allow a better quality. False when even that
  /// does not fit.
  private func share(
    _ work: inout Work, _ spare: UnsafeMutableBufferPointer<UInt8>, _ part: Double, instead hasAlternative: Bool
  ) throws(CameraError) -> Bool {
    // A measured result is not replaced by a prediction.
    if hasAlternative, work.photo.encodings > 0 { return true }
    let before = work
    let errors = (as: hasAlternative ? model.error(quality: work.quality) : .infinity, lost: model.sharingLoss)
    try shrink(&work, spare, longEdge: max(work.source.width, work.source.height))
    let fits = lower(&work, part)
    if fits, errors.lost + model.error(quality: work.quality) < errors.as { return true }
    guard hasAlternative else { return fits }
    work = before
    work.isSampled = false
    return true
  }

  /// Sets the highest quality below those known to exceed the limit; false when none is predicted to fit.
  private func lower(_ work: inout Work, _ part: Double) -> Bool {
    guard work.exceeds > work.least,
      let quality = model.quality(
        for: work.aim(part), in: work.least...work.exceeds - 1,
        coding: work.coding)
    else { return false }
    work.quality = quality
    return true
  }

  /// Sets the lowest quality if it might just fit: losing pixels is worse than one failed encoding.
  private func lowest(_ work: inout Work) -> Bool {
    guard work.exceeds > work.least, Double(predicted(work, work.least)) <= work.aim(1) else { return false }
    work.quality = work.least
    return true
  }

  /// Switches to several scans when that should be enough.
  private func useScans(_ work: inout Work, _ part: Double) -> Bool {
    guard work.limits.progressive == .whenNeeded, work.coding != .progressive else { return false }
    let (coding, exceeds) = (work.coding, work.exceeds)
    work.coding = .progressive
    work.exceeds = work.start + 1
    if lower(&work, part) || lowest(&work) { return true }
    (work.coding, work.exceeds) = (coding, exceeds)
    return false
  }

  // MARK: Size

  private static func leastLongEdge(_ source: PlanarImage) -> Int {
    min(max(source.width, source.height), PhotoLimits.shortestLongEdge)
  }

  /// Reduces the size until the lowest quality should use `sizeAim` of the limit. Bytes fall at most with the square of
  /// the edge, so a few steps converge from above.
  private func shrinkToFit(
    _ work: inout Work, _ spare: UnsafeMutableBufferPointer<UInt8>, least: Int
  ) throws(CameraError) {
    if work.limits.progressive == .whenNeeded { work.coding = .optimized }
    let wanted = work.aim(Self.sizeAim)
    var longEdge = max(work.image.width, work.image.height)
    var exceeding = longEdge
    for _ in 0..<Self.sizesPerReduction {
      let share = wanted / Double(predicted(work, work.least))
      let isEnough = share >= 1 && share * Self.sizeSlack <= 1
      if longEdge < exceeding, isEnough || longEdge == least && share < 1 { return }
      if share < 1 { exceeding = longEdge }
      let next = Int(clamping: Double(longEdge) * share.squareRoot())
      longEdge = max(least, min(next, exceeding * 31 / 32))
      try shrink(&work, spare, longEdge: longEdge)
    }
  }

  private func shrink(
    _ work: inout Work, _ spare: UnsafeMutableBufferPointer<UInt8>, longEdge: Int
  ) throws(CameraError) {
    let size = PhotoSize(width: work.source.width, height: work.source.height, longEdge: longEdge)
    let chroma = work.source.chroma == .gray ? ChromaLayout.gray : .quarter
    // Always scaled from the source, so that blur does not add up.
    guard let image = PlanarImage(in: spare, width: size.width, height: size.height, chroma: chroma) else {
      throw .unsupportedFormat
    }
    scaler.scale(work.source, into: image)
    work.image = image
    (work.isSampled, work.fits, work.exceeds) = (false, 0, work.start + 1)
    look(&work)
  }
}
