import Codec
import Gateway
import Runtime

/// Why a request to the gateway failed: a code for programs, a sentence for people.
public struct DeskFailure: Sendable {
  /// There is no operator connection.
  public static let noOperator: StaticString = "NO_OPERATOR"

  /// The gateway's code, or one of Talon's own: `NO_OPERATOR`, `BUSY`, `TOO_LARGE`, `INVALID_REQUEST`, `TIMEOUT`,
  /// `LOST`.
  public private(set) var code: InlineText<64>
  /// One plain sentence.
  public private(set) var sentence: InlineText<512>
  /// The gateway leaves it to the board to speak (gateway reference 9.10).
  public private(set) var isFallbackEligible = false

  /// A failure of Talon's own.
  public init(_ code: StaticString, _ sentence: StaticString) {
    self.code = InlineText(cutting: code)
    self.sentence = InlineText(cutting: sentence)
  }

  /// A failure whose sentence `build` writes.
  public init(_ code: StaticString, _ build: (inout LogLine) -> Void) {
    self.code = InlineText(cutting: code)
    sentence = InlineText()
    write(build)
  }

  /// The failure of a request.
  init(_ failure: RequestFailure, of method: StaticString) {
    switch failure.kind {
    case .timedOut: self.init("TIMEOUT", "the gateway did not answer in time; whether it did anything is not known")
    case .lost:
      self.init("LOST", "the connection was lost before the answer; whether the gateway did anything is not known")
    case .tooLarge: self.init("TOO_LARGE", "the gateway's answer is larger than this board keeps")
    case .refused:
      self.init("REFUSED", "")
      explain(failure, method)
    }
  }

  /// A run that ended with an error; the sentence is the gateway's.
  init(run payload: borrowing JSONView) {
    self.init("RUN_FAILED", "the agent's run failed")
    var text = InlineText<256>()
    var kind = InlineText<64>()
    if let member = payload.member("errorMessage") { Self.copy(member, to: &text) }
    if let member = payload.member("errorKind") { Self.copy(member, to: &kind) }
    if text.isEmpty && kind.isEmpty { return }
    write { line in
      line.add("the agent's run failed: ")
      if text.isEmpty { line.add(code: kind.span) } else { line.quote(text.span, most: 256) }
      if !text.isEmpty, !kind.isEmpty, !kind.equals(("unknown" as StaticString).utf8Bytes) {
        line.add(" (")
        line.add(code: kind.span)
        line.add(")")
      }
    }
  }

  private static func copy<let capacity: Int>(_ value: borrowing JSONView, to text: inout InlineText<capacity>) {
    // A message that is too long is left out: the sentence matters more.
    if !text.fill({ value.copyString(into: $0) }), value.kind == .string {
      text = InlineText(cutting: "(a long message)")
    }
  }

  private mutating func explain(_ failure: RequestFailure, _ method: StaticString) {
    code = failure.code
    isFallbackEligible = failure.isFallbackEligible
    let scope = failure.missingScope
    if scope.isEmpty {
      return write { line in
        line.add("the gateway refused ")
        line.add(method)
        line.add(": ")
        if failure.message.isEmpty { return line.add(code: failure.code.span) }
        line.quote(failure.message.span, most: 256)
      }
    }
    code = InlineText(cutting: "MISSING_SCOPE")
    write { line in
      line.add("the gateway lets nobody use ")
      line.add(method)
      line.add(" without the scope ")
      line.add(code: scope.span)
      line.add(": add it to [operator] scopes, and approve the board's console connection again on the gateway")
    }
  }

  private mutating func write(_ build: (inout LogLine) -> Void) {
    sentence.fill { buffer in
      var line = LogLine(buffer)
      build(&line)
      return line.count
    }
  }
}
