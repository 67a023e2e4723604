import Talk
import Testing
@testable import Agent
@testable import CameraPart
@testable import Node
@testable import ScreenPart
@testable import SensePart
@testable import VoicePart

@Suite("Why a conversation fails")
struct DeskFailureTests {
  @Test("sound that cannot be played is told by a code, and a sentence without one")
  func forms() {
    for error in [SoundFormError.unnamed, .rate(7), .brokenWave, .base64(offset: 3)] {
      let failure = DeskFailure(error)
      let sentence = failure.sentence.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
      #expect(failure.code.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) } == "UNSUPPORTED")
      #expect(
        !sentence.isEmpty && !sentence.contains("UNSUPPORTED") && !sentence.contains("UNAVAILABLE"), "\(sentence)")
    }
  }
}
