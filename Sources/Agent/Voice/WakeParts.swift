import Runtime
import Voice

/// What a board needs to wake to phrases.
public struct WakeParts {
  /// What a person may choose.
  public struct Settings: Sendable {
    /// Phrases of the board's own, one a line, instead of the gateway's; empty: the gateway's.
    public var phrases: [UInt8] = []
    /// How far above its own threshold a phrase must be, in its unit, the logarithm of the odds; negative for a more willing ear.
    public var caution: Float = 0

    /// The gateway's phrases, as they were made.
    public init() {}
  }

  public var settings: Settings
  public var model: VoiceModel
  /// Where vectors of phrases are looked for, the first that has one wins. Their memory outlives the agent.
  public var banks: [PhraseBank]
  /// A worker of its own: the network takes a tenth of a small board while somebody speaks, and others may sit in a camera for long.
  public var runner: any JobRunner

  /// The parts; see the properties.
  public init(settings: Settings, model: VoiceModel, banks: [PhraseBank], runner: any JobRunner) {
    self.settings = settings
    self.model = model
    self.banks = banks
    self.runner = runner
  }

  /// The vector of a phrase; nil: none of the banks has a sound one.
  func vector(of phrase: UnsafeBufferPointer<UInt8>) -> PhraseFile? {
    guard let text = PhraseText(phrase) else { return nil }
    for bank in banks {
      if let file = bank.find(text) { return file }
    }
    return nil
  }
}
