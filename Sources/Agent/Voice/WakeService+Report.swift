import Codec
import Device
import Runtime
import Voice

/// What a person at the board sees of it: which phrases are listened for and which cannot be, and how near each came to being heard.
extension WakeService {
  /// In the words of `device.health`.
  var hardware: HardwareState {
    guard isSettled else { return HardwareState(.absent, detail: "not looked for yet") }
    guard known != 0 else { return HardwareState(.error, detail: "no phrase has a vector: nothing is listened for") }
    guard known.nonzeroBitCount == phrases.count else {
      return HardwareState(.error, detail: "a phrase has no vector: talon status names it")
    }
    return HardwareState(.ok)
  }

  /// For `talon status`: the phrases, and those that cannot be heard.
  func writeStatus(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("heard")
    writer.uint(heard)
    writer.key("lostMs")
    writer.uint(lost * 1000 / UInt64(Budget.voiceRate))
    if isSettled {
      writer.key("phrases")
      list(&writer, areKnown: true)
      writer.key("deaf")
      list(&writer, areKnown: false)
    }
    writer.endObject()
  }

  private func list(_ writer: inout JSONWriter, areKnown: Bool) {
    writer.beginArray()
    for index in 0..<phrases.count where isKnown(index) == areKnown { writer.string(Span(_unsafeElements: phrases[index])) }
    writer.endArray()
  }

  /// For who places a microphone: each phrase's best score of the last two seconds, beside the one above which it is heard. Both are
  /// the logarithm of the odds.
  func writeScores(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("isAwake")
    writer.bool(isAwake)
    writer.key("phrases")
    writer.beginArray()
    if isSettled {
      for index in 0..<phrases.count {
        writer.beginObject()
        writer.key("phrase")
        writer.string(Span(_unsafeElements: phrases[index]))
        if isKnown(index) { writeScore(of: index, &writer) }
        writer.endObject()
      }
    }
    writer.endArray()
    writer.endObject()
  }

  private func writeScore(of index: Int, _ writer: inout JSONWriter) {
    writer.key("threshold")
    writer.double(Double(thresholds.floats[index]))
    let score = scores.floats[index]
    guard score.isFinite else { return }
    writer.key("score")
    writer.double(Double(score))
  }

  func isKnown(_ index: Int) -> Bool { known & 1 << UInt32(index) != 0 }
}
