import Canvas
import Runtime

/// What the agent and the process that runs scripts say to each other: numbers of 64 bits at the beginning of shared memory, texts behind
/// them, and one byte on their line for whose turn it is.
enum ScriptExchange {
  /// What the agent says.
  enum Word {
    /// An order stands there; an answer does.
    static let order: UInt8 = 1, answer: UInt8 = 2
    /// What the process says: it asks something; the order is carried out.
    static let question: UInt8 = 3, report: UInt8 = 4
  }

  /// Numbers of an order, whose text is the program.
  enum Order {
    static let kind = 0, count = 1, width = 2, height = 3, ratio = 4, drawsFrame = 5, mustForget = 6, limit = 7
  }

  /// Numbers of a report, whose text is that of the result or the error.
  enum Report {
    static let result = 16, hasDrawn = 17, outcome = 18, line = 19, textCount = 20, nextTimer = 21, wantsFrame = 22
    static let width = 23, height = 24, card = 25, consoleCount = 26, consoleLeft = 27
    /// Bytes of each line of the card; bytes of each line of the console, and its level.
    static let cardCounts = 32, consoleCounts = 48, consoleLevels = 64
  }

  /// Numbers of a question and of its answer, each with a text.
  enum Question {
    static let kind = 80, count = 81
  }
  enum Answer {
    static let verdict = 88, count = 89
  }

  /// What `Answer.verdict` says: the text is an answer, or an error; nobody answers any more.
  static let answered: Int64 = 0, failed: Int64 = 1, unanswered: Int64 = 2

  /// Results in the order of their numbers; and outcomes, 0 being none.
  static let results: [ScriptResult] = [.done, .noContext, .ended, .full]
  static let outcomeOfResult: Int64 = 1, outcomeOfFailure: Int64 = 2, outcomeTooLarge: Int64 = 3

  /// Where the lines of the card begin, and how many bytes each has.
  static let card = 1024, cardLines = 5, cardLineBytes = 192
  /// Where those of the console begin.
  static let console = 2048
  /// Where programs, results, questions and answers stand.
  static let text = console + Budget.scriptLines * Budget.logLineBytes
  static let textBytes = max(Budget.scriptSourceBytes + 1, Budget.scriptResultBytes, Budget.scriptRequestBytes, Budget.scriptAnswerBytes)
  static let bytes = text + textBytes

  /// Room for the largest drawing; only what is used costs memory.
  static let surfaceBytes = 4 * Budget.shownPixels
}

extension SharedMemory {
  /// Copies a text to where texts stand: how much of it fits.
  func write(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int, most: Int) -> Int64 {
    let room = part(at: start, count: Int64(most))
    return Int64(bytes.copy(into: room))
  }
}
