import Codec
import Node
import Runtime
import Talk

/// Records what somebody near the board says, and answers with the text, which is no message to the agent: for the tool
/// that listens, and for the commands of `HearingCommands`.
final class ListenCommand: CommandHandler, TalkWaiter {
  static let rows = [CommandRow("tool.listen", limit: 1)]

  /// Who asked, which decides what the answer looks like.
  enum Form {
    /// The tool; `stt.listen`; `stt.transcribe`.
    case tool, listen, transcribe
  }

  private struct Call {
    let token: InvokeToken
    let form: Form
  }

  private let router: Router
  private let service: TalkService
  private var call: Call?

  init(service: TalkService, router: Router) {
    self.service = service
    self.router = router
    service.listener = self
  }

  /// `{seconds?}`
  func begin(_ command: Int, _ token: InvokeToken, _ parameters: borrowing JSONView, deadline: Int64) {
    var duration = Budget.listenMilliseconds
    if let seconds = parameters.member("seconds") {
      guard let value = seconds.double, value >= 1, value <= Double(Budget.listenMost / 1000) else {
        return router.fail(token, code: "INVALID_REQUEST") { $0.text("\"seconds\" is a number from 1 to 30") }
      }
      duration = Int64(clamping: value * 1000)
    }
    begin(.tool, token, for: duration)
  }

  /// Records until silence after speech, and for so many milliseconds at most.
  func begin(_ form: Form, _ token: InvokeToken, for milliseconds: Int64) {
    guard service.settings.isEnabled else { return router.fail(token, TalkError.disabled) }
    guard call == nil else { return fail(token, isBusy: true) }
    let call = Call(token: token, form: form)
    service.listening = milliseconds
    service.take(.listen) { reply in
      if reply == .later { self.call = call } else { self.answer(call, reply) }
    }
  }

  func cancel(_ token: InvokeToken) {
    guard call?.token == token else { return }
    call = nil
    service.take(.listenNoMore)
  }

  /// The microphone may not be used any more.
  func permissionEnded() {
    guard let call else { return }
    self.call = nil
    router.fail(call.token, code: "UNAVAILABLE") { $0.text("the permission to use the microphone has ended") }
    service.take(.listenNoMore)
  }

  // MARK: TalkWaiter

  func answerStarters(_ reply: TalkLoop.Reply) {}

  func answerWaiters(_ reply: TalkLoop.Reply) {
    guard let call else { return }
    self.call = nil
    answer(call, reply)
  }

  private func answer(_ call: Call, _ reply: TalkLoop.Reply) {
    switch reply {
    case .failure(.microphone):
      if let failure = service.microphoneFailure { return router.fail(call.token, failure) }
      router.fail(call.token, TalkError.noMicrophone)
    case .failure(let failure): router.fail(call.token, TalkError(failure))
    case .status(.heard): succeed(call, Span(_unsafeElements: service.transcript.bytes))
    case .status(.empty): succeed(call, nil)
    case .status(.busy): fail(call.token, isBusy: true)
    case .none, .later, .isOpen, .status: fail(call.token, isBusy: false)
    }
  }

  private func fail(_ token: InvokeToken, isBusy: Bool) {
    router.fail(token, code: isBusy ? "BUSY" : "UNAVAILABLE") { writer in
      writer.text(isBusy ? "somebody is talking" : "somebody began to talk")
      writer.text(" with this board: try again later")
    }
  }

  /// `text` is nil when nobody spoke, or nothing was understood.
  private func succeed(_ call: Call, _ text: Span<UInt8>?) {
    let words = text?.withUnsafeBufferPointer { $0 }
    router.succeed(call.token) { writer in
      writer.beginObject()
      if call.form == .tool {
        Self.writeTool(words, to: &writer)
      } else {
        self.write(words, call.form, to: &writer)
      }
      writer.endObject()
    }
  }

  private static func writeTool(_ words: UnsafeBufferPointer<UInt8>?, to writer: inout JSONWriter) {
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
  }

  /// Members of the result of `stt.listen` and `stt.transcribe` (node-commands 4.14).
  private func write(_ words: UnsafeBufferPointer<UInt8>?, _ form: Form, to writer: inout JSONWriter) {
    if form == .transcribe {
      writer.key("transcribed")
      writer.bool(words != nil)
    }
    writer.key("text")
    if let words { writer.string(Span(_unsafeElements: words)) } else { writer.string("") }
    writer.key("durationMs")
    writer.int(Int64(service.recorder.count / (Budget.talkRate / 1000)))
    guard words != nil else { return }
    writer.key("engineEffective")
    writer.string(service.ownConfidence == nil ? HearingCommands.gateway : HearingCommands.board)
  }
}
