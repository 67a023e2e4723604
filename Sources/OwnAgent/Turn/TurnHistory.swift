import Completion
import Runtime

/// What was said in the last turns, as the model is told of it again: the words of the person and of the agent, and
/// nothing of what tools gave. So words of others (`ToolRules`) are with the model in the turn that they came into, and
/// in none after it.
struct TurnHistory: ~Copyable {
  private struct Turn {
    var question = 0
    var answer = 0
    /// The answer was written after words of others had come in.
    var isTainted = false
  }

  private static let share = Budget.agentQuestionBytes + Budget.agentAnswerBytes
  private static let marked: StaticString = "(I wrote this after reading words of others.)\n"

  private let memory = FixedBuffer(capacity: Budget.agentHistoryTurns * share)
  private let mark = FixedBuffer(capacity: marked.utf8CodeUnitCount + Budget.agentAnswerBytes)
  private var turns = InlineArray<12, Turn>(repeating: Turn())
  /// Where the oldest one is.
  private var head = 0
  private(set) var count = 0

  init() { precondition(Budget.agentHistoryTurns == 12) }

  /// Forgets everything.
  mutating func removeAll() { (head, count) = (0, 0) }

  /// Adds a turn; the oldest goes when there are `Budget.agentHistoryTurns`. Texts are cut between characters.
  mutating func add(_ question: Span<UInt8>, _ answer: Span<UInt8>, isTainted: Bool) {
    if count == turns.count {
      head = (head + 1) % turns.count
      count -= 1
    }
    let place = (head + count) % turns.count
    turns[place].question = copy(question, to: place * Self.share, most: Budget.agentQuestionBytes)
    turns[place].answer = copy(
      answer, to: place * Self.share + Budget.agentQuestionBytes, most: Budget.agentAnswerBytes)
    turns[place].isTainted = isTainted
    count += 1
  }

  private func copy(_ text: Span<UInt8>, to start: Int, most: Int) -> Int {
    let end = text.characters(in: most)
    for index in 0..<end { memory.bytes[start + index] = text[index] }
    return end
  }

  private func text(_ start: Int, _ count: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: UnsafeBufferPointer(memory.bytes)[start..<(start + count)])
  }

  /// Tells a prompt of all turns, the oldest first; those that do not fit make older ones go.
  func tell(_ prompt: Prompt) {
    for index in 0..<count {
      let place = (head + index) % turns.count
      let turn = turns[place]
      let start = place * Self.share
      _ = prompt.addUser(Span(_unsafeElements: text(start, turn.question)))
      let answer = text(start + Budget.agentQuestionBytes, turn.answer)
      _ = prompt.addAnswer(Span(_unsafeElements: turn.isTainted ? marked(answer) : answer))
    }
  }

  private func marked(_ answer: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    let before = Self.marked.bytes
    for index in 0..<before.count { mark.bytes[index] = before[index] }
    for index in 0..<answer.count { mark.bytes[before.count + index] = answer[index] }
    return UnsafeBufferPointer(rebasing: UnsafeBufferPointer(mark.bytes)[..<(before.count + answer.count)])
  }
}
