import Codec
import Gateway
import Runtime
import Talk

/// Hears what is said on both sides; the text is gone when this returns.
protocol TalkAudience: AnyObject {
  func talkSaid(_ text: Span<UInt8>, isAgent: Bool)
}

/// Talk mode as a conversation (node-commands 7.5).
extension TalkService: RealtimeOwner {
  /// Milliseconds behind the board's own tone in which a room still has it.
  static let echo: Int64 = 120

  func openCall() {
    guard let realtime else { return take(.callRefused) }
    realtime.open(deaf: listeningTone > 0 ? listeningTone + Self.echo : 0)
  }

  func callOpened() {
    log.write(.info, "talk", "a conversation has begun")
    playListening()
  }

  func callEnded(_ end: CallEnd) {
    log.write(end.isTrouble ? .warning : .info, "talk") { line in
      switch end {
      case .refused(let failure):
        line.add("the gateway has no conversations for this board, so talk mode is turns: ")
        line.add(failure.sentence.span)
      case .broken(let failure):
        line.add("the conversation broke off, and goes on in turns until the next of them is over: ")
        line.add(failure.sentence.span)
      case .over: line.add("the gateway has ended the conversation; another begins")
      case .idle: line.add("nobody said anything for a while: talk mode is off")
      }
    }
    take(end.event)
  }

  func callSaid(_ text: Span<UInt8>, isAgent: Bool, isWhole: Bool) {
    if isWhole { audience?.talkSaid(text, isAgent: isAgent) }
  }

  /// The operator connection stands: what it refused before it may have now. Whoever is speaking is not cut off for it.
  func deskOpened() {
    guard loop.converses, !recorder.hasSpeech || !recorder.isRecording else { return }
    take(.callPossible)
  }

  /// It is gone.
  func deskLost() {
    transcription?.lost()
    realtime?.lost()
  }

  func deskReceived(_ event: borrowing JSONView) {
    transcription?.received(event)
    realtime?.received(event)
  }
}

extension CallEnd {
  fileprivate var isTrouble: Bool {
    switch self {
    case .refused, .broken: true
    case .over, .idle: false
    }
  }

  fileprivate var event: TalkLoop.Event {
    switch self {
    case .refused: .callRefused
    case .broken: .callBroken
    case .over: .callOver
    case .idle: .callIdle
    }
  }
}
