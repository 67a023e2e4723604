import Runtime
import Voice

/// What the network makes of sound as a whole.
final class Embedder {
  private let front: MelFrontEnd
  private let network: EmbeddingNetwork

  init() throws {
    guard let model = VoiceModel.builtIn else {
      throw SoundFile.Failure(description: "the built-in model is broken")
    }
    (front, network) = (MelFrontEnd(model), EmbeddingNetwork(model))
  }

  /// The vectors of a recording, each with the sample at which it ended.
  func vectors(of samples: [Int16]) -> [(end: Int, vector: [Float])] {
    front.reset()
    network.reset()
    var result: [(end: Int, vector: [Float])] = []
    samples.withUnsafeBufferPointer { buffer in
      for start in stride(from: 0, through: buffer.count - MelFrontEnd.hop, by: MelFrontEnd.hop) {
        guard let row = front.push(buffer.baseAddress! + start), let vector = network.push(row) else {
          continue
        }
        result.append(
          (start + MelFrontEnd.hop, Array(UnsafeBufferPointer(start: vector, count: EmbeddingNetwork.width))))
      }
    }
    return result
  }
}
