import CVoiceModel

/// Phrase files one behind the other, such as those that are built in.
public struct PhraseBank {
  private let bytes: UnsafeRawBufferPointer

  /// Phrase files in memory that outlives this.
  public init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// What is linked into this program.
  public static var builtIn: PhraseBank {
    var count: Int64 = 0
    let start = tl_voice_phrases(&count)
    return PhraseBank(UnsafeRawBufferPointer(start: start, count: Int(count)))
  }

  /// Calls `body` with each phrase until that says false. What stands behind a damaged header is not found.
  public func forEach(_ body: (PhraseFile) -> Bool) {
    var rest = bytes
    while rest.count > 0, let file = try? PhraseFile(unchecked: rest) {
      guard body(file) else { return }
      rest = UnsafeRawBufferPointer(rebasing: rest[file.size...])
    }
  }

  /// The vector of a phrase; nil when there is none that is sound.
  public func find(_ phrase: borrowing PhraseText) -> PhraseFile? {
    var rest = bytes
    while rest.count > 0, let file = try? PhraseFile(unchecked: rest) {
      if phrase.equals(file.text) { return try? PhraseFile(rest) }
      rest = UnsafeRawBufferPointer(rebasing: rest[file.size...])
    }
    return nil
  }
}
