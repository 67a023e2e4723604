import Graphics

/// The colors of a theme: tones of one color in a perceptual space, so that a document's own color gives a whole that
/// fits it. Texts have a contrast of 4.5 with what they stand on, borders and controls one of 3 (WCAG 2.1, 1.4.3 and
/// 1.4.11).
struct Palette: Equatable, Sendable {
  static let textContrast: Float = 4.5
  static let controlContrast: Float = 3

  /// What things stand on.
  let page: Color, card: Color, cardEnd: Color, field: Color, modal: Color
  let text: Color, mutedText: Color
  /// Around what can be operated.
  let outline: Color
  /// Around and between what belongs together: seen, and not needed.
  let cardBorder: Color, divider: Color
  /// What stands where something is not there yet.
  let placeholder: Color
  /// For chosen, filled or focused parts; as a text; and what is read on it.
  let accent: Color, accentText: Color, onAccent: Color
  let secondaryButton: Color
  let error: Color
  let shadow: Color

  /// The tones of a theme.
  /// - Parameters:
  ///   - primary: the color that it is made from
  ///   - isTinted: its grays have a trace of that color, instead of blue
  init(_ mode: Theme.Mode, primary: Color, isTinted: Bool) {
    let tones = Tones(mode)
    let hue = mode == .night ? Oklab(Color(0xD98A3D)) : Oklab(isTinted ? primary : Color(0x3B5A8C))
    func gray(_ lightness: Float, _ chroma: Float = 0.014) -> Color { hue.tone(lightness, chroma: chroma).color }
    page = gray(tones.page)
    card = gray(tones.card)
    cardEnd = gray(tones.cardEnd)
    field = gray(tones.field)
    modal = gray(tones.modal)
    secondaryButton = gray(tones.button, 0.022)
    placeholder = gray(tones.placeholder)
    var grounds = Grounds()
    grounds.add(page)
    grounds.add(card)
    grounds.add(cardEnd)
    grounds.add(field)
    grounds.add(modal)
    grounds.add(secondaryButton)
    text = gray(tones.text, 0.008).legible(on: grounds, contrast: 7)
    mutedText = gray(tones.muted, 0.018).legible(on: grounds, contrast: Self.textContrast)
    outline = gray(tones.outline, 0.018).legible(on: grounds, contrast: Self.controlContrast)
    cardBorder = text.opacity(mode == .light ? 0x1F : 0x17)
    divider = text.opacity(mode == .light ? 0x26 : 0x30)
    let shown = mode == .night ? Self.dimmed(primary) : primary
    accent = shown.legible(on: grounds, contrast: Self.controlContrast)
    accentText = shown.legible(on: grounds, contrast: Self.textContrast)
    onAccent = Self.ink(on: accent)
    error = (mode == .light ? Color(0xC62828) : Color(0xF87171)).legible(on: grounds, contrast: Self.textContrast)
    shadow = Color(argb: mode == .light ? 0x2410_1828 : 0x5900_0000)
  }

  /// Less bright, and with less of the blue that keeps people awake.
  private static func dimmed(_ color: Color) -> Color {
    var warm = Oklab(color)
    warm.lightness = min(warm.lightness, 0.68)
    warm.b = max(warm.b, 0.02)
    return warm.color
  }

  /// Nearly black or white, whichever is easier to read on a color; black where neither is enough (of black and white
  /// one always has 4.58).
  static func ink(on color: Color) -> Color {
    let dark = Color(0x071016)
    if color.contrast(with: dark) >= max(color.contrast(with: .white), textContrast) { return dark }
    return color.contrast(with: .white) >= textContrast ? .white : .black
  }

  /// The lightness of each gray.
  private struct Tones {
    let page, card, cardEnd, field, modal, button, placeholder, text, muted, outline: Float

    init(_ mode: Theme.Mode) {
      switch mode {
      case .dark:
        (page, card, cardEnd, field, modal) = (0.165, 0.25, 0.22, 0.195, 0.21)
        (button, placeholder, text, muted, outline) = (0.30, 0.275, 0.93, 0.74, 0.55)
      case .light:
        (page, card, cardEnd, field, modal) = (0.97, 1, 1, 1, 1)
        (button, placeholder, text, muted, outline) = (0.93, 0.92, 0.25, 0.50, 0.65)
      case .night:
        (page, card, cardEnd, field, modal) = (0.10, 0.17, 0.15, 0.13, 0.15)
        (button, placeholder, text, muted, outline) = (0.23, 0.2, 0.78, 0.62, 0.45)
      }
    }
  }
}
