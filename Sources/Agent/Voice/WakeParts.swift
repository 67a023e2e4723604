import Enrolment
import Runtime
import Voice

/// How far above its own threshold one phrase must be.
public struct PhraseCaution: Equatable, Sendable {
  /// The phrase, normalised (`PhraseText`).
  public let phrase: [UInt8]
  /// In the logarithm of the odds; negative for a more willing ear.
  public let caution: Float

  /// Nil when the text is no phrase.
  public init?(_ text: [UInt8], caution: Float) {
    var bytes: [UInt8] = []
    text.withUnsafeBufferPointer { text in
      if let phrase = PhraseText(text) { bytes = (0..<phrase.count).map { phrase[$0] } }
    }
    guard !bytes.isEmpty else { return nil }
    phrase = bytes
    self.caution = caution
  }

  /// True when this is the phrase that `text` says, as phrases are compared.
  func isOf(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let other = PhraseText(text) else { return false }
    return phrase.withUnsafeBufferPointer { other.equals($0) }
  }
}

/// Where a phrase's vector is from.
enum PhraseSource: UInt8, Sendable {
  case builtIn, file, recordings, spelling

  /// The word of the status.
  var word: StaticString {
    switch self {
    case .builtIn: "builtIn"
    case .file: "file"
    case .recordings: "recordings"
    case .spelling: "spelling"
    }
  }
}

/// What a board needs to wake to phrases.
public struct WakeParts {
  /// What a person may choose.
  public struct Settings: Sendable {
    /// Phrases of the board's own, one a line, instead of the gateway's; empty: the gateway's.
    public var phrases: [UInt8] = []
    /// How far above its own threshold a phrase must be, in its unit, the logarithm of the odds; negative for a more willing ear.
    public var caution: Float = 0
    /// The same for one phrase each, on top of that.
    public var cautions: [PhraseCaution] = []

    /// The gateway's phrases, as they were made.
    public init() {}
  }

  public var settings: Settings
  public var model: VoiceModel
  /// Where vectors of phrases are looked for, the first that has one wins; the last is what is built in. Their memory outlives the agent.
  public var banks: [PhraseBank]
  /// A worker of its own: the network takes a tenth of a small board while somebody speaks, and others may sit in a camera for long.
  public var runner: any JobRunner
  /// Where the gateway's phrases are kept, as a record of `Budget.wakeRecordBytes`: a store of its own, because a worker writes there.
  public var store: any RecordStore
  /// What was learnt on this board; only the worker looks at it.
  public var enrolled: EnrolledPhrases?
  /// What hears in the network's place; nil: the network does.
  public var ear: (any PhraseEar)?
  /// Who makes vectors of phrases that have none; nil: nobody does.
  public var teacher: (any PhraseTeacher)?
  /// What that speaks.
  public var language = Language.english
  /// Why the model of another language is of no use, so that nothing is learnt; empty: there is none, or it is.
  public var modelTrouble = ""

  /// The parts; see the properties.
  public init(settings: Settings, model: VoiceModel, banks: [PhraseBank], runner: any JobRunner, store: any RecordStore) {
    self.settings = settings
    self.model = model
    self.banks = banks
    self.runner = runner
    self.store = store
  }

  /// How much surer than usual one must be of this phrase.
  func caution(of phrase: UnsafeBufferPointer<UInt8>) -> Float {
    for caution in settings.cautions where caution.isOf(phrase) { return caution.caution }
    return 0
  }

  /// The vector of a phrase, and where it is from; nil: there is no sound one. The owner's own voice comes before what is made of many, and that before
  /// what the board has made by itself.
  func vector(of phrase: UnsafeBufferPointer<UInt8>) -> (file: PhraseFile, source: PhraseSource)? {
    guard let text = PhraseText(phrase) else { return nil }
    let origin = enrolled?.origin(of: text)
    if origin == .recordings, let file = enrolled?.bank.find(text) { return (file, .recordings) }
    for index in banks.indices {
      if let file = banks[index].find(text) { return (file, index + 1 == banks.count ? .builtIn : .file) }
    }
    if origin == .spelling, let file = enrolled?.bank.find(text) { return (file, .spelling) }
    return nil
  }
}
