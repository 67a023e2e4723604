import Runtime
import Sound
import Talk

/// The microphone as `TalkMicrophone`.
public final class TalkMicrophoneAdapter: TalkMicrophone, MicrophoneListener {
  private let microphone: Microphone
  /// The use for which it is open; nil while it is closed.
  private var use: MicrophoneUse?
  private var listener: (any TalkListener)?
  /// True when the listener was told that recording has begun.
  private var isOpen = false

  /// An adapter of this microphone.
  @export(interface)
  public init(_ microphone: Microphone) { self.microphone = microphone }

  /// See `TalkMicrophone`. The first block means that it records.
  public func open(_ capture: TalkLoop.Capture, _ listener: any TalkListener) {
    let next: MicrophoneUse = capture.isPush ? .pushToTalk : .talk
    let before = use
    (use, self.listener, isOpen) = (next, listener, false)
    microphone.want(next, self)
    // The earlier use is released last, so that the device stays open.
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

  /// Talk has its own order of precedence.
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
