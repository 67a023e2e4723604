import Board
import Codec
import Runtime
import Sound
import Talk

/// `talon say`: speaks with the board's own voice, on the speaker of the running agent, on the configured one when none
/// runs, or into a file.
enum SayCommand {
  static func run(_ options: Options) throws(Failure) -> ExitCode {
    let text = options.words[0]
    guard (1...Budget.chatMessageBytes).contains(text.utf8.count) else {
      throw Failure(.usage, "talon say needs a text of 1 to \(Budget.chatMessageBytes) bytes")
    }
    let speed = try speed(options)
    if let path = options.value("--out") { return try write(try SpokenSamples(text, speed: speed), path) }
    if let client = try client(options) { return try ask(client, text, speed) }
    let configuration = try SoundRun.configuration(options)
    _ = try SpeakerCommand.play(try SpokenSamples(text, speed: speed), configuration)
    return .ok
  }

  private static func speed(_ options: Options) throws(Failure) -> Double {
    guard let word = options.value("--speed") else { return 1 }
    let bytes = Array(word.utf8)
    var speed: Double?
    do throws(JSONError) {
      try JSONValidator.check(bytes.span, depthLimit: 1)
      speed = JSONView(bytes.span).double
    } catch {}
    guard let speed, speed >= 0.5, speed <= 2 else { throw Failure(.usage, "--speed needs a number from 0.5 to 2") }
    return speed
  }

  /// The running agent; nil when none runs, or none is configured.
  private static func client(_ options: Options) throws(Failure) -> ConsoleClient? {
    do throws(Errno) {
      _ = try Syscall.status(try Path(options.configurationPath))
    } catch {
      if options.configurationPath == ConfigurationFile.defaultPath { return nil }
    }
    let configuration = try ConfigCommand.read(options.configurationPath)
    do throws(Failure) {
      return try ConsoleClient(folder: configuration.runtimeDirectory)
    } catch {
      if error.code == .unavailable { return nil }
      throw error
    }
  }

  private static func ask(_ client: ConsoleClient, _ text: String, _ speed: Double) throws(Failure) -> ExitCode {
    let line = try client.ask("say", as: .action) { writer in
      writer.key("text")
      writer.string(text)
      writer.key("speed")
      writer.double(speed)
    }
    try BoardCommands.check(line)
    return .ok
  }

  private static func write(_ speech: SpokenSamples, _ path: String) throws(Failure) -> ExitCode {
    do throws(Errno) {
      let file = try Syscall.open(try Path(path), [.write, .create, .truncate], permissions: 0o644)
      defer { file.close() }
      try SoundRun.writeHeader(to: file, rate: speech.rate, samples: speech.samples.count)
      // All targets are little-endian, as WAV is.
      try Syscall.writeAll(file, UnsafeRawBufferPointer(speech.samples), at: Int64(WAVHeader.writtenBytes))
    } catch {
      throw Failure(.cannotCreate, "\(path) cannot be written: \(String(error.text))")
    }
    Console.show("\(path): \(Int64(speech.samples.count) * 1000 / Int64(speech.rate)) ms")
    return .ok
  }
}

/// A text spoken by the board's own voice, synthesized completely before it is played.
final class SpokenSamples: SoundVoice {
  let rate = UInt32(FliteSpeech.rate)
  private let storage: ReservedBuffer
  private var count = 0
  private var position = 0

  init(_ text: String, speed: Double) throws(Failure) {
    let room = Int(clamping: Budget.announcementMilliseconds * Int64(FliteSpeech.rate) / 1000)
    storage = try SoundRun.made { () throws(Errno) in try ReservedBuffer(capacity: 2 * room) }
    let words = SpokenText()
    var failure: SpeechError?
    let say: (Span<UInt8>) -> Void = { sentence in
      do throws(SpeechError) {
        if failure != nil { return }
        self.count += try FliteSpeech.speak(
          sentence, stretch: Float(1 / speed), into: UnsafeMutableBufferPointer(rebasing: self.room[self.count...]))
      } catch {
        failure = error
      }
    }
    words.add(text.utf8.span, say)
    words.finish(say)
    if failure != nil { throw Failure(.system, "the board's own voice failed: there is too little memory") }
    if count == room {
      throw Failure(.usage, "that takes longer than \(Budget.announcementMilliseconds / 60_000) minutes to say")
    }
  }

  private var room: UnsafeMutableBufferPointer<Int16> {
    UnsafeMutableRawBufferPointer(storage.bytes).bindMemory(to: Int16.self)
  }

  var samples: UnsafeBufferPointer<Int16> { UnsafeBufferPointer(rebasing: room[..<count]) }

  func speak(into block: UnsafeMutableBufferPointer<Int16>) -> Int {
    let length = min(block.count, count - position)
    for index in 0..<length { block[index] = room[position + index] }
    position += length
    return length
  }
}
