import Codec
import Runtime

/// A font as CSS's `font` property says it, as far as a 2D context needs it.
struct CSSFont {
  var size = 10.0
  var isBold = false
  var isItalic = false
  var isMonospaced = false
  /// The list of families as it was written.
  var family = InlineText<96>(cutting: "sans-serif")
}
