/// Decides whether a line's sentences may go without a checksum (`*hh`), which the oldest editions of NMEA 0183 left to
/// the sender and some receivers can switch off.
///
/// Missing is not wrong: a line on which no checksum was good yet may go without. Its first sentence is not read,
/// because it may be the rest of one whose bytes were lost. On a line that had good checksums a sentence without one
/// has lost its end, so it is refused, until so many came in a row that the receiver must have been exchanged or
/// configured anew.
struct ChecksumHabit: Sendable {
  /// Sentences without a checksum in a row, the last of which is read, on a line that never had checksums.
  static let learning: UInt8 = 2
  /// The same on a line that had a good checksum: far more than noise cuts off in a row, and a few seconds of a
  /// receiver's output.
  static let relearning: UInt8 = 30

  private var hadChecksum = false
  private var isSplitIntoLines = false
  private var inRow: UInt8 = 0
  /// UBX frames since the last sentence.
  private var frames: UInt8 = 0

  private var needed: UInt8 { hadChecksum ? Self.relearning : Self.learning }
  private var isLearned: Bool { inRow == needed }

  /// The line's sentences are read without checksums now. What was so earlier does not count: a receiver may have been
  /// configured anew, and one that now sends UBX frames alone has a checksum in each.
  var isMissing: Bool { isLearned && frames < Self.relearning }

  /// A sentence with a good checksum. Proprietary ones say nothing about the others: answers to settings have one
  /// always.
  mutating func checksumSeen() { (hadChecksum, inRow, frames) = (true, 0, 0) }

  /// A UBX frame, which always has a good checksum. It says nothing about the sentences of the same line.
  mutating func frameSeen() { frames = min(frames + 1, Self.relearning) }

  /// A sentence with an address and without a checksum.
  /// - Parameter isWhole: true when a line end came after it, false when the next sentence did. Where lines have ends,
  ///   the latter has lost bytes.
  /// - Returns: true when it may be read.
  mutating func accepts(isWhole: Bool) -> Bool {
    if isWhole { isSplitIntoLines = true }
    guard isWhole || !isSplitIntoLines else { return false }
    frames = 0
    inRow = min(inRow + 1, needed)
    return isLearned
  }
}
