import Codec
import Runtime

extension Context2D {
  // MARK: Transform

  public func translate(_ x: Double, _ y: Double) {}
  public func rotate(_ angle: Double) {}
  public func scale(_ x: Double, _ y: Double) {}
  public func transform(_ a: Double, _ b: Double, _ c: Double, _ d: Double, _ e: Double, _ f: Double) {}
  public func setTransform(_ a: Double, _ b: Double, _ c: Double, _ d: Double, _ e: Double, _ f: Double) {}
  public func resetTransform() {}
  /// For `getTransform`.
  public var currentTransform: Matrix { .identity }

  // MARK: Path

  public func beginPath() {}
  public func closePath() {}
  public func moveTo(_ x: Double, _ y: Double) {}
  public func lineTo(_ x: Double, _ y: Double) {}
  public func quadraticCurveTo(_ cx: Double, _ cy: Double, _ x: Double, _ y: Double) {}
  public func bezierCurveTo(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ x: Double, _ y: Double) {}
  /// What is wrong with arguments that the standard does not ignore: a script gets a `RangeError` or `IndexSizeError`.
  public enum ArgumentFault: Sendable { case negativeRadius }
  @discardableResult
  public func arc(
    _ x: Double, _ y: Double, _ radius: Double, _ start: Double, _ end: Double, counterclockwise: Bool = false
  ) -> ArgumentFault? { nil }
  @discardableResult
  public func arcTo(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ radius: Double) -> ArgumentFault? { nil }
  @discardableResult
  public func ellipse(
    _ x: Double, _ y: Double, _ radiusX: Double, _ radiusY: Double, _ rotation: Double, _ start: Double, _ end: Double,
    counterclockwise: Bool = false
  ) -> ArgumentFault? { nil }
  public func rect(_ x: Double, _ y: Double, _ width: Double, _ height: Double) {}
  /// `radii` are one to four radii (x, y pairs: two numbers each), as CSS's `border-radius` orders them.
  @discardableResult
  public func roundRect(
    _ x: Double, _ y: Double, _ width: Double, _ height: Double, radii: UnsafeBufferPointer<Double>
  ) -> ArgumentFault? { nil }

  // MARK: Painting

  public func fill(evenOdd: Bool = false) {}
  public func stroke() {}
  public func clip(evenOdd: Bool = false) {}
  public func isPointInPath(_ x: Double, _ y: Double, evenOdd: Bool = false) -> Bool { false }
  public func isPointInStroke(_ x: Double, _ y: Double) -> Bool { false }
  public func clearRect(_ x: Double, _ y: Double, _ width: Double, _ height: Double) {}
  public func fillRect(_ x: Double, _ y: Double, _ width: Double, _ height: Double) {}
  public func strokeRect(_ x: Double, _ y: Double, _ width: Double, _ height: Double) {}

  /// Draws a part of a picture (premultiplied 0xAARRGGBB, rows without gaps) into a rectangle; a script that gives no
  /// part passes all of it, and the picture's own size when it gives no size.
  public func drawImage(
    _ picture: UnsafeBufferPointer<UInt32>, _ size: Size, _ sx: Double, _ sy: Double, _ sw: Double, _ sh: Double,
    _ dx: Double, _ dy: Double, _ dw: Double, _ dh: Double
  ) {}

  // MARK: Text

  /// `maxWidth` nil: as wide as it is.
  public func fillText(_ text: Span<UInt8>, _ x: Double, _ y: Double, maxWidth: Double? = nil) {}
  public func strokeText(_ text: Span<UInt8>, _ x: Double, _ y: Double, maxWidth: Double? = nil) {}
  public func measureText(_ text: Span<UInt8>) -> TextSize { TextSize() }
}
