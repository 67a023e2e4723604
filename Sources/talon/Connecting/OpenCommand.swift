import Board
import Codec
import Gateway
import Runtime

/// `talon open`: links of the kinds `openclaw://` and `oc-pair://`. Those for the agent go to the running agent, which
/// knows the board's own key; those of gateways connect the board here, and are never seen by the agent.
enum OpenCommand {
  static func run(_ options: Options) throws(Failure) -> ExitCode {
    let configuration = try ConfigCommand.read(options.configurationPath)
    if options.has("--key") {
      guard options.words.isEmpty else { throw Failure(.usage, "--key takes no link") }
      return try key(options.has("--renew"), configuration)
    }
    if options.has("--renew") { throw Failure(.usage, "--renew stands beside --key") }
    if options.has("--yes"), options.has("--ask") { throw Failure(.usage, "--yes and --ask exclude each other") }
    let word = options.words.first
    if word == "yes" || word == "no" {
      return try answer(word == "yes", options.words.count > 1 ? options.words[1] : "", configuration)
    }
    if options.words.count > 1 { throw Failure(.usage, "talon open takes one link") }
    let isRead = word == nil || word == "-"
    let text = try isRead ? read() : Array((word ?? "").utf8)
    let link = try link(text.span)
    switch link.kind {
    case .agent: return try send(text, options, configuration, isRead: isRead)
    case .gateway, .pairing:
      let target = ConfigurationKey.trimmed(text[...])
      return try ConnectCommand.take(try ConnectCommand.sorted(target), configuration)
    }
  }

  /// Reads a link; the error names what is wrong in it and where, and nothing of it.
  static func link(_ text: Span<UInt8>) throws(Failure) -> DeepLink {
    let link: DeepLink
    do throws(Errno) {
      link = try DeepLink()
    } catch {
      throw Failure(.system, "no memory for a link: \(String(error.text))")
    }
    do throws(LinkError) {
      try link.read(text)
    } catch {
      throw Failure(.usage, "the link \(error.text)")
    }
    return link
  }

  /// A link from standard input: its first line.
  private static func read() throws(Failure) -> [UInt8] {
    if LineInput.isTerminal() { Console.err("Paste the link, then press Enter:") }
    return try ConnectCommand.readLine(atMost: Budget.linkBytes + 1)
  }

  // MARK: Messages

  private static func send(
    _ text: [UInt8], _ options: Options, _ configuration: Configuration, isRead: Bool
  ) throws(Failure) -> ExitCode {
    let asksHere = LineInput.isTerminal() && !isRead && !options.has("--ask")
    let confirm = options.has("--yes") ? "given" : asksHere ? "" : "ask"
    let line = try hand(text, confirm, configuration)
    let root = JSONView(line.span)
    guard let result = root.member("result") else { return try odd() }
    switch result.text("state") {
    case "sent":
      Console.out("sent: the message goes to the gateway's agent")
      return .ok
    case "asked":
      show(result)
      return .ok
    case "unconfirmed": break
    default: return try odd()
    }
    let link = try link(text.span)
    let message = link[.message].map { String(decoding: $0, as: UTF8.self) } ?? ""
    Console.show("The link does not carry this board's key. It tells the gateway's agent:")
    Console.show("  \(Console.quoted(message, most: 2048))")
    Console.out("Send it? Type y to go on:")
    let answer = try BoardCommands.readLine()
    guard answer == "y" || answer == "yes" else { throw Failure(.unavailable, "not confirmed; nothing was sent") }
    let again = try hand(text, "given", configuration)
    let outcome = JSONView(again.span)
    guard outcome.member("result")?.text("state") == "sent" else { return try odd() }
    Console.out("sent: the message goes to the gateway's agent")
    return .ok
  }

  private static func odd() throws(Failure) -> ExitCode {
    throw Failure(.temporary, "the agent's answer does not say what became of the link; see talon log")
  }

  /// Hands a link to the agent, in as many pieces as it takes, and returns the answer to the last one.
  private static func hand(
    _ text: [UInt8], _ confirm: String, _ configuration: Configuration
  ) throws(Failure) -> [UInt8] {
    var number: Int64 = 0
    withUnsafeMutableBytes(of: &number) { SystemRandom().fill($0) }
    // A number that JSON keeps.
    number &= 0xFFFF_FFFF
    var offset = 0
    while true {
      let end = end(of: text, from: offset)
      let isLast = end == text.count
      let piece = String(decoding: text[offset..<end], as: UTF8.self)
      let line = try BoardCommands.check(
        ConsoleClient(folder: configuration.runtimeDirectory).ask("link") { writer in
          writer.key("text")
          writer.string(piece)
          writer.key("transfer")
          writer.int(number)
          writer.key("offset")
          writer.int(Int64(offset))
          writer.key("more")
          writer.bool(!isLast)
          guard isLast, !confirm.isEmpty else { return }
          writer.key("confirm")
          writer.string(confirm)
        })
      if isLast { return line }
      offset = end
    }
  }

  /// Where a piece from `start` on ends: not within a character.
  private static func end(of text: [UInt8], from start: Int) -> Int {
    guard text.count - start > Budget.linkPieceBytes else { return text.count }
    var end = start + Budget.linkPieceBytes
    while end > start + 1, text[end] & 0xC0 == 0x80 { end -= 1 }
    return end
  }

  private static func show(_ question: borrowing JSONView) {
    Console.show(question.text("sentence"))
    let rest = question.member("isCut")?.bool == true ? " and more" : ""
    Console.show("It says: \(Console.quoted(question.text("message"), most: 2048))\(rest)")
    Console.show(
      "It waits \(question.number("leftMs") / 1000) s for an answer: on the screen, with the button, or "
        + "talon open yes \(question.text("name"))")
  }

  /// Shows the question that waits, for an answer that does not name it.
  private static func showQuestion(_ configuration: Configuration) throws(Failure) {
    let client = try ConsoleClient(folder: configuration.runtimeDirectory)
    let line = try BoardCommands.check(client.ask("link-question") { _ in })
    let root = JSONView(line.span)
    guard let result = root.member("result"), result.text("state") == "asked" else {
      throw Failure(.unavailable, "no link waits for an answer at this board")
    }
    show(result)
  }

  private static func answer(
    _ yes: Bool, _ name: String, _ configuration: Configuration
  ) throws(Failure) -> ExitCode {
    if yes, name.isEmpty {
      try showQuestion(configuration)
      throw Failure(.usage, "nothing was sent: a yes names the question that you have read")
    }
    let client = try ConsoleClient(folder: configuration.runtimeDirectory)
    _ = try BoardCommands.check(
      client.ask("link-answer") { writer in
        writer.key("yes")
        writer.bool(yes)
        if name.isEmpty { return }
        writer.key("name")
        writer.string(name)
      })
    Console.out(yes ? "sent: the message goes to the gateway's agent" : "refused: nothing was sent")
    return .ok
  }

  // MARK: The board's own key

  private static func key(_ renews: Bool, _ configuration: Configuration) throws(Failure) -> ExitCode {
    let client = try ConsoleClient(folder: configuration.runtimeDirectory)
    let line = try BoardCommands.check(
      client.ask("link-key") { writer in
        writer.key("renew")
        writer.bool(renews)
      })
    let root = JSONView(line.span)
    let key = root.member("result")?.text("key") ?? ""
    if key.isEmpty { return try odd() }
    Console.out(key)
    return .ok
  }
}
