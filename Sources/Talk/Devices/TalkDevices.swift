import Codec
import Runtime

/// Where speech comes from: the board's one microphone, as talk asks for it. Whoever owns it decides who has it (node-commands 6.4:
/// push to talk before talk mode before the wake phrase), and lights its indicator while it is open.
public protocol TalkMicrophone: AnyObject {
  /// Opens it for this capture, or goes on for another one: `microphoneOpened` comes, now or later, and then what it hears until
  /// `close`; or `microphoneFailed` comes, also in the midst of it, and nothing more.
  func open(_ capture: TalkLoop.Capture, _ listener: any TalkListener)
  /// Talk does not need it any more. Nothing comes after this returns.
  func close()
}

/// Hears a microphone.
public protocol TalkListener: AnyObject {
  /// It records.
  func microphoneOpened()
  /// It does not, or no longer.
  func microphoneFailed(_ failure: MicrophoneFailure)
  /// Sound of 16 kHz, one channel. What the wake phrase is listened for comes here as well: the last of it is the beginning of the
  /// command.
  func microphoneHeard(_ block: UnsafeBufferPointer<Int16>)
}

/// Why nothing can be heard.
public enum MicrophoneFailure: WireError {
  /// The configuration forbids it, or a person does.
  case forbidden
  /// There is none, or another program has it, or it broke.
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

/// Where speech and tones come out. It pulls, so that nothing is ahead of it but what it asked for.
public protocol TalkSpeaker: AnyObject {
  /// Plays what `sound` gives, of so many samples a second and one channel, in place of anything before; false when it cannot.
  func play(rate: Int, _ sound: any TalkSound) -> Bool
  /// Ends it at once; `speakerEnded` does not come.
  func stop()
}

/// Something that is heard.
public protocol TalkSound: AnyObject {
  /// Fills as much of the block as there is; how much. 0: it is over.
  func speakerWants(_ block: UnsafeMutableBufferPointer<Int16>) -> Int
  /// All of it was heard, or the speaker broke.
  func speakerEnded(_ isWhole: Bool)
  /// Something else is played in its place, from now on.
  func speakerTaken()
}

extension TalkSound {
  /// Who says one thing and forgets it has nothing to do about it.
  public func speakerTaken() {}
}

/// Understands speech on the board itself, with another's time.
public protocol LocalRecogniser: AnyObject {
  /// An utterance is likely to come: what takes its time to be loaded may be.
  func prepare()
  /// Begins with an utterance, which stays as it is until the owner hears of the end or `cancel` was called; false when it cannot
  /// now.
  func recognise(_ samples: UnsafeBufferPointer<Int16>, _ owner: any RecogniserOwner) -> Bool
  func cancel()
  /// Nothing comes for now: what was loaded is given back, and `isReleased` becomes true.
  func release()
  /// It has nothing loaded.
  var isReleased: Bool { get }
}

/// Waits for what was understood.
public protocol RecogniserOwner: AnyObject {
  /// The text, gone when this returns, and how sure the recogniser is of it: the share of its words that it expects to be right, 0 to 1.
  func recognised(_ text: UnsafeBufferPointer<UInt8>, confidence: Float)
  /// It could not; why, a sentence without its full stop.
  func notRecognised(_ reason: InlineText<256>)
}

/// Speaks on the board itself, with a worker's time.
public protocol LocalVoice: AnyObject {
  /// Begins with a sentence, which is copied, so many times as fast as it speaks by itself; false when it cannot now.
  func speak(_ text: UnsafeBufferPointer<UInt8>, speed: Double, _ owner: any LocalVoiceOwner) -> Bool
  func cancel()
}

/// Waits for the sound of a sentence.
public protocol LocalVoiceOwner: AnyObject {
  /// Samples of one channel, gone when this returns.
  func spoken(_ samples: UnsafeBufferPointer<Int16>, rate: Int)
  func notSpoken()
}
