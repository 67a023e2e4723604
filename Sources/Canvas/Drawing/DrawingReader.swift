import Codec
import Graphics
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
    let usual = isAnimation || transition != .instant ? Budget.drawingDuration : 0
    var wanted = Float(usual)
    try DrawingReader.number(operation, "durationMs", 0...Int(Budget.drawingDurationMaximum), &wanted)
    duration = usual > 0 ? Int64(clamping: wanted) : 0
    self.transition = transition
  }
}

/// Reads elements of a drawing.
enum DrawingReader {
  /// What an element is, and its name.
  static func readKind(_ item: borrowing JSONView, into element: inout DrawingElement) throws(DrawingError) {
    guard item.kind == .object else { throw DrawingError("an element must be an object") }
    guard let id = item.member("id"), id.kind == .string, element.id.fill({ id.copyString(into: $0) }),
      !element.id.isEmpty
    else {
      throw DrawingError("id required, and an id", hasAtMost: Budget.drawingIdBytes, "bytes")
    }
    guard let type = item.member("type") else { throw DrawingError(Self.kindNeeded) }
    guard let kind = kind(type) else { throw DrawingError(Self.kindUnknown) }
    element.kind = kind
    if kind == .highlight { (element.borderWidth, element.radius) = (4, 8) }
    if kind == .sketch { element.borderWidth = 3 }
  }

  private static let kindNeeded: StaticString =
    "type required: text, image, shape, highlight, video, interactive or sketch"
  private static let kindUnknown: StaticString =
    "type must be text, image, shape, highlight, video, interactive or sketch"

  private static func kind(_ type: borrowing JSONView) -> DrawingElement.Kind? {
    if type.equals("text") { return .text }
    if type.equals("image") { return .image }
    if type.equals("shape") { return .shape }
    if type.equals("highlight") { return .highlight }
    if type.equals("video") { return .video }
    if type.equals("interactive") { return .interactive }
    return type.equals("sketch") ? .sketch : nil
  }

  private static func read(gestures: borrowing JSONView, into element: inout DrawingElement) throws(DrawingError) {
    guard gestures.kind == .array else { throw DrawingError(Self.gestureUnknown) }
    var found: DrawingGestures = []
    var items = gestures.elements()
    while let item = items.next() {
      if item.equals("tap") {
        found.insert(.tap)
      } else if item.equals("longPress") {
        found.insert(.longPress)
      } else if item.equals("pan") {
        found.insert(.pan)
      } else if item.equals("pinch") {
        found.insert(.pinch)
      } else {
        throw DrawingError(Self.gestureUnknown)
      }
    }
    guard !found.isEmpty else { throw DrawingError(Self.gestureUnknown) }
    element.gestures = found
  }

  private static let gestureUnknown: StaticString = "gestures must be an array of tap, longPress, pan and pinch"

  /// Whatever of its properties is there; what is not stays.
  static func read(_ item: borrowing JSONView, into element: inout DrawingElement) throws(DrawingError) {
    if let bounds = item.member("bounds") {
      guard bounds.kind == .object else { throw DrawingError("bounds must be {x, y, width, height}") }
      try number(bounds, "x", -Budget.drawingReach...Budget.drawingReach, &element.frame.x)
      try number(bounds, "y", -Budget.drawingReach...Budget.drawingReach, &element.frame.y)
      try number(bounds, "width", 0...Budget.drawingReach, &element.frame.width)
      try number(bounds, "height", 0...Budget.drawingReach, &element.frame.height)
    }
    let name: StaticString = element.kind == .image || element.kind == .video ? "url" : "text"
    if let text = item.member(name), !text.isNull {
      guard text.kind == .string, element.text.fill({ text.copyString(into: $0) }) else {
        throw DrawingError("text or url must be a string, and", hasAtMost: Budget.drawingTextBytes, "bytes")
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
    if let gestures = item.member("gestures"), !gestures.isNull { try read(gestures: gestures, into: &element) }
    if let style = item.member("style"), !style.isNull { try read(style: style, into: &element) }
  }

  private static func read(style: borrowing JSONView, into element: inout DrawingElement) throws(DrawingError) {
    guard style.kind == .object else { throw DrawingError("style must be an object") }
    var color = element.color ?? .clear
    if try self.color(style, "color", &color) { element.color = color }
    _ = try self.color(style, "background", &element.background)
    if try self.color(style, "borderColor", &element.border), element.borderWidth == 0 { element.borderWidth = 1 }
    try number(style, "borderWidth", 0...Budget.drawingSizeMaximum, &element.borderWidth)
    try number(style, "radius", 0...Budget.drawingReach, &element.radius)
    try number(style, "opacity", 0...1, &element.frame.opacity)
    try number(style, "fontSize", 1...Budget.drawingSizeMaximum, &element.fontSize)
    if let value = style.member("bold")?.bool { element.isBold = value }
    if let value = style.member("italic")?.bool { element.isItalic = value }
    if let value = style.member("mono")?.bool { element.isMonospaced = value }
    if let align = style.member("align"), !align.isNull {
      guard
        align.equals("start") || align.equals("left") || align.equals("center") || align.equals("end")
          || align.equals("right")
      else { throw DrawingError("align must be start, center or end") }
      element.alignment =
        align.equals("center") ? .center : align.equals("end") || align.equals("right") ? .end : .start
    }
    if let fit = style.member("fit"), !fit.isNull {
      guard fit.equals("contain") || fit.equals("cover") || fit.equals("fill") else {
        throw DrawingError("fit must be contain, cover or fill")
      }
      element.fit = fit.equals("cover") ? .cover : fit.equals("fill") ? .fill : .contain
    }
  }

  /// A member that may be missing, or null.
  static func number(
    _ object: borrowing JSONView, _ name: StaticString, _ range: ClosedRange<Int>, _ value: inout Float
  ) throws(DrawingError) {
    guard let member = object.member(name), !member.isNull else { return }
    guard let number = member.double, number >= Double(range.lowerBound), number <= Double(range.upperBound) else {
      throw DrawingError(name, mustBe: range)
    }
    value = Float(number)
  }

  /// True when there was one.
  private static func color(_ object: borrowing JSONView, _ name: StaticString, _ color: inout Color)
    throws(DrawingError) -> Bool
  {
    guard let member = object.member(name), !member.isNull else { return false }
    var text = InlineText<64>()
    guard member.kind == .string, text.fill({ member.copyString(into: $0) }), let parsed = CSSColor.parse(text.span)
    else {
      throw DrawingError("color, background and borderColor must be colours as CSS has them")
    }
    color = parsed
    return true
  }
}
