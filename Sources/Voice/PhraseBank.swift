import CVoiceModel

/// A sequence of phrase files, such as the built-in ones.
public struct PhraseBank {
  private let bytes: UnsafeRawBufferPointer

  /// Phrase files in memory that outlives this.
  public init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// The built-in phrases.
  public static var builtIn: PhraseBank {
    var count: Int64 = 0
    let start = tl_voice_phrases(&count)
    return PhraseBank(UnsafeRawBufferPointer(start: start, count: Int(count)))
  }

  /// Calls `body` with each phrase until it returns false. Phrases after a damaged header are not found.
  public func forEach(_ body: (PhraseFile) -> Bool) {
    var rest = bytes
    while rest.count > 0, let file = try? PhraseFile(unchecked: rest) {
      guard body(file) else { return }
      rest = UnsafeRawBufferPointer(rebasing: rest[file.size...])
    }
  }

  /// The file of a phrase; nil when there is no valid one.
  public func find(_ phrase: borrowing PhraseText) -> PhraseFile? {
    var rest = bytes
    while rest.count > 0, let file = try? PhraseFile(unchecked: rest) {
      if phrase.equals(file.text) { return try? PhraseFile(rest) }
      rest = UnsafeRawBufferPointer(rebasing: rest[file.size...])
    }
    return nil
  }
}
