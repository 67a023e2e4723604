extension Budget {

  // MARK: The memory of the board's own agent

  /// Bytes of the text of one entry: some 2,000 tokens, more than a person says at once (`agentMessageBytes`); what is
  /// longer is cut. Reserved for each request that waits, and four times more.
  public static let memoryEntryBytes = 8192
  /// Bytes of the subject of a fact: a few words.
  public static let memorySubjectBytes = 96
  /// Requests that wait for the memory, the one that is being done included: a turn remembers a question, an answer and
  /// the results of some tools. `memoryEntryBytes` and a vector of floats each, address space until they are used.
  public static let memoryRequests = 12
  /// Milliseconds until a request is tried again that found no room among the jobs of the workers.
  public static let memoryRetryMilliseconds: Int64 = 50
  /// Entries, and bytes of their subjects and texts together, that one request gives back: as much as a model is told
  /// at once.
  public static let memoryResults = 48
  public static let memoryResultBytes = 40 * 1024
  /// Bytes that the memory may have on flash: the usual number, and what may be configured. 16 MB have
  /// 25,000 entries of some 35 words. All of it is read at the start, which took 0.15 s on a PC.
  public static let memoryFileBytes: Int64 = 16 << 20
  public static let memoryFileRange: ClosedRange<Int64> = (1 << 20)...(256 << 20)
  /// Entries that are removed at once to make room: they, and the index of words that is written anew with them, are
  /// one transaction.
  public static let memoryTrimEntries = 4096
  /// Entries that have a vector: all of them are compared with a question, which took 0.1 s in a debug build on a PC
  /// for vectors of 384 numbers. When there are more, the vectors of the first `memoryTrimVectors` to go are removed.
  public static let memoryVectors = 10_000
  public static let memoryTrimVectors = 100
  /// Entries that each of the two searches contributes to the result. 16 bytes each, on the stack.
  public static let memoryCandidates = 64
  /// Words of a question that are looked for, bytes of each, and of the question in the index's own language. Each word
  /// is a walk through the index.
  public static let memoryQueryWords = 24
  public static let memoryWordBytes = 64
  public static let memoryQueryBytes = memoryQueryWords * (memoryWordBytes + 8)
  /// Bytes of a piece in which Markdown is written and read.
  public static let memoryPieceBytes = 4096
  /// Bytes of one line of Markdown that is read: an entry's text and what stands before it.
  public static let memoryLineBytes = memoryEntryBytes + 2 * memorySubjectBytes + 64
  /// Bytes of a Markdown file that is imported: the largest memory. Entries of one transaction meanwhile.
  public static let memoryImportBytes: Int64 = 256 << 20
  public static let memoryImportEntries = 128
  /// Lines that an import says it could not take; those beyond are counted.
  public static let memoryImportFaults = 8
  /// Memory in bytes that SQLite may take at all, and of that its page cache in KiB. Its index of words is merged in a
  /// few hundred kilobytes.
  public static let memorySQLiteBytes: Int64 = 4 << 20
  public static let memoryCacheKilobytes = 512
  /// Bytes of a page of the file: that of the kernel and of flash cards' smallest writes.
  public static let memoryPageBytes: Int64 = 4096
  /// Pages after which what was written ahead is moved into the file, 1 MB: `NAME-wal` is cut to that.
  public static let memoryWALPages = 256
}
