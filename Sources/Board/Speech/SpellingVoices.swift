import Codec
import Enrolment
import Runtime
import Sound
import Talk

/// The linked voice of flite, for phrases.
public final class FlitePhraseVoice: PhraseVoice {
  /// A phrase takes a few seconds at the slowest.
  private let samples = UnsafeMutableBufferPointer<Int16>.allocate(capacity: 8 * Budget.voiceRate)

  @export(interface)
  public init() { samples.initialize(repeating: 0) }

  deinit { samples.deallocate() }

  /// See `PhraseVoice`.
  public func speak(_ text: [UInt8], _ manner: Manner) -> [Float]? {
    do throws(SpeechError) {
      let count = try FliteSpeech.speak(
        text.span, stretch: Float(manner.pace), pitch: Float(manner.pitch), into: samples)
      return count == 0 ? nil : floats(UnsafeBufferPointer(rebasing: samples[..<count]))
    } catch {
      return nil
    }
  }
}

/// The voices of espeak-ng, a separate program (GPL) that is run for each phrase. The text goes to its standard input,
/// never into its arguments.
public final class EspeakPhraseVoice: PhraseVoice {
  private let path: Path
  private let milliseconds: Int64
  private let recording: UnsafeMutableRawBufferPointer
  /// The last failure as text; nil: none.
  public private(set) var complaint: String?

  /// The voices of the program at this path; nil for a path that is too long.
  @export(interface)
  public init?(program: String, milliseconds: Int64 = Budget.spellingVoiceMilliseconds) {
    do throws(Errno) { path = try Path(program) } catch { return nil }
    self.milliseconds = milliseconds
    // It connects to a sound server even when it plays nothing.
    Process.setEnvironment("PULSE_SERVER", "unix:/dev/null")
    recording = .allocate(byteCount: Budget.spellingVoiceBytes, alignment: 16)
  }

  deinit { recording.deallocate() }

  /// The program's arguments for a manner; the text is not among them.
  static func arguments(_ manner: Manner) -> [String] {
    [
      "espeak-ng", "--stdin", "--stdout", "-v", manner.voice, "-s", "\(Int(clamping: manner.pace))", "-p",
      "\(Int(clamping: manner.pitch))",
    ]
  }

  /// See `PhraseVoice`.
  public func speak(_ text: [UInt8], _ manner: Manner) -> [Float]? {
    let outcome: ProgramOutcome
    do throws(Errno) {
      outcome = try run(text, Self.arguments(manner))
    } catch {
      complaint = String(decoding: error.text.bytes, as: UTF8.self)
      return nil
    }
    switch outcome {
    case .exited(let count): return read(UnsafeRawBufferPointer(rebasing: recording[..<count]))
    case .failed(let code): complaint = code > 128 ? "it was ended by signal \(code - 128)" : "exit code \(code)"
    case .timedOut: complaint = "it takes too long"
    case .outputTooLong: complaint = "its output is too long"
    }
    return nil
  }

  private func run(_ text: [UInt8], _ arguments: [String]) throws(Errno) -> ProgramOutcome {
    let input = UnsafeMutableRawBufferPointer.allocate(byteCount: text.count, alignment: 1)
    defer { input.deallocate() }
    for index in text.indices { input[index] = text[index] }
    return try Process.run(
      path, arguments, input: UnsafeRawBufferPointer(input), output: recording, milliseconds: milliseconds)
  }

  private func read(_ bytes: UnsafeRawBufferPointer) -> [Float]? {
    do throws(WAVError) {
      let wave = try WAVView(bytes)
      guard wave.count > 0 else {
        complaint = "its recording is empty"
        return nil
      }
      complaint = nil
      return resampled(wave)
    } catch {
      complaint = "its output is no WAV recording: \(String(decoding: error.text.bytes, as: UTF8.self))"
      return nil
    }
  }

  private func resampled(_ wave: WAVView) -> [Float]? {
    var samples: [Int16] = []
    samples.reserveCapacity(wave.count)
    for index in 0..<wave.count { samples.append(Int16(clamping: (wave[index] * 32_768).rounded())) }
    guard wave.rate != Budget.voiceRate else { return samples.withUnsafeBufferPointer { floats($0) } }
    guard let converter = RateConverter.between(wave.rate, Budget.voiceRate) else {
      complaint = "its sample rate is \(wave.rate) Hz"
      return nil
    }
    let room = UnsafeMutableBufferPointer<Int16>.allocate(capacity: converter.maximumOutput(of: samples.count))
    defer { room.deallocate() }
    let count = samples.withUnsafeBufferPointer { converter.convert($0, into: room) }
    return floats(UnsafeBufferPointer(rebasing: room[..<count]))
  }
}

private func floats(_ samples: UnsafeBufferPointer<Int16>) -> [Float] {
  var floats: [Float] = []
  floats.reserveCapacity(samples.count)
  for sample in samples { floats.append(Float(sample) / 32_768) }
  return floats
}
