import A2UI
import Graphics

/// The box of one instance of a tree. In pixels from the upper left corner of its surface, before scrolling.
struct Box: BitwiseCopyable {
  var rect = Rect.empty
  /// Minimum width (longest word) and maximum width (no line breaks).
  var least: Int32 = 0
  var most: Int32 = 0
  /// Height at the width that was asked last.
  var height: Int32 = 0
  var heightWidth: Int32 = -1
  /// Of a list that scrolls: how long its content is.
  var content: Int32 = 0
  /// It only shows texts, icons and pictures, which fit any width: a share of a row is its width, whatever its words.
  var isFluid = false
  /// It stands in what is shown: no closed tab or modal.
  var isShown = false
  /// Its content is longer than it is and moves within it.
  var isScrolling = false
  var style = BoxStyle()
}

/// What a component says about its layout, read from its JSON once: columns of thousands of children are gone over some
/// times in a turn.
struct BoxStyle: BitwiseCopyable {
  /// What it is to what stands above and below it.
  enum Part: UInt8 { case label, heading, text, prose, group, divider, picture, item }

  var part = Part.item
  /// Of a text: pixels.
  var fontSize: Int16 = 0
  var alignment = Alignment.stretch
  var distribution = Distribution.start
  var isHorizontal = false
}
