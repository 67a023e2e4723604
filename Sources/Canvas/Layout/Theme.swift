import Graphics

/// Colors and lengths of everything that the canvas draws (canvas reference 1.11). Lengths are in pixels of the panel:
/// the reference's, times a scale that keeps type legible and targets large enough for fingers.
public struct Theme: Equatable, Sendable {
  public enum Mode: UInt8, Sendable { case dark, light }

  public let mode: Mode
  /// In percent: 100 is one pixel for each of the reference's.
  public let scale: Int32
  /// What `beginRendering` named, or the mode's own.
  public let primary: Color

  /// The scale for a panel: its shorter side over 480, at least 1 (canvas reference 1.11), in percent. Where the panel
  /// tells its size, at least as large as makes 44 pixels 7 mm.
  public static func scale(for size: Size, millimeters: Size?) -> Int32 {
    let short = min(size.width, size.height)
    let usual = max(100, short * 100 / 480)
    guard let millimeters, millimeters.width > 0 else { return min(usual, 400) }
    let touch = size.width * 7 * 100 / (millimeters.width * 44)
    // A scale that leaves less than 200 of the reference's pixels on the shorter side shows nothing any more.
    return min(max(usual, touch), max(100, short * 100 / 200), 400)
  }

  /// A theme; see the properties.
  public init(mode: Mode = .dark, scale: Int32 = 100, primary: Color? = nil) {
    self.mode = mode
    self.scale = scale
    self.primary = primary ?? Color(0x22C55E)
    hasOwnPrimary = primary != nil
  }

  /// `beginRendering` named a color.
  let hasOwnPrimary: Bool

  /// A length of the reference in pixels, at least 1 when it is not 0.
  public func px(_ length: Int32) -> Int32 {
    length == 0 ? 0 : max((length * scale + 50) / 100, 1)
  }

  // MARK: Lengths

  var gap: Int32 { px(10) }
  var surfaceGap: Int32 { px(12) }
  var pageMargin: Int32 { px(12) }
  var cardPadding: Int32 { px(14) }
  var cardRadius: Int16 { Int16(px(14)) }
  var buttonRadius: Int16 { Int16(px(12)) }
  var fieldRadius: Int16 { Int16(px(10)) }
  var pictureRadius: Int16 { Int16(px(12)) }
  /// The least side of a touch target.
  var target: Int32 { px(44) }
  var hairline: Int16 { Int16(max(scale / 100, 1)) }
  var iconSize: Int32 { px(24) }

  // MARK: Type

  public enum TypeSize: Sendable { case h1, h2, h3, h4, h5, body, caption }

  func font(_ size: TypeSize) -> Font {
    switch size {
    case .h1: Font(size: Int16(px(24)), weight: .bold)
    case .h2: Font(size: Int16(px(20)), weight: .bold)
    case .h3: Font(size: Int16(px(17)), weight: .bold)
    case .h4: Font(size: Int16(px(15)), weight: .bold)
    case .h5: Font(size: Int16(px(14)), weight: .bold)
    case .body: Font(size: Int16(px(14)))
    case .caption: Font(size: Int16(px(12)))
    }
  }

  // MARK: Colors

  private func pick(_ dark: Color, _ light: Color) -> Color { mode == .dark ? dark : light }

  public var page: Color { pick(Color(0x0B0F17), Color(0xF4F6F9)) }
  var text: Color { pick(Color(0xE5E7EB), Color(0x1B2330)) }
  /// Captions, labels and hints.
  var mutedText: Color { pick(Color(0xA3ABB8), Color(0x5A6474)) }
  var card: Fill { pick2((Color(0x1A2130), Color(0x141A26)), (.white, .white)) }
  var cardBorder: Color { pick(Color(argb: 0x17FF_FFFF), Color(argb: 0x1F10_1828)) }
  var shadow: Color { pick(Color(argb: 0x5900_0000), Color(argb: 0x2410_1828)) }
  var divider: Color { pick(Color(argb: 0x30FF_FFFF), Color(argb: 0x2610_1828)) }
  var field: Color { pick(Color(0x0F1520), .white) }
  var fieldBorder: Color { pick(Color(0x374151), Color(0xC3CAD5)) }
  /// What stands where something is not there yet.
  var placeholder: Color { pick(Color(0x1F2937), Color(0xE3E7ED)) }
  var secondaryButton: Color { pick(Color(0x232C3B), Color(0xE6EAF0)) }
  var backdrop: Color { Color(argb: 0xA605_0810) }
  var modal: Color { pick(Color(0x111722), .white) }
  var error: Color { pick(Color(0xF87171), Color(0xC62828)) }
  /// For chosen, filled or focused parts.
  var accent: Color { primary }

  private func pick2(_ dark: (Color, Color), _ light: (Color, Color)) -> Fill {
    let (from, to) = mode == .dark ? dark : light
    return from == to ? .solid(from) : .gradient(from, to, angle: 0)
  }

  /// Of a primary button: the theme's gradient, or the document's color.
  var button: Fill { hasOwnPrimary ? .solid(primary) : .gradient(Color(0x22C55E), Color(0x06B6D4), angle: 135) }

  /// Black or white, whichever is easier to read on a color: by relative luminance (WCAG 2.1, with a gamma of 2 for
  /// 2.2).
  static func text(on color: Color) -> Color {
    func square(_ value: UInt8) -> Int { Int(value) * Int(value) }
    let luminance = (2126 * square(color.red) + 7152 * square(color.green) + 722 * square(color.blue)) / 10_000
    // Where the contrasts with both are alike: 0.179 of full.
    return luminance > 255 * 255 * 179 / 1000 ? Color(0x071016) : .white
  }
}
