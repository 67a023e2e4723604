import Runtime

/// Why the memory did not do what it was asked for.
public struct MemoryFault: Error, Equatable, Sendable {
  public enum Kind: Equatable, Sendable {
    /// The text is empty.
    case empty
    /// Words by which something is to be forgotten: there are none, or more than are looked for, so that too much
    /// would be forgotten.
    case badWords
    /// The numbers are no vector: none, too many, not finite, or all zero.
    case badVector
    /// There is no room, and nothing that may go.
    case full
    /// The file is damaged; the next request finds a new one.
    case damaged
    /// A newer release has written the file; it stays as it is.
    case newer
    /// Another process uses the file.
    case inUse
    /// The store was refused memory.
    case memory
    /// The system refused.
    case system
    /// It is forgotten, but the file still has bytes of it, until the next start or the next time something is
    /// forgotten.
    case remains
    /// The file of an export cannot be written, or that of an import cannot be read.
    case markdown
  }

  public let kind: Kind
  /// The store's own number; 0 where it has none.
  public let code: Int32
  /// What the store or the system says, cut.
  public package(set) var detail: InlineText<96>

  /// A failure; see the properties.
  public init(_ kind: Kind, code: Int32 = 0, detail: StaticString = "") {
    self.kind = kind
    self.code = code
    self.detail = InlineText(cutting: detail)
  }

  /// A failure with a null-terminated sentence of the store's own.
  public init(_ kind: Kind, code: Int32, sentence: UnsafePointer<CChar>?) {
    self.kind = kind
    self.code = code
    var text = InlineText<96>()
    text.fill { buffer in
      guard let sentence else { return 0 }
      var count = 0
      while count < buffer.count, sentence[count] != 0 {
        buffer[count] = UInt8(bitPattern: sentence[count])
        count += 1
      }
      return count
    }
    detail = text
  }

  /// A refusal of the system.
  public init(_ kind: Kind = .system, _ reason: Errno) {
    self.init(reason == .noSpace ? .full : kind, code: reason.number, detail: reason.text)
  }

  /// What a person reads: "the memory is full, and nothing in it may go: delete what is not needed".
  public var text: StaticString {
    switch kind {
    case .empty: "there is nothing to remember: the text is empty"
    case .badWords: "say what to forget in one to 24 words that it contains"
    case .badVector: "the embedding is no vector: it needs 1 or more finite numbers, not all zero, as many as fit"
    case .full: "the memory is full, and what is in it goes last: forget something, or allow more bytes"
    case .damaged: "the file of the memory is damaged"
    case .newer: "the file of the memory was written by a newer release of Talon, and is left as it is: update Talon"
    case .inUse: "another process uses the memory"
    case .memory: "the store of the memory may not take more main memory"
    case .system: "the file of the memory cannot be used"
    case .remains: "it is forgotten, but bytes of it stay in the file until the next start of the agent"
    case .markdown: "the Markdown file cannot be used"
    }
  }

  /// Writes the sentence with its reason into a log line.
  public func write(to line: inout LogLine) {
    line.add(text)
    if !detail.isEmpty {
      line.add(": ")
      line.add(detail.span)
    }
    if code != 0 {
      line.add(" (")
      line.add(code)
      line.add(")")
    }
  }
}
