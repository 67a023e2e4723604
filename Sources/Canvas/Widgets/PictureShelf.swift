import Graphics

/// A picture that can be drawn.
public struct Picture: Equatable, Sendable {
  public var handle: PictureHandle
  public var size: Size

  /// A picture; see the properties.
  public init(_ handle: PictureHandle, _ size: Size) {
    self.handle = handle
    self.size = size
  }
}

/// Source of the pictures of documents. Pictures are fetched and decoded in the background; callers get what is
/// available.
public protocol PictureShelf: AnyObject {
  /// The picture at an address; nil while it is not available, or when it failed. Call it while the page is drawn; the
  /// picture is fetched when needed. `wanted`: the size that it is shown at, in pixels.
  func picture(_ url: Span<UInt8>, _ wanted: Size) -> Picture?
  /// The picture's own size, once it is known. For the layout; nothing is fetched for it.
  func size(_ url: Span<UInt8>) -> Size?
}
