import Codec
import Runtime

/// The protocol of the recognition process, on two pipes. Its input: for each utterance the number of samples (four
/// bytes, little-endian) and the samples; it ends at the end of the input. Its output: lines.
///
///     ready                    the model is loaded
///     text PERMILLE WORDS      the confidence and the text; no words: no speech
///     failed WHY               it cannot work, and ends
///
/// Any other line is a diagnostic of the library.
enum SphinxSpeech {
  static let ready: StaticString = "ready"
  static let text: StaticString = "text "
  /// Samples of the longest utterance.
  static let samples = Int(Budget.utteranceMilliseconds + Budget.prerollMilliseconds) * (Budget.talkRate / 1000)
}

/// The recognition process: loads a model, and recognizes utterances until the end of its input.
public enum SphinxServer {
  /// Serves; returns at the end of the input, or when it cannot work.
  public static func run(folder: String, input: Descriptor = Descriptor(0), output: Descriptor = Descriptor(1)) {
    Process.preferOutOfMemoryKill()
    do throws(SphinxModelError) {
      serve(try SphinxDecoder(try SphinxModel(folder: folder)), input, output)
    } catch {
      let line = "failed \(error.text)\n"
      do throws(Errno) { try say(output, line) } catch { return }
    }
  }

  private static func serve(_ decoder: SphinxDecoder, _ input: Descriptor, _ output: Descriptor) {
    let samples = UnsafeMutableBufferPointer<Int16>.allocate(capacity: SphinxSpeech.samples)
    defer { samples.deallocate() }
    do throws(Errno) {
      try say(output, "ready\n")
      while let count = try length(input) {
        guard count <= samples.count else { return try say(output, "failed an utterance of \(count) samples\n") }
        let wanted = UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: samples[..<count]))
        guard try Syscall.readAll(input, into: wanted) == wanted.count else { return }
        guard let heard = decoder.decode(UnsafeBufferPointer(rebasing: samples[..<count])) else {
          return try say(output, "failed the decoder gave up\n")
        }
        try say(output, "text \(Int(clamping: heard.confidence * 1000)) \(heard.text)\n")
      }
    } catch {
      // The agent has ended.
    }
  }

  private static func length(_ input: Descriptor) throws(Errno) -> Int? {
    let word = UnsafeMutableRawBufferPointer.allocate(byteCount: 4, alignment: 4)
    defer { word.deallocate() }
    guard try Syscall.readAll(input, into: word) == 4 else { return nil }
    return Int(clamping: UInt32(littleEndian: word.load(as: UInt32.self)))
  }

  private static func say(_ output: Descriptor, _ line: String) throws(Errno) {
    let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: line.utf8.count)
    defer { bytes.deallocate() }
    _ = bytes.initialize(from: line.utf8)
    try Syscall.writeAll(output, UnsafeRawBufferPointer(bytes))
  }
}
