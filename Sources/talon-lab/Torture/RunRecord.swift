/// What was seen of one run through the scenario: the evidence that `Judge` decides by.
struct RunRecord {
  /// How a command was answered, each time that it was asked.
  enum Answer: Equatable {
    case result
    case refusal(String)
    /// The gateway waited until its own deadline.
    case silence
  }

  struct Question: Equatable {
    var command: String
    var answers: [Answer]
  }

  /// How the process ended, and the last line that it said.
  struct End: Equatable {
    enum How: Equatable {
      case code(Int32)
      case signal(Int32)
    }

    var how: How
    var lastLine: String
  }

  /// What the failed call was about; nil when the run made fewer of these calls, so that nothing failed.
  var target: String?
  /// Unrequested exits, in order. After each, Talon was started again without a fault.
  var ends: [End] = []
  /// How it ended when it was told to stop.
  var stop: End?
  var questions: [Question] = []
  /// The condition that was not reached before the timeout, which ended the run: "was not connected".
  var missing: String?
  /// What open descriptors stand for, once online again and at rest.
  var descriptors: [String] = []
  /// Lines of the log with priority warning or worse.
  var warnings: [String] = []
  /// A secret that the log shows, by its name.
  var shownSecret: String?
  /// Whether it came online once more with nothing but what it kept on flash.
  var kept = false
}

/// How a run with a fault ended well.
enum Outcome: Int, CaseIterable {
  /// The call was never made so often: nothing failed.
  case notReached
  /// Everything worked, and no failure was reported.
  case unnoticed
  /// All worked, and the log has a warning.
  case logged
  /// A command was answered with an error, and worked when it was asked again.
  case answered
  /// Talon ended with an exit code of `sysexits.h` and a sentence, and worked when it was started again.
  case ended

  var text: String {
    switch self {
    case .notReached: "was not reached"
    case .unnoticed: "recovered"
    case .logged: "recovered and logged"
    case .answered: "answered with an error once"
    case .ended: "ended with a reason"
    }
  }
}
