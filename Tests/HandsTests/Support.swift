import Codec
import Hands

/// The sentence of a refusal.
func text(of refusal: HandRefusal) -> String {
  var bytes = [UInt8](repeating: 0, count: 512)
  let count = bytes.withUnsafeMutableBufferPointer { buffer in
    var writer = ByteWriter(into: buffer)
    refusal.writeSentence(to: &writer)
    return writer.count
  }
  return String(decoding: bytes[..<count], as: UTF8.self)
}
