import Codec
import Gateway
import Node
import Runtime
import Talk

/// `stt.listen`, `stt.transcribe` and `stt.status` (node-commands 4.14), where the owner allows them: what somebody
/// near the board says, as text.
final class HearingCommands: CommandHandler {
  static let rows = [
    CommandRow("stt.listen", limit: 1), CommandRow("stt.transcribe", limit: 1), CommandRow("stt.status", limit: 1),
  ]
  /// Who recognizes speech.
  static let gateway: StaticString = "gateway", board: StaticString = "board"

  private let service: TalkService
  private let router: Router
  private let listener: ListenCommand

  init(_ listener: ListenCommand, service: TalkService, router: Router) {
    self.listener = listener
    self.service = service
    self.router = router
  }

  func begin(_ command: Int, _ token: InvokeToken, _ parameters: borrowing JSONView, deadline: Int64) {
    switch command {
    case 0: listen(token, parameters)
    case 1: transcribe(token, parameters)
    default: router.succeed(token) { self.writeStatus(to: &$0) }
    }
  }

  func cancel(_ token: InvokeToken) { listener.cancel(token) }

  /// `{timeoutMs?}`, which is taken within its range.
  private func listen(_ token: InvokeToken, _ parameters: borrowing JSONView) {
    var duration = Budget.hearingMilliseconds
    if let member = parameters.member("timeoutMs") {
      guard let value = member.int64 else {
        return router.fail(token, code: "INVALID_REQUEST") { $0.text("\"timeoutMs\" is a number of milliseconds") }
      }
      let range = Budget.hearingRange
      duration = min(max(value, range.lowerBound), range.upperBound)
    }
    listener.begin(.listen, token, for: duration)
  }

  /// `{maxDurationMs}`
  private func transcribe(_ token: InvokeToken, _ parameters: borrowing JSONView) {
    guard let duration = parameters.member("maxDurationMs")?.int64, duration >= 1, duration <= Budget.listenMost else {
      return router.fail(token, code: "INVALID_REQUEST") { $0.text("\"maxDurationMs\" is a number from 1 to 30000") }
    }
    listener.begin(.transcribe, token, for: duration)
  }

  private func writeStatus(to writer: inout JSONWriter) {
    let hasGateway = service.desk?.session.state == .online
    let isReady = service.settings.isEnabled && (hasGateway || service.parts.recognizer != nil)
    writer.beginObject()
    writer.key("engine")
    writer.string(hasGateway || service.parts.recognizer == nil ? Self.gateway : Self.board)
    writer.key("readiness")
    writer.string(isReady ? "ready" : "unavailable")
    writer.key("isListenWithVadSupported")
    writer.bool(true)
    writer.key("isBoundedTranscribeSupported")
    writer.bool(true)
    writer.endObject()
  }
}

/// `tts.speak` and `tts.status` (node-commands 4.14), where the owner allows them: the board says a text with its own
/// voice. It has one, so any other that a caller names is replaced by it, and the answer says so.
final class SpeakingCommands: CommandHandler, AnnouncerDelegate {
  /// Two, so that the second may interrupt the first.
  static let rows = [
    CommandRow("tts.speak", limit: 2, hasSideEffects: true), CommandRow("tts.status", limit: 1),
  ]
  private static let voice: StaticString = "board"

  private let announcer: Announcer
  private let router: Router
  /// What the caller that is served named as the voice; empty for none.
  private var provider = InlineText<64>()

  init(_ announcer: Announcer, router: Router) {
    self.announcer = announcer
    self.router = router
  }

  func begin(_ command: Int, _ token: InvokeToken, _ parameters: borrowing JSONView, deadline: Int64) {
    guard command == 0 else { return router.succeed(token) { Self.writeStatus(to: &$0) } }
    if parameters.member("interrupt")?.bool == true { announcer.interrupt(self) }
    if let failure = announcer.say(parameters, token.number, self) { return announced(token.number, failure) }
    provider.clear()
    if let member = parameters.member("provider") { _ = provider.fill { member.copyString(into: $0) } }
  }

  func cancel(_ token: InvokeToken) { announcer.forget(token.number, self) }

  func announced(_ tag: Int, _ failure: DeskFailure?) {
    if let failure { return router.fail(InvokeToken(tag), code: "UNAVAILABLE") { $0.bytes(failure.sentence.span) } }
    router.succeed(InvokeToken(tag)) { writer in
      writer.beginObject()
      writer.key("spoken")
      writer.bool(true)
      writer.key("provider")
      writer.string(Self.voice)
      if !self.provider.isEmpty {
        writer.key("requestedProvider")
        writer.string(self.provider.span)
      }
      writer.key("fellBack")
      writer.bool(!self.provider.isEmpty && !self.provider.equals(Self.voice.utf8Bytes))
      writer.key("contentType")
      writer.null()
      writer.key("durationMs")
      writer.int(self.announcer.playedMilliseconds)
      writer.endObject()
    }
  }

  private static func writeStatus(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("configuredProvider")
    writer.string(voice)
    writer.key("effectiveProvider")
    writer.string(voice)
    writer.key("willFallBack")
    writer.bool(false)
    writer.key("providers")
    writer.beginArray()
    writer.beginObject()
    writer.key("provider")
    writer.string(voice)
    writer.key("readiness")
    writer.string("ready")
    writer.key("isReady")
    writer.bool(true)
    writer.endObject()
    writer.endArray()
    writer.endObject()
  }
}
