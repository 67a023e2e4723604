import Codec
import Runtime

/// What is said to the server, and what its answers mean.
extension MailClient {
  /// An answer is complete.
  func answered() {
    let code = reader.code
    switch phase {
    case .greeting: code == 220 ? sayHello() : refuse(code)
    case .hello: code == 250 ? helloAnswered() : refuse(code)
    case .login: code == 235 ? saySender() : refuse(code)
    case .sender: code == 250 ? sayRecipient() : refuse(code)
    case .recipient: code == 250 || code == 251 ? sayData() : refuse(code)
    case .data: code == 354 ? beginContent() : refuse(code)
    // A server may refuse before it has everything; to take it then would be a mistake.
    case .content: refuse(code)
    case .final: code == 250 ? taken() : refuse(code)
    case .idle, .connecting, .quitting: return
    }
  }

  /// The server refuses, or answers with a code that this step does not have.
  private func refuse(_ code: Int) {
    guard code >= 400 else { return fail(.malformed) }
    fail(.refused(code), words: words)
  }

  /// The server's sentence, unless it repeats the password.
  private var words: InlineText<160> {
    if repeatsSecret(reader.text) { return InlineText(cutting: "its answer repeats the password") }
    return InlineText(cutting: reader.text.span)
  }

  private func repeatsSecret(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    let isPlain = settings.password.withBytes { password in
      // The sentence may have been cut within the password.
      Self.contains(text, password.extracting(0..<min(password.count, 8)))
    }
    if isPlain { return true }
    // The beginning of what the login has sent.
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 16) { room in
      var writer = ByteWriter(into: room)
      writeSecret(to: &writer)
      return Self.contains(text, UnsafeBufferPointer(room).extracting(0..<min(writer.count, 16)))
    }
  }

  private static func contains(_ text: UnsafeBufferPointer<UInt8>, _ part: UnsafeBufferPointer<UInt8>) -> Bool {
    guard !part.isEmpty, text.count >= part.count else { return false }
    for start in 0...(text.count - part.count)
    where text.extracting(start..<(start + part.count)).span.isSame(as: part.span) { return true }
    return false
  }

  // MARK: Commands

  private func say(_ phase: Phase, _ write: (inout ByteWriter) -> Void) {
    var writer = ByteWriter(into: output.bytes)
    write(&writer)
    writer.text("\r\n")
    guard writer.isComplete else { return fail(.tooLarge) }
    expect(phase, within: Budget.mailStepMilliseconds)
    unsent = 0..<writer.count
    flush()
  }

  private func sayHello() {
    say(.hello) { writer in
      writer.text("EHLO ")
      writer.text(settings.client)
    }
  }

  private func helloAnswered() {
    extensions = reader.extensions
    if isInternational, !extensions.hasUTF8 { return fail(.noUTF8) }
    if extensions.size > 0, messageCount > extensions.size { return fail(.tooLarge) }
    if settings.user.utf8.isEmpty { return saySender() }
    guard extensions.hasPlain else { return fail(.noLogin) }
    say(.login) { writer in
      writer.text("AUTH PLAIN ")
      writeSecret(to: &writer)
    }
  }

  /// A zero byte, the user, a zero byte, the password (RFC 4616 section 2), in base64.
  private func writeSecret(to writer: inout ByteWriter) {
    var secret = ByteWriter(into: secretRoom.bytes)
    secret.byte(0)
    secret.text(settings.user)
    secret.byte(0)
    secret.text(settings.password)
    let count = min(secret.count, secretRoom.bytes.count)
    MailBase64.write(UnsafeBufferPointer(secretRoom.bytes).extracting(0..<count), to: &writer)
    for index in 0..<count { secretRoom.bytes[index] = 0 }
  }

  private func saySender() {
    wipe()
    say(.sender) { writer in
      writer.text("MAIL FROM:<")
      writer.bytes(sender.span)
      writer.byte(UInt8(ascii: ">"))
      if extensions.size > 0 {
        writer.text(" SIZE=")
        writer.decimal(Int64(messageCount))
      }
      // The text is ASCII in any case; only addresses need more.
      if isInternational, extensions.has8Bit { writer.text(" BODY=8BITMIME") }
      if isInternational { writer.text(" SMTPUTF8") }
    }
  }

  private func sayRecipient() {
    say(.recipient) { writer in
      writer.text("RCPT TO:<")
      writer.bytes(recipient.span)
      writer.byte(UInt8(ascii: ">"))
    }
  }

  private func sayData() { say(.data) { $0.text("DATA") } }

  private func taken() {
    succeed()
    say(.quitting) { $0.text("QUIT") }
    expect(.quitting, within: Budget.mailQuitMilliseconds)
  }

  // MARK: Content

  private func beginContent() {
    expect(.content, within: Budget.mailContentMilliseconds)
    prepare()
    flush()
  }

  /// What was prepared has left.
  func sent() {
    guard phase == .content else { return }
    if hasDot { return expect(.final, within: Budget.mailFinalMilliseconds) }
    prepare()
  }

  /// The next piece of the message: a dot before each at the start of a line (RFC 5321 section 4.5.2), and a line
  /// of one dot at the end.
  private func prepare() {
    var writer = ByteWriter(into: output.bytes)
    while messageSent < messageCount, writer.count + 8 <= output.bytes.count {
      let byte = message.bytes[messageSent]
      messageSent += 1
      if isLineStart, byte == UInt8(ascii: ".") { writer.byte(byte) }
      writer.byte(byte)
      isLineStart = byte == 0x0A
    }
    if messageSent == messageCount, writer.count + 8 <= output.bytes.count {
      if !isLineStart { writer.text("\r\n") }
      writer.text(".\r\n")
      hasDot = true
    }
    unsent = 0..<writer.count
  }
}
