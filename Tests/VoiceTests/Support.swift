import Runtime
import Voice

/// Two seconds of noise and a triangle wave that rises; board/lib/embedding_reference.py makes the same.
let testSignal: [Int16] = {
  var state: UInt32 = 1
  return (0..<32_000).map { index in
    state = state &* 1_664_525 &+ 1_013_904_223
    let period = 160 - index / 320
    let place = index % period
    let ramp = 4 * place * 4000 / period
    let wave = place * 2 < period ? ramp - 8000 : 24_000 - ramp
    return Int16(Int(state >> 20) - 2048 + wave)
  }
}()

/// Noise of so many values either way.
func noise(_ count: Int, amplitude: Int, seed: UInt32 = 7) -> [Int16] {
  var state = seed
  return (0..<count).map { _ in
    state = state &* 1_664_525 &+ 1_013_904_223
    return Int16(Int(state >> 16) % (2 * amplitude + 1) - amplitude)
  }
}

/// All vectors of a signal.
func vectors(of samples: [Int16]) -> [[Float]] {
  let model = VoiceModel.builtIn!
  let (front, network) = (MelFrontEnd(model), EmbeddingNetwork(model))
  var vectors: [[Float]] = []
  forEachHop(samples) { hop in
    guard let row = front.push(hop), let vector = network.push(row) else { return }
    vectors.append(Array(UnsafeBufferPointer(start: vector, count: EmbeddingNetwork.width)))
  }
  return vectors
}

func forEachHop(_ samples: [Int16], _ body: (UnsafePointer<Int16>) -> Void) {
  samples.withUnsafeBufferPointer { buffer in
    for start in stride(from: 0, through: buffer.count - MelFrontEnd.hop, by: MelFrontEnd.hop) {
      body(buffer.baseAddress! + start)
    }
  }
}

/// A phrase file in memory, kept for as long as the tests run.
func phraseFile(
  _ text: String, threshold: Float = 0, bias: Float = 0,
  weights: [Float] = .init(repeating: 0, count: WakeDetector.weights)
) -> UnsafeMutableRawBufferPointer {
  let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: Budget.wakeFileBytes, alignment: 8)
  let size = normalised(text) { phrase in
    weights.withUnsafeBufferPointer {
      PhraseFile.write(phrase, threshold: threshold, bias: bias, weights: $0.baseAddress!, into: bytes)
    }
  }
  return UnsafeMutableRawBufferPointer(rebasing: bytes[..<size!!])
}

/// What `body` makes of a phrase; nil when the text is none.
func normalised<Result>(_ text: String, _ body: (borrowing PhraseText) -> Result) -> Result? {
  let bytes = Array(text.utf8)
  return bytes.withUnsafeBufferPointer { buffer in
    guard let phrase = PhraseText(buffer) else { return nil }
    return body(phrase)
  }
}

/// The normalized phrase as text.
func plain(_ text: String) -> String? {
  normalised(text) { phrase in String(decoding: (0..<phrase.count).map { phrase[$0] }, as: UTF8.self) }
}

extension WakeListener {
  /// Hears samples in blocks of `size`, and gives what was heard.
  func hear(_ samples: [Int16], inBlocksOf size: Int = 1600) -> [WakeDetection] {
    var found: [WakeDetection] = []
    samples.withUnsafeBufferPointer { buffer in
      for start in stride(from: 0, to: buffer.count, by: size) {
        hear(UnsafeBufferPointer(rebasing: buffer[start..<min(start + size, buffer.count)]))
        while let detection = next() { found.append(detection) }
      }
    }
    return found
  }
}
