import Codec
import Runtime

/// The operations for who teaches the board a phrase.
extension Control {
  /// Records 3 s of what the microphone hears, while nobody listens for phrases: `started` when it begins, and then `{rate, samples}`, 16 bits in base64. Until the
  /// client hangs up nobody listens for phrases.
  func take(_ call: Int) {
    guard let agent = agent(for: call), let client = calls[call]?.client else { return }
    #if TALON_SOUND
      if let lender = agent.lender { return lender.record(call, for: client, self) }
    #endif
    _ = (agent, client)
    fail(call, DeskFailure("NO_MICROPHONE", "no microphone is configured: set driver in [microphone]"))
  }

  /// `{phrase}`: what was learnt on this board has changed; it is taken over. The answer says whether the phrase is one of those that wake.
  func takePhrase(_ call: Int, _ request: borrowing JSONView) {
    guard let agent = agent(for: call) else { return }
    var phrase = InlineText<192>()
    guard let member = request.member("phrase"), phrase.fill({ member.copyString(into: $0) }), !phrase.isEmpty else {
      return refuse(call, "\"phrase\" is a phrase of at most 192 bytes")
    }
    var wakes = false
    #if TALON_SOUND
      wakes = phrase.span.withUnsafeBufferPointer { agent.wake?.learnt($0) ?? false }
    #else
      _ = agent
    #endif
    finish(call) { writer in
      writer.beginObject()
      writer.key("wakes")
      writer.bool(wakes)
      writer.endObject()
    }
  }
}

#if TALON_SOUND
  extension Control: TakeOwner {
    func takeBegan(_ call: Int) { sendPart(call, "started") { _ in } }

    func takeEnded(_ call: Int, _ samples: UnsafeBufferPointer<Int16>) {
      // All targets are little-endian, as the samples are sent.
      let bytes = UnsafeRawBufferPointer(samples).bindMemory(to: UInt8.self)
      finish(call) { writer in
        writer.beginObject()
        writer.key("rate")
        writer.int(Int64(Budget.soundRate))
        writer.key("samples")
        writer.base64(Span(_unsafeElements: bytes))
        writer.endObject()
      }
    }

    func takeFailed(_ call: Int, _ failure: DeskFailure) { fail(call, failure) }
  }
#endif
