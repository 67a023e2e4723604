import Codec
import Gateway
import Runtime

/// Where a submission was.
public enum MailStep: UInt8, Sendable {
  case connecting, greeting, hello, login, sender, recipient, data, content

  var text: StaticString {
    switch self {
    case .connecting: "the connection"
    case .greeting: "the greeting"
    case .hello: "the hello"
    case .login: "the login"
    case .sender: "the sender"
    case .recipient: "the recipient"
    case .data: "the beginning of the message"
    case .content: "the message"
    }
  }
}

/// Why a message was not sent, or is not known to have been.
public struct MailFailure: Error {
  public enum Kind: Equatable, Sendable {
    /// Another message is being sent.
    case busy
    /// The message itself.
    case message(MailError)
    /// The server was not reached.
    case unreached(TransportFailure.Kind)
    case timedOut
    /// The connection ended.
    case closed
    /// The server answered with this code.
    case refused(Int)
    /// What it answered is not SMTP, is endless, or came unasked.
    case malformed, endless, outOfTurn
    /// It offers no login by user and password, no addresses beyond ASCII, or takes no message so large.
    case noLogin, noUTF8, tooLarge
  }

  public let kind: Kind
  public let step: MailStep
  /// Nobody knows whether the server took the message: the connection was lost after its end.
  public let isUncertain: Bool
  /// The server's own words, cleaned; empty where there are none. Never a password.
  public let words: InlineText<160>

  init(_ kind: Kind, at step: MailStep, isUncertain: Bool = false, words: InlineText<160> = InlineText()) {
    (self.kind, self.step, self.isUncertain, self.words) = (kind, step, isUncertain, words)
  }

  /// True when it may work later (RFC 5321 section 4.2.1: codes of the four hundreds). What is uncertain is not
  /// sent again.
  public var isTransient: Bool {
    if isUncertain { return false }
    return switch kind {
    case .busy, .timedOut, .closed: true
    case .unreached(let kind): kind != .tls && kind != .forbidden
    case .refused(let code): code < 500
    default: false
    }
  }

  /// What a model or a person reads, without a period: "the mail server refused the recipient (550): no such user".
  public func write(to writer: inout ByteWriter) {
    if isUncertain {
      return writer.text(
        "the connection to the mail server was lost after the message: it is not known whether it was taken")
    }
    switch kind {
    case .busy: writer.text("another message is being sent")
    case .message(let error): writer.text(error.text)
    case .unreached(let kind): writer.text(Self.text(kind))
    case .timedOut: write("the mail server took too long at ", to: &writer)
    case .closed: write("the mail server ended the connection at ", to: &writer)
    case .malformed: write("the mail server's answer is not SMTP, at ", to: &writer)
    case .endless: write("the mail server's answer does not end, at ", to: &writer)
    case .outOfTurn: write("the mail server spoke out of turn, at ", to: &writer)
    case .noLogin: writer.text("the mail server offers no login by user and password (AUTH PLAIN)")
    case .noUTF8: writer.text("the mail server takes no addresses with other letters than English ones (SMTPUTF8)")
    case .tooLarge: writer.text("the mail server takes no message of this size")
    case .refused(let code):
      write("the mail server refused ", to: &writer)
      writer.text(" (")
      writer.decimal(Int64(code))
      writer.text(")")
      guard !words.isEmpty else { return }
      writer.text(": ")
      writer.bytes(words.span)
    }
  }

  private func write(_ text: StaticString, to writer: inout ByteWriter) {
    writer.text(text)
    writer.text(step.text)
  }

  private static func text(_ kind: TransportFailure.Kind) -> StaticString {
    switch kind {
    case .resolve: "the mail server's name has no address"
    case .forbidden: "the mail server has no address that may be used"
    case .connect: "the mail server does not accept connections"
    case .proxy: "the mail server was not reached: the proxy makes no tunnel"
    case .tls: "the mail server could not be trusted"
    case .closedByPeer, .broken: "the connection to the mail server broke"
    }
  }
}
