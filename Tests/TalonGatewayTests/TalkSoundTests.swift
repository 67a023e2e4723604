import Foundation
import Testing

@testable import talon_gateway

/// The sound that arrives and the sound that is made, without a socket.
@Suite struct TalkSoundTests {
  @Test("the codes of G.711 stand for the samples of its table")
  func table() {
    // ITU-T G.711, table 2a: the decision values' outputs, in 14 bits; four times that in 16.
    let known: [(UInt8, Int16)] = [
      (0xFF, 0), (0xFE, 8), (0xF0, 120), (0xEF, 132), (0x80, 32_124), (0x00, -32_124), (0x7F, 0), (0x7E, -8),
    ]
    for (code, sample) in known { #expect(ULaw.sample(code) == sample) }
  }

  @Test("every code is the nearest to its own sample")
  func roundTrip() {
    for code in UInt8.min...UInt8.max where code != 0x7F { #expect(ULaw.code(ULaw.sample(code)) == code) }
    #expect(ULaw.sample(ULaw.code(.min)) == -32_124)
    #expect(ULaw.sample(ULaw.code(.max)) == 32_124)
    // The steps are 8 near zero and 1024 at the top: half of that is the most that is lost.
    for sample in stride(from: -32_000, through: 32_000, by: 7) {
      let error = abs(Int(ULaw.sample(ULaw.code(Int16(sample)))) - sample)
      #expect(error <= max(4, abs(sample) / 28 + 4))
    }
  }

  @Test("samples of 16 bits are little-endian, and one that is cut in two is none")
  func pcm() {
    let form = TalkFormat(encoding: .pcm16, rate: 16_000)
    #expect(form.samples(in: [0x01, 0x02, 0xFF, 0xFF, 0x00, 0x80]) == [0x0201, -1, .min])
    #expect(form.bytes(of: [0x0201, -1, .min]) == [0x01, 0x02, 0xFF, 0xFF, 0x00, 0x80])
    #expect(form.samples(in: [1, 2, 3]) == nil)
  }

  @Test("formats have the names that clients ask for")
  func names() {
    #expect(TalkFormat(name: "pcm_24000") == .studio)
    #expect(TalkFormat(name: "ulaw_8000") == .telephone)
    for name in ["", "pcm", "pcm_", "pcm_1", "ulaw_16000", "mp3_44100_128", "pcm_24000_1", "PCM_24000"] {
      #expect(TalkFormat(name: name) == nil)
    }
  }

  @Test("the ear measures length, loudness and peak, whatever the pieces", arguments: [1, 7, 160, 4000])
  func measures(piece: Int) {
    var ear = TalkEar(rate: 8000)
    let sound = TestSound.tone(milliseconds: 1500, rate: 8000)
    for start in stride(from: 0, to: sound.count, by: piece) {
      #expect(ear.hear(Array(sound[start..<min(start + piece, sound.count)])).isEmpty)
    }
    let utterance = ear.finish()
    #expect(utterance?.milliseconds == 1500)
    #expect(utterance?.speechMilliseconds == 1500)
    // A sine's root mean square is its peak by the root of two.
    #expect(utterance?.rms == 5793)
    #expect(utterance?.peak == 8192)
    #expect(ear.total.milliseconds == 1500)
    #expect(ear.finish() == nil)
  }

  @Test("half a second of silence ends an utterance; less does not")
  func pauses() {
    func tone(_ milliseconds: Int) -> [Int16] { TestSound.tone(milliseconds: milliseconds, rate: 16_000) }
    func silence(_ milliseconds: Int) -> [Int16] {
      TestSound.silence(milliseconds: milliseconds, rate: 16_000)
    }
    var ear = TalkEar(rate: 16_000)
    let ended = ear.hear(tone(400) + silence(480) + tone(400) + silence(520) + tone(200))
    #expect(ended.map(\.milliseconds) == [1780])
    #expect(ended.map(\.speechMilliseconds) == [800])
    #expect(ear.finish()?.milliseconds == 220)
  }

  @Test("silence, hiss and a click are no speech")
  func silence() {
    var ear = TalkEar(rate: 8000)
    var sound = TestSound.silence(milliseconds: 2000, rate: 8000)
    for index in sound.indices { sound[index] = index % 2 == 0 ? 190 : -190 }
    for index in 800..<1120 { sound[index] = 9000 }
    #expect(ear.hear(sound).isEmpty)
    #expect(ear.finish() == nil)
    #expect(ear.total.speechMilliseconds == 40)
    #expect(ear.total.peak == 9000)
  }

  @Test("a longer text is a longer sound, within bounds; a faster one a shorter")
  func lengths() {
    #expect(TalkVoice.milliseconds(of: "ja", speed: 1) == 200)
    #expect(TalkVoice.milliseconds(of: "good morning", speed: 1) == 480)
    #expect(TalkVoice.milliseconds(of: "good morning", speed: 1.5) == 320)
    #expect(TalkVoice.milliseconds(of: String(repeating: "a", count: 1000), speed: 1) == 10_000)
  }
}
