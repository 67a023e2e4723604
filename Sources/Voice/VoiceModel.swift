import CVoiceModel

/// The built-in tables of the front end and the weights of the network, in the layout of board/lib/embedding.py.
public struct VoiceModel {
  /// Magic, version, count of values and zeros (board/lib/embedding.py).
  static let headerBytes = 64
  static let transformSize = 512, frequencies = 257, bands = 32

  /// The window of the transform, 512.
  let window: UnsafePointer<Float>
  /// The weight of each of 257 frequencies in each of 32 bands.
  let mel: UnsafePointer<Float>
  /// The biases and weights of the convolutions in order.
  let convolutions: UnsafePointer<Float>

  /// The built-in model; nil when its format is wrong, which is a broken build.
  public static var builtIn: VoiceModel? {
    var count: Int64 = 0
    let bytes = tl_voice_embedding(&count)
    return VoiceModel(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
  }

  /// A model in memory that outlives this; nil when it is not valid.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count > Self.headerBytes, Self.isHeader(bytes) else { return nil }
    let floats = (bytes.count - Self.headerBytes) / MemoryLayout<Float>.stride
    guard UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 12, as: UInt32.self)) == UInt32(floats),
      floats == Self.transformSize + Self.frequencies * Self.bands + NetworkShape.floats
    else { return nil }
    window = (bytes.baseAddress! + Self.headerBytes).assumingMemoryBound(to: Float.self)
    mel = window + Self.transformSize
    convolutions = mel + Self.frequencies * Self.bands
  }

  private static func isHeader(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let magic: StaticString = "TALONEMB"
    for index in 0..<8 where bytes[index] != magic.utf8Start[index] { return false }
    return UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self)) == 1
  }
}
