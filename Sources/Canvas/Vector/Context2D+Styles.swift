import Codec
import Runtime

// Each setter answers false, and changes nothing, when the value is none: the standard ignores it silently.
extension Context2D {
  /// A CSS colour.
  public func setFillStyle(_ css: Span<UInt8>) -> Bool { false }
  public func setStrokeStyle(_ css: Span<UInt8>) -> Bool { false }
  public func setFillStyle(_ gradient: GradientHandle) -> Bool { false }
  public func setStrokeStyle(_ gradient: GradientHandle) -> Bool { false }
  /// The gradient that is set; nil: it is a colour, which `write…` writes.
  public var fillGradient: GradientHandle? { nil }
  public var strokeGradient: GradientHandle? { nil }
  /// The colour as `#rrggbb`, or `rgba(r, g, b, a)` when it is not opaque.
  public func writeFillStyle(to writer: inout ByteWriter) {}
  public func writeStrokeStyle(to writer: inout ByteWriter) {}

  /// More than 0.
  public var lineWidth: Double {
    get { 1 }
    set {}
  }
  public var miterLimit: Double {
    get { 10 }
    set {}
  }
  /// 0...1.
  public var globalAlpha: Double {
    get { 1 }
    set {}
  }
  public var lineDashOffset: Double {
    get { 0 }
    set {}
  }
  public var imageSmoothingEnabled: Bool {
    get { true }
    set {}
  }

  /// "butt", "round", "square".
  public func setLineCap(_ name: Span<UInt8>) -> Bool { false }
  public var lineCap: StaticString { "butt" }
  /// "miter", "round", "bevel".
  public func setLineJoin(_ name: Span<UInt8>) -> Bool { false }
  public var lineJoin: StaticString { "miter" }
  /// "source-over", and the other names of Porter and Duff's operators in "Compositing and Blending" level 1.
  public func setGlobalCompositeOperation(_ name: Span<UInt8>) -> Bool { false }
  public var globalCompositeOperation: StaticString { "source-over" }
  /// "start", "end", "left", "right", "center".
  public func setTextAlign(_ name: Span<UInt8>) -> Bool { false }
  public var textAlign: StaticString { "start" }
  /// "alphabetic", "top", "hanging", "middle", "ideographic", "bottom".
  public func setTextBaseline(_ name: Span<UInt8>) -> Bool { false }
  public var textBaseline: StaticString { "alphabetic" }
  /// A CSS font: style, weight, size, family ("bold 16px sans-serif").
  public func setFont(_ css: Span<UInt8>) -> Bool { false }
  public func writeFont(to writer: inout ByteWriter) {}

  /// Lengths of dashes and gaps in turn; an odd number of them is taken twice. False when one is negative or no number,
  /// or there are more than `Budget.dashes`.
  public func setLineDash(_ lengths: UnsafeBufferPointer<Double>) -> Bool { false }
  public var lineDashCount: Int { 0 }
  /// The length at an index below `lineDashCount`.
  public func lineDash(_ index: Int) -> Double { 0 }

  // MARK: Gradients

  /// Nil when a number is not finite, or there is no room (`Budget.gradients`).
  public func createLinearGradient(_ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double) -> GradientHandle? { nil }
  /// Also nil when a radius is negative.
  public func createRadialGradient(
    _ x0: Double, _ y0: Double, _ r0: Double, _ x1: Double, _ y1: Double, _ r1: Double
  ) -> GradientHandle? { nil }
  /// What adding a stop comes to: a script gets an `IndexSizeError` for an offset, a `SyntaxError` for a colour.
  public enum StopResult: Sendable { case added, badOffset, badColor, full }
  public func addColorStop(_ gradient: GradientHandle, _ offset: Double, _ css: Span<UInt8>) -> StopResult { .full }
  /// The script has let it go. It stays until no state is painted with it.
  public func drop(_ gradient: GradientHandle) {}
}
