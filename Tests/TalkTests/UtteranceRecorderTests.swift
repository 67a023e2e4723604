import Runtime
import Testing

@testable import Talk

@Suite("An utterance is recorded from a little before it began until silence")
struct UtteranceRecorderTests {
  private func recorder() throws -> UtteranceRecorder {
    let recorder = try UtteranceRecorder()
    _ = recorder.hear(Sound.noise(1_000))
    return recorder
  }

  @Test("what was heard before the recording began is its start, and no more than was asked for")
  func preroll() throws {
    let recorder = try recorder()
    let phrase = Sound.tone(2_500)
    _ = recorder.hear(phrase)
    recorder.begin(.wake)
    #expect(Array(recorder.samples) == Array(phrase.suffix(32_000)))
    _ = recorder.hear(Sound.noise(100))
    #expect(recorder.count == 32_000 + 1_600)
    // Less was heard than belongs to it.
    let fresh = try UtteranceRecorder()
    _ = fresh.hear(Sound.tone(300))
    fresh.begin(.wake)
    #expect(fresh.count == 4_800)
  }

  @Test("2.0 s of silence end a command, and shorter pauses do not")
  func silence() throws {
    let recorder = try recorder()
    recorder.begin(.wake)
    #expect(recorder.hear(Sound.noise(500)) == nil)
    #expect(recorder.hear(Sound.tone(800)) == nil)
    #expect(recorder.hear(Sound.noise(1_900)) == nil)
    #expect(recorder.hear(Sound.tone(800)) == nil)
    #expect(recorder.hasSpeech)
    let end = try #require(recorder.hear(Sound.noise(4_000), block: 160))
    #expect(end.end == .silence)
    #expect(abs(end.at - 32_000) <= 640)
    #expect(!recorder.isRecording)
    #expect(recorder.count > 6_000 * 16)
  }

  @Test("5.0 s after the wake phrase without a word it is over; the board's own tone is no word")
  func nothing() throws {
    let recorder = try recorder()
    recorder.begin(.wake)
    #expect(recorder.hear(Sound.tone(180, hertz: 987)) == nil)
    let end = try #require(recorder.hear(Sound.noise(6_000), block: 160))
    #expect(end.end == .nothing)
    #expect(abs(end.at + 180 * 16 - 80_000) <= 640)
  }

  @Test("endless speech is cut after 120 s, and the buffer does not grow")
  func limit() throws {
    let recorder = try recorder()
    _ = recorder.hear(Sound.tone(2_000))
    recorder.begin(.wake)
    // Nobody speaks for two minutes without a breath.
    let second = Sound.tone(900, amplitude: 9_000) + Sound.noise(100)
    for _ in 0..<119 { #expect(recorder.hear(second) == nil) }
    #expect(recorder.hear(Sound.tone(1_100))?.end == .limit)
    #expect(recorder.count == (120_000 + 2_000) * 16)
    recorder.clear()
    #expect(recorder.count == 0)
  }

  @Test("a held button records silence as well, and ends only by its owner or the limit")
  func hold() throws {
    let recorder = try recorder()
    recorder.begin(.hold)
    #expect(recorder.count == 0)
    #expect(recorder.hear(Sound.tone(500) + Sound.noise(20_000)) == nil)
    #expect(recorder.count == 20_500 * 16)
    recorder.end()
    #expect(recorder.hear(Sound.tone(500)) == nil)
    #expect(recorder.count == 20_500 * 16)
  }

  @Test("once ends after silence, but not before anything was said, and after 12 s at last")
  func once() throws {
    let recorder = try recorder()
    recorder.begin(.once)
    #expect(recorder.hear(Sound.noise(9_000)) == nil)
    #expect(recorder.hear(Sound.tone(500)) == nil)
    #expect(recorder.hear(Sound.noise(2_200))?.end == .silence)
    recorder.begin(.once)
    let end = try #require(recorder.hear(Sound.noise(13_000), block: 160))
    #expect(end.end == .limit && end.at == 12_000 * 16)
  }

  @Test("a turn begins with its first word and keeps nothing of the silence before, however long that is")
  func turn() throws {
    let recorder = try recorder()
    recorder.begin(.turn)
    for _ in 0..<200 { #expect(recorder.hear(Sound.noise(1_000)) == nil) }
    #expect(recorder.count == 0)
    #expect(recorder.hear(Sound.tone(1_000)) == nil)
    // Half a second before the first word, and the frame that told.
    #expect(recorder.count >= 1_400 * 16 && recorder.count <= 1_520 * 16)
    #expect(recorder.hear(Sound.noise(900))?.end == .silence)
  }

  @Test("how the sound is cut changes nothing")
  func cuts() throws {
    let sound = Sound.noise(400) + Sound.tone(700) + Sound.noise(1_000) + Sound.tone(300) + Sound.noise(3_000)
    var results: Set<[Int16]> = []
    for seed in 1...6 as ClosedRange<UInt64> {
      var dice = Dice(seed)
      let recorder = try UtteranceRecorder()
      recorder.begin(.once)
      for block in sound.cut(&dice) { _ = block.withUnsafeBufferPointer { recorder.push($0) } }
      #expect(!recorder.isRecording)
      results.insert(Array(recorder.samples.prefix(60_000)))
      #expect(abs(recorder.count - 4_400 * 16) <= 960)
    }
    #expect(results.count == 1)
  }

  @Test("after the microphone was closed, nothing of before is in the next recording")
  func forget() throws {
    let recorder = try recorder()
    _ = recorder.hear(Sound.tone(1_000))
    recorder.forget()
    recorder.begin(.wake)
    #expect(recorder.count == 0)
  }
}

@Suite("Speech is told from noise")
struct GateTests {
  private func share(_ gate: inout SpeechGate, _ samples: [Int16]) -> Double {
    var (speech, all) = (0, 0)
    samples.withUnsafeBufferPointer {
      gate.push($0) { isSpeech in (speech, all) = (speech + (isSpeech ? 1 : 0), all + 1) }
    }
    return Double(speech) / Double(all)
  }

  @Test("in a quiet room a voice is heard, and the room is not")
  func quiet() {
    var gate = SpeechGate()
    let share1 = share(&gate, Sound.noise(2_000))
    #expect(share1 == 0)
    let share2 = share(&gate, Sound.tone(1_000, amplitude: 1_500))
    #expect(share2 > 0.9)
    let share3 = share(&gate, Sound.noise(2_000))
    #expect(share3 < 0.02)
  }

  @Test("beside a fan a voice must be louder than the fan, and the fan is learnt")
  func fan() {
    var gate = SpeechGate()
    _ = share(&gate, Sound.noise(2_000))
    // Taken for speech at first, and known for what it is after a while.
    _ = share(&gate, Sound.noise(120_000, amplitude: 900, seed: 9))
    let share4 = share(&gate, Sound.noise(2_000, amplitude: 900, seed: 4))
    #expect(share4 == 0)
    let share5 = share(&gate, Sound.tone(1_000, amplitude: 9_000))
    #expect(share5 > 0.9)
  }

  @Test("twenty seconds of speech stay speech to their end")
  func long() {
    var gate = SpeechGate()
    _ = share(&gate, Sound.noise(2_000))
    let share6 = share(&gate, Sound.tone(20_000))
    #expect(share6 > 0.99)
  }

  @Test("a click is no speech")
  func click() {
    var gate = SpeechGate()
    _ = share(&gate, Sound.noise(2_000))
    let share7 = share(&gate, Sound.tone(30) + Sound.noise(970))
    #expect(share7 == 0)
  }

  @Test("the board's own voice does not interrupt it, and a louder one does")
  func interruption() {
    var gate = InterruptGate()
    var heard: [Bool] = []
    for (length, loudness) in [(3_000, 600.0), (60, 8_000), (500, 600), (400, 8_000)] {
      heard.append(Sound.tone(length, amplitude: loudness).withUnsafeBufferPointer { gate.push($0) })
    }
    #expect(heard == [false, false, false, true])
  }

  @Test("the threshold of interruptions stays between its bounds")
  func bounds() {
    var gate = InterruptGate()
    #expect(gate.threshold == 0.18)
    _ = Sound.noise(1_200, amplitude: 0).withUnsafeBufferPointer { gate.push($0) }
    #expect(gate.threshold == 0.12)
    _ = Sound.tone(1_200, amplitude: 30_000).withUnsafeBufferPointer { gate.push($0) }
    #expect(gate.threshold == 0.35)
  }
}
