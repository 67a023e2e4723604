import Canvas
import Codec
import Graphics

/// The parameters of `canvas.snapshot` and `screen.snapshot` (canvas reference 2.4, node-commands 4.3).
struct SnapshotParameters {
  var format = SnapshotFormat.jpeg(quality: 82)
  /// Greatest width in pixels.
  var width: Int32 = 1600

  /// `ofScreen`: the default is PNG for `screen.snapshot`, and JPEG for `canvas.snapshot`.
  init(_ params: borrowing JSONView, ofScreen: Bool) throws(CanvasError) {
    guard params.isNull || params.kind == .object else { throw .noObject }
    let isPNG = try Self.isPNG(params.member("format"), usually: ofScreen)
    format = isPNG ? .png : .jpeg(quality: try Self.quality(params.member("quality")))
    width = try Self.width(params.member("maxWidth")) ?? (ofScreen ? 1920 : isPNG ? 900 : 1600)
    if let screen = params.member("screenIndex"), !screen.isNull, screen.double != 0 { throw .badScreen }
  }

  private static func isPNG(_ format: JSONView?, usually isPNG: Bool) throws(CanvasError) -> Bool {
    guard let format, !format.isNull else { return isPNG }
    if format.equals("png") { return true }
    guard format.equals("jpeg") || format.equals("jpg") else { throw .badFormat }
    return false
  }

  private static func quality(_ quality: JSONView?) throws(CanvasError) -> Int {
    guard let quality, !quality.isNull else { return 82 }
    guard let share = quality.double, share >= 0, share <= 1 else { throw .badQuality }
    return max(Int(clamping: (share * 100).rounded()), 10)
  }

  private static func width(_ width: JSONView?) throws(CanvasError) -> Int32? {
    guard let width, !width.isNull else { return nil }
    guard let pixels = width.double, pixels > 0 else { throw .badWidth }
    return Int32(clamping: pixels.bounded(1, 16_384))
  }
}
