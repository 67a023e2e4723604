import Codec
import Runtime

/// The board's one microphone as talk uses it. Its owner decides which use has priority (node-commands 6.4: push to
/// talk before talk mode before the wake phrase), and lights the privacy light while it is open.
public protocol TalkMicrophone: AnyObject {
  /// Opens it for this capture, or continues for another one: `microphoneOpened` follows, now or later, and then sound
  /// until `close`; or `microphoneFailed`, which may also come later, and then nothing more.
  func open(_ capture: TalkLoop.Capture, _ listener: any TalkListener)
  /// Closes it. Nothing is delivered after this returns.
  func close()
}

/// Gets the sound of a microphone.
public protocol TalkListener: AnyObject {
  /// It is open and records.
  func microphoneOpened()
  /// It failed.
  func microphoneFailed(_ failure: MicrophoneFailure)
  /// Sound at 16 kHz, one channel. Also delivered while only the wake phrase is detected, because its end is the
  /// beginning of the command.
  func microphoneHeard(_ block: UnsafeBufferPointer<Int16>)
}

/// Why the microphone cannot be used.
public enum MicrophoneFailure: WireError {
  /// Forbidden by the configuration, or by a person (panic).
  case forbidden
  /// There is none; another program uses it; it failed.
  case absent, busy, broken

  public var wire: (code: StaticString, text: StaticString) {
    switch self {
    case .forbidden: ("MIC_PERMISSION_REQUIRED", "the microphone is switched off: [microphone] enabled allows it")
    case .absent: ("UNAVAILABLE", "there is no microphone")
    case .busy: ("UNAVAILABLE", "another program has the microphone")
    case .broken: ("UNAVAILABLE", "the microphone does not record; see talon doctor")
    }
  }
}

/// The speaker for speech and tones. It pulls samples when it needs them.
public protocol TalkSpeaker: AnyObject {
  /// Plays `sound` at `rate` samples a second, one channel, replacing an earlier sound; false when it cannot.
  func play(rate: Int, _ sound: any TalkSound) -> Bool
  /// Ends it at once; `speakerEnded` does not come.
  func stopPlaying()
}

/// A sound for the speaker.
public protocol TalkSound: AnyObject {
  /// Fills the block as far as there is sound, and returns how many samples. 0: it has ended.
  func speakerNeedsSamples(_ block: UnsafeMutableBufferPointer<Int16>) -> Int
  /// All of it was played, or the speaker failed.
  func speakerEnded(_ isWhole: Bool)
  /// Another sound has replaced it.
  func speakerReplaced()
}

extension TalkSound {
  /// By default nothing.
  public func speakerReplaced() {}
}

/// Recognizes speech on the board, in another process.
public protocol LocalRecognizer: AnyObject {
  /// An utterance is likely to follow: the model may be loaded.
  func prepare()
  /// Starts recognizing an utterance, whose samples must stay unchanged until the delegate is called or `cancel`; false
  /// when it cannot now.
  func recognize(_ samples: UnsafeBufferPointer<Int16>, _ delegate: any RecognizerDelegate) -> Bool
  func cancel()
  /// Nothing will follow for now: frees the model; then `isReleased` is true.
  func release()
  /// True when no model is loaded.
  var isReleased: Bool { get }
}

/// Gets the result of recognition.
public protocol RecognizerDelegate: AnyObject {
  /// The text, valid during the call, and its confidence: the expected share of correct words, 0 to 1.
  func recognized(_ text: UnsafeBufferPointer<UInt8>, confidence: Float)
  /// It failed; the reason, a sentence without its full stop.
  func recognitionFailed(_ reason: InlineText<256>)
}

/// Synthesizes speech on the board, on a worker.
public protocol LocalVoice: AnyObject {
  /// Starts a sentence, which is copied. `speed` is relative to the voice's own. False when it cannot now.
  func speak(_ text: UnsafeBufferPointer<UInt8>, speed: Double, _ delegate: any LocalVoiceDelegate) -> Bool
  func cancel()
}

/// Gets the sound of a sentence.
public protocol LocalVoiceDelegate: AnyObject {
  /// Samples of one channel, valid during the call.
  func spoken(_ samples: UnsafeBufferPointer<Int16>, rate: Int)
  func speechFailed()
}
