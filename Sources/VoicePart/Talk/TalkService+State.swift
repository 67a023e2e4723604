import Node
import Runtime
import Talk

/// Where the conversation stands, at a glance.
extension TalkService: VoiceState {
  public var voicePhase: VoicePhase {
    switch loop.phase {
    case .idle: .resting
    case .opening, .hearing: .listening
    case .understanding, .sending, .thinking: .understanding
    case .speaking: .speaking
    case .conversing: realtime?.isSpeaking == true ? .speaking : .listening
    }
  }

  public var voiceLevel: UInt8 { voicePhase == .listening ? meter.level : 0 }
}

/// How loud the sound is, in steps that a person sees, ten times a second at most: what is not seen is not drawn.
struct LevelMeter {
  private(set) var level: UInt8 = 0
  private var peak: Int32 = 0
  private var samples = 0

  /// Takes a block of sound at 16 kHz.
  mutating func take(_ block: UnsafeBufferPointer<Int16>) {
    for sample in block { peak = max(peak, abs(Int32(sample))) }
    samples += block.count
    guard samples >= Budget.voiceLevelSamples else { return }
    // Each step is 10 dB; 1 begins at -40 dB of full scale.
    level = peak < 328 ? 0 : peak < 1_036 ? 1 : peak < 3_277 ? 2 : peak < 10_362 ? 3 : 4
    (peak, samples) = (0, 0)
  }
}
