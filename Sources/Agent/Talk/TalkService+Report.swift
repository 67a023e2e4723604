import Codec
import Runtime
import Talk

/// What programs are told.
extension TalkService {
  /// The capture, and how it ended (node-commands 7.4); nil: it goes on.
  func writeCapture(_ status: TalkLoop.Status?, to writer: inout JSONWriter) {
    let id = captureID
    writer.beginObject()
    writer.key("captureId")
    writer.string(id.span)
    if let status {
      // What was thrown away, or never belonged to who asks, is nobody's business.
      let hasText = status == .queued || status == .offline || status == .notQueued
      let text = transcript.bytes
      writer.key("transcript")
      if hasText, !text.isEmpty { writer.string(Span(_unsafeElements: text)) } else { writer.null() }
      writer.key("status")
      writer.string(status.word)
    }
    writer.endObject()
  }

  /// How talk is, for people and programs at the board.
  func writeStatus(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("talkMode")
    writer.bool(loop.isOn)
    writer.key("mode")
    writer.string(loop.converses ? "realtime" : "turns")
    writer.key("phase")
    writer.string(loop.phase.word)
    if let realtime {
      let counters = realtime.voice.counters
      writer.key("isOpen")
      writer.bool(realtime.state == .open)
      writer.key("pieces")
      writer.uint(realtime.pieces)
      writer.key("interruptions")
      writer.uint(realtime.interruptions)
      // Milliseconds of what people said that were too old to be sent; samples of what the gateway said.
      writer.key("unsentMilliseconds")
      writer.uint(realtime.dropped * 1000 / UInt64(Budget.talkRate))
      writer.key("heardSamples")
      writer.uint(counters.played)
      writer.key("missingSamples")
      writer.uint(counters.concealed)
      writer.key("droppedSamples")
      writer.uint(counters.dropped)
    }
    writer.endObject()
  }
}

extension TalkLoop.Phase {
  /// Its name for programs.
  var word: StaticString {
    switch self {
    case .idle: "idle"
    case .opening: "opening"
    case .hearing: "hearing"
    case .understanding: "understanding"
    case .sending: "sending"
    case .thinking: "thinking"
    case .speaking: "speaking"
    case .conversing: "conversing"
    }
  }
}
