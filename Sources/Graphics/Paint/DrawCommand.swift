/// One thing that is drawn. Plain data: two lists are compared command by command to find what changed.
public enum DrawCommand: Equatable, Sendable {
  /// A rectangle with rounded corners (`radius` in pixels, 0: square), filled.
  case fill(Rect, radius: Int16, Fill)
  /// Its outline, `width` pixels wide, inside the rectangle.
  case border(Rect, radius: Int16, width: Int16, Color)
  /// A soft shadow of a rounded rectangle: what would be outside it, blurred over `blur` pixels and moved down.
  case shadow(Rect, radius: Int16, blur: Int16, down: Int16, Color)
  /// One line of text, as it is spoken (the painter orders what is written from right to left). `start` is where its
  /// left edge meets the baseline, `advance` how far it reaches in pixels.
  case text(TextSlice, Font, start: Point, advance: Int32, Color)
  /// A line under text or across it.
  case line(Point, Point, width: Int16, Color)
  /// One of the built-in icons, into a square.
  case icon(Icon, Rect, Color)
  /// A part of a ring: from `start` degrees, clockwise from the top, over `sweep` degrees, `width` pixels wide, inside
  /// the rectangle.
  case arc(Rect, start: Int16, sweep: Int16, width: Int16, Color)
  /// A picture from the painter's picture table, stretched from `source` (in its own pixels) to the rectangle, cut off
  /// at rounded corners. `opacity`: 255 shows it as it is, less lets what is behind it through.
  case picture(PictureHandle, source: Rect, Rect, radius: Int16, opacity: UInt8)
  /// From here to the `endClip` that belongs to it nothing is drawn outside the rectangle. Clips nest.
  case clip(Rect, radius: Int16)
  case endClip
}

/// What a shape is filled with.
public enum Fill: Equatable, Sendable {
  case solid(Color)
  /// From the first color to the second, along a line at `angle` degrees, clockwise; 0 is from the top to the bottom,
  /// 135 from the upper left to the lower right as in CSS's `135deg`.
  case gradient(Color, Color, angle: Int16)
}

/// A run of bytes in the text of a display list.
public struct TextSlice: Equatable, Sendable {
  public var start: Int32
  public var count: Int32

  /// A run; see the properties.
  public init(start: Int32, count: Int32) {
    self.start = start
    self.count = count
  }
}

/// Names one decoded picture: a place in the painter's table and how often that place was used before.
public struct PictureHandle: Equatable, Sendable {
  public var number: UInt32

  /// A handle from its number.
  public init(_ number: UInt32) { self.number = number }
}
