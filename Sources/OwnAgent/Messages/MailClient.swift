import Codec
import Fetch
import Gateway
import Runtime

/// Where mail is submitted, and as whom.
public struct MailSettings: Sendable {
  public var host: String
  /// 465: submissions with TLS from the beginning (RFC 8314 section 3.3).
  public var port: UInt16
  /// Empty for a server without login.
  public var user: String
  public var password: String
  /// What the board calls itself in `EHLO`; a literal is allowed where it has no name (RFC 5321 section 4.1.3).
  public var client: String

  /// Settings; see the properties.
  public init(host: String, port: UInt16 = 465, user: String, password: String, client: String = "[127.0.0.1]") {
    (self.host, self.port, self.user, self.password, self.client) = (host, port, user, password, client)
  }

  /// What is wrong with them; nil: nothing. Never says what the password is.
  public var objection: StaticString? {
    if host.utf8.isEmpty || host.utf8.count > 253 { return "the mail server's host is missing or too long" }
    if port == 0 { return "the mail server's port is 0" }
    if user.utf8.count > Budget.mailUserBytes { return "the mail user is longer than 128 bytes" }
    if password.utf8.count > Budget.mailPasswordBytes { return "the mail password is longer than 256 bytes" }
    for byte in user.utf8 where byte == 0 { return "the mail user has a zero byte" }
    for byte in password.utf8 where byte == 0 { return "the mail password has a zero byte" }
    if client.utf8.isEmpty || client.utf8.count > 255 { return "the board's name for mail is missing or too long" }
    for byte in client.utf8 where byte <= 0x20 || byte >= 0x7F { return "the board's name for mail is not valid" }
    return nil
  }
}

/// Gets the end of a submission.
public protocol MailDelegate: AnyObject {
  /// The server has taken the message, or the failure says why not. Called once, from inside `advance`.
  func mailEnded(_ client: MailClient, _ failure: MailFailure?)
}

/// Submits one message at a time (RFC 6409) over TLS: greeting, hello, login, sender, recipient, message, goodbye. A
/// message is offered once: nothing is tried again here, so that nothing arrives twice.
public final class MailClient {
  enum Phase { case idle, connecting, greeting, hello, login, sender, recipient, data, content, final, quitting }

  let settings: MailSettings
  private let transport: any FetchTransport
  private let clock: any Clock
  /// What is sent next, and what of it is still to go.
  let output = FixedBuffer(capacity: Budget.mailOutputBytes)
  var unsent = 0..<0
  /// Where user and password are put together; zero at other times.
  let secretRoom = FixedBuffer(capacity: Budget.mailUserBytes + Budget.mailPasswordBytes + 2)
  private let line = FixedBuffer(capacity: Budget.mailReplyLineBytes)
  private let sentence = FixedBuffer(capacity: Budget.mailSentenceBytes)
  var reader: MailReplyReader
  let message = FixedBuffer(capacity: Budget.mailMessageBytes)
  var messageCount = 0
  /// How much of the message was prepared for sending; the last bytes were a line end; its final dot was prepared.
  var (messageSent, isLineStart, hasDot) = (0, true, false)
  private let addresses = FixedBuffer(capacity: 2 * Budget.mailAddressBytes)
  private var (senderCount, recipientCount) = (0, 0)
  private(set) var isInternational = false
  var extensions = MailReplyReader.Extensions()
  var phase = Phase.idle
  private var deadline: Int64 = .max
  /// The end that the delegate has not got yet.
  private var outcome: MailFailure??
  /// Must live as long as the client.
  public unowned(unsafe) var delegate: (any MailDelegate)?

  /// A client that is not connected. Settings without an objection are required.
  @export(interface)
  public init(_ settings: MailSettings, transport: any FetchTransport, clock: any Clock) {
    (self.settings, self.transport, self.clock) = (settings, transport, clock)
    reader = MailReplyReader(line: line.bytes, sentence: sentence.bytes, readsExtensions: false)
  }

  /// A message is on its way, or its end was not told yet.
  public var isBusy: Bool { phase != .idle || outcome != nil }

  var sender: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(addresses.bytes).extracting(0..<senderCount) }
  var recipient: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(addresses.bytes).extracting(
      Budget.mailAddressBytes..<(Budget.mailAddressBytes + recipientCount))
  }

  /// Submits a message, which is copied.
  public func send(_ mail: MailMessage) throws(MailFailure) {
    // The goodbye of the message before needs no end.
    if phase == .quitting, outcome == nil { cancel() }
    guard !isBusy else { throw MailFailure(.busy, at: .connecting) }
    do throws(MailError) {
      messageCount = try mail.compose(into: message.bytes)
    } catch {
      throw MailFailure(.message(error), at: .connecting)
    }
    (senderCount, recipientCount) = (mail.sender.count, mail.recipient.count)
    for index in 0..<senderCount { addresses.bytes[index] = mail.sender[index] }
    for index in 0..<recipientCount { addresses.bytes[Budget.mailAddressBytes + index] = mail.recipient[index] }
    isInternational = MailAddress.isInternational(mail.sender) || MailAddress.isInternational(mail.recipient)
    (messageSent, isLineStart, hasDot, unsent) = (0, true, false, 0..<0)
    extensions = MailReplyReader.Extensions()
    expect(.connecting, within: Budget.mailConnectMilliseconds)
    transport.open(
      GatewayURL(isSecure: true, host: settings.host, port: settings.port, path: "/"), trust: .authorities, judge: self,
      self)
  }

  /// Gives up, without a call of the delegate. A message whose end was sent may have been taken.
  public func cancel() {
    transport.close()
    (phase, deadline, outcome, unsent) = (.idle, .max, nil, 0..<0)
    wipe()
  }

  /// When `advance` wants to be called.
  public var nextDeadline: Int64? {
    if outcome != nil { return clock.monotonic }
    return phase == .idle ? nil : deadline
  }

  /// Lets time pass, and calls the delegate.
  public func advance(to now: Int64) {
    if phase == .quitting, now >= deadline { close() }
    if phase != .idle, phase != .quitting, now >= deadline { fail(.timedOut) }
    guard let ended = outcome else { return }
    outcome = nil
    delegate?.mailEnded(self, ended)
  }

  // MARK: Phases

  /// An answer is expected in this phase within so many milliseconds.
  func expect(_ phase: Phase, within milliseconds: Int64) {
    self.phase = phase
    deadline = clock.monotonic + milliseconds
    reader = MailReplyReader(line: line.bytes, sentence: sentence.bytes, readsExtensions: phase == .hello)
  }

  /// Where people are told that it was.
  private var step: MailStep {
    switch phase {
    case .idle, .connecting: .connecting
    case .greeting: .greeting
    case .hello: .hello
    case .login: .login
    case .sender: .sender
    case .recipient: .recipient
    case .data: .data
    case .content, .final, .quitting: .content
    }
  }

  func fail(_ kind: MailFailure.Kind, words: InlineText<160> = InlineText()) {
    // After the final dot only an answer tells what became of the message.
    var isUncertain = phase == .final
    if case .refused = kind { isUncertain = false }
    outcome = .some(MailFailure(kind, at: step, isUncertain: isUncertain, words: words))
    close()
  }

  /// The server took the message: it is told at once, and the goodbye has its own time.
  func succeed() { outcome = .some(nil) }

  func close() {
    transport.close()
    (phase, deadline, unsent) = (.idle, .max, 0..<0)
    wipe()
  }

  /// No password stays in memory that was sent from.
  func wipe() { for index in 0..<output.bytes.count { output.bytes[index] = 0 } }

  /// Sends what waits.
  func flush() {
    while !unsent.isEmpty {
      let count = transport.write(UnsafeBufferPointer(output.bytes).extracting(unsent))
      guard phase != .idle, count > 0 else { return }
      unsent = (unsent.lowerBound + min(count, unsent.count))..<unsent.upperBound
      if unsent.isEmpty { sent() }
    }
  }
}

extension MailClient: AddressPolicy {
  /// The configuration names the server, so it may have any address.
  public func permits(_ address: SocketAddress) -> Bool { true }
}

extension MailClient: TransportDelegate {
  public func transportSecured(certificate: PeerCertificate?) {
    guard phase == .connecting else { return }
    expect(.greeting, within: Budget.mailStepMilliseconds)
  }

  public func transportReceived(_ bytes: Span<UInt8>) -> Int {
    var index = 0
    while index < bytes.count, phase != .idle, phase != .quitting {
      let step = reader.take(bytes[index])
      index += 1
      switch step {
      case .more: continue
      case .malformed: fail(.malformed)
      case .endless: fail(.endless)
      case .reply:
        // Answers come one at a time, to one command each. What follows the last one does not matter.
        let isAlone = index == bytes.count || phase == .final || reader.code == 421
        if isAlone { answered() } else { fail(.outOfTurn) }
      }
    }
    if phase == .quitting, !bytes.isEmpty { close() }
    return bytes.count
  }

  public func transportWritable() { flush() }

  public func transportFailed(_ failure: TransportFailure) {
    switch phase {
    case .idle: return
    case .quitting: close()
    case .connecting: fail(.unreached(failure.kind))
    default: fail(.closed)
    }
  }
}
