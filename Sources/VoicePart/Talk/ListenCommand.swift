import Codec
import Node
import Runtime
import Talk

/// The command of the tool that listens: records what somebody near the board says, and answers with the text, which is
/// no message to the agent.
final class ListenCommand: CommandHandler, TalkWaiter {
  static let rows = [CommandRow("tool.listen", limit: 1)]

  private let router: Router
  private let service: TalkService
  private var token: InvokeToken?

  init(service: TalkService, router: Router) {
    self.service = service
    self.router = router
    service.listener = self
  }

  /// `{seconds?}`
  func begin(_ command: Int, _ token: InvokeToken, _ parameters: borrowing JSONView, deadline: Int64) {
    guard service.settings.isEnabled else { return router.fail(token, TalkError.disabled) }
    var duration = Budget.listenMilliseconds
    if let seconds = parameters.member("seconds") {
      guard let value = seconds.double, value >= 1, value <= Double(Budget.listenMost / 1000) else {
        return router.fail(token, code: "INVALID_REQUEST") { $0.text("\"seconds\" is a number from 1 to 30") }
      }
      duration = Int64(clamping: value * 1000)
    }
    service.listening = duration
    service.take(.listen) { reply in
      if reply == .later { self.token = token } else { self.answer(token, reply) }
    }
  }

  func cancel(_ token: InvokeToken) {
    guard self.token == token else { return }
    self.token = nil
    service.take(.listenNoMore)
  }

  // MARK: TalkWaiter

  func answerStarters(_ reply: TalkLoop.Reply) {}

  func answerWaiters(_ reply: TalkLoop.Reply) {
    guard let token else { return }
    self.token = nil
    answer(token, reply)
  }

  private func answer(_ token: InvokeToken, _ reply: TalkLoop.Reply) {
    switch reply {
    case .failure(.microphone):
      if let failure = service.microphoneFailure { return router.fail(token, failure) }
      router.fail(token, TalkError.noMicrophone)
    case .failure(let failure): router.fail(token, TalkError(failure))
    case .status(.heard): succeed(token, Span(_unsafeElements: service.transcript.bytes))
    case .status(.empty): succeed(token, nil)
    case .status(.busy):
      router.fail(token, code: "BUSY") { $0.text("somebody is talking with this board: try again later") }
    case .none, .later, .isOpen, .status:
      router.fail(token, code: "UNAVAILABLE") { $0.text("somebody began to talk with this board: try again later") }
    }
  }

  /// `said` is nil when nobody spoke, or nothing was understood.
  private func succeed(_ token: InvokeToken, _ said: Span<UInt8>?) {
    let words = said?.withUnsafeBufferPointer { $0 }
    router.succeed(token) { writer in
      writer.beginObject()
      writer.key("text")
      writer.beginString()
      if let words {
        writer.stringPiece(("Somebody said: " as StaticString).utf8Bytes)
        writer.stringPiece(Span(_unsafeElements: words))
      } else {
        writer.stringPiece(("Nobody said anything that could be understood." as StaticString).utf8Bytes)
      }
      writer.endString()
      writer.key("transcript")
      if let words { writer.string(Span(_unsafeElements: words)) } else { writer.null() }
      writer.endObject()
    }
  }
}
