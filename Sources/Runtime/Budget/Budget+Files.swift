extension Budget {

  // MARK: Files for the gateway (file.fetch, dir.list, file.stat, file.write, file.create)

  /// Folders that the configuration may share: a list that a person can oversee.
  public static let fileFolders = 8
  /// Bytes of a file that is sent, at most and where the gateway names no number (node-commands 4.13). A gateway whose
  /// messages are small gets less. Reserved, and given back when it was sent.
  public static let fileBytes = 8 * 1024 * 1024
  /// What a gateway may ask for as `maxBytes`; what is more than `fileBytes` is refused with both numbers.
  public static let fileAskedBytes: ClosedRange<Int64> = 1...16_777_216
  /// Bytes of a file that is written: as base64 within the largest parameters (`canvasParameterBytes`) with its path.
  /// Reserved with a folder that may be written, and given back after each call.
  public static let fileWriteBytes = 4 * 1024 * 1024
  /// Its base64, which is decoded in place.
  public static let fileTextBytes = (fileWriteBytes + 2) / 3 * 4
  /// Bytes that are read, written or compared before somebody who does not wait any more is noticed.
  public static let fileStepBytes = 256 * 1024
  /// Longest path in bytes, and longest name in it (`NAME_MAX`).
  public static let filePathBytes = 1024
  public static let fileNameBytes = 255
  /// Names of a folder that are sorted, and bytes of all of them: a folder with more is listed as far as that, with
  /// `truncated`. 4 bytes for each name beside it, in the memory of a file that is sent.
  public static let listedNames = 16_384
  public static let listedNameBytes = 1024 * 1024
  /// Entries of one answer, usually and at most (node-commands 4.13).
  public static let listedEntries: Int64 = 200
  public static let listedEntryRange: ClosedRange<Int64> = 1...5000
  /// Bytes of one answer of `dir.list`: 5000 entries with a name and a path of 150 bytes each. Fewer are sent where
  /// they are longer.
  public static let listBytes = 2 * 1024 * 1024
  /// Calls for files that wait or run: one of each command, of which `file.write` and `file.create` share their memory,
  /// and one that was given up but has not ended.
  public static let fileCalls = 5
  /// Bytes that stay free on the file system of a file that is written, or an eighth of it where that is less: the
  /// agent's own records are small, and must find room.
  public static let fileReserveBytes: UInt64 = 32 * 1024 * 1024
  /// Milliseconds after which a gateway is told that a call still works, and then every so often: a card that answers
  /// slowly, or a network drive.
  public static let fileProgressMilliseconds: Int64 = 2000
  public static let fileBeatMilliseconds: Int64 = 5000
}
