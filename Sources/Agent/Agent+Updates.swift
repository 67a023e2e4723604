import Gateway
import Node
import Runtime
import UpdatePart

#if !TALON_LEAN
  import Talk
  import VoicePart
#endif

extension Agent: UpdateHost {
  public var isBusy: Bool {
    #if !TALON_LEAN
      if let talk = voice.talk, talk.loop.phase != .idle { return true }
    #endif
    return router.count > 0
  }

  public var hasReachedGateway: Bool { session.hasReached }

  public var gatewaySentence: Explanation { session.explanation }

  public func testBoard(for part: UpdatePart) -> Bool {
    updateTest.part = part
    return selfTest.begin(updateTest, 0)
  }
}

/// Has the devices tested for an update: what the old system could do, the new one must be able to do as well.
final class UpdateTest: SelfTestDelegate {
  /// Lives as long as the agent.
  unowned(unsafe) var part: UpdatePart?

  func selfTestEnded(_ tag: Int, _ test: SelfTest) {
    var passed: Int64 = 0
    var failed = UpdateWords()
    for index in 0..<test.checks.count {
      let check = test.checks[index]
      // Whether there is a gateway is a proof of its own, and satellites may be out of sight for minutes.
      let isJudged =
        !check.name.bytes.elementsEqual(("gateway" as StaticString).bytes)
        && !check.name.bytes.elementsEqual(("receiver" as StaticString).bytes)
      if check.isGood || !isJudged { passed |= 1 << Int64(index) }
      guard !check.isGood, isJudged, failed.isEmpty else { continue }
      failed.fill { buffer in
        var line = LogLine(buffer)
        line.add(check.name)
        line.add(": ")
        line.add(check.detail)
        return line.count
      }
    }
    part?.boardTested(passed: passed, failed: failed.span)
  }
}

/// The words of a failed check.
typealias UpdateWords = InlineText<160>
