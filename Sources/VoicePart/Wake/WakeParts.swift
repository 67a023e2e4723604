import Enrolment
import Runtime
import Voice

/// How far above its own threshold the score of one phrase must be.
public struct PhraseCaution: Equatable, Sendable {
  /// The phrase, normalized (`PhraseText`).
  public let phrase: [UInt8]
  /// In the logarithm of the odds; negative detects more.
  public let caution: Float

  /// Nil when the text is not a phrase.
  public init?(_ text: [UInt8], caution: Float) {
    var bytes: [UInt8] = []
    text.withUnsafeBufferPointer { text in
      if let phrase = PhraseText(text) { bytes = (0..<phrase.count).map { phrase[$0] } }
    }
    guard !bytes.isEmpty else { return nil }
    phrase = bytes
    self.caution = caution
  }

  /// True when `text` is this phrase after normalization.
  func isOf(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let other = PhraseText(text) else { return false }
    return phrase.withUnsafeBufferPointer { other.equals($0) }
  }
}

/// The source of a phrase's vector.
enum PhraseSource: UInt8, Sendable {
  case builtIn, file, recordings, spelling

  /// Its name in the status.
  var word: StaticString {
    switch self {
    case .builtIn: "builtIn"
    case .file: "file"
    case .recordings: "recordings"
    case .spelling: "spelling"
    }
  }
}

/// What the wake service needs.
public struct WakeParts {
  /// Its configuration.
  public struct Settings: Sendable {
    /// The board's own phrases, one a line, instead of the gateway's; empty for the gateway's.
    public var phrases: [UInt8] = []
    /// How far above its own threshold a phrase's score must be, in the logarithm of the odds; negative detects more.
    public var caution: Float = 0
    /// The same for single phrases, added to `caution`.
    public var cautions: [PhraseCaution] = []

    /// The defaults: the gateway's phrases, and their own thresholds.
    public init() {}
  }

  public var settings: Settings
  public var model: VoiceModel
  /// Banks of vectors, searched in order; the last has the built-in ones. Their memory outlives the agent.
  public var banks: [PhraseBank]
  /// A worker only for this: the network takes a tenth of a small board while somebody speaks, and other jobs may block
  /// in a camera for long.
  public var runner: any JobRunner
  /// The store of the gateway's phrases, a record of `Budget.wakeRecordBytes`. It must not be shared, because a worker
  /// writes there.
  public var store: any RecordStore
  /// The phrases learned on this board; used only by the worker.
  public var enrolled: EnrolledPhrases?
  /// A detector instead of the network; nil for the network.
  public var detector: (any PhraseDetector)?
  /// Makes vectors of phrases that have none; nil without one.
  public var teacher: (any PhraseTeacher)?
  /// The language that it speaks.
  public var language = Language.english
  /// Why the model of another language cannot be used, so that no phrase is learned; empty without a problem.
  public var modelTrouble = ""

  /// The parts; see the properties.
  public init(settings: Settings, model: VoiceModel, banks: [PhraseBank], runner: any JobRunner, store: any RecordStore)
  {
    self.settings = settings
    self.model = model
    self.banks = banks
    self.runner = runner
    self.store = store
  }

  /// The caution of this phrase.
  func caution(of phrase: UnsafeBufferPointer<UInt8>) -> Float {
    for caution in settings.cautions where caution.isOf(phrase) { return caution.caution }
    return 0
  }

  /// The vector of a phrase and its source; nil without a valid one. The owner's own voice has precedence over vectors
  /// made of many voices, and those over vectors that the board made by itself.
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
