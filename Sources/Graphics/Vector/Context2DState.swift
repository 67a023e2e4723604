import Codec
import Runtime

extension Context2D {
  /// What a shape is painted with.
  enum Style: Equatable {
    case color(Color)
    case gradient(GradientHandle)
  }

  /// What `save` keeps.
  struct State {
    var matrix = Matrix.identity
    var fill = Style.color(.black)
    var stroke = Style.color(.black)
    var pen = Pen()
    var alpha = 1.0
    var operation = CompositeOperation.sourceOver
    var isSmoothing = true
    var font = CSSFont()
    var align = TextAlign.start
    var baseline = TextBaseline.alphabetic
    /// Clips in force, of those that the context keeps.
    var clips = 0
  }
}

/// How lines are drawn.
struct Pen {
  var width = 1.0
  var cap = LineCap.butt
  var join = LineJoin.miter
  var miterLimit = 10.0
  var dashes = InlineList<32, Double>()
  var dashOffset = 0.0
  /// Lines without length get their caps, as in SVG; in a 2D context they are nothing.
  var drawsDots = false
}

extension Span where Element == UInt8 {
  /// Exactly this text?
  public func isText(_ name: StaticString) -> Bool {
    let bytes = name.bytes
    guard bytes.count == count else { return false }
    for index in 0..<count where self[index] != bytes[index] { return false }
    return true
  }
}

enum LineCap: UInt8, CaseIterable {
  case butt, round, square

  var name: StaticString {
    switch self {
    case .butt: "butt"
    case .round: "round"
    case .square: "square"
    }
  }

  init?(_ text: Span<UInt8>) {
    for value in Self.allCases where text.isText(value.name) {
      self = value
      return
    }
    return nil
  }
}

enum LineJoin: UInt8, CaseIterable {
  case miter, round, bevel

  var name: StaticString {
    switch self {
    case .miter: "miter"
    case .round: "round"
    case .bevel: "bevel"
    }
  }

  init?(_ text: Span<UInt8>) {
    for value in Self.allCases where text.isText(value.name) {
      self = value
      return
    }
    return nil
  }
}

enum TextAlign: UInt8, CaseIterable {
  case start, end, left, right, center

  var name: StaticString {
    switch self {
    case .start: "start"
    case .end: "end"
    case .left: "left"
    case .right: "right"
    case .center: "center"
    }
  }

  init?(_ text: Span<UInt8>) {
    for value in Self.allCases where text.isText(value.name) {
      self = value
      return
    }
    return nil
  }
}

enum TextBaseline: UInt8, CaseIterable {
  case alphabetic, top, hanging, middle, ideographic, bottom

  var name: StaticString {
    switch self {
    case .alphabetic: "alphabetic"
    case .top: "top"
    case .hanging: "hanging"
    case .middle: "middle"
    case .ideographic: "ideographic"
    case .bottom: "bottom"
    }
  }

  init?(_ text: Span<UInt8>) {
    for value in Self.allCases where text.isText(value.name) {
      self = value
      return
    }
    return nil
  }
}

/// How a source and what is there become one (Compositing and Blending level 1, section 9).
enum CompositeOperation: UInt8, CaseIterable {
  case sourceOver, sourceIn, sourceOut, sourceAtop, destinationOver, destinationIn, destinationOut, destinationAtop
  case lighter, copy, xor

  var name: StaticString {
    switch self {
    case .sourceOver: "source-over"
    case .sourceIn: "source-in"
    case .sourceOut: "source-out"
    case .sourceAtop: "source-atop"
    case .destinationOver: "destination-over"
    case .destinationIn: "destination-in"
    case .destinationOut: "destination-out"
    case .destinationAtop: "destination-atop"
    case .lighter: "lighter"
    case .copy: "copy"
    case .xor: "xor"
    }
  }

  init?(_ text: Span<UInt8>) {
    for value in Self.allCases where text.isText(value.name) {
      self = value
      return
    }
    return nil
  }

  /// Where the source is nothing, something may change all the same.
  var reachesBeyondSource: Bool {
    switch self {
    case .sourceIn, .sourceOut, .destinationIn, .destinationAtop, .copy: true
    default: false
    }
  }
}
