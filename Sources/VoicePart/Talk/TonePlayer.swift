import Runtime
import Talk

/// Plays the board's tones while nothing else is played.
final class TonePlayer: TalkSound {
  private let speaker: any TalkSpeaker
  private let volume: Double
  private var chime: Chime?

  init(_ speaker: any TalkSpeaker, volume: Double) {
    self.speaker = speaker
    self.volume = volume
  }

  /// Milliseconds of the tone that is played; 0 without one.
  var milliseconds: Int { chime?.milliseconds ?? 0 }

  func play(_ kind: Chime.Kind) {
    guard volume > 0 else { return }
    chime = Chime(kind, volume: volume)
    if !speaker.play(rate: Budget.talkRate, self) { chime = nil }
  }

  func speakerNeedsSamples(_ block: UnsafeMutableBufferPointer<Int16>) -> Int {
    guard chime != nil else { return 0 }
    return chime!.fill(block)
  }

  func speakerEnded(_ isWhole: Bool) { chime = nil }
}
