import Codec

/// A place on the canvas in pixels: x to the right, y down, (0, 0) the upper left corner of what a person sees.
public struct Point: Equatable, BitwiseCopyable, Sendable {
  public var x: Int32
  public var y: Int32

  /// A place; see the properties.
  public init(_ x: Int32, _ y: Int32) {
    self.x = x
    self.y = y
  }
}

/// A width and a height in pixels.
public struct Size: Equatable, BitwiseCopyable, Sendable {
  public var width: Int32
  public var height: Int32

  /// A size; see the properties.
  public init(_ width: Int32, _ height: Int32) {
    self.width = width
    self.height = height
  }
}

/// A rectangle in pixels. Its right and lower edges, `maxX` and `maxY`, are the first that are outside. Nothing of this
/// can overflow: what is beyond 32 bits is at their end.
public struct Rect: Equatable, BitwiseCopyable, Sendable {
  public var x: Int32
  public var y: Int32
  public var width: Int32
  public var height: Int32

  /// A rectangle; see the properties.
  public init(_ x: Int32, _ y: Int32, _ width: Int32, _ height: Int32) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  public static let empty = Rect(0, 0, 0, 0)

  public var maxX: Int32 { x.adding(clamping: width) }
  public var maxY: Int32 { y.adding(clamping: height) }
  public var size: Size { Size(width, height) }
  public var isEmpty: Bool { width <= 0 || height <= 0 }
  /// Pixels in it.
  public var area: Int { isEmpty ? 0 : Int(width).multiplied(clamping: Int(height)) }

  /// Is the place inside?
  public func contains(_ point: Point) -> Bool {
    point.x >= x && point.y >= y && point.x < maxX && point.y < maxY
  }

  /// Is all of the other one inside? An empty one always is.
  public func contains(_ other: Rect) -> Bool {
    other.isEmpty || other.x >= x && other.y >= y && other.maxX <= maxX && other.maxY <= maxY
  }

  /// What both cover.
  public func intersection(_ other: Rect) -> Rect {
    let left = max(x, other.x)
    let top = max(y, other.y)
    let result = Rect(
      left, top, min(maxX, other.maxX).subtracting(clamping: left), min(maxY, other.maxY).subtracting(clamping: top))
    return result.isEmpty ? .empty : result
  }

  /// The smallest rectangle around both.
  public func union(_ other: Rect) -> Rect {
    if isEmpty { return other }
    if other.isEmpty { return self }
    let left = min(x, other.x)
    let top = min(y, other.y)
    return Rect(
      left, top, max(maxX, other.maxX).subtracting(clamping: left), max(maxY, other.maxY).subtracting(clamping: top))
  }

  /// Smaller by `distance` pixels on each side; larger when it is negative.
  public func inset(by distance: Int32) -> Rect { inset(x: distance, y: distance) }

  /// Smaller by so much at the sides, and at the top and the bottom.
  public func inset(x sides: Int32, y ends: Int32) -> Rect {
    Rect(
      x.adding(clamping: sides), y.adding(clamping: ends), width.subtracting(clamping: sides.multiplied(clamping: 2)),
      height.subtracting(clamping: ends.multiplied(clamping: 2)))
  }

  /// Moved.
  public func offset(_ x: Int32, _ y: Int32) -> Rect {
    Rect(self.x.adding(clamping: x), self.y.adding(clamping: y), width, height)
  }
}
