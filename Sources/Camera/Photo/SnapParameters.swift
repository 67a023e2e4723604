import Codec
import Runtime

/// The parameters of `camera.snap` (node-commands 4.2, the Linux column), with defaults and clamping applied. Unknown
/// keys are ignored; `null` counts as absent.
public struct SnapParameters: Sendable {
  /// The camera.
  public var choice = CameraChoice()
  /// Largest width in pixels, at least 2.
  public var maxWidth = 1600
  /// 0.05...1.
  public private(set) var quality = 0.9
  /// Echoed in the answer.
  public private(set) var format = PhotoFormat.jpg
  /// Milliseconds of warm-up, 0...10000.
  public private(set) var delay: Int64

  /// The protocol's default warm-up in milliseconds.
  public static let protocolDelay: Int64 = 2000
  /// The longest warm-up in milliseconds.
  public static let longestDelay: Int64 = 10_000

  /// No JPEG is wider (ITU-T T.81 B.2.2: 16 bits), so more need not be kept.
  private static let widestJPEG = 65_535.0

  /// All defaults.
  /// - Parameter defaultDelay: the default warm-up: `protocolDelay`, unless configured.
  public init(defaultDelay: Int64 = protocolDelay) {
    delay = Self.clamped(Double(defaultDelay))
  }

  /// Those of a photo that was taken before.
  init(maxWidth: Int, quality: Double) {
    self.init(defaultDelay: 0)
    (self.maxWidth, self.quality) = (maxWidth, quality)
  }

  /// Reads the parameters; throws `.wrongType`, `.unknownImageFormat`, or `.unknownDevice` for an id longer
  /// than any camera's.
  public init(_ view: JSONView, defaultDelay: Int64 = protocolDelay) throws(CameraError) {
    self.init(defaultDelay: defaultDelay)
    try ParameterReader.check(view)
    if view.isNull { return }
    choice = try ParameterReader.choice(view)
    if let width = try ParameterReader.number(view.member("maxWidth"), "maxWidth"), width >= 2 {
      maxWidth = Int(clamping: min(width, Self.widestJPEG))
    }
    if let wanted = try ParameterReader.number(view.member("quality"), "quality") {
      quality = min(max(wanted, 0.05), 1)
    }
    if let word = try ParameterReader.text(view.member("format"), "format") {
      guard !word.isLonger, let known = Self.format(word.text) else { throw .unknownImageFormat(word.text) }
      format = known
    }
    if let wanted = try ParameterReader.number(view.member("delayMs"), "delayMs") { delay = Self.clamped(wanted) }
  }

  private static func clamped(_ delay: Double) -> Int64 { Int64(clamping: delay.bounded(0, Double(longestDelay))) }

  private static func format(_ word: CameraText) -> PhotoFormat? {
    if word == CameraText(cutting: "jpg") { return .jpg }
    if word == CameraText(cutting: "jpeg") { return .jpeg }
    return nil
  }
}
