import Codec
import Runtime
import Talk

/// Reports for programs.
extension TalkService {
  /// The capture, and how it ended (node-commands 7.4); nil while it goes on.
  func writeCapture(_ status: TalkLoop.Status?, to writer: inout JSONWriter) {
    let id = captureID
    writer.beginObject()
    writer.key("captureId")
    writer.string(id.span)
    if let status {
      // The text of a capture that was dropped, or belongs to another caller, is not shown.
      let hasText = status == .queued || status == .offline || status == .notQueued
      let text = transcript.bytes
      writer.key("transcript")
      if hasText, !text.isEmpty { writer.string(Span(_unsafeElements: text)) } else { writer.null() }
      writer.key("status")
      writer.string(status.word)
    }
    writer.endObject()
  }

  /// The state of talk, for people and programs at the board.
  func writeTalk(to writer: inout JSONWriter) {
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
      // Milliseconds of speech that were too old to be sent; samples of the gateway's speech.
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
