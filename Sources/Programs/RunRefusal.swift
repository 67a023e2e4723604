import Codec
import Runtime

/// Why a program is not run: code and sentence as the reference has them (node-commands 4.7), with what was wrong.
public struct RunRefusal: WireError, Equatable {
  /// What was refused.
  public enum Reason: Equatable, Sendable {
    case noCommand, rawWithoutCommand, notWords, emptyWord, zeroByte, tooManyWords, tooLong, rawMismatch
    case badText, environment, folder, screenRecording, listMiss, userDenied
    case planMismatch, planFolder, planOperand, badBins, tooManyBins
    case noService, serviceRefused, serviceLost
  }

  public let reason: Reason
  /// The member, variable or program that is meant; empty where the sentence says all.
  public let detail: InlineText<96>

  /// A refusal without more to say.
  public init(_ reason: Reason) {
    self.reason = reason
    detail = InlineText()
  }

  /// A refusal that names what it is about, cut to 96 bytes.
  public init(_ reason: Reason, _ detail: UnsafeBufferPointer<UInt8>) {
    self.reason = reason
    self.detail = InlineText(cutting: Span(_unsafeElements: detail))
  }

  /// True for a refusal by the owner's or the gateway's policy, which is reported as `exec.denied`.
  public var isDenial: Bool {
    switch reason {
    case .environment, .listMiss, .userDenied, .planMismatch, .planFolder, .planOperand: true
    default: false
    }
  }

  public var wire: (code: StaticString, text: StaticString) {
    switch reason {
    case .noCommand: ("INVALID_REQUEST", "command required: an array of words, the program first")
    case .rawWithoutCommand: ("INVALID_REQUEST", "rawCommand requires params.command")
    case .notWords: ("INVALID_REQUEST", "command must be an array of strings, and never a line for a shell")
    case .emptyWord: ("INVALID_REQUEST", "command has an empty word")
    case .zeroByte: ("INVALID_REQUEST", "command has a word with a zero character")
    case .tooManyWords: ("INVALID_REQUEST", "command has more than 64 words")
    case .tooLong: ("INVALID_REQUEST", "command has more than 8192 bytes")
    case .rawMismatch: ("INVALID_REQUEST", "rawCommand does not match command")
    case .badText: ("INVALID_REQUEST", "this must be a text of no more bytes than the board keeps: ")
    case .environment: ("INVALID_REQUEST", "SYSTEM_RUN_DENIED: environment override rejected (blocked override keys: ")
    case .folder:
      ("INVALID_REQUEST", "SYSTEM_RUN_DENIED: cwd must be left out, or be /tmp, which is empty for each run; not ")
    case .screenRecording: ("UNAVAILABLE", "PERMISSION_MISSING: screenRecording")
    case .listMiss:
      (
        "UNAVAILABLE",
        "SYSTEM_RUN_DENIED: allowlist miss: not among the programs of [run] in this board's configuration: "
      )
    case .userDenied: ("UNAVAILABLE", "SYSTEM_RUN_DENIED: user denied")
    case .planMismatch: ("UNAVAILABLE", "SYSTEM_RUN_DENIED: execution plan mismatch: ")
    case .planFolder: ("UNAVAILABLE", "SYSTEM_RUN_DENIED: approval cwd changed before execution")
    case .planOperand: ("UNAVAILABLE", "SYSTEM_RUN_DENIED: approval script operand changed before execution")
    case .badBins: ("INVALID_REQUEST", "bins required: an array of program names")
    case .tooManyBins: ("INVALID_REQUEST", "bins has more than 64 names")
    case .noService:
      (
        "UNAVAILABLE",
        "SYSTEM_RUN_DISABLED: this board's service for programs is off: systemctl enable --now talon-run.socket"
      )
    case .serviceRefused: ("UNAVAILABLE", "SYSTEM_RUN_DENIED: the board's service refused it: ")
    case .serviceLost:
      ("UNAVAILABLE", "the board's service for programs ended before the program did: the log of talon-run says why")
    }
  }

  public func writeDetail(to writer: inout ByteWriter) {
    writer.bytes(detail.span)
    if reason == .environment { writer.text(")") }
  }
}
