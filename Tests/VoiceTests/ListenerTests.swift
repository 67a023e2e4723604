import CAllocationCounter
import Runtime
import Testing

@testable import Voice

@Suite struct ListenerTests {
  private func listener(_ files: UnsafeMutableRawBufferPointer...) throws -> WakeListener {
    let listener = WakeListener(VoiceModel.builtIn!)
    for file in files { #expect(listener.detector.add(try PhraseFile(UnsafeRawBufferPointer(file)))) }
    return listener
  }

  /// A phrase that is the end of a sound: weights from the mean of all that it is made of to its last window, heard
  /// when a window is nine tenths of the way there.
  private func end(of samples: [Int16], _ part: Float = 0.9) -> UnsafeMutableRawBufferPointer {
    let all = vectors(of: samples)
    let mean = (0..<EmbeddingNetwork.width).map { index in
      all.map { $0[index] }.reduce(0, +) / Float(all.count)
    }
    let last = all.suffix(Budget.wakeVectors).flatMap { zip($0, mean).map { $0 - $1 } }
    let middle = (0..<Budget.wakeVectors).flatMap { _ in mean }
    let bias = -zip(middle, last).map { $0 * $1 }.reduce(0, +)
    return phraseFile(
      "rising tone", threshold: part * last.map { $0 * $0 }.reduce(0, +), bias: bias, weights: last)
  }

  @Test func `what the weights are made of is heard once, where it ends`() throws {
    let phrase = end(of: testSignal)
    let listener = try listener(phrase)
    listener.isGated = false
    let found = listener.hear(testSignal)
    #expect(found.count == 1)
    #expect(found.first?.phrase == 0)
    #expect(found.first.map { $0.sample <= Int64(testSignal.count) && $0.sample > 26_000 } == true)
  }

  @Test func `blocks of any size are heard alike`() throws {
    let phrase = end(of: testSignal)
    let sound = noise(24_000, amplitude: 20) + testSignal + noise(24_000, amplitude: 20)
    var heard: [[WakeDetection]] = []
    for size in [1, 159, 160, 1600, 80_000] {
      let listener = try listener(phrase)
      heard.append(listener.hear(sound, inBlocksOf: size))
    }
    #expect(heard[0].count == 1)
    #expect(heard.allSatisfy { $0 == heard[0] })
  }

  @Test func `a quiet room costs no work, and what breaks its silence is heard from before its start`() throws {
    let listener = try listener(phraseFile("nothing", threshold: 1e5))
    _ = listener.hear(noise(160_000, amplitude: 20))
    let before = listener.hopsHeard
    #expect(before < listener.hops / 5)
    #expect(!listener.isAwake)
    _ = listener.hear(noise(160, amplitude: 4000))
    #expect(listener.isAwake)
    #expect(listener.hopsHeard - before == Int64(Budget.wakePrerollHops))
    _ = listener.hear(noise(32_000, amplitude: 20))
    #expect(!listener.isAwake)
  }

  @Test func `the gate does not change what is heard`() throws {
    let sound = noise(80_000, amplitude: 20) + testSignal + noise(80_000, amplitude: 20)
    let phrase = end(of: Array(sound[..<112_000]))
    var heard: [[WakeDetection]] = []
    for isGated in [true, false] {
      let listener = try listener(phrase)
      listener.isGated = isGated
      heard.append(listener.hear(sound))
    }
    #expect(heard.map(\.count) == [1, 1])
    #expect(abs(heard[0][0].sample - heard[1][0].sample) <= 8 * 160)
  }

  @Test func `a phrase is reported once in a second and a half`() throws {
    let listener = try listener(phraseFile("always", threshold: -1))
    listener.isGated = false
    let found = listener.hear(noise(80_000, amplitude: 1000))
    #expect(found.count >= 2)
    for (first, second) in zip(found, found.dropFirst()) {
      #expect(second.sample - first.sample >= 24_000)
      #expect(second.sample - first.sample < 24_000 + 8 * 160)
    }
  }

  @Test func `caution raises every threshold`() throws {
    let listener = try listener(phraseFile("always", threshold: -1))
    listener.isGated = false
    listener.detector.caution = 2
    #expect(listener.detector.threshold(of: 0) == 1)
    #expect(listener.hear(noise(80_000, amplitude: 1000)).isEmpty)
  }

  @Test func `a phrase may have a caution of its own`() throws {
    let detector = WakeDetector()
    detector.caution = 1
    let file = try PhraseFile(UnsafeRawBufferPointer(phraseFile("one", threshold: 2)))
    #expect(detector.add(file, caution: -0.5) && detector.add(file))
    #expect(detector.threshold(of: 0) == 2.5 && detector.threshold(of: 1) == 3)
  }

  @Test func `the best score is that of all that was heard since it was asked for last`() throws {
    let listener = try listener(phraseFile("always", threshold: -1))
    listener.isGated = false
    #expect(listener.detector.takeBest(of: 0) == -.infinity)
    _ = listener.hear(noise(80_000, amplitude: 1000))
    #expect(listener.detector.takeBest(of: 0) == listener.detector.score(of: 0))
    #expect(listener.detector.takeBest(of: 0) == -.infinity)
  }

  @Test func `more phrases than fit are refused`() throws {
    let detector = WakeDetector()
    let file = try PhraseFile(UnsafeRawBufferPointer(phraseFile("one")))
    for _ in 0..<Budget.wakePhrases { #expect(detector.add(file)) }
    #expect(!detector.add(file))
    detector.removeAll()
    #expect(detector.count == 0 && detector.add(file))
  }

  @Test func `the number of untaken detections is bounded`() throws {
    let listener = WakeListener(VoiceModel.builtIn!)
    let file = try PhraseFile(UnsafeRawBufferPointer(phraseFile("always", threshold: -1)))
    for _ in 0..<Budget.wakePhrases { _ = listener.detector.add(file) }
    listener.isGated = false
    let sound = noise(160_000, amplitude: 1000)
    sound.withUnsafeBufferPointer { listener.hear($0) }
    var count = 0
    while listener.next() != nil { count += 1 }
    #expect(count == Budget.wakeDetections)
  }

  @Test func `after an interruption nothing before it is part of a phrase`() throws {
    let phrase = end(of: testSignal)
    let listener = try listener(phrase)
    listener.isGated = false
    var found = listener.hear(Array(testSignal[..<20_000]))
    listener.interrupt()
    found += listener.hear(Array(testSignal[20_000...]))
    #expect(found.isEmpty)
  }

  @Test func `listening allocates nothing`() throws {
    let phrase = end(of: testSignal)
    let listener = try listener(phrase)
    let sound = noise(16_000, amplitude: 20) + testSignal
    func listen() {
      sound.withUnsafeBufferPointer { listener.hear($0) }
      _ = listener.next()
    }
    // What is made at the first use is no part of it, whichever test runs first.
    listen()
    tl_count_allocations()
    listen()
    #expect(tl_counted_allocations() == 0)
  }
}
