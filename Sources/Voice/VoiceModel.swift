import CVoiceModel

/// The built-in numbers of the front end and the network, as board/lib/embedding.py lays them out.
public struct VoiceModel {
  static let headerBytes = 64
  static let transformSize = 512, frequencies = 257, bands = 32

  /// The window of the transform, 512.
  let window: UnsafePointer<Float>
  /// What each of 257 frequencies gives to each of 32 bands.
  let mel: UnsafePointer<Float>
  /// The biases and weights of the convolutions, one behind the other.
  let convolutions: UnsafePointer<Float>

  /// What is linked into this program; nil when that is not what this version reads, which is a broken build.
  public static var builtIn: VoiceModel? {
    var count: Int64 = 0
    let bytes = tl_voice_embedding(&count)
    return VoiceModel(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
  }

  /// A model in memory that outlives this; nil when it is none.
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
