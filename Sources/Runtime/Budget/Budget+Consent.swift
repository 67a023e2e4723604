extension Budget {

  // MARK: Consent

  /// Milliseconds for which a grant may be given at most: a day, the longest until midnight.
  public static let grantMilliseconds: Int64 = 86_400_000
  /// Bytes of the record of grants: eight of about 130 bytes, and the name of the kernel's run.
  public static let grantRecordBytes = 1536
  /// Milliseconds for which a refusal at the board holds, unless the file says otherwise: five minutes without a
  /// question are peace, and an agent that was refused by mistake can try again before its person has left. And the
  /// range that the file may choose from.
  public static let consentRefusalMilliseconds: Int64 = 300_000
  public static let consentRefusalRange: ClosedRange<Int64> = 10...86_400
  /// Milliseconds without another question after one that nobody answered: a screen that lights up every few seconds
  /// in an empty room helps nobody.
  public static let consentSilenceMilliseconds: Int64 = 60_000
  /// Milliseconds for which a question waits for an answer: whoever is in the room has read it by then.
  public static let consentQuestionMilliseconds: Int64 = 60_000
  /// Milliseconds of an invoke's time that are kept for its work after the answer, besides the length of a recording: a
  /// camera that starts takes 2 s at most on known boards, and a photo is sent within 1 s.
  public static let consentWorkMilliseconds: Int64 = 4_000
  /// Milliseconds of a recording whose request gives no length (node-commands 4.2).
  public static let consentClipMilliseconds: Int64 = 10_000
  /// Milliseconds during which a question that has just appeared takes no answer: a person who was about to touch what
  /// stood there before shall not answer it.
  public static let consentArmMilliseconds: Int64 = 600
  /// Invokes that wait for an answer at once: one is asked about, and those after it are covered by an answer that is
  /// good for longer, or asked about next.
  public static let consentQuestions = 4
  /// Bytes of the parameters of an invoke that waits, each reserved: those of a camera have 200 bytes, those of a tool
  /// that shows a card some kilobytes.
  public static let consentParameterBytes = 32 * 1024
  /// Bytes of an agent's purpose that are shown: two lines of a small screen.
  public static let consentPurposeBytes = 160
  /// Uses in one page of the journal, and pages: each page is a record of 4 KB, written when it changes; 288 entries
  /// are a month of ten a day.
  public static let consentPageUses = 36
  public static let consentPages = 8
  /// Milliseconds between two writes of the journal, however many uses there are, and within which later counts of an
  /// entry are on flash: at 4 KB a write, less than 70 MB a day in the worst case.
  public static let consentJournalSpacing: Int64 = 5_000
  public static let consentJournalPatience: Int64 = 60_000
  /// Entries of the journal in one answer of the local socket, of at most 240 bytes each.
  public static let consentJournalLines = 24
  /// Uses that run at once: as many as invokes can.
  public static let consentUses = invokeSlots
}
