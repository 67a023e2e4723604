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

/// Where the pictures of documents come from. It fetches and decodes them elsewhere; who asks gets what is there.
public protocol PictureShelf: AnyObject {
  /// The picture at an address, or nil while it is not there, or never will be. To be asked while the page is drawn; what is asked
  /// for is fetched. `wanted`: the size that it is shown at, in pixels.
  func picture(_ url: Span<UInt8>, _ wanted: Size) -> Picture?
  /// The picture's own size, once it is known. For the layout; nothing is fetched for it.
  func size(_ url: Span<UInt8>) -> Size?
}
