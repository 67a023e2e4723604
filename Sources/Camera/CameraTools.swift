/// What makes photos and clips of a camera's frames.
public struct CameraTools {
  public var jpeg: any JPEGCodec
  public var encoder: any H264Encoder
  /// Where a clip is kept until it was sent.
  public var clips: any ClipStore

  /// The tools; see the properties.
  public init(jpeg: any JPEGCodec, encoder: any H264Encoder, clips: any ClipStore) {
    self.jpeg = jpeg
    self.encoder = encoder
    self.clips = clips
  }
}
