#if TALON_SCRIPT
  import A2UI
  import Codec
  import Gateway
  import Runtime

  // What scripts tell the agent, where the configuration lets them.
  extension Agent {
    /// Posts what a press of a button would post. `action` is JSON of a script's making.
    func acted(_ action: UnsafeBufferPointer<UInt8>) -> Bool {
      let view = JSONView(Span(_unsafeElements: action))
      let sessionKey = session.hello.mainSession.isEmpty ? InlineText<256>(cutting: "main") : session.hello.mainSession
      let tags = ActionTags(session: sessionKey.span, host: displayName.span, instance: session.identity.id.span)
      var line = ByteWriter(into: pressLine.bytes)
      guard ActionLine.write(view, tags, into: &line), line.isComplete else { return false }
      let text = UnsafeBufferPointer(pressLine.bytes).extracting(0..<line.count)
      let id = UUIDText.make(random)
      let posted = outbox.post("agent.request", ageLimit: 120_000, hasID: false) { writer in
        writer.key("message")
        writer.string(text.span)
        writer.key("sessionKey")
        writer.string(sessionKey.span)
        writer.key("thinking")
        writer.string("low")
        writer.key("deliver")
        writer.bool(false)
        writer.key("key")
        writer.string(id.span)
      }
      if case .tooLarge = posted { return false }
      return true
    }
  }
#endif
