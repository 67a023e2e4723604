/// The orientation that makes pictures of a rotated camera upright: one of the eight symmetries of a rectangle.
public struct Orientation: Equatable, Sendable {
  /// Transposed: rows become columns; applied first.
  public let isTransposed: Bool
  /// Mirrored left to right, flipped top to bottom.
  public let isMirrored, isFlipped: Bool

  /// - Parameters:
  ///   - quarters: turns by 90 degrees clockwise, 0...3, after the flips.
  ///   - isMirrored: mirrored left to right.
  ///   - isFlipped: flipped top to bottom.
  public init(quarters: Int = 0, isMirrored: Bool = false, isFlipped: Bool = false) {
    isTransposed = quarters & 1 == 1
    // A flip before the transposition is the other flip after it.
    let (mirrored, flipped) = isTransposed ? (isFlipped, isMirrored) : (isMirrored, isFlipped)
    self.isMirrored = mirrored != (quarters == 1 || quarters == 2)
    self.isFlipped = flipped != (quarters == 2 || quarters == 3)
  }

  /// True for the identity.
  public var isIdentity: Bool { !isTransposed && !isMirrored && !isFlipped }

  /// True for a rotation without mirroring, which players of clips can apply.
  public var isTurn: Bool { (isMirrored != isFlipped) == isTransposed }

  /// The upright copy of a picture that is gray or has `.quarter` chroma; nil when `place` is too small.
  func apply(_ image: PlanarImage, in place: UnsafeMutableBufferPointer<UInt8>) -> PlanarImage? {
    let (width, height) = isTransposed ? (image.height, image.width) : (image.width, image.height)
    precondition(image.chroma == .quarter || image.chroma == .gray)
    guard let upright = PlanarImage(in: place, width: width, height: height, chroma: image.chroma) else {
      return nil
    }
    apply(image.luma, to: upright.luma)
    apply(image.blue, to: upright.blue)
    apply(image.red, to: upright.red)
    return upright
  }

  private func apply(_ source: Plane, to target: Plane) {
    guard target.width > 0, target.height > 0 else { return }
    isTransposed ? transpose(source, to: target) : copy(source, to: target)
    target.padRows()
  }

  private func copy(_ source: Plane, to target: Plane) {
    for y in 0..<target.height {
      let from = source.base + (isFlipped ? target.height - 1 - y : y) * source.rowBytes
      let to = target.base + y * target.rowBytes
      guard isMirrored else {
        to.update(from: from, count: target.width)
        continue
      }
      for x in 0..<target.width { to[x] = from[target.width &- 1 &- x] }
    }
  }

  /// Works in tiles of the target, so that the source columns stay in the cache.
  private func transpose(_ source: Plane, to target: Plane) {
    let tile = 32
    var top = 0
    while top < target.height {
      var left = 0
      while left < target.width {
        transpose(source, to: target, left..<min(left + tile, target.width), top..<min(top + tile, target.height))
        left += tile
      }
      top += tile
    }
  }

  private func transpose(_ source: Plane, to target: Plane, _ columns: Range<Int>, _ rows: Range<Int>) {
    for y in rows {
      let to = target.base + y * target.rowBytes
      let column = source.base + (isFlipped ? target.height - 1 - y : y)
      for x in columns { to[x] = column[(isMirrored ? target.width &- 1 &- x : x) &* source.rowBytes] }
    }
  }
}
