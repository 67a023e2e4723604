/// What the scenario said that this gateway understands, whatever is said to it.
struct TalkScript {
  var text = "something was said"
  /// Understanding ends in this error instead; at the beginning of a session, or at the end of an utterance.
  var failure: String?
  var failsAtOnce = false
  /// A realtime session stops in the midst of what it says, without a word, once it has said so many pieces; nil: it
  /// ends.
  var stallsAfter: Int?

  var words: [Substring] { text.split(separator: " ") }

  /// The text, and proof that the sound arrived: its length, and its loudness on the scale of 16 bits.
  func transcript(of utterance: TalkEar.Measure) -> String {
    "\(text) (\(utterance.milliseconds) ms, rms \(utterance.rms))"
  }
}

/// How this gateway's talk is like.
struct TalkOptions: Sendable {
  /// What transcriptions take.
  var audio = TalkFormat.telephone
  var form = TalkEventForm.relay
  /// Milliseconds between the close of a transcription and its last word (N).
  var drainMilliseconds: Int64 = 5000
}
