import CFlite
import Runtime
import Talk

/// Why the built-in voice failed.
public enum SpeechError: Error, Equatable {
  /// No memory, or no room for all samples.
  case noMemory
  /// More than `Budget.sentenceBytes`.
  case tooLong
  /// It was cancelled.
  case cancelled
  /// flite failed.
  case failed
}

/// Speech synthesis without a network: the English voice `slt` of flite 2.2. Runs on the calling thread, for a
/// fifteenth of the speech's duration on a fast machine; a second thread waits for the first.
public enum FliteSpeech {
  /// Samples a second.
  public static var rate: Int { Int(tl_speech_rate()) }

  /// Allowed factors for duration and pitch.
  public static let stretches: ClosedRange<Float> = 0.4...2.5
  public static let pitches: ClosedRange<Float> = 0.5...2

  /// Synthesizes a text of at most `Budget.sentenceBytes`, `stretch` times as long and `pitch` times as high as by
  /// default; returns the number of samples, 0 when there is nothing to say. Samples that do not fit are cut off.
  public static func speak(
    _ text: Span<UInt8>, stretch: Float = 1, pitch: Float = 1, into samples: UnsafeMutableBufferPointer<Int16>
  ) throws(SpeechError) -> Int {
    guard text.count <= Budget.sentenceBytes else { throw .tooLong }
    let plain = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: Budget.speakableBytes)
    defer { plain.deallocate() }
    let words = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(plain)[..<SpeakableText.write(text, into: plain)])
    var pieces = SpeechPieces(stretch: stretch, pitch: pitch)
    var (start, count) = (0, 0)
    while let range = SpeakableText.piece(of: words, from: start, limit: Budget.speechPieceBytes), count < samples.count
    {
      count += try pieces.speak(words, range, into: UnsafeMutableBufferPointer(rebasing: samples[count...]))
      start = range.upperBound
    }
    return count
  }

  /// Bytes that the voice keeps allocated.
  static var memory: Int { Int(tl_speech_memory()) }
}

/// Synthesizes pieces of one text.
struct SpeechPieces {
  private let stretch: Float
  private let pitch: Float
  private let cancelled: UnsafePointer<Int32>?
  /// A piece, zero-terminated.
  private var text = InlineArray<256, CChar>(repeating: 0)

  init(stretch: Float, pitch: Float, cancelled: UnsafePointer<Int32>? = nil) {
    // NaN counts as 1.
    self.stretch = Self.clamped(stretch, FliteSpeech.stretches)
    self.pitch = Self.clamped(pitch, FliteSpeech.pitches)
    self.cancelled = cancelled
  }

  private static func clamped(_ value: Float, _ range: ClosedRange<Float>) -> Float {
    value.isNaN ? 1 : min(max(value, range.lowerBound), range.upperBound)
  }

  /// Synthesizes a piece of ASCII words; returns the number of samples. A piece that needs too much memory, such as
  /// long numbers, is split.
  mutating func speak(
    _ words: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, into samples: UnsafeMutableBufferPointer<Int16>
  ) throws(SpeechError) -> Int {
    var (start, count, limit) = (range.lowerBound, 0, range.count)
    let part = UnsafeBufferPointer(rebasing: words[..<range.upperBound])
    while let piece = SpeakableText.piece(of: part, from: start, limit: limit), count < samples.count {
      let made = make(
        UnsafeBufferPointer(rebasing: words[piece]), into: UnsafeMutableBufferPointer(rebasing: samples[count...]))
      if made == Int64(TL_SPEECH_NO_MEMORY), piece.count > Budget.speechPieceMinimumBytes {
        limit = piece.count / 2
        continue
      }
      guard made >= 0 else { throw Self.error(made) }
      count += Int(made)
      start = piece.upperBound
    }
    return count
  }

  private static func error(_ result: Int64) -> SpeechError {
    switch Int(result) {
    case TL_SPEECH_NO_MEMORY: .noMemory
    case TL_SPEECH_CANCELLED: .cancelled
    default: .failed
    }
  }

  private mutating func make(_ piece: UnsafeBufferPointer<UInt8>, into samples: UnsafeMutableBufferPointer<Int16>)
    -> Int64
  {
    guard SpeakableText.hasWords(piece) else { return 0 }
    let count = min(piece.count, text.count - 1)
    for index in 0..<count { text[index] = CChar(bitPattern: piece[index]) }
    text[count] = 0
    let (stretch, pitch, cancelled) = (self.stretch, self.pitch, self.cancelled)
    return text.span.withUnsafeBufferPointer { text in
      var speech = tl_speech(
        text: text.baseAddress, stretch: stretch, pitch: pitch, samples: samples.baseAddress,
        capacity: Int64(samples.count),
        cancelled: cancelled)
      return tl_speech_make(&speech, Int64(Budget.speechMemoryBytes))
    }
  }
}
