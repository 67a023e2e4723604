import Codec
import Runtime

/// How an operation is done.
struct DrawingManner {
  let transition: DrawingTransition
  /// Milliseconds; 0: at once.
  let duration: Int64

  init(_ operation: borrowing JSONView, isAnimation: Bool) throws(DrawingError) {
    var transition = DrawingTransition.instant
    if let word = operation.member("transition"), !word.isNull {
      if word.equals("fade") {
        transition = .fade
      } else if word.equals("slide") {
        transition = .slide
      } else if !word.equals("instant") {
        throw DrawingError("transition must be instant, fade or slide")
      }
    }
    var duration = isAnimation || transition != .instant ? Budget.drawingDuration : 0
    if let wanted = operation.member("durationMs"), !wanted.isNull {
      guard let value = wanted.double, value >= 0, value <= Double(Budget.drawingDurationMost) else {
        throw DrawingError("durationMs must be from 0 to 60000")
      }
      if duration > 0 { duration = Int64(value) }
    }
    self.transition = transition
    self.duration = duration
  }
}

/// Reads elements of a drawing.
enum DrawingReader {
  /// What an element is, and its name.
  static func readKind(_ item: borrowing JSONView, into element: inout DrawingElement) throws(DrawingError) {
    guard item.kind == .object else { throw DrawingError("an element must be an object") }
    guard let id = item.member("id"), id.kind == .string, element.id.fill({ id.copyString(into: $0) }), !element.id.isEmpty else {
      throw DrawingError("id required: 1 to 64 bytes")
    }
    guard let type = item.member("type") else { throw DrawingError("type required: text, image, shape or highlight") }
    if type.equals("text") {
      element.kind = .text
    } else if type.equals("image") {
      element.kind = .image
    } else if type.equals("shape") {
      element.kind = .shape
    } else if type.equals("highlight") {
      element.kind = .highlight
      element.borderWidth = 4
      element.radius = 8
    } else {
      throw DrawingError("type must be text, image, shape or highlight")
    }
  }

  /// Whatever of its properties is there; what is not stays.
  static func read(_ item: borrowing JSONView, into element: inout DrawingElement) throws(DrawingError) {
    if let bounds = item.member("bounds") {
      guard bounds.kind == .object else { throw DrawingError("bounds must be {x, y, width, height}") }
      try number(bounds, "x", -100_000...100_000, &element.frame.x, "x must be a number")
      try number(bounds, "y", -100_000...100_000, &element.frame.y, "y must be a number")
      try number(bounds, "width", 0...100_000, &element.frame.width, "width must be a number from 0")
      try number(bounds, "height", 0...100_000, &element.frame.height, "height must be a number from 0")
    }
    let name: StaticString = element.kind == .image ? "url" : "text"
    if let text = item.member(name), !text.isNull {
      guard text.kind == .string, element.text.fill({ text.copyString(into: $0) }) else {
        throw DrawingError("text and url must be strings of at most 512 bytes")
      }
    }
    if let shape = item.member("shape"), !shape.isNull {
      if shape.equals("rectangle") {
        element.shape = .rectangle
      } else if shape.equals("circle") {
        element.shape = .circle
      } else if shape.equals("line") {
        element.shape = .line
      } else {
        throw DrawingError("shape must be rectangle, circle or line")
      }
    }
    if let style = item.member("style"), !style.isNull { try read(style: style, into: &element) }
  }

  private static func read(style: borrowing JSONView, into element: inout DrawingElement) throws(DrawingError) {
    guard style.kind == .object else { throw DrawingError("style must be an object") }
    var color = element.color ?? .clear
    if try self.color(style, "color", &color) { element.color = color }
    _ = try self.color(style, "background", &element.background)
    if try self.color(style, "borderColor", &element.border), element.borderWidth == 0 { element.borderWidth = 1 }
    try number(style, "borderWidth", 0...1000, &element.borderWidth, "borderWidth must be from 0 to 1000")
    try number(style, "radius", 0...10_000, &element.radius, "radius must be from 0 to 10000")
    try number(style, "opacity", 0...1, &element.frame.opacity, "opacity must be from 0 to 1")
    try number(style, "fontSize", 1...1000, &element.fontSize, "fontSize must be from 1 to 1000")
    if let value = style.member("bold")?.bool { element.isBold = value }
    if let value = style.member("italic")?.bool { element.isItalic = value }
    if let value = style.member("mono")?.bool { element.isMonospaced = value }
    if let align = style.member("align"), !align.isNull {
      guard align.equals("start") || align.equals("left") || align.equals("center") || align.equals("end") || align.equals("right")
      else { throw DrawingError("align must be start, center or end") }
      element.alignment = align.equals("center") ? .center : align.equals("end") || align.equals("right") ? .end : .start
    }
    if let fit = style.member("fit"), !fit.isNull {
      guard fit.equals("contain") || fit.equals("cover") || fit.equals("fill") else {
        throw DrawingError("fit must be contain, cover or fill")
      }
      element.fit = fit.equals("cover") ? .cover : fit.equals("fill") ? .fill : .contain
    }
  }

  private static func number(
    _ object: borrowing JSONView, _ name: StaticString, _ range: ClosedRange<Double>, _ value: inout Float, _ complaint: StaticString
  ) throws(DrawingError) {
    guard let member = object.member(name), !member.isNull else { return }
    guard let number = member.double, range.contains(number) else { throw DrawingError(complaint) }
    value = Float(number)
  }

  /// True when there was one.
  private static func color(_ object: borrowing JSONView, _ name: StaticString, _ color: inout Color) throws(DrawingError) -> Bool {
    guard let member = object.member(name), !member.isNull else { return false }
    var text = InlineText<64>()
    guard member.kind == .string, text.fill({ member.copyString(into: $0) }), let parsed = CSSColor.parse(text.span) else {
      throw DrawingError("color, background and borderColor must be colours as CSS has them")
    }
    color = parsed
    return true
  }
}
