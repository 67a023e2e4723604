/// A finished photo, borrowed from the job that took it until `CaptureJob.release`.
public struct Photo {
  /// The JPEG picture.
  public let bytes: UnsafeBufferPointer<UInt8>
  /// Pixels across of the encoded picture.
  public let width: Int
  /// Pixels down.
  public let height: Int
}
