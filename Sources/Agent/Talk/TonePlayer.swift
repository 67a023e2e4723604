import Runtime
import Talk

/// Plays the board's tones where nothing else is heard.
final class TonePlayer: TalkSound {
  private let speaker: any TalkSpeaker
  private let volume: Double
  private var chime: Chime?

  init(_ speaker: any TalkSpeaker, volume: Double) {
    self.speaker = speaker
    self.volume = volume
  }

  /// Milliseconds of the tone that is heard now; 0: none is.
  var milliseconds: Int { chime?.milliseconds ?? 0 }

  func play(_ kind: Chime.Kind) {
    guard volume > 0 else { return }
    chime = Chime(kind, volume: volume)
    if !speaker.play(rate: Budget.talkRate, self) { chime = nil }
  }

  func speakerWants(_ block: UnsafeMutableBufferPointer<Int16>) -> Int {
    guard chime != nil else { return 0 }
    return chime!.fill(block)
  }

  func speakerEnded(_ isWhole: Bool) { chime = nil }
}
