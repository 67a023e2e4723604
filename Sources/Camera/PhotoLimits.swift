import Runtime

/// What a photo has to keep to.
public struct PhotoLimits: Sendable {
  /// When a picture is coded in several scans with Huffman tables of its own (progressive). That takes up to 6 % off
  /// the bytes of a rough picture with one scan and such tables, and twice the time.
  public enum Progressive: Sendable {
    case never
    /// When that saves the photo from being made smaller in pixels.
    case whenNeeded
    /// For slow links.
    case always
  }

  /// Most bytes of the encoded photo.
  public var bytes: Int
  /// When several scans are used.
  public var progressive: Progressive

  /// Limits; see the properties.
  public init(bytes: Int = Budget.photoBytes, progressive: Progressive = .whenNeeded) {
    self.bytes = bytes
    self.progressive = progressive
  }

  /// The lowest quality in percent for a photo that was asked for at `start` percent: that of the phones
  /// (node-commands 5.2).
  public static func leastQuality(start: Int) -> Int { min(start, max(20, (35 * start + 50) / 100)) }

  /// The shortest that the longer edge is made, in pixels (node-commands 5.2).
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

  /// The size of a picture that becomes upright later, at most `maxWidth` pixels across then.
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
