import Camera

/// What keeping photos needs of the board.
public struct PhotosBoard {
  public var files: any PhotoFiles
  /// Makes kept photos smaller; used for nothing else, because a codec serves one worker at a time.
  public var codec: any JPEGCodec
  public var keeping: PhotoKeeping

  /// See the properties.
  public init(files: any PhotoFiles, codec: any JPEGCodec, keeping: PhotoKeeping) {
    (self.files, self.codec, self.keeping) = (files, codec, keeping)
  }
}
