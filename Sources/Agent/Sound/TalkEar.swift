import Runtime
import Sound
import Talk

/// The board's one microphone as talk asks for it.
public final class TalkEar: TalkMicrophone, MicrophoneListener {
  private let microphone: Microphone
  /// What it is wanted for; nil: nothing.
  private var use: MicrophoneUse?
  private var listener: (any TalkListener)?
  /// The listener knows that it records.
  private var isOpen = false

  /// An ear on this microphone.
  public init(_ microphone: Microphone) { self.microphone = microphone }

  /// See `TalkMicrophone`. The first sound says that it records.
  public func open(_ capture: TalkLoop.Capture, _ listener: any TalkListener) {
    let next: MicrophoneUse = capture.isPush ? .pushToTalk : .talk
    let before = use
    (use, self.listener, isOpen) = (next, listener, false)
    microphone.want(next, self)
    // The one before goes last, so that the device stays open.
    if let before, before != next { microphone.release(before) }
  }

  /// See `TalkMicrophone`.
  public func close() {
    let before = use
    (use, listener, isOpen) = (nil, nil, false)
    if let before { microphone.release(before) }
  }

  public func microphoneHeard(_ block: UnsafeBufferPointer<Int16>) {
    guard let listener else { return }
    if !isOpen {
      isOpen = true
      listener.microphoneOpened()
    }
    self.listener?.microphoneHeard(block)
  }

  /// Talk decides itself what goes before what.
  public func microphoneTurned(_ isYours: Bool) {}

  public func microphoneLost(_ error: SoundError) {
    guard let listener else { return }
    close()
    listener.microphoneFailed(MicrophoneFailure(error))
  }
}

extension MicrophoneFailure {
  init(_ error: SoundError) {
    self =
      switch error {
      case .disabled, .held, .noPermission: .forbidden
      case .noCard, .noDevice, .disconnected: .absent
      case .busy: .busy
      default: .broken
      }
  }
}
