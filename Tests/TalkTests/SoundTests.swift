import Codec
import Foundation
import Runtime
import Testing

@testable import Talk

@Suite("Speech from the gateway is played as it is, or refused with a reason")
struct SpeechClipTests {
  private func read(_ audio: [UInt8], _ rest: String = "", asked: Int = 24_000) throws -> (samples: [Int16], rate: Int)
  {
    let clip = try SpeechClip()
    let payload = #"{"audioBase64":"\#(Data(audio).base64EncodedString())","provider":"p"\#(rest)}"#
    try clip.read(JSONView(payload.utf8.span), asked: asked)
    return (Array(clip.samples), clip.rate)
  }

  private func refusal(_ audio: [UInt8], _ rest: String) -> String {
    do {
      _ = try read(audio, rest)
      return "played"
    } catch let error as SoundFormError {
      let buffer = FixedBuffer(capacity: 256)
      var writer = ByteWriter(into: buffer.bytes)
      error.writeMessage(to: &writer)
      return String(decoding: buffer.bytes[..<writer.count], as: UTF8.self)
    } catch {
      return "\(error)"
    }
  }

  private static let pcm: [UInt8] = [1, 0, 0xFF, 0xFF, 0, 0x80]

  @Test(
    "PCM by any of its names",
    arguments: [
      (#","outputFormat":"pcm_24000""#, 24_000), (#","outputFormat":"pcm_16000","mimeType":"audio/mpeg""#, 16_000),
      (#","mimeType":"audio/pcm""#, 24_000), (#","mimeType":"audio/pcm;rate=22050""#, 22_050),
      (#","mimeType":"audio/L16;codec=pcm;rate=44100""#, 44_100), (#","fileExtension":".pcm""#, 24_000),
      (#","mimeType":"","fileExtension":"pcm""#, 24_000),
    ])
  func pcm(rest: String, rate: Int) throws {
    let clip = try read(Self.pcm, rest)
    #expect(clip.samples == [1, -1, -32_768])
    #expect(clip.rate == rate)
  }

  @Test("an odd byte at the end is no sample")
  func odd() throws {
    #expect(try read(Self.pcm + [9], #","outputFormat":"pcm_24000""#).samples.count == 3)
  }

  private func wave(channels: Int, bits: Int, rate: Int, data: [UInt8], kind: UInt8 = 1, before: [UInt8] = [])
    -> [UInt8]
  {
    func little(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> (8 * $0) & 255) } }
    let format =
      little(Int(kind), 2) + little(channels, 2) + little(rate, 4) + little(rate * channels * bits / 8, 4)
      + little(channels * bits / 8, 2) + little(bits, 2)
    let chunks =
      Array("fmt ".utf8) + little(16, 4) + format + before + Array("data".utf8) + little(data.count, 4) + data
    return Array("RIFF".utf8) + little(4 + chunks.count, 4) + Array("WAVE".utf8) + chunks
  }

  @Test("WAV files of 8 and 16 bits, one channel or two")
  func waves() throws {
    let mono = try read(wave(channels: 1, bits: 16, rate: 22_050, data: Self.pcm), #","mimeType":"audio/wav""#)
    #expect(mono.samples == [1, -1, -32_768] && mono.rate == 22_050)
    let list = Array("LIST".utf8) + [3, 0, 0, 0, 1, 2, 3, 0]
    let stereo = try read(
      wave(channels: 2, bits: 16, rate: 16_000, data: [4, 0, 8, 0, 0, 0x80, 0, 0x80], before: list))
    #expect(stereo.samples == [6, -32_768])
    #expect(try read(wave(channels: 1, bits: 8, rate: 8_000, data: [128, 255, 0])).samples == [0, 32_512, -32_768])
    #expect(try read(wave(channels: 2, bits: 8, rate: 8_000, data: [128, 130, 0, 0])).samples == [256, -32_768])
  }

  @Test("µ-law")
  func ulaw() throws {
    let clip = try read([0xFF, 0x80, 0x00], #","outputFormat":"ulaw_8000""#)
    #expect(clip.samples == [0, 32_124, -32_124] && clip.rate == 8_000)
  }

  @Test("what needs a decoder, and what is broken, is refused by its name")
  func refusals() {
    let pcm = Self.pcm
    #expect(
      refusal(pcm, #","outputFormat":"mp3_44100_128""#)
        == "UNAVAILABLE: this board plays PCM of 16 bits and has no decoder for what the gateway sent: mp3_44100_128")
    #expect(refusal(pcm, #","mimeType":"audio/ogg; codecs=opus""#).hasSuffix(": audio/ogg; codecs=opus"))
    #expect(refusal(pcm, #","mimeType":"audio/L16;rate=16000""#).hasSuffix(": audio/L16;rate=16000"))
    #expect(refusal(pcm, #","fileExtension":".mp3""#).hasSuffix(": .mp3"))
    #expect(refusal(pcm, #","outputFormat":"pcm_96000""#).hasSuffix("not 96000"))
    #expect(refusal(pcm, #","outputFormat":"pcm_""#).hasSuffix(": pcm_"))
    #expect(refusal(pcm, "") == "UNAVAILABLE: the gateway does not say what kind of sound it sent")
    #expect(refusal([], #","outputFormat":"pcm_24000""#) == "UNAVAILABLE: the gateway sent no sound")
    #expect(refusal([7], #","outputFormat":"pcm_24000""#) == "UNAVAILABLE: the gateway sent no sound")
    #expect(refusal(wave(channels: 6, bits: 24, rate: 48_000, data: pcm), "").hasSuffix("not 6 of 24"))
    #expect(refusal(wave(channels: 1, bits: 16, rate: 16_000, data: pcm, kind: 3), "").contains("no PCM"))
    #expect(refusal(Array(wave(channels: 1, bits: 16, rate: 16_000, data: pcm).prefix(40)), "").contains("cut off"))
    #expect(refusal(wave(channels: 1, bits: 16, rate: 1, data: pcm), "").hasSuffix("not 1"))
  }

  @Test("what is no base64, and what is too long, is refused")
  func bounds() throws {
    let clip = try SpeechClip()
    #expect(throws: SoundFormError.base64(offset: 2)) {
      try clip.read(JSONView(#"{"audioBase64":"AA-A","outputFormat":"pcm_16000"}"#.utf8.span), asked: 1)
    }
    let most = String(repeating: "A", count: Budget.speechBytes / 3 * 4)
    try clip.read(JSONView(#"{"audioBase64":"\#(most)","outputFormat":"pcm_16000"}"#.utf8.span), asked: 1)
    #expect(clip.count == Budget.speechBytes / 2)
    #expect(throws: SoundFormError.tooLarge) {
      try clip.read(JSONView(#"{"audioBase64":"\#(most)AAAA","outputFormat":"pcm_16000"}"#.utf8.span), asked: 1)
    }
    #expect(clip.count == 0)
    #expect(throws: SoundFormError.tooLarge) {
      try clip.read(JSONView(#"{"audioBase64":"\#(most)","outputFormat":"ulaw_8000"}"#.utf8.span), asked: 1)
    }
  }
}

@Suite("Sound that comes in pieces is played without end")
struct JitterBufferTests {
  private func pull(_ buffer: JitterBuffer, _ count: Int) -> [Int16] {
    [Int16](unsafeUninitializedCapacity: count) { place, filled in
      buffer.pull(UnsafeMutableBufferPointer(rebasing: place[..<count]))
      filled = count
    }
  }

  private func push(_ buffer: JitterBuffer, _ samples: [Int16]) { samples.withUnsafeBufferPointer { buffer.push($0) } }

  @Test("it gathers before it plays, and after each gap again")
  func gathers() throws {
    let buffer = try JitterBuffer(capacity: 100, start: 10)
    push(buffer, Array(1...9))
    #expect(pull(buffer, 5) == [0, 0, 0, 0, 0])
    push(buffer, [10])
    #expect(pull(buffer, 5) == [1, 2, 3, 4, 5])
    let rest = pull(buffer, 7)
    #expect(rest.prefix(5) == [6, 7, 8, 9, 10] && rest.suffix(2) == [8, 7])
    push(buffer, [100])
    #expect(pull(buffer, 1) == [6])
    #expect(buffer.counters == .init(taken: 11, played: 10, concealed: 8, dropped: 0))
    buffer.finish()
    #expect(pull(buffer, 1) == [100] && buffer.isDone)
  }

  @Test("when more comes than it holds, the oldest goes")
  func drops() throws {
    let buffer = try JitterBuffer(capacity: 8, start: 2)
    push(buffer, [1, 2, 3, 4, 5, 6])
    push(buffer, [7, 8, 9, 10])
    #expect(buffer.count == 8 && buffer.counters.dropped == 2)
    push(buffer, Array(20...40))
    #expect(pull(buffer, 8) == Array(33...40))
    #expect(buffer.counters.dropped == 2 + 13 + 8)
    buffer.clear()
    #expect(buffer.count == 0)
  }

  @Test("all that came is played, waits, or was dropped, whatever the order")
  func account() throws {
    var dice = Dice(12)
    let buffer = try JitterBuffer(capacity: 500, start: 100)
    for _ in 0..<3_000 {
      if dice.below(2) == 0 {
        push(buffer, [Int16](repeating: 5, count: dice.below(300)))
      } else {
        _ = pull(buffer, dice.below(300))
      }
      #expect(buffer.count <= 500)
      #expect(buffer.counters.taken == buffer.counters.played + buffer.counters.dropped + UInt64(buffer.count))
    }
  }

  @Test("a gap fades out and does not click")
  func fades() throws {
    let buffer = try JitterBuffer(capacity: 100, start: 1)
    push(buffer, [20_000])
    let block = pull(buffer, 90)
    #expect(zip(block, block.dropFirst()).allSatisfy { abs(Int($0) - Int($1)) <= 2_501 })
    #expect(block.last == 0)
  }
}

@Suite("Tones")
struct ChimeTests {
  private func samples(_ kind: Chime.Kind, volume: Double = 0.5, block: Int = 100) -> [Int16] {
    var chime = Chime(kind, volume: volume)
    var all: [Int16] = []
    var buffer = [Int16](repeating: 0, count: block)
    while true {
      let count = buffer.withUnsafeMutableBufferPointer { chime.fill($0) }
      all += buffer[..<count]
      if count < block { return all }
    }
  }

  @Test(
    "each is as long as it says, as loud as it may be, and begins and ends in silence", arguments: Chime.Kind.allCases)
  func shape(kind: Chime.Kind) {
    let all = samples(kind)
    #expect(all.count == Chime(kind, volume: 1).milliseconds * 16)
    #expect(all.first == 0 && all.last == 0)
    let peak = all.map { abs(Int($0)) }.max()!
    #expect(peak <= 16_384 && peak > 15_500)
    #expect(zip(all, all.dropFirst()).allSatisfy { abs(Int($0) - Int($1)) < 7_000 })
    #expect(samples(kind, block: 7) == all)
  }

  @Test("the three are told apart, and volume 0 is silence")
  func kinds() {
    #expect(samples(.listening) != samples(.sent))
    #expect(samples(.failed, volume: 0).allSatisfy { $0 == 0 })
    #expect(samples(.sent, volume: -3).allSatisfy { $0 == 0 })
    #expect(samples(.sent, volume: .nan).allSatisfy { $0 == 0 })
  }
}

@Suite("A transcript is put together")
struct TranscriptTests {
  private func value(_ transcript: Transcript) -> String { String(decoding: transcript.bytes, as: UTF8.self) }

  @Test("guesses give way to what is certain, and sentences follow each other")
  func order() {
    let transcript = Transcript()
    transcript.guess("turn".utf8.span)
    transcript.guess("turn on".utf8.span)
    transcript.add(" Turn on the light. ".utf8.span)
    transcript.add("".utf8.span)
    transcript.guess("and the".utf8.span)
    #expect(value(transcript) == "Turn on the light. and the")
    transcript.add("And the fan.".utf8.span)
    #expect(value(transcript) == "Turn on the light. And the fan.")
    transcript.keep(8..<18)
    #expect(value(transcript) == "the light.")
    transcript.clear()
    #expect(transcript.count == 0)
  }

  @Test("too much is cut at a character's edge")
  func bound() {
    let transcript = Transcript()
    for _ in 0..<100 { transcript.add(String(repeating: "ä", count: 40).utf8.span) }
    #expect(
      transcript.isCut && transcript.count <= Budget.transcriptBytes && transcript.count > Budget.transcriptBytes - 3)
    #expect(String(validating: transcript.bytes, as: UTF8.self) != nil)
  }
}
