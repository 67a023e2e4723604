import Canvas
import Graphics
import Runtime

/// Encodes a snapshot on a worker, and again narrower when it has too many bytes.
final class SnapshotJob: Job {
  private let codec: any SnapshotCodec
  private let memory: ReservedBuffer
  private var pixels: PixelBuffer?
  private var format = SnapshotFormat.png
  private var width: Int32 = 0
  /// The picture, until `release`; nil when it does not fit.
  private(set) var picture: UnsafeBufferPointer<UInt8>?
  private(set) var size = Size(0, 0)
  private let ended: () -> Void

  init(_ codec: any SnapshotCodec, ended: @escaping () -> Void) throws(Errno) {
    self.codec = codec
    self.ended = ended
    memory = try ReservedBuffer(capacity: Budget.snapshotBytes)
  }

  /// Sets the picture and its format. Not while pending.
  func prepare(_ pixels: PixelBuffer, _ format: SnapshotFormat, atMost width: Int32) {
    (self.pixels, self.format, self.width) = (pixels, format, width)
  }

  override func run() {
    picture = nil
    guard let pixels else { return }
    let across = min(width, pixels.size.width)
    guard
      let (count, size) = codec.encode(pixels, format, atMost: across, into: memory.bytes)
        ?? codec.encode(pixels, format, atMost: max(across / 2, 1), into: memory.bytes)
    else { return }
    picture = UnsafeBufferPointer(memory.bytes).extracting(0..<count)
    self.size = size
  }

  override func finish() {
    pixels = nil
    ended()
  }

  /// The picture was sent.
  func release() {
    picture = nil
    memory.release()
  }
}
