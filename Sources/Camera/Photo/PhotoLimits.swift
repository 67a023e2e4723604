import Runtime

/// The limits of a photo.
public struct PhotoLimits: Sendable {
  /// When a picture is coded as progressive JPEG. That saves up to 6 % of a detailed picture compared with one scan and
  /// optimized tables, and takes twice the time.
  public enum Progressive: Sendable {
    case never
    /// When that avoids reducing the size in pixels.
    case whenNeeded
    /// For slow links.
    case always
  }

  /// Largest size of the encoded photo in bytes.
  public var bytes: Int
  /// When progressive coding is used.
  public var progressive: Progressive

  /// Limits; see the properties.
  public init(bytes: Int = Budget.photoBytes, progressive: Progressive = .whenNeeded) {
    self.bytes = bytes
    self.progressive = progressive
  }

  /// The lowest quality in percent for a photo requested at `start` percent: as on the phones (node-commands 5.2).
  public static func leastQuality(start: Int) -> Int { min(start, max(20, (35 * start + 50) / 100)) }

  /// Least length of the longer edge in pixels (node-commands 5.2).
  public static let shortestLongEdge = 256
}

/// A photo's pixels across and down.
struct PhotoSize: Equatable {
  let width, height: Int

  /// `width` x `height` of a source, reduced so that its longer edge is `longEdge`: of the same aspect, with an even
  /// height, and never above the source's.
  init(width: Int, height: Int, longEdge: Int) {
    let long = max(width, height)
    let across = Self.rounded(width, longEdge, long)
    let down = Self.rounded(height, longEdge, 2 * long) * 2
    self.width = max(across, 1)
    self.height = max(min(down, height / 2 * 2), 2)
  }

  /// The size for at most `maxWidth` pixels across; the picture is never enlarged.
  init(width: Int, height: Int, maxWidth: Int) {
    let long = max(width, height)
    let longEdge = width > maxWidth ? max(1, Self.rounded(long, maxWidth, width)) : long
    self.init(width: width, height: height, longEdge: longEdge)
  }

  /// The size of a picture that will be rotated, with at most `maxWidth` pixels across after that.
  init(width: Int, height: Int, maxWidth: Int, _ orientation: Orientation) {
    guard orientation.isTransposed else {
      self.init(width: width, height: height, maxWidth: maxWidth)
      return
    }
    let upright = PhotoSize(width: height, height: width, maxWidth: maxWidth)
    self.init(across: upright.height, down: upright.width)
  }

  /// The size rounded down to even sides, of at least 2.
  init(even width: Int, _ height: Int) { self.init(across: max(width / 2 * 2, 2), down: max(height / 2 * 2, 2)) }

  private init(across: Int, down: Int) { (width, height) = (across, down) }

  /// `value` x `numerator` / `denominator`, rounded half up.
  private static func rounded(_ value: Int, _ numerator: Int, _ denominator: Int) -> Int {
    Int((Int64(value) * Int64(numerator) * 2 + Int64(denominator)) / (2 * Int64(denominator)))
  }
}
