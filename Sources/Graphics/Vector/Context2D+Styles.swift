import Codec
import Runtime

// Each setter answers false, and changes nothing, when the value is none: the standard ignores it silently.
extension Context2D {
  /// A CSS color.
  public func setFillStyle(_ css: Span<UInt8>) -> Bool {
    guard let color = CSSColor.parse(css) else { return false }
    setFill(.color(color))
    return true
  }

  /// See `setFillStyle`.
  public func setStrokeStyle(_ css: Span<UInt8>) -> Bool {
    guard let color = CSSColor.parse(css) else { return false }
    setStroke(.color(color))
    return true
  }

  /// A gradient.
  public func setFillStyle(_ gradient: GradientHandle) -> Bool {
    guard gradients.find(gradient) != nil else { return false }
    setFill(.gradient(gradient))
    return true
  }

  /// See `setFillStyle`.
  public func setStrokeStyle(_ gradient: GradientHandle) -> Bool {
    guard gradients.find(gradient) != nil else { return false }
    setStroke(.gradient(gradient))
    return true
  }

  func setFill(_ style: Style) {
    gradients.retain(style)
    gradients.release(state.fill)
    state.fill = style
  }

  func setStroke(_ style: Style) {
    gradients.retain(style)
    gradients.release(state.stroke)
    state.stroke = style
  }

  /// The gradient that is set; nil: it is a color, which `write…` writes.
  public var fillGradient: GradientHandle? {
    guard case .gradient(let handle) = state.fill else { return nil }
    return handle
  }

  /// See `fillGradient`.
  public var strokeGradient: GradientHandle? {
    guard case .gradient(let handle) = state.stroke else { return nil }
    return handle
  }

  /// The color as `#rrggbb`, or `rgba(r, g, b, a)` when it is not opaque.
  public func writeFillStyle(to writer: inout ByteWriter) {
    if case .color(let color) = state.fill { color.write(to: &writer) }
  }

  /// See `writeFillStyle`.
  public func writeStrokeStyle(to writer: inout ByteWriter) {
    if case .color(let color) = state.stroke { color.write(to: &writer) }
  }

  // MARK: Numbers

  /// In units of the drawing; more than 0.
  public var lineWidth: Double {
    get { state.pen.width }
    set { if newValue > 0, newValue.isFinite { state.pen.width = newValue } }
  }

  /// How far a miter reaches, in halves of the line's width; more than 0.
  public var miterLimit: Double {
    get { state.pen.miterLimit }
    set { if newValue > 0, newValue.isFinite { state.pen.miterLimit = newValue } }
  }

  /// 0...1.
  public var globalAlpha: Double {
    get { state.alpha }
    set { if newValue >= 0, newValue <= 1 { state.alpha = newValue } }
  }

  /// How far into the pattern of dashes lines begin.
  public var lineDashOffset: Double {
    get { state.pen.dashOffset }
    set { if newValue.isFinite { state.pen.dashOffset = newValue } }
  }

  /// Pictures that are drawn larger go over from pixel to pixel.
  public var imageSmoothingEnabled: Bool {
    get { state.isSmoothing }
    set { state.isSmoothing = newValue }
  }

  // MARK: Names

  /// "butt", "round", "square".
  public func setLineCap(_ name: Span<UInt8>) -> Bool {
    guard let value = LineCap(name) else { return false }
    state.pen.cap = value
    return true
  }

  public var lineCap: StaticString { state.pen.cap.name }

  /// "miter", "round", "bevel".
  public func setLineJoin(_ name: Span<UInt8>) -> Bool {
    guard let value = LineJoin(name) else { return false }
    state.pen.join = value
    return true
  }

  public var lineJoin: StaticString { state.pen.join.name }

  /// "source-over", and the other names of Porter and Duff's operators in "Compositing and Blending" level 1.
  public func setGlobalCompositeOperation(_ name: Span<UInt8>) -> Bool {
    guard let value = CompositeOperation(name) else { return false }
    state.operation = value
    return true
  }

  public var globalCompositeOperation: StaticString { state.operation.name }

  /// "start", "end", "left", "right", "center".
  public func setTextAlign(_ name: Span<UInt8>) -> Bool {
    guard let value = TextAlign(name) else { return false }
    state.align = value
    return true
  }

  public var textAlign: StaticString { state.align.name }

  /// "alphabetic", "top", "hanging", "middle", "ideographic", "bottom".
  public func setTextBaseline(_ name: Span<UInt8>) -> Bool {
    guard let value = TextBaseline(name) else { return false }
    state.baseline = value
    return true
  }

  public var textBaseline: StaticString { state.baseline.name }

  /// A CSS font: style, weight, size, family ("bold 16px sans-serif").
  public func setFont(_ css: Span<UInt8>) -> Bool {
    guard let font = CSSFont(css) else { return false }
    state.font = font
    return true
  }

  /// The font, as short as CSS writes it.
  public func writeFont(to writer: inout ByteWriter) { state.font.write(to: &writer) }

  // MARK: Dashes

  /// Lengths of dashes and gaps in turn; an odd number of them is taken twice. False when one is negative or no number,
  /// or there are more than `Budget.dashes`.
  public func setLineDash(_ lengths: UnsafeBufferPointer<Double>) -> Bool {
    for index in 0..<lengths.count where !(lengths[index] >= 0 && lengths[index].isFinite) { return false }
    let isOdd = lengths.count & 1 == 1
    guard lengths.count * (isOdd ? 2 : 1) <= Budget.dashes else { return false }
    state.pen.dashes.removeAll()
    for _ in 0..<(isOdd ? 2 : 1) {
      for index in 0..<lengths.count { state.pen.dashes.append(lengths[index]) }
    }
    return true
  }

  public var lineDashCount: Int { state.pen.dashes.count }

  /// The length at an index below `lineDashCount`.
  public func lineDash(_ index: Int) -> Double { state.pen.dashes[index] }

  // MARK: Gradients

  /// Along a line. Nil when a number is not finite, or there is no room (`Budget.gradients`).
  public func createLinearGradient(_ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double) -> GradientHandle? {
    guard x0.isFinite, y0.isFinite, x1.isFinite, y1.isFinite else { return nil }
    var gradient = VectorGradient()
    (gradient.x0, gradient.y0, gradient.x1, gradient.y1) = (x0, y0, x1, y1)
    return gradients.add(gradient)
  }

  /// From one circle to another. Also nil when a radius is negative.
  public func createRadialGradient(
    _ x0: Double, _ y0: Double, _ r0: Double, _ x1: Double, _ y1: Double, _ r1: Double
  ) -> GradientHandle? {
    guard x0.isFinite, y0.isFinite, x1.isFinite, y1.isFinite, r0.isFinite, r1.isFinite, r0 >= 0, r1 >= 0 else {
      return nil
    }
    var gradient = VectorGradient()
    gradient.kind = .radial
    (gradient.x0, gradient.y0, gradient.r0) = (x0, y0, r0)
    (gradient.x1, gradient.y1, gradient.r1) = (x1, y1, r1)
    return gradients.add(gradient)
  }

  /// What adding a stop comes to: a script gets an `IndexSizeError` for an offset, a `SyntaxError` for a color.
  public enum StopResult: Sendable { case added, badOffset, badColor, full }

  /// Adds a color at a share of the way, 0...1.
  public func addColorStop(_ gradient: GradientHandle, _ offset: Double, _ css: Span<UInt8>) -> StopResult {
    guard offset >= 0, offset <= 1 else { return .badOffset }
    guard let color = CSSColor.parse(css) else { return .badColor }
    guard let index = gradients.find(gradient) else { return .full }
    return gradients.add(VectorGradient.Stop(offset: offset, color: color), to: index) ? .added : .full
  }

  /// The script has let it go. It stays until no state is painted with it.
  public func drop(_ gradient: GradientHandle) { gradients.release(.gradient(gradient)) }
}
