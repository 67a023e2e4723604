import Panel
import Runtime
import Talk

/// The talk button: held, it is push to talk; a tap switches talk mode on or off, or ends what the board says.
extension TalkService: TalkButtonDelegate {
  public func talkButtonPressed() {
    tap = Tap(wasOn: loop.isOn, hushes: loop.phase == .speaking || realtime?.voice.isSpeaking ?? false, begins: loop.phase.capture?.isPush != true)
    press()
  }

  public func talkButtonReleased(after milliseconds: Int64) {
    guard milliseconds < Budget.talkHoldMilliseconds else { return release() }
    // Whoever asked for a capture before still waits for it.
    guard tap.begins else { return }
    if loop.phase.capture == .hold { take(.cancel) }
    if !tap.hushes { setTalkMode(!tap.wasOn) }
  }

  /// How it was when the button went down.
  struct Tap {
    var wasOn = false
    /// It ended what the board said.
    var hushes = false
    /// It began a capture, or could have.
    var begins = false
  }
}
