import Codec
import Graphics
import Runtime

/// Six numbers that take a place on a touch panel to where it is on the display, both in 0...1 of width and height:
/// x' = a x + b y + c, y' = d x + e y + f. As libinput has it (LIBINPUT_CALIBRATION_MATRIX).
public struct TouchCalibration: Equatable, Sendable {
  public var a: Float, b: Float, c: Float
  public var d: Float, e: Float, f: Float

  /// Six numbers; see above.
  public init(_ a: Float, _ b: Float, _ c: Float, _ d: Float, _ e: Float, _ f: Float) {
    (self.a, self.b, self.c) = (a, b, c)
    (self.d, self.e, self.f) = (d, e, f)
  }

  /// Where it is touched is where it shows.
  public static let none = TouchCalibration(1, 0, 0, 0, 1, 0)
}

/// From a device's axes to the canvas: its ranges, the calibration, and the rotation of the display.
struct InputMapping {
  /// After rotation.
  let size: Size
  let rotation: Rotation
  let calibration: TouchCalibration

  /// A place within the canvas, whatever the axes say.
  func place(_ x: Float, _ y: Float) -> Point {
    let panel = rotation.turned(size)
    let across = calibration.a * x + calibration.b * y + calibration.c
    let down = calibration.d * x + calibration.e * y + calibration.f
    let point = rotation.toPicture(Point(Self.pixel(across, panel.width), Self.pixel(down, panel.height)), panel)
    return point
  }

  private static func pixel(_ part: Float, _ count: Int32) -> Int32 {
    // Also for what is no number.
    guard part > 0 else { return 0 }
    return part >= 1 ? max(count - 1, 0) : min(Int32(clamping: part * Float(count)), max(count - 1, 0))
  }

  /// Within the canvas.
  func clamped(_ x: Int32, _ y: Int32) -> Point {
    Point(min(max(x, 0), max(size.width - 1, 0)), min(max(y, 0), max(size.height - 1, 0)))
  }
}
