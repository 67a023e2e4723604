/// Between what a person sees and the panel as it is wired. A quarter turn takes the upper left corner of the picture
/// to the panel's upper right one.
extension Rotation {
  /// True when width and height change places.
  public var isUpright: Bool { self == .quarter || self == .threeQuarters }

  /// The size of the one, of that of the other: it is the same both ways.
  public func turned(_ size: Size) -> Size { isUpright ? Size(size.height, size.width) : size }

  /// Where a rectangle of the picture stands on a panel of this size.
  public func toPanel(_ rect: Rect, _ panel: Size) -> Rect {
    switch self {
    case .none: rect
    case .quarter: Rect(panel.width - rect.maxY, rect.x, rect.height, rect.width)
    case .half: Rect(panel.width - rect.maxX, panel.height - rect.maxY, rect.width, rect.height)
    case .threeQuarters: Rect(rect.y, panel.height - rect.maxX, rect.height, rect.width)
    }
  }

  /// Which pixel of the picture is seen at a pixel of a panel of this size.
  public func toPicture(_ point: Point, _ panel: Size) -> Point {
    switch self {
    case .none: point
    case .quarter: Point(point.y, panel.width - 1 - point.x)
    case .half: Point(panel.width - 1 - point.x, panel.height - 1 - point.y)
    case .threeQuarters: Point(panel.height - 1 - point.y, point.x)
    }
  }

  /// By degrees: 0, 90, 180 or 270.
  public init?(degrees: Int) { self.init(rawValue: degrees) }
}
