import Board
import Codec
import Runtime
import Simulated
import Sound

/// `talon speaker`: which speakers there are; a tone, or a file.
enum SpeakerCommand {
  static func run(_ options: Options) throws(Failure) -> ExitCode {
    switch options.words[0] {
    case "list": return SoundRun.list(captures: false)
    case "tone":
      let hertz = try SoundRun.number(options, "--hertz", 20...7_900) ?? 440
      let seconds = try SoundRun.number(options, "--seconds", 1...3600) ?? 1
      return try play(Tone(hertz: Float(hertz), seconds: Int(seconds)), options)
    case "play":
      guard options.words.count == 2 else { throw Failure(.usage, "talon speaker play needs a file") }
      return try play(try WAVVoice(options.words[1]), options)
    default: throw Failure(.usage, "expected: talon speaker list, talon speaker tone or talon speaker play")
    }
  }

  private static func play(_ voice: any SoundVoice, _ options: Options) throws(Failure) -> ExitCode {
    var configuration = try SoundRun.configuration(options)
    try change(&configuration.speaker.order, options)
    for line in try play(voice, configuration) { Console.out(line) }
    return .ok
  }

  /// Plays a voice, and prints facts for the person.
  static func play(_ voice: any SoundVoice, _ configuration: SoundConfiguration) throws(Failure) -> [String] {
    guard configuration.speaker.isEnabled else { throw Failure(.unavailable, SoundRun.text(.disabled)) }
    let run = try SoundRun()
    let wiring = SoundWiring(configuration: configuration, loop: run.loop, clock: run.clock)
    let playback = try SoundRun.made { () throws(Errno) in try wiring.playback() }
    var order = configuration.speaker.order
    if order.rate == nil { order.rate = voice.rate }
    let facts = try SoundRun.told { () throws(SoundError) in try playback.open(order) }
    defer { playback.close() }
    if let trouble = facts.mixerTrouble { Console.err("talon: \(SoundRun.text(trouble))") }
    if facts.isMuted { Console.err("talon: the mixer's switch is off: nothing can be heard") }
    let outlet = SoundOutlet(resampler: SpeexResampler(), decibels: configuration.speaker.decibels)
    let player = SoundPlayer(playback, outlet, clock: run.clock)
    let delegate = PlayerEnd(run)
    try SoundRun.told { () throws(SoundError) in try player.play(voice, on: facts, delegate) }
    try run.run(milliseconds: nil, advance: { player.advance(to: $0) }, deadline: { player.nextDeadline })
    player.stop()
    if let error = delegate.error { throw Failure(.unavailable, SoundRun.text(error)) }
    return [SoundRun.text(facts), "\(player.frames) frames, \(playback.gaps) gaps"]
  }

  private static func change(_ order: inout SoundOrder, _ options: Options) throws(Failure) {
    if let name = options.value("--card") { order.card = SoundName(cutting: name) }
    if let device = try SoundRun.number(options, "--device", 0...31) { order.device = Int(device) }
    if let rate = try SoundRun.number(options, "--rate", 4_000...384_000) { order.rate = UInt32(rate) }
    if let channels = try SoundRun.number(options, "--channels", 1...Int64(Budget.soundChannels)) {
      order.channels = Int(channels)
    }
    guard let name = options.value("--format") else { return }
    order.format = ALSAFormat.named(name)
    if order.format == nil {
      throw Failure(.usage, "--format needs a sample format, such as S16_LE or S24_3LE")
    }
  }
}

/// Ends the command when all was played.
private final class PlayerEnd: SoundPlayerDelegate {
  private let run: SoundRun
  private(set) var error: SoundError?

  init(_ run: SoundRun) { self.run = run }

  func played(_ error: SoundError?) {
    self.error = error
    run.stop()
  }
}

/// A tone at a tenth of full scale.
private final class Tone: SoundVoice {
  let rate = UInt32(Budget.soundRate)
  private var left: Int
  /// The rotation of each sample (the recurrence of a rotation), and the current angle.
  private let (cosine, sine): (Double, Double)
  private var (x, y): (Double, Double) = (1, 0)

  init(hertz: Float, seconds: Int) {
    left = seconds * Budget.soundRate
    let angle = 2 * Trigonometry.pi * Double(hertz) / Double(Budget.soundRate)
    (cosine, sine) = (Trigonometry.cosine(angle), Trigonometry.sine(angle))
  }

  func speak(into samples: UnsafeMutableBufferPointer<Int16>) -> Int {
    let count = min(left, samples.count)
    for index in 0..<count {
      samples[index] = Int16(clamping: 3277 * y)
      (x, y) = (x * cosine - y * sine, x * sine + y * cosine)
    }
    left -= count
    return count
  }
}

/// The sound of a WAV file, its channels mixed into one.
private final class WAVVoice: SoundVoice {
  let rate: UInt32
  private let file: WAVFile
  private let format: SampleFormat
  private let channels: Int
  private let bytes = FixedBuffer(capacity: Budget.soundFrameBytes * 16)
  /// Bytes of the file in the buffer.
  private var count = 0

  init(_ path: String) throws(Failure) {
    let file = try SoundRun.made { () throws(Errno) in try WAVFile(path: path) }
    let header = try SoundRun.told { () throws(SoundError) in try file.open() }
    guard header.frameBytes <= Budget.soundFrameBytes, Budget.soundCardRates.contains(header.rate) else {
      throw Failure(
        .unavailable, SoundRun.text(.notWAV("too many channels, or a rate that is out of the question")))
    }
    self.file = file
    (rate, channels, format) = (header.rate, header.channels, SampleFormat(header))
  }

  func speak(into samples: UnsafeMutableBufferPointer<Int16>) -> Int {
    let stride = channels * format.bytes
    while count < stride {
      guard let more = next(samples.count * stride), more > 0 else { return 0 }
      count += more
    }
    let frames = min(count / stride, samples.count)
    let start = UnsafeRawPointer(bytes.bytes.baseAddress!)
    for frame in 0..<frames {
      var sum: Float = 0
      for channel in 0..<channels { sum += format.read(start + frame * stride + channel * format.bytes) }
      samples[frame] = Int16(clamping: (sum / Float(channels) * 32768).rounded())
    }
    count -= frames * stride
    bytes.bytes.baseAddress!.update(from: bytes.bytes.baseAddress! + frames * stride, count: count)
    return frames
  }

  /// Nil or 0 at the end, or after an error.
  private func next(_ wanted: Int) -> Int? {
    let room = min(bytes.bytes.count, count + wanted)
    do throws(SoundError) {
      while true {
        let target = UnsafeMutableRawBufferPointer(
          UnsafeMutableBufferPointer(rebasing: bytes.bytes[count..<room]))
        if let read = try file.read(into: target) { return read }
        Syscall.pause(milliseconds: 10)
      }
    } catch {
      return nil
    }
  }
}
