import Codec
import Device
import Enrolment
import Node
import Runtime
import Voice

/// Reports for a person at the board: which phrases are known and which are not, and how near each came to detection.
extension WakeService {
  /// The state for `device.health`.
  var hardware: HardwareState {
    guard isSettled else { return HardwareState(.absent, detail: "not looked for yet") }
    guard parts.modelTrouble.isEmpty else {
      return HardwareState(.error, detail: "the language's model is of no use: talon status tells why")
    }
    var isLearning = false
    for index in 0..<phrases.count where !isKnown(index) {
      if !learning.isExpected(index) {
        return HardwareState(
          .error,
          detail: known == 0
            ? "no phrase has a vector: nothing is listened for" : "a phrase has no vector: talon status names it")
      }
      if learning.hasFailed(index) {
        return HardwareState(.error, detail: "a phrase could not be learned yet: talon log tells why")
      }
      isLearning = true
    }
    guard isLearning || known != 0 else {
      return HardwareState(.error, detail: "no phrase has a vector: nothing is listened for")
    }
    return isLearning ? HardwareState(.ok, detail: "a phrase is being learnt") : HardwareState(.ok)
  }

  /// For `talon status`: the phrases, and those that cannot be detected.
  func writeWake(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("heard")
    writer.uint(heard)
    writer.key("lostMs")
    writer.uint(lost * 1000 / UInt64(Budget.voiceRate))
    if !parts.modelTrouble.isEmpty {
      writer.key("modelTrouble")
      writer.string(parts.modelTrouble)
    } else if parts.language != .english {
      writer.key("language")
      writer.string(parts.language.name)
    }
    if isSettled {
      list("phrases", &writer) { self.isKnown($0) }
      list("deaf", &writer) { !self.isKnown($0) && !self.learning.isExpected($0) }
      list("learning", &writer) { !self.isKnown($0) && self.learning.isExpected($0) }
      list("retried", &writer) { !self.isKnown($0) && self.learning.isExpected($0) && self.learning.hasFailed($0) }
      if learning.current != nil {
        writer.key("learntPermille")
        writer.uint(UInt64(learning.permille))
      }
      writer.key("sources")
      writer.beginArray()
      for index in 0..<phrases.count where isKnown(index) { writer.string(sources[index].word) }
      writer.endArray()
    }
    writer.endObject()
  }

  private func list(_ name: StaticString, _ writer: inout JSONWriter, _ isWanted: (Int) -> Bool) {
    writer.key(name)
    writer.beginArray()
    for index in 0..<phrases.count where isWanted(index) { writer.string(Span(_unsafeElements: phrases[index])) }
    writer.endArray()
  }

  /// For placing a microphone: each phrase's best score of the last two seconds, and its threshold, both as the
  /// logarithm of the odds.
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
        if isKnown(index) {
          writeScore(of: index, &writer)
        } else if learning.isExpected(index) {
          writer.key("isLearnt")
          writer.bool(true)
        }
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
