import Foundation
import Runtime
import Voice

/// Embeddings of real speech, which a phrase is told from: for every 80 ms 40 components of a byte each.
///
/// The file, little-endian: "TALONBNK", u32 version, u32 steps, u32 sequences; the mean (96 floats) and the basis (40 lines of 96 floats,
/// scaled so that a component has a variance of one); the steps, 40 signed bytes of 1/24 each; and of each sequence, which is one
/// recording, its steps (u32), the bytes of its transcript (u32) and the transcript.
struct SpeechBank {
  static let components = 40
  private static let scale: Float = 24, version: UInt32 = 1
  private static let magic = Array("TALONBNK".utf8)

  /// One recording.
  struct Sequence {
    var start: Int
    var count: Int
    var transcript: String
  }

  var mean: [Float]
  var basis: [Float]
  var steps: [Int8] = []
  var sequences: [Sequence] = []

  /// A bank of no speech, whose components are those of `vectors`.
  init(componentsOf vectors: [[Float]]) {
    let axes = PrincipalAxes(vectors, count: Self.components)
    (mean, basis) = (axes.mean, axes.basis)
  }

  mutating func add(_ vectors: [[Float]], transcript: String) {
    sequences.append(
      Sequence(start: steps.count / Self.components, count: vectors.count, transcript: transcript))
    for vector in vectors {
      steps += project(vector).map { Int8(max(-127, min(127, ($0 * Self.scale).rounded()))) }
    }
  }

  /// The components of a vector of the embedding.
  func project(_ vector: some Collection<Float>) -> [Float] {
    let centred = zip(vector, mean).map { $0 - $1 }
    return (0..<Self.components).map { component in
      basis.withUnsafeBufferPointer { basis in
        var sum: Float = 0
        for index in 0..<centred.count { sum += basis[component * centred.count + index] * centred[index] }
        return sum
      }
    }
  }

  /// The components of a recording as floats.
  func floats(of sequence: Sequence) -> [Float] {
    let range = (sequence.start * Self.components)..<((sequence.start + sequence.count) * Self.components)
    return steps[range].map { Float($0) / Self.scale }
  }

  /// Weights and bias for components as weights and bias for the embedding itself.
  func expand(_ weights: [Float], bias: Float) -> (weights: [Float], bias: Float) {
    let width = mean.count
    var (expanded, offset) = ([Float](repeating: 0, count: Budget.wakeVectors * width), bias)
    for step in 0..<Budget.wakeVectors {
      for component in 0..<Self.components {
        let weight = weights[step * Self.components + component]
        for index in 0..<width {
          let product = weight * basis[component * width + index]
          expanded[step * width + index] += product
          offset -= product * mean[index]
        }
      }
    }
    return (expanded, offset)
  }

  var hours: Double { Double(steps.count / Self.components) * 0.08 / 3600 }
}

extension SpeechBank {
  func write(to path: String) throws {
    var data = Data(Self.magic)
    for number in [Self.version, UInt32(steps.count / Self.components), UInt32(sequences.count)] {
      data.append(number)
    }
    (mean + basis).withUnsafeBytes { data.append(contentsOf: $0) }
    steps.withUnsafeBytes { data.append(contentsOf: $0) }
    for sequence in sequences {
      let text = Data(sequence.transcript.utf8)
      data.append(UInt32(sequence.count))
      data.append(UInt32(text.count))
      data.append(text)
    }
    try data.write(to: URL(fileURLWithPath: path))
  }

  init(contentsOf path: String) throws {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw SoundFile.Failure(description: "\(path) cannot be read")
    }
    let broken = SoundFile.Failure(description: "\(path) is no bank of speech, or is cut off")
    let width = EmbeddingNetwork.width
    var place = Self.magic.count + 12
    let tables = 4 * width * (1 + Self.components)
    guard data.count >= place + tables, Array(data.prefix(8)) == Self.magic,
      data.number(at: 8) == Self.version
    else { throw broken }
    let (steps, count) = (Int(data.number(at: 12)) * Self.components, Int(data.number(at: 16)))
    let floats = (0..<(width * (1 + Self.components))).map {
      Float(bitPattern: data.number(at: place + 4 * $0))
    }
    (mean, basis) = (Array(floats[..<width]), Array(floats[width...]))
    place += tables
    guard data.count - place >= steps else { throw broken }
    self.steps = data[place..<(place + steps)].map { Int8(bitPattern: $0) }
    place += steps
    var start = 0
    for _ in 0..<count {
      guard data.count - place >= 8 else { throw broken }
      let (length, text) = (Int(data.number(at: place)), Int(data.number(at: place + 4)))
      guard data.count - place - 8 >= text, start + length <= steps / Self.components else { throw broken }
      let words = String(decoding: data[(place + 8)..<(place + 8 + text)], as: UTF8.self)
      sequences.append(Sequence(start: start, count: length, transcript: words))
      (start, place) = (start + length, place + 8 + text)
    }
  }
}

extension Data {
  fileprivate mutating func append(_ number: UInt32) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }

  fileprivate func number(at offset: Int) -> UInt32 {
    withUnsafeBytes { UInt32(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self)) }
  }
}
