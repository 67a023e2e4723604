import Board
import Codec
import Runtime
import Talk

/// `talon recognise`: runs the board's own recognizer on recordings, and measures it. With `--serve` it is the agent's
/// recognizer process.
enum RecognizeCommand {
  /// Bytes of a recording: the longest utterance, two channels of 24 bits at 48 kHz.
  private static let fileBytes = Int(Budget.utteranceMilliseconds) * 48 * 2 * 3

  static func run(_ options: Options) throws(Failure) -> ExitCode {
    if let folder = options.value("--serve") {
      SphinxServer.run(folder: folder)
      return .ok
    }
    let folder = try folder(options)
    guard !options.words.isEmpty else { throw Failure(.usage, "talon recognise needs a WAV file") }
    let decoder = try load(folder)
    for path in options.words { try decode(path, decoder) }
    return .ok
  }

  private static func folder(_ options: Options) throws(Failure) -> String {
    if let folder = options.value("--model") { return folder }
    let folder = try ConfigCommand.read(options.configurationPath, as: .caller).talk.recognizer
    guard !folder.isEmpty else {
      throw Failure(.configuration, "no model is configured: [talk] recogniser names its folder, and so does --model")
    }
    return folder
  }

  private static func load(_ folder: String) throws(Failure) -> SphinxDecoder {
    let (start, before) = (SystemClock.monotonicMicroseconds, Process.residentBytes ?? 0)
    do throws(SphinxModelError) {
      let decoder = try SphinxDecoder(try SphinxModel(folder: folder))
      let grown = Int64(Process.residentBytes ?? 0) - Int64(before)
      Console.show("the model was loaded in \(milliseconds(since: start)) ms, and takes \(grown / 1024) kB")
      return decoder
    } catch {
      throw Failure(.unavailable, error.text)
    }
  }

  private static func decode(_ path: String, _ decoder: SphinxDecoder) throws(Failure) {
    let samples = try read(path)
    let start = SystemClock.monotonicMicroseconds
    let heard = samples.withUnsafeBufferPointer { decoder.decode($0) }
    let cost = milliseconds(since: start)
    guard let heard else { throw Failure(.unavailable, "\(path): the decoder gave up") }
    Console.show("\(path): \(heard.text.isEmpty ? "nothing" : heard.text)")
    let (sure, length) = (Int(clamping: heard.confidence * 100), samples.count / (Budget.talkRate / 1000))
    Console.show("  \(sure) % sure; \(length) ms of sound in \(cost) ms")
  }

  private static func milliseconds(since start: Int64) -> Int64 { (SystemClock.monotonicMicroseconds - start) / 1000 }

  private static func read(_ path: String) throws(Failure) -> [Int16] {
    let samples = try RecordingFile.read(path, limit: fileBytes)
    guard samples.count <= Int(Budget.utteranceMilliseconds) * (Budget.talkRate / 1000) else {
      throw Failure(.unavailable, "\(path) is longer than an utterance of \(Budget.utteranceMilliseconds / 1000) s")
    }
    var numbers: [Int16] = []
    numbers.reserveCapacity(samples.count)
    for sample in samples { numbers.append(Int16(clamping: (sample * 32_768).rounded())) }
    return numbers
  }
}
