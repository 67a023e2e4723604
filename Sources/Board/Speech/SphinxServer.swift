import Codec
import Runtime

/// What a recogniser's process and the agent say to each other, on two pipes. To the process: the number of samples of an utterance
/// (four bytes, little-endian), then the samples, as often as somebody speaks; its end is the end of the input. From it: lines.
///
///     ready                    the model is loaded
///     text PERMILLE WORDS      what was said, and how sure it is; no words: nothing was
///     failed WHY               it is of no use, and ends
///
/// Any other line is a complaint of the library's.
enum SphinxSpeech {
  static let ready: StaticString = "ready"
  static let text: StaticString = "text "
  /// Samples of the longest utterance.
  static let samples = Int(Budget.utteranceMilliseconds + Budget.prerollMilliseconds) * (Budget.talkRate / 1000)
}

/// The process of a recogniser: loads a model, and understands what its input brings until that ends.
public enum SphinxServer {
  /// Serves; returns at the end of the input, or when it is of no use.
  public static func run(folder: String, input: Descriptor = Descriptor(0), output: Descriptor = Descriptor(1)) {
    Process.sacrifice()
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
      // The agent is gone.
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
