import Codec
import Node
import OwnAgent
import Runtime

/// What the owner asks of the agent at a console, and the call that waits for the answer.
struct OwnerQuestion {
  unowned(unsafe) var control: Control
  var call: Int
  var number: UInt32
  /// When the answer counts as lost, in milliseconds of the monotonic clock.
  var until: Int64
}

/// The operation `agent` of the local socket: `{do, text?, number?}`, where `do` is a word of `OwnerRequest`, is
/// answered with `{text}`.
extension OwnAgentPart {
  func ask(_ control: Control, _ call: Int, _ request: borrowing JSONView) {
    guard let wanted = Self.request(request) else { return control.refuse(call, "\"do\" is no request to the agent") }
    guard isConnected else {
      return control.fail(
        call,
        DeskFailure("NO_AGENT", "the board's own agent is not there: systemctl enable --now talon-agent.socket"))
    }
    guard question == nil else {
      return control.fail(call, DeskFailure("BUSY", "the board's own agent still does what was asked before"))
    }
    let number = request.member("number")?.int64 ?? 0
    guard number >= 0 else { return control.refuse(call, "\"number\" is below zero") }
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Budget.ownerPieceBytes) { room in
      var count = 0
      if let text = request.member("text") {
        guard let copied = text.copyString(into: room) else {
          return control.refuse(call, "\"text\" is no text of at most 12288 bytes")
        }
        count = copied
      }
      lastQuestion &+= 1
      question = OwnerQuestion(
        control: control, call: call, number: lastQuestion, until: clock.monotonic + Budget.ownerMilliseconds)
      let text = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(room)[..<count])
      send(.ask) { writer in
        writer.littleEndian(UInt64(self.lastQuestion), bytes: 4)
        writer.byte(wanted.rawValue)
        if wanted.hasNumber { writer.littleEndian(UInt64(number), bytes: 8) }
        writer.bytes(Span(_unsafeElements: text))
      }
    }
  }

  private static func request(_ request: borrowing JSONView) -> OwnerRequest? {
    guard let word = request.member("do"), word.kind == .string else { return nil }
    for request in OwnerRequest.allCases where word.equals(request.word) { return request }
    return nil
  }

  /// Takes the frame of an answer; false when it is malformed. One to a question that is over is ignored.
  func takeAnswer(_ body: UnsafeBufferPointer<UInt8>) -> Bool {
    var fields = FrameFields(Span(_unsafeElements: body))
    let number = UInt32(truncatingIfNeeded: fields.number(bytes: 4))
    let isError = fields.number(bytes: 1) != 0
    let text = fields.rest().withUnsafeBufferPointer { $0 }
    guard fields.isComplete else { return false }
    guard let question, question.number == number else { return true }
    self.question = nil
    let whole = words.whole(text)
    guard !isError else {
      question.control.fail(question.call, DeskFailure("REFUSED") { $0.add(whole) })
      return true
    }
    question.control.finish(question.call) { writer in
      writer.beginObject()
      writer.key("text")
      writer.string(Span(_unsafeElements: whole))
      writer.endObject()
    }
    return true
  }

  /// Ends the question, if there is one, without an answer.
  func failQuestion(_ sentence: StaticString) {
    guard let question else { return }
    self.question = nil
    question.control.fail(question.call, DeskFailure("NO_AGENT", sentence))
  }
}
