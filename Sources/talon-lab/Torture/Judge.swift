/// Decides whether a run was survived, by comparing what was seen with a run in which nothing failed.
struct Judge {
  /// Descriptors of the run in which nothing failed, by kind.
  let usualDescriptors: [String: Int]
  /// Warnings of that run, without their numbers.
  let usualWarnings: Set<String>

  init(usual: RunRecord) {
    usualDescriptors = Self.kinds(usual.descriptors)
    usualWarnings = Set(usual.warnings.map(Self.kind))
  }

  /// What a run led to, and in which words Talon said so. Throws when it was not survived, with the reason.
  func verdict(_ record: RunRecord) throws -> (outcome: Outcome, said: String) {
    try checkEnds(record)
    try checkQuestions(record)
    if let missing = record.missing { throw TortureError("Talon \(missing)") }
    try checkDescriptors(record)
    if let secret = record.shownSecret { throw TortureError("the log shows \(secret)") }
    guard record.kept else { throw TortureError("what Talon kept on flash did not bring it online again") }
    return outcome(record)
  }

  private func outcome(_ record: RunRecord) -> (Outcome, String) {
    guard record.target != nil else { return (.notReached, "") }
    if let end = record.ends.first ?? record.stop, end.how != .code(0) { return (.ended, Self.text(end)) }
    for question in record.questions {
      if case .refusal(let reason) = question.answers[0] { return (.answered, "\(question.command): \(reason)") }
    }
    if let news = record.warnings.first(where: { !usualWarnings.contains(Self.kind($0)) }) { return (.logged, news) }
    return (.unnoticed, "")
  }

  // MARK: Ends

  private func checkEnds(_ record: RunRecord) throws {
    for end in record.ends { try checkReason(end) }
    if record.ends.count > 1 { throw TortureError("Talon ended twice: \(record.ends.map(Self.text))") }
    if let stop = record.stop, stop.how != .code(0) { try checkReason(stop) }
  }

  /// An end is in order with a code of `sysexits.h` and a sentence. After EX_USAGE and EX_CONFIG a supervisor would
  /// leave the board alone for ever, so those are not.
  private func checkReason(_ end: RunRecord.End) throws {
    guard case .code(let code) = end.how else { throw TortureError("Talon was killed: \(Self.text(end))") }
    let prefix = "talon: "
    guard (65...77).contains(code), end.lastLine.hasPrefix(prefix), end.lastLine.count > prefix.count + 10 else {
      throw TortureError("Talon ended without a reason: \(Self.text(end))")
    }
  }

  private static func text(_ end: RunRecord.End) -> String {
    switch end.how {
    case .code(let code): "\(code): \(end.lastLine)"
    case .signal(let number): "signal \(number), after: \(end.lastLine)"
    }
  }

  // MARK: Answers

  /// Of all commands one may be answered with errors, until it works.
  private func checkQuestions(_ record: RunRecord) throws {
    var refused: [String] = []
    for question in record.questions {
      if question.answers.contains(.silence) { throw TortureError("\(question.command) was never answered") }
      guard question.answers.last == .result else {
        throw TortureError("\(question.command) did not work again: \(Self.text(question.answers.last))")
      }
      if question.answers.count > 1 { refused.append("\(question.command): \(Self.text(question.answers.first))") }
    }
    if refused.count > 1 { throw TortureError("one fault failed several commands: \(refused.joined(separator: "; "))") }
  }

  private static func text(_ answer: RunRecord.Answer?) -> String {
    if case .refusal(let reason) = answer { return reason }
    return "nothing was said"
  }

  // MARK: Descriptors

  private func checkDescriptors(_ record: RunRecord) throws {
    if let surplus = surplus(record.descriptors) { throw TortureError("Talon leaks descriptors: \(surplus)") }
  }

  /// The kinds of which more are open than usual, in words; nil when there are none.
  func surplus(_ descriptors: [String]) -> String? {
    let more = Self.kinds(descriptors).filter { $0.value > usualDescriptors[$0.key, default: 0] }
    if more.isEmpty { return nil }
    return more.map { "\($0.value) of \($0.key), usual are \(usualDescriptors[$0.key, default: 0])" }.sorted()
      .joined(separator: "; ")
  }

  private static func kinds(_ descriptors: [String]) -> [String: Int] {
    Dictionary(descriptors.map { (kind($0), 1) }, uniquingKeysWith: +)
  }

  /// A text without what differs each time.
  private static func kind(_ text: String) -> String { text.filter { !$0.isNumber } }
}
