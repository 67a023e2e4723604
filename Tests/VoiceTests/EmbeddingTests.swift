import CAllocationCounter
import Runtime
import Testing

@testable import Voice

@Suite struct EmbeddingTests {
  private func rows(of samples: [Int16]) -> [[Float]] {
    let front = MelFrontEnd(VoiceModel.builtIn!)
    var rows: [[Float]] = []
    forEachHop(samples) { hop in
      if let row = front.push(hop) {
        rows.append(Array(UnsafeBufferPointer(start: row, count: MelFrontEnd.bands)))
      }
    }
    return rows
  }

  /// The greatest difference of two lists of numbers.
  private func distance(_ a: [Float], _ b: [Float]) -> Float {
    a.count == b.count ? zip(a, b).map { abs($0 - $1) }.max() ?? 0 : .infinity
  }

  @Test func `the front end makes the rows that onnxruntime makes`() {
    // Three hops are shorter than a transform, four are longer by 128: so many zeros make the first row that of the
    // signal's start.
    let rows = rows(of: Array(repeating: 0, count: 128) + testSignal)
    #expect(rows.count == Reference.rows)
    #expect(distance(rows[0], Reference.firstRow) < 0.002)
    #expect(distance(rows[Reference.rows - 1], Reference.lastRow) < 0.002)
  }

  @Test func `the network makes the vectors that onnxruntime makes`() {
    let made = vectors(of: Array(repeating: 0, count: 128) + testSignal)
    #expect(made.count == Reference.vectors)
    #expect(distance(made[0], Reference.firstVector) < 0.02)
    #expect(distance(made[Reference.vectors - 1], Reference.lastVector) < 0.02)
  }

  @Test func `a network that was reset makes what a new one makes`() {
    let model = VoiceModel.builtIn!
    let network = EmbeddingNetwork(model)
    let row = [Float](repeating: 1.5, count: MelFrontEnd.bands)
    var first: [Float] = []
    for round in 0..<2 {
      for index in 0..<EmbeddingNetwork.reach {
        let vector = network.push(row)
        #expect((vector == nil) == (index < EmbeddingNetwork.reach - 1))
        guard let vector else { continue }
        let numbers = Array(UnsafeBufferPointer(start: vector, count: EmbeddingNetwork.width))
        if round == 0 { first = numbers } else { #expect(numbers == first) }
      }
      _ = network.push(row)
      network.reset()
    }
  }

  @Test func `vectors follow each other by eight rows, however long one listens`() {
    let network = EmbeddingNetwork(VoiceModel.builtIn!)
    let row = [Float](repeating: 0.5, count: MelFrontEnd.bands)
    let places = (0..<400).filter { _ in network.push(row) != nil }
    #expect(places == Array(stride(from: EmbeddingNetwork.reach - 1, to: 400, by: EmbeddingNetwork.stride)))
  }

  @Test func `a model that is cut off or of another kind is none`() {
    let bytes = [UInt8](repeating: 0, count: 4096)
    #expect(bytes.withUnsafeBytes { VoiceModel($0) == nil })
    #expect(bytes[..<3].withUnsafeBytes { VoiceModel($0) == nil })
  }

  @Test func `the power spectrum of a tone is at its frequency`() {
    let transform = RealTransform()
    let (samples, window, power) = (FloatTable(count: 512), FloatTable(count: 512), FloatTable(count: 264))
    for index in 0..<512 {
      window.floats[index] = 1
      samples.floats[index] = Float(Trigonometry.cosine(2 * Trigonometry.pi * 40 * Double(index) / 512))
    }
    transform.power(of: samples.floats, window.floats, into: power.floats)
    // A cosine of 512 samples has a power of 256 squared at its frequency.
    #expect(abs(power.floats[40] - 65_536) < 1)
    #expect((0...256).allSatisfy { $0 == 40 || power.floats[$0] < 0.01 })
  }

  @Test func `silence of nothing but zeros makes numbers`() {
    let made = vectors(of: Array(repeating: 0, count: 32_000))
    #expect(made.count > 10)
    #expect(made.allSatisfy { $0.allSatisfy(\.isFinite) })
  }
}
