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
  /// The picture at an address, or nil while it is not there, or never will be.
  func picture(_ url: Span<UInt8>) -> Picture?
}
