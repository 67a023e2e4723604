/// A color: sRGB and its opacity, eight bits each, not premultiplied.
public struct Color: Equatable, Sendable {
  /// 0xAARRGGBB.
  public var argb: UInt32

  /// From 0xAARRGGBB.
  public init(argb: UInt32) { self.argb = argb }

  /// Opaque, from 0xRRGGBB.
  public init(_ rgb: UInt32) { argb = 0xFF00_0000 | rgb }

  public static let clear = Color(argb: 0)
  public static let black = Color(0)
  public static let white = Color(0xFFFFFF)

  public var alpha: UInt8 { UInt8(truncatingIfNeeded: argb >> 24) }
  public var red: UInt8 { UInt8(truncatingIfNeeded: argb >> 16) }
  public var green: UInt8 { UInt8(truncatingIfNeeded: argb >> 8) }
  public var blue: UInt8 { UInt8(truncatingIfNeeded: argb) }

  /// The same color with `opacity` 0...255 in place of its own.
  public func opacity(_ opacity: UInt8) -> Color { Color(argb: argb & 0x00FF_FFFF | UInt32(opacity) << 24) }
}
