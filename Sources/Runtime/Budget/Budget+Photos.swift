/// Limits of photos that are kept, and of `photos.latest`.
extension Budget {
  /// Photos that are kept at once, whatever their bytes; one more removes the oldest. 32 bytes each, only where photos
  /// are kept.
  public static let keptPhotos = 1_000
  /// Bytes that the configuration may give to photos: from a few of the largest to a whole card.
  public static let photosKept: ClosedRange<Int64> = 1_000_000...64_000_000_000
  /// Days for which the configuration may keep them.
  public static let photosDays: ClosedRange<Int64> = 1...3_650
  /// Photos of one answer, pixels across, and quality (node-commands 4.9).
  public static let latestPhotos: ClosedRange<Int64> = 1...20
  public static let latestWidth: ClosedRange<Int64> = 240...4_096
  /// Characters of base64 of one photo, and of all of an answer (node-commands 5.4).
  public static let latestPhotoCharacters = 300 * 1024
  public static let latestCharacters = 340 * 1024
  /// Bytes beside the base64 of each photo of an answer: its keys, its sides and its time.
  public static let latestEnvelopeBytes = 128
  /// Bytes of an answer. Reserved, and given back when it was sent.
  public static let latestBytes = latestCharacters + 20 * latestEnvelopeBytes + 64
  /// Characters for which no photo is made smaller any more: a picture of 256 pixels of nearly anything has more.
  public static let latestLeastCharacters = 4_096
  /// `photos.latest` at once: one is made, the other waits.
  public static let latestInvokes = 2
  /// Photos that `talon photos` lists, the newest: what fits a line of the local socket.
  public static let photosListed = 50
}
