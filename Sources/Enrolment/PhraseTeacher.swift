import Runtime

/// Makes the vector of a phrase from its spelling, with another's time.
public protocol PhraseTeacher: AnyObject {
  /// Begins with a phrase, which is copied, with its accents; false when it cannot now. The owner hears of the end unless `cancel` was called.
  func learn(_ phrase: UnsafeBufferPointer<UInt8>, _ owner: any PhraseTeacherOwner) -> Bool
  func cancel()
  /// Nothing of it runs or has memory.
  var isReleased: Bool { get }
}

/// What is known of the voices that a phrase was learnt from.
public struct TeachingVoices: Equatable, Sendable {
  /// Words of voices that were kept aside, and how many of them are heard.
  public var heard = 0
  public var checked = 0
  /// How often espeak-ng said it.
  public var espeak = 0

  public init(heard: Int = 0, checked: Int = 0, espeak: Int = 0) { (self.heard, self.checked, self.espeak) = (heard, checked, espeak) }
}

/// Waits for a phrase's vector.
public protocol PhraseTeacherOwner: AnyObject {
  /// So many thousandths of the work are done.
  func teacherGoesOn(_ permille: Int)
  /// The phrase file, gone when this returns, and by which voices it was made.
  func taught(_ file: UnsafeRawBufferPointer, _ voices: TeachingVoices)
  /// It could not; why, a sentence without its full stop.
  func notTaught(_ reason: InlineText<192>)
}
