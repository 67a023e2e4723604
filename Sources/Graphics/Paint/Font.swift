/// Size and style of text. The painter chooses the faces.
public struct Font: Equatable, Sendable {
  public enum Weight: UInt8, Sendable { case regular, bold }

  /// Height of the em square in pixels (`ppem`).
  public var size: Int16
  public var weight: Weight
  public var isItalic: Bool
  /// Every character of the same width, for code.
  public var isMonospaced: Bool

  /// A font; see the properties.
  public init(size: Int16, weight: Weight = .regular, isItalic: Bool = false, isMonospaced: Bool = false) {
    self.size = size
    self.weight = weight
    self.isItalic = isItalic
    self.isMonospaced = isMonospaced
  }
}

/// The heights of a font in pixels, both positive.
public struct FontMetrics: Equatable, Sendable {
  /// Above and below the baseline.
  public var ascent: Int32
  public var descent: Int32

  /// Heights; see the properties.
  public init(ascent: Int32, descent: Int32) {
    self.ascent = ascent
    self.descent = descent
  }

  /// From the top of a line to its bottom, without leading.
  public var height: Int32 { ascent + descent }
}

/// How the letters of a text follow each other.
public enum TextDirection: Sendable {
  case leftToRight, rightToLeft

  /// A character that is not seen, and has a paragraph that begins with it run in this direction (U+200E, U+200F).
  public var mark: StaticString { self == .leftToRight ? "\u{200E}" : "\u{200F}" }
}

/// Measures text for the layout. Used only on the loop's thread; its results match the painter's glyphs.
public protocol TextMeasurer: AnyObject {
  /// The heights of a font.
  func metrics(of font: Font) -> FontMetrics
  /// How far a line of UTF-8 text reaches, in 1/64 pixel. Bytes that are no UTF-8 count as U+FFFD.
  func advance(of text: Span<UInt8>, in font: Font) -> Int32
  /// The most bytes of whole characters from the start of the text that fit into `width`, in 1/64 pixel.
  func fit(_ text: Span<UInt8>, in font: Font, width: Int32) -> Int
  /// The direction of the first letter that has one (UAX #9, rules P2 and P3); nil: none has.
  func direction(of text: Span<UInt8>) -> TextDirection?
}

extension TextMeasurer {
  /// None: for measurers that know no scripts.
  public func direction(of text: Span<UInt8>) -> TextDirection? { nil }
}
