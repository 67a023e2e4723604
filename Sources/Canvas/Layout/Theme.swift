import Graphics

/// Colors and lengths of everything that the canvas draws (canvas reference 1.11). Lengths are in pixels of the panel:
/// the reference's, times a scale that keeps type legible and targets large enough for fingers.
public struct Theme: Equatable, Sendable {
  public enum Mode: UInt8, Sendable {
    case dark, light
    /// Dark, dim and warm, for people who sleep.
    case night
  }

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
    palette = Palette(mode, primary: self.primary, isTinted: hasOwnPrimary)
  }

  /// `beginRendering` named a color.
  let hasOwnPrimary: Bool
  private let palette: Palette

  /// A length of the reference in pixels, at least 1 when it is not 0.
  public func px(_ length: Int32) -> Int32 {
    length == 0 ? 0 : max((length * scale + 50) / 100, 1)
  }

  // MARK: Lengths

  var gap: Int32 { px(10) }
  /// Between surfaces, and between cards; above a heading that begins another group.
  var groupGap: Int32 { px(16) }
  var sectionGap: Int32 { px(20) }
  /// Content is as wide as can be read at a glance, or has two columns, each of which has this width at least.
  var measure: Int32 { px(640) }
  var columnWidth: Int32 { px(340) }
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
  /// The side of a small picture that stands for something.
  var thumbnail: Int32 { px(72) }

  // MARK: Type

  /// `value` is a number that a card is about, and `result` one of the second order.
  public enum TypeSize: Sendable { case value, result, h1, h2, h3, h4, h5, body, caption }

  func font(_ size: TypeSize) -> Font {
    switch size {
    case .value: Font(size: Int16(px(48)))
    case .result: Font(size: Int16(px(32)))
    case .h1: Font(size: Int16(px(28)), weight: .bold)
    case .h2: Font(size: Int16(px(22)), weight: .bold)
    case .h3: Font(size: Int16(px(18)), weight: .bold)
    case .h4: Font(size: Int16(px(16)), weight: .bold)
    case .h5: Font(size: Int16(px(14)), weight: .bold)
    case .body: Font(size: Int16(px(14)))
    case .caption: Font(size: Int16(px(12)))
    }
  }

  // MARK: Colors

  public var page: Color { palette.page }
  var text: Color { palette.text }
  /// Captions, labels and hints.
  var mutedText: Color { palette.mutedText }
  var card: Fill {
    palette.card == palette.cardEnd ? .solid(palette.card) : .gradient(palette.card, palette.cardEnd, angle: 0)
  }
  var cardBorder: Color { palette.cardBorder }
  var shadow: Color { palette.shadow }
  var divider: Color { palette.divider }
  var field: Color { palette.field }
  /// Around what can be operated.
  var fieldBorder: Color { palette.outline }
  /// What stands where something is not there yet.
  var placeholder: Color { palette.placeholder }
  var secondaryButton: Color { palette.secondaryButton }
  var backdrop: Color { Color(argb: 0xA605_0810) }
  var modal: Color { palette.modal }
  var error: Color { palette.error }
  /// For chosen, filled or focused parts; as a text; and what is read on it.
  var accent: Color { palette.accent }
  var accentText: Color { palette.accentText }
  var onAccent: Color { palette.onAccent }

  /// Of a primary button.
  var button: Fill { .solid(palette.accent) }

  /// Nearly black or white, whichever is easier to read on a color.
  static func text(on color: Color) -> Color { Palette.ink(on: color) }
}
