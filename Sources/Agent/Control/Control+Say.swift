import Codec
import Runtime

/// The operation that lets the board speak.
extension Control {
  /// `{text, speed?}`: says a text with the board's own voice; answered when all of it was heard.
  func say(_ call: Int, _ request: borrowing JSONView) {
    guard let text = request.member("text"), let length = text.stringLength, length > 0, length <= Budget.chatMessageBytes
    else { return refuse(call, "\"text\" has 1 to 6144 bytes") }
    var speed = 1.0
    if let member = request.member("speed") {
      guard let value = member.double, value >= 0.5, value <= 2 else { return refuse(call, "\"speed\" is a number from 0.5 to 2") }
      speed = value
    }
    guard let agent = agent(for: call) else { return }
    #if TALON_SOUND
      guard let announcer = agent.announcer else {
        return fail(call, DeskFailure("NO_SPEAKER", "no speaker is configured: set driver in [speaker]"))
      }
      if agent.talk?.isResting == false { return fail(call, DeskFailure("BUSY", "the board talks with somebody")) }
      if let failure = announcer.say(text, speed: speed, call, self) { fail(call, failure) }
    #else
      _ = (agent, speed)
      fail(call, DeskFailure("NO_SPEAKER", "this firmware was built without sound"))
    #endif
  }
}

#if TALON_SOUND
  extension Control: AnnouncerOwner {
    func announced(_ tag: Int, _ failure: DeskFailure?) {
      if let failure { return fail(tag, failure) }
      finishEmpty(tag)
    }
  }
#endif
