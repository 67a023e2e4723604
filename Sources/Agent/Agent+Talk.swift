#if TALON_SOUND
  import Talk
#endif
import Codec
import Panel
import Runtime

/// Listening and speaking, as a part of the agent; nothing where the board has none, or the firmware was built without.
extension Agent {
  var talkDeadline: Int64? {
    #if TALON_SOUND
      let earliest = min(talk?.nextDeadline ?? .max, talkButton?.nextDeadline ?? .max)
      return earliest == .max ? nil : earliest
    #else
      return nil
    #endif
  }

  func advanceTalk(to now: Int64) {
    #if TALON_SOUND
      talkButton?.advance(to: now)
      talk?.advance(to: now)
    #endif
  }

  func startTalk() {
    #if TALON_SOUND
      if let talk { talkButton?.start(talk) }
    #endif
  }

  func stopTalk() {
    #if TALON_SOUND
      talkButton?.stop()
    #endif
    holdTalk()
  }

  /// Microphone and speaker are given back.
  func holdTalk() {
    #if TALON_SOUND
      talk?.hold()
    #endif
  }

  func learnPhrases(_ payload: borrowing JSONView) {
    // Who waits for a phrase hears of it by the desk, where there is one.
    if let desk { return desk.learnPhrases(payload) }
    #if TALON_SOUND
      wake?.learn(payload)
    #endif
  }

  func learnRoutes(_ payload: borrowing JSONView) {
    #if TALON_SOUND
      talk?.learnRoutes(payload)
    #endif
  }
}
