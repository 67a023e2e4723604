import Codec
import Node
import Runtime

/// Commands that send requests to the running agent.
enum ConsoleCommands {
  static func run(_ command: String, _ options: Options) throws(Failure) -> ExitCode {
    let limit = try limit(options)
    // The gateway's sound is written to a file of the person.
    let configuration = try ConfigCommand.read(options.configurationPath, as: command == "speak" ? .caller : .owner)
    let words = options.words
    switch command {
    case "history": return try history(limit, options.value("--session"), configuration)
    case "sessions": return try ChatCommand.sessions(limit, configuration)
    case "hear": return try hear(words[0], configuration)
    case "event": return try event(words[0], words[1], configuration)
    case "speak": return try speak(words[0], options.value("--out"), configuration)
    case "voicewake": return try wakePhrases(words, configuration)
    default: return try beacon(configuration)
    }
  }

  private static func limit(_ options: Options) throws(Failure) -> Int64? {
    guard let text = options.value("--limit") else { return nil }
    guard let value = Int64(text), value >= 1, value <= 1000 else {
      throw Failure(.usage, "--limit must be a whole number from 1 to 1000")
    }
    return value
  }

  /// Sends a request; returns the whole line of the answer.
  static func ask(
    _ operation: StaticString, _ configuration: Configuration, _ members: (inout JSONWriter) -> Void
  ) throws(Failure) -> [UInt8] {
    let client = try ConsoleClient(folder: configuration.runtimeDirectory)
    let line = try client.ask(operation, members)
    let root = JSONView(line.span)
    guard let type = root.member("type"), type.equals("error") else { return line }
    throw failure(root)
  }

  static func failure(_ line: borrowing JSONView) -> Failure {
    var text = line.text("message")
    if let fallback = line.member("fallback"), fallback.bool == true {
      text = "the gateway has no voice for this (\(text)); it leaves speaking to the board"
    }
    guard let code = line.member("code") else { return Failure(.temporary, text) }
    for word: StaticString in ["NO_OPERATOR", "NO_CAMERA", "CAMERA_DISABLED", "HELD", "NO_APPROVALS"]
    where code.equals(word) {
      return Failure(.unavailable, text)
    }
    return Failure(code.equals("INVALID_REQUEST") ? .usage : .temporary, text)
  }

  /// A line of the gateway's text.
  private static func show(_ text: String) { Console.show(text) }

  private static func add(session: String?, _ writer: inout JSONWriter) {
    guard let session else { return }
    writer.key("session")
    writer.string(session)
  }

  private static func add(limit: Int64?, _ writer: inout JSONWriter) {
    guard let limit else { return }
    writer.key("limit")
    writer.int(limit)
  }

  // MARK: Chat

  private static func history(
    _ limit: Int64?, _ session: String?, _ configuration: Configuration
  ) throws(Failure) -> ExitCode {
    let line = try ask("chat-history", configuration) { writer in
      add(limit: limit, &writer)
      add(session: session, &writer)
    }
    let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: line.count)
    defer { buffer.deallocate() }
    let root = JSONView(line.span)
    guard let result = root.member("result"), let messages = result.member("messages") else { return .ok }
    var elements = messages.elements()
    while let message = elements.next() {
      var text = MessageText(into: buffer)
      text.read(message)
      if text.count == 0 { continue }
      show(speaker(message.text("role")), String(decoding: buffer[..<text.count], as: UTF8.self))
    }
    return .ok
  }

  /// Shows what somebody said. Its further lines are indented, so that none is taken for another speaker's.
  private static func show(_ speaker: String, _ text: String) {
    var isFirst = true
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      Console.show(isFirst ? "\(speaker): \(String(line))" : "    \(String(line))")
      isFirst = false
    }
  }

  private static func speaker(_ role: String) -> String {
    switch role {
    case "user": "you"
    case "assistant": "agent"
    default: role
    }
  }

  // MARK: Voice

  private static func wakePhrases(
    _ phrases: [String], _ configuration: Configuration
  ) throws(Failure) -> ExitCode {
    let line = try ask(phrases.isEmpty ? "voicewake-get" : "voicewake-set", configuration) { writer in
      if phrases.isEmpty { return }
      writer.key("phrases")
      writer.beginArray()
      for phrase in phrases { writer.string(phrase) }
      writer.endArray()
    }
    let root = JSONView(line.span)
    guard let result = root.member("result"), let triggers = result.member("triggers") else { return .ok }
    var elements = triggers.elements()
    while let phrase = elements.next() { show(phrase.text) }
    return .ok
  }

  private static func speak(
    _ text: String, _ path: String?, _ configuration: Configuration
  ) throws(Failure) -> ExitCode {
    guard let path else { throw Failure(.usage, "talon speak needs --out FILE") }
    let line = try ask("speak", configuration) { writer in
      writer.key("text")
      writer.string(text)
    }
    let root = JSONView(line.span)
    guard let result = root.member("result"), let audio = result.member("audioBase64"),
      let length = audio.stringLength, length > 0
    else { throw Failure(.temporary, "the gateway sent no sound") }
    let sound = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: length)
    defer { sound.deallocate() }
    let count = try decode(audio, length, into: sound)
    let bytes = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: UnsafeBufferPointer(sound)[..<count]))
    try PersonFile.replace(path) { (file) throws(Errno) in try Syscall.writeAll(file, bytes) }
    let type = result.text("mimeType")
    PersonFile.tell(path, "\(path): \(count) bytes of \(type.isEmpty ? "an unknown kind" : type)")
    return .ok
  }

  private static func decode(
    _ audio: borrowing JSONView, _ length: Int, into sound: UnsafeMutableBufferPointer<UInt8>
  ) throws(Failure) -> Int {
    let text = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: length)
    defer { text.deallocate() }
    _ = audio.copyString(into: text)
    do throws(Base64Error) {
      return try Base64Decoder.decode(
        Span(_unsafeElements: UnsafeBufferPointer(text)), .standard, padding: .optional, into: sound)
    } catch {
      throw Failure(.temporary, "the gateway's sound is not valid base64")
    }
  }

  // MARK: Gateway

  private static func hear(_ text: String, _ configuration: Configuration) throws(Failure) -> ExitCode {
    _ = try ask("event", configuration) { writer in
      writer.key("event")
      writer.string("voice.transcript")
      writer.key("payload")
      writer.beginObject()
      writer.key("text")
      writer.string(text)
      writer.endObject()
    }
    return .ok
  }

  private static func event(
    _ name: String, _ payload: String, _ configuration: Configuration
  ) throws(Failure) -> ExitCode {
    do throws(JSONError) {
      try JSONValidator.check(payload.utf8.span, depthLimit: Budget.jsonDepth - 1)
    } catch {
      throw Failure(.usage, "the payload is not valid JSON")
    }
    _ = try ask("event", configuration) { writer in
      writer.key("event")
      writer.string(name)
      writer.key("payload")
      // A line break ends the request; in JSON a space is equivalent, and strings contain none.
      writer.raw(Array(payload.utf8.map { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") ? 0x20 : $0 }).span)
    }
    return .ok
  }

  private static func beacon(_ configuration: Configuration) throws(Failure) -> ExitCode {
    let line = try ask("beacon", configuration) { _ in }
    let root = JSONView(line.span)
    guard let result = root.member("result") else { return .ok }
    Console.show(beaconSentence(leavesIn: result.number("leavesInMs")))
    return .ok
  }

  /// What becomes of a beacon that leaves in so many milliseconds.
  static func beaconSentence(leavesIn milliseconds: Int64) -> String {
    if milliseconds <= 0 { return "The gateway is told now that this board is alive." }
    return "The gateway is told in \((milliseconds + 999) / 1000) s that this board is alive: at most once a minute."
  }
}
