import Runtime

/// Learns a phrase from its spelling, in another process.
public protocol PhraseTeacher: AnyObject {
  /// Starts learning a phrase, which is copied, with its accents; false when it cannot now. The delegate is called at
  /// the end unless `cancel` was called.
  func learn(_ phrase: UnsafeBufferPointer<UInt8>, _ delegate: any PhraseTeacherDelegate) -> Bool
  func cancel()
  /// True when no process runs.
  var isReleased: Bool { get }
}

/// Statistics of a learned phrase.
public struct TeachingVoices: Equatable, Sendable {
  /// Words for validation that are detected, and all of them.
  public var heard = 0
  public var checked = 0
  /// Variants spoken by espeak-ng.
  public var espeak = 0

  public init(heard: Int = 0, checked: Int = 0, espeak: Int = 0) {
    (self.heard, self.checked, self.espeak) = (heard, checked, espeak)
  }
}

/// Gets the progress and the result of learning.
public protocol PhraseTeacherDelegate: AnyObject {
  /// The progress in thousandths.
  func teachingProgressed(_ permille: Int)
  /// The phrase file, valid during the call, and its statistics.
  func taught(_ file: UnsafeRawBufferPointer, _ voices: TeachingVoices)
  /// It failed; the reason, a sentence without its full stop.
  func teachingFailed(_ reason: InlineText<192>)
}
