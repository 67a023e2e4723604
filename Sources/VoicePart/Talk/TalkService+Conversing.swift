import Codec
import Gateway
import Node
import Runtime
import Talk

/// Gets the text of both sides; valid until this returns.
protocol TalkAudience: AnyObject {
  func talkTextReceived(_ text: Span<UInt8>, isAgent: Bool)
}

/// Talk mode as a conversation (node-commands 7.5).
extension TalkService: RealtimeDelegate {
  /// Milliseconds after the board's own tone in which a room still echoes it.
  static let echo: Int64 = 120

  func openCall() {
    // The board's own agent answers in turns.
    guard let realtime, desk?.standsIn != true else { return take(.callRefused) }
    realtime.open(deaf: listeningTone > 0 ? listeningTone + Self.echo : 0)
  }

  func callOpened() {
    log.write(.info, "talk", "a conversation has begun")
    playListening()
  }

  func callEnded(_ end: CallEnd) {
    log.write(end.isFailure ? .warning : .info, "talk") { line in
      switch end {
      case .refused(let failure):
        line.add("the gateway offers no conversation to this board, so talk mode uses turns: ")
        line.add(failure.sentence.span)
      case .broken(let failure):
        line.add("the conversation ended with an error, and continues in turns until the next one has ended: ")
        line.add(failure.sentence.span)
      case .over: line.add("the gateway has ended the conversation; another begins")
      case .idle: line.add("nobody said anything for a while: talk mode is off")
      }
    }
    take(end.event)
  }

  func callTranscriptReceived(_ text: Span<UInt8>, isAgent: Bool, isWhole: Bool) {
    if isWhole { audience?.talkTextReceived(text, isAgent: isAgent) }
  }

  /// The operator connection is online: a refused session may be possible now. An ongoing capture is not interrupted
  /// for it.
  func deskOpened() {
    guard loop.converses, !recorder.hasSpeech || !recorder.isRecording else { return }
    take(.callPossible)
  }

  /// The operator connection is lost.
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
  fileprivate var isFailure: Bool {
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
