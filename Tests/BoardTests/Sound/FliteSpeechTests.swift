import CFlite
import Foundation
import Runtime
import Talk
import Testing

@testable import Board

/// flite has one voice for the whole program, so these come one after the other.
@Suite("The board speaks by itself", .serialized) struct FliteSpeechTests {
  private func speak(_ text: String, stretch: Float = 1, pitch: Float = 1, room: Int = 480_000) throws -> [Int16] {
    var samples = [Int16](repeating: 0, count: room)
    let bytes = Array(text.utf8)
    let count = try samples.withUnsafeMutableBufferPointer {
      try FliteSpeech.speak(bytes.span, stretch: stretch, pitch: pitch, into: $0)
    }
    return Array(samples[..<count])
  }

  /// Of the loudest block of 1024 samples: the period at which it is most like itself, in samples.
  private func period(_ samples: [Int16]) -> Int {
    let size = 1024
    let blocks = stride(from: 0, to: samples.count - 2 * size, by: size / 2).map { start in
      (start, samples[start..<(start + size)].reduce(0.0) { $0 + Double($1) * Double($1) })
    }
    let start = blocks.max { $0.1 < $1.1 }!.0
    func likeness(_ lag: Int) -> Double {
      (0..<size).reduce(0.0) { $0 + Double(samples[start + $1]) * Double(samples[start + $1 + lag]) }
    }
    return (40...320).max { likeness($0) < likeness($1) }!
  }

  @Test func `A sentence has a sensible length, is loud enough, and begins and ends quietly`() throws {
    let samples = try speak("Good morning. The kettle has boiled.")
    let seconds = Double(samples.count) / Double(FliteSpeech.rate)
    #expect(FliteSpeech.rate == 16_000)
    #expect(seconds > 1.5 && seconds < 4)
    let peak = samples.map { Int($0.magnitude) }.max()!
    #expect(peak > 6_000 && peak < 32_767)
    #expect(samples.prefix(400).allSatisfy { $0.magnitude < 1_000 })
    #expect(samples.suffix(400).allSatisfy { $0.magnitude < 1_000 })
  }

  @Test func `Stretched it lasts longer, and raised it is higher`() throws {
    let plain = try speak("nine nine nine nine")
    let slow = try speak("nine nine nine nine", stretch: 1.5)
    let fast = try speak("nine nine nine nine", stretch: 0.6)
    #expect(Double(slow.count) > 1.35 * Double(plain.count) && Double(slow.count) < 1.65 * Double(plain.count))
    #expect(Double(fast.count) > 0.5 * Double(plain.count) && Double(fast.count) < 0.75 * Double(plain.count))
    let low = try speak("nine nine nine nine", pitch: 0.7)
    let high = try speak("nine nine nine nine", pitch: 1.4)
    #expect(Double(period(low)) > 1.5 * Double(period(high)))
  }

  @Test(arguments: [Float.nan, -.infinity, .infinity, 0, -3, 1e30])
  func `No stretch or pitch is too odd`(value: Float) throws {
    let samples = try speak("odd", stretch: value, pitch: value)
    #expect(samples.count > 1_000 && samples.count < 60_000)
  }

  @Test(arguments: ["", "   ", "...", "你好", "😀", "\u{0}\u{1}"])
  func `What has no words is silence`(text: String) throws {
    #expect(try speak(text).isEmpty)
  }

  @Test func `What finds no room is cut`() throws {
    #expect(try speak("this is longer than it may be", room: 5_000).count == 5_000)
  }

  @Test func `A text longer than a sentence is refused`() {
    #expect(throws: SpeechError.tooLong) { try speak(String(repeating: "a", count: Budget.sentenceBytes + 1)) }
  }

  @Test func `A long number, which needs more memory than it may, is said in parts`() throws {
    let number = String(repeating: "12345678 ", count: 12)
    #expect(number.utf8.count <= Budget.speechPieceBytes)
    var samples = [Int16](repeating: 0, count: Budget.speechBytes / 2)
    var text = Array(number.utf8).map { CChar($0) } + [0]
    let whole = text.withUnsafeMutableBufferPointer { text in
      samples.withUnsafeMutableBufferPointer { samples in
        var speech = tl_speech(
          text: text.baseAddress, stretch: 1, pitch: 1, samples: samples.baseAddress, capacity: Int64(samples.count),
          cancelled: nil)
        return tl_speech_make(&speech, Int64(Budget.speechMemoryBytes))
      }
    }
    #expect(whole == Int64(TL_SPEECH_NO_MEMORY))
    #expect(tl_speech_memory() == 0)
    #expect(try speak(number, room: Budget.speechBytes / 2).count > 30 * 16_000)
  }

  @Test func `Between sentences it holds the voice, and nothing of what was said`() throws {
    _ = try speak("one")
    let before = tl_speech_memory()
    #expect(before > 0 && before < 8_192)
    for text in ["two", "Mr. O'Neil paid $4.50 at 10:45 on 3/4/1999, i.e. IV times.", "x y z!"] { _ = try speak(text) }
    #expect(tl_speech_memory() == before)
  }

  // MARK: The voice on a worker

  private final class Listener: LocalVoiceDelegate {
    var sounds: [Int] = []
    var rate = 0
    var failures = 0
    var then: (() -> Void)?
    func spoken(_ samples: UnsafeBufferPointer<Int16>, rate: Int) {
      sounds.append(samples.count)
      self.rate = rate
      then?()
    }
    func speechFailed() { failures += 1 }
  }

  /// Runs one job at a time.
  private final class StepRunner: JobRunner {
    private var waiting: [Job] = []

    func submit(_ job: Job) -> Bool {
      guard !job.isPending else { return false }
      job.isPending = true
      waiting.append(job)
      return true
    }

    func run() {
      guard !waiting.isEmpty else { return }
      let job = waiting.removeFirst()
      job.run()
      job.isPending = false
      job.finish()
    }
  }

  private func begin(_ voice: FliteVoice, _ text: String, speed: Double = 1, _ delegate: Listener) -> Bool {
    var text = text
    return text.withUTF8 { voice.speak($0, speed: speed, delegate) }
  }

  @Test func `A sentence is spoken piece by piece, and told once`() throws {
    let runner = StepRunner()
    let voice = try FliteVoice(runner: runner)
    let delegate = Listener()
    let text = String(repeating: "one two, ", count: 40)
    #expect(begin(voice, text, delegate))
    #expect(!begin(voice, "another", delegate))
    var turns = 0
    while delegate.sounds.isEmpty, delegate.failures == 0, turns < 10 {
      runner.run()
      turns += 1
    }
    #expect(turns == 2)
    #expect(delegate.sounds.count == 1 && delegate.sounds[0] > 16_000 * 15)
    #expect(delegate.rate == 16_000 && delegate.failures == 0)
  }

  @Test func `Twice as fast takes half as long`() throws {
    let runner = StepRunner()
    let voice = try FliteVoice(runner: runner)
    let delegate = Listener()
    for speed in [1, 1.9] {
      #expect(begin(voice, "the quick brown fox", speed: speed, delegate))
      runner.run()
    }
    try #require(delegate.sounds.count == 2)
    #expect(Double(delegate.sounds[1]) < 0.65 * Double(delegate.sounds[0]))
  }

  @Test func `Cancelled it tells nothing, and the next sentence follows`() throws {
    let runner = StepRunner()
    let voice = try FliteVoice(runner: runner)
    let (first, second) = (Listener(), Listener())
    #expect(begin(voice, "nobody hears this", first))
    voice.cancel()
    #expect(begin(voice, "but this", second))
    voice.cancel()
    #expect(begin(voice, "or this", second))
    runner.run()
    runner.run()
    #expect(first.sounds.isEmpty && first.failures == 0)
    #expect(second.sounds.count == 1 && second.sounds[0] > 5_000)
  }

  @Test func `The next sentence may begin within the end of the one before`() throws {
    let runner = StepRunner()
    let voice = try FliteVoice(runner: runner)
    let delegate = Listener()
    delegate.then = { [self, unowned delegate] in
      delegate.then = nil
      #expect(begin(voice, "and two", delegate))
    }
    #expect(begin(voice, "one", delegate))
    runner.run()
    runner.run()
    #expect(delegate.sounds.count == 2 && delegate.failures == 0)
  }
}
