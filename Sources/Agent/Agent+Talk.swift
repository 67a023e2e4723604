#if TALON_SOUND
  import Talk
#endif
import Codec
import Runtime

/// Listening and speaking, as a part of the agent; nothing where the board has none, or the firmware was built without.
extension Agent {
  var talkDeadline: Int64? {
    #if TALON_SOUND
      return talk?.nextDeadline
    #else
      return nil
    #endif
  }

  func advanceTalk(to now: Int64) {
    #if TALON_SOUND
      talk?.advance(to: now)
    #endif
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
