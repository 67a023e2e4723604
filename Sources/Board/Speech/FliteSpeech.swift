import CFlite
import Runtime
import Talk

/// Why the board's own voice did not speak.
public enum SpeechError: Error, Equatable {
  /// There is no memory, or no room for all of it.
  case noMemory
  /// More than `Budget.sentenceBytes`.
  case tooLong
  /// Nobody wants to hear it any more.
  case cancelled
  /// flite gave up.
  case failed
}

/// Speech without a network: the voice `slt` of flite 2.2, English. Takes the calling thread's time, a fifteenth of what the speech lasts
/// on a fast machine; a second thread waits for the first.
public enum FliteSpeech {
  /// Samples a second.
  public static var rate: Int { Int(tl_speech_rate()) }

  /// What a voice may be stretched and raised by, in parts of what it is by itself.
  public static let stretches: ClosedRange<Float> = 0.4...2.5
  public static let pitches: ClosedRange<Float> = 0.5...2

  /// Says a text of at most `Budget.sentenceBytes`, `stretch` times as slow and `pitch` times as high as the voice is by itself; how many
  /// samples, none where there is nothing to say. What finds no room is cut.
  public static func speak(
    _ text: Span<UInt8>, stretch: Float = 1, pitch: Float = 1, into samples: UnsafeMutableBufferPointer<Int16>
  ) throws(SpeechError) -> Int {
    guard text.count <= Budget.sentenceBytes else { throw .tooLong }
    let plain = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: Budget.speakableBytes)
    defer { plain.deallocate() }
    let words = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(plain)[..<SpeakableText.write(text, into: plain)])
    var pieces = SpeechPieces(stretch: stretch, pitch: pitch)
    var (start, count) = (0, 0)
    while let range = SpeakableText.piece(of: words, from: start, limit: Budget.speechPieceBytes), count < samples.count {
      count += try pieces.speak(words, range, into: UnsafeMutableBufferPointer(rebasing: samples[count...]))
      start = range.upperBound
    }
    return count
  }

  /// Bytes that the voice holds on to.
  static var memory: Int { Int(tl_speech_memory()) }
}

/// Says pieces of one text.
struct SpeechPieces {
  private let stretch: Float
  private let pitch: Float
  private let cancelled: UnsafePointer<Int32>?
  /// A piece and its end.
  private var text = InlineArray<256, CChar>(repeating: 0)

  init(stretch: Float, pitch: Float, cancelled: UnsafePointer<Int32>? = nil) {
    // No number is as it is by itself.
    self.stretch = Self.clamped(stretch, FliteSpeech.stretches)
    self.pitch = Self.clamped(pitch, FliteSpeech.pitches)
    self.cancelled = cancelled
  }

  private static func clamped(_ value: Float, _ range: ClosedRange<Float>) -> Float {
    value.isNaN ? 1 : min(max(value, range.lowerBound), range.upperBound)
  }

  /// Says a piece of words in ASCII; how many samples. What needs more memory than there is, such as long numbers, is said in smaller
  /// pieces.
  mutating func speak(
    _ words: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, into samples: UnsafeMutableBufferPointer<Int16>
  ) throws(SpeechError) -> Int {
    var (start, count, limit) = (range.lowerBound, 0, range.count)
    let part = UnsafeBufferPointer(rebasing: words[..<range.upperBound])
    while let piece = SpeakableText.piece(of: part, from: start, limit: limit), count < samples.count {
      let made = make(
        UnsafeBufferPointer(rebasing: words[piece]), into: UnsafeMutableBufferPointer(rebasing: samples[count...]))
      if made == Int64(TL_SPEECH_NO_MEMORY), piece.count > Budget.speechPieceLeastBytes {
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

  private mutating func make(_ piece: UnsafeBufferPointer<UInt8>, into samples: UnsafeMutableBufferPointer<Int16>) -> Int64 {
    guard SpeakableText.hasWords(piece) else { return 0 }
    let count = min(piece.count, text.count - 1)
    for index in 0..<count { text[index] = CChar(bitPattern: piece[index]) }
    text[count] = 0
    let (stretch, pitch, cancelled) = (self.stretch, self.pitch, self.cancelled)
    return text.span.withUnsafeBufferPointer { text in
      var speech = tl_speech(
        text: text.baseAddress, stretch: stretch, pitch: pitch, samples: samples.baseAddress, capacity: Int64(samples.count),
        cancelled: cancelled)
      return tl_speech_make(&speech, Int64(Budget.speechMemoryBytes))
    }
  }
}
