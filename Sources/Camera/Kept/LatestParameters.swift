import Codec
import Runtime

/// The parameters of `photos.latest` (node-commands 4.9).
public struct LatestParameters: Equatable, Sendable {
  /// Photos, 1...20.
  public private(set) var limit = 1
  /// Largest width in pixels, 240...4096.
  public private(set) var maxWidth = 1600
  /// 0.1...1.
  public private(set) var quality = 0.85

  /// All defaults.
  public init() {}

  /// Reads the parameters; throws `.wrongType`. Numbers out of range are moved into it, as on the phones.
  public init(_ view: JSONView) throws(CameraError) {
    try ParameterReader.check(view)
    if view.isNull { return }
    if let wanted = try ParameterReader.number(view.member("limit"), "limit") {
      limit = Int(clamping: Self.clamped(wanted, Budget.latestPhotos))
    }
    if let wanted = try ParameterReader.number(view.member("maxWidth"), "maxWidth") {
      maxWidth = Int(clamping: Self.clamped(wanted, Budget.latestWidth))
    }
    if let wanted = try ParameterReader.number(view.member("quality"), "quality") {
      quality = wanted.bounded(0.1, 1)
    }
  }

  private static func clamped(_ value: Double, _ range: ClosedRange<Int64>) -> Int64 {
    Int64(clamping: value.bounded(Double(range.lowerBound), Double(range.upperBound)))
  }
}
