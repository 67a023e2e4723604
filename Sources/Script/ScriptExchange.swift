import Canvas
import Runtime

/// The protocol between the agent and the process that runs scripts: 64-bit numbers at the beginning of shared memory,
/// texts after them, and one byte on a socket to pass the turn.
enum ScriptExchange {
  /// Bytes on the socket. From the agent:
  enum Word {
    /// an order, or an answer, is in the shared memory.
    static let order: UInt8 = 1, answer: UInt8 = 2
    /// From the process: a request is there; the order is done and a report is there.
    static let question: UInt8 = 3, report: UInt8 = 4
  }

  /// Indices of the numbers of an order; its text is the program.
  enum Order {
    static let kind = 0, count = 1, width = 2, height = 3, ratio = 4, drawsFrame = 5, mustForget = 6, limit = 7
  }

  /// Indices of the numbers of a report; its text is the result or the error.
  enum Report {
    static let result = 16, hasDrawn = 17, outcome = 18, line = 19, textCount = 20, nextTimer = 21, wantsFrame = 22
    static let width = 23, height = 24, card = 25, consoleCount = 26, consoleLeft = 27
    /// First index of: bytes per line of the card, bytes per console line, levels of console lines.
    static let cardCounts = 32, consoleCounts = 48, consoleLevels = 64
  }

  /// Indices of the numbers of a request and of its answer, each with a text.
  enum Question {
    static let kind = 80, count = 81
  }
  enum Answer {
    static let verdict = 88, count = 89
  }

  /// Values of `Answer.verdict`: the text is an answer, or an error; the agent gives no answer.
  static let answered: Int64 = 0, failed: Int64 = 1, unanswered: Int64 = 2

  /// Results in the order of their numbers; outcomes, where 0 is none.
  static let results: [ScriptResult] = [.done, .noContext, .ended, .full]
  static let outcomeOfResult: Int64 = 1, outcomeOfFailure: Int64 = 2, outcomeTooLarge: Int64 = 3

  /// Offset and number of the card's lines, and bytes per line.
  static let card = 1024, cardLines = 5, cardLineBytes = 192
  /// Offset of the console lines.
  static let console = 2048
  /// Offset of the text: programs, results, requests and answers.
  static let text = console + Budget.scriptLines * Budget.logLineBytes
  static let textBytes = max(
    Budget.scriptSourceBytes + 1, Budget.scriptResultBytes, Budget.scriptRequestBytes, Budget.scriptAnswerBytes)
  static let bytes = text + textBytes

  /// Room for the largest drawing; only written pages take memory.
  static let surfaceBytes = 4 * Budget.shownPixels
}

extension SharedMemory {
  /// Copies a text to `start`; returns how many bytes fit.
  func write(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int, most: Int) -> Int64 {
    let room = part(at: start, count: Int64(most))
    return Int64(bytes.copy(into: room))
  }
}
