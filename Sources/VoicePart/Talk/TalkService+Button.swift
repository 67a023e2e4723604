import Panel
import Runtime
import Talk

/// The talk button: held, it is push to talk; a tap switches talk mode on or off, or stops the board's speech.
extension TalkService: TalkButtonDelegate {
  public func talkButtonPressed() {
    tap = Tap(
      wasOn: loop.isOn, interrupts: loop.phase == .speaking || realtime?.voice.isSpeaking ?? false,
      begins: loop.phase.capture?.isPush != true)
    press()
  }

  public func talkButtonReleased(after milliseconds: Int64) {
    guard milliseconds < Budget.talkHoldMilliseconds else { return release() }
    // Callers of the earlier capture still wait for it.
    guard tap.begins else { return }
    if loop.phase.capture == .hold { take(.cancel) }
    if !tap.interrupts { setTalkMode(!tap.wasOn) }
  }

  /// The state when the button was pressed.
  struct Tap {
    var wasOn = false
    /// The press stopped the board's speech.
    var interrupts = false
    /// The press began a capture, or was ready to.
    var begins = false
  }
}
