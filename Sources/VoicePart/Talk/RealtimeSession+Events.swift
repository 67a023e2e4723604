import Codec
import Node
import Runtime
import Talk

/// The events of a realtime session, `talk.event`, in both forms that gateways send: the relay's own (`relaySessionId`,
/// `type`, its members, and the common form under `talkEvent`), and only the common form (`sessionId`, `type`,
/// `payload`).
extension RealtimeSession {
  private enum News { case audio, pause, end, clear, words, tool, failure, close }

  private static let kinds: [(name: StaticString, news: News)] = [
    ("audio", .audio), ("output.audio.delta", .audio),
    // Some gateways send a mark after each piece, others only after the last.
    ("mark", .pause), ("output.audio.done", .pause),
    ("audioDone", .end), ("turn.ended", .end),
    ("clear", .clear), ("turn.cancelled", .clear),
    ("transcript", .words), ("transcript.delta", .words), ("transcript.done", .words), ("output.text.delta", .words),
    ("output.text.done", .words),
    ("toolCall", .tool), ("tool.call", .tool),
    ("error", .failure), ("session.error", .failure),
    ("close", .close), ("session.closed", .close),
  ]

  /// Makes the table at start, so that events allocate nothing.
  static func prepare() { _ = kinds.count }

  /// A `talk.event`.
  func received(_ event: borrowing JSONView) {
    guard state == .open, let kind = event.member("type"), relay.isForSession(event, "relaySessionId") else { return }
    for row in Self.kinds where kind.equals(row.name) { return take(row.news, kind, event) }
  }

  private func take(_ news: News, _ kind: borrowing JSONView, _ event: borrowing JSONView) {
    switch news {
    case .audio:
      guard isWanted(event) else { return }
      noteSign()
      if let audio = event.member("audioBase64") { return play(audio) }
      if let payload = event.member("payload"), let audio = payload.member("audioBase64") { play(audio) }
    case .pause: if isWanted(event) { voice.expectPause() }
    case .end: if isWanted(event) { voice.finish() }
    case .clear:
      // It belongs to a turn that the gateway has ended itself.
      if isWanted(event) { voice.stop() }
    case .words: say(kind, event)
    case .tool: consultation.take(event, in: relay.id)
    case .failure: fail(event)
    case .close: end(.over, isGone: true)
    }
  }

  /// False for events of a turn that was interrupted. Notes the current turn.
  private func isWanted(_ event: borrowing JSONView) -> Bool {
    var id = InlineText<64>()
    if let common = event.member("talkEvent") {
      if let turn = common.member("turnId") { id.fill { turn.copyString(into: $0) } }
    } else if let turn = event.member("turnId") {
      id.fill { turn.copyString(into: $0) }
    }
    guard !id.isEmpty else { return !isCancelling }
    if !cancelledTurn.isEmpty, id.equals(cancelledTurn.span) { return false }
    turn = id
    return true
  }

  private func play(_ audio: borrowing JSONView) {
    do throws(SoundFormError) {
      if try voice.take(audio) { return }
      end(.broken(DeskFailure("UNAVAILABLE", "the speaker does not play")))
    } catch {
      end(.broken(DeskFailure(error)))
    }
  }

  private func say(_ kind: borrowing JSONView, _ event: borrowing JSONView) {
    noteSign()
    let isDone = kind.equals("transcript.done") || kind.equals("output.text.done")
    if let payload = event.member("payload") {
      let isOutput = kind.equals("output.text.delta") || kind.equals("output.text.done")
      return say(payload, isAgent: isOutput || Self.isAgent(payload), isWhole: isDone)
    }
    say(event, isAgent: Self.isAgent(event), isWhole: isDone || event.member("final")?.bool ?? false)
  }

  private static func isAgent(_ holder: borrowing JSONView) -> Bool {
    guard let role = holder.member("role") else { return false }
    return role.equals("assistant")
  }

  private func say(_ holder: borrowing JSONView, isAgent: Bool, isWhole: Bool) {
    guard let text = holder.member("text") else { return }
    var content = MessageText(into: words.bytes)
    content.read(text)
    guard content.count > 0 else { return }
    let bytes = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(words.bytes)[..<content.count])
    delegate.callTranscriptReceived(Span(_unsafeElements: bytes), isAgent: isAgent, isWhole: isWhole)
  }

  private func fail(_ event: borrowing JSONView) {
    var text = InlineText<256>()
    if let message = event.member("message") {
      text.fill { message.copyString(into: $0) }
    } else if let payload = event.member("payload"), let message = payload.member("message") {
      text.fill { message.copyString(into: $0) }
    }
    let reason = text
    end(
      .broken(
        DeskFailure("REFUSED") { line in
          line.add("the gateway broke it off: ")
          if reason.isEmpty { line.add("it does not say why") } else { line.quote(reason.span, most: 256) }
        }))
  }
}
