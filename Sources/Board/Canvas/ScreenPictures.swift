import Canvas

/// Makes pixels of the pictures that are shown on a screen.
public final class ScreenPictures: PictureCodec {
  public init() {}

  public func decode(
    _ bytes: UnsafeBufferPointer<UInt8>, _ kind: ContentKind, _ limit: PictureLimit
  ) throws(PictureFault) -> DecodedPicture? {
    switch kind {
    case .picture: try PictureDecoder.decode(bytes, limit)
    default: nil
    }
  }
}
