import Codec
import OwnAgent
import Runtime

/// `talon agent`: what the board's own agent does and remembers.
enum AgentCommand {
  /// Bytes of a piece of an import: all of it may be escaped in a line of the local socket (`controlLineBytes`).
  private static let pieceBytes = 2048

  static func run(_ options: Options) throws(Failure) -> ExitCode {
    let words = options.words
    let rest = words.dropFirst().joined(separator: " ")
    switch (words.first, words.count) {
    case ("chat", 1...2): return try ChatCommand.runOwn(words.count == 2 ? words[1] : nil, options)
    case (nil, _), ("status", 1): return try status(options)
    case ("models", 1): return try tell(.models, options)
    case ("search", 2...): return try tell(.search, text: rest, options)
    case ("forget", 1) where options.has("--all"): return try tell(.forgetAll, options)
    case ("forget", 1):
      guard let entry = try options.number("--entry", 1...Int.max) else { break }
      return try tell(.forgetEntry, number: Int64(entry), options)
    case ("forget", 2...) where !options.has("--all"): return try tell(.forgetWords, text: rest, options)
    case ("export", 2): return try export(words[1], options)
    case ("import", 2): return try importFile(words[1], options)
    default: break
    }
    throw Failure(
      .usage,
      """
      expected: talon agent [status | models | chat [TEXT] | search WORDS | forget WORDS, --entry N or --all | \
      export FILE | import FILE]
      """
    )
  }

  // MARK: Requests

  /// Asks, and returns the answer's text.
  private static func ask(
    _ client: ConsoleClient, _ request: OwnerRequest, text: [UInt8] = [], number: Int64 = 0
  ) throws(Failure) -> String {
    let line = try BoardCommands.check(
      client.ask("agent") { writer in
        writer.key("do")
        writer.string(request.word)
        if request.hasNumber {
          writer.key("number")
          writer.int(number)
        }
        writer.key("text")
        writer.string(text.span)
      })
    let root = JSONView(line.span)
    return root.member("result")?.text("text") ?? ""
  }

  private static func tell(
    _ request: OwnerRequest, text: String = "", number: Int64 = 0, _ options: Options
  ) throws(Failure) -> ExitCode {
    let configuration = try ConfigCommand.read(options.configurationPath)
    let client = try ConsoleClient(folder: configuration.runtimeDirectory)
    show(try ask(client, request, text: Array(text.utf8), number: number))
    return .ok
  }

  private static func show(_ text: String) {
    for line in text.split(separator: "\n") { Console.show(String(line)) }
  }

  private static func status(_ options: Options) throws(Failure) -> ExitCode {
    let configuration = try ConfigCommand.read(options.configurationPath)
    let line = try BoardCommands.check(ConsoleClient.status(folder: configuration.runtimeDirectory))
    let root = JSONView(line.span)
    guard let agent = root.member("result")?.member("ownAgent") else {
      throw Failure(.unavailable, "this board has no agent of its own: set enabled = yes in [agent]")
    }
    let answers = agent.member("answers")?.bool == true
    Console.show("\(agent.text("state")); \(answers ? "it answers people now" : "the gateway answers people")")
    Console.show("\(agent.number("turns")) turns since the start, \(agent.number("failures")) failed")
    if !agent.text("lastError").isEmpty { Console.show("last failure: \(agent.text("lastError"))") }
    show(try ask(ConsoleClient(folder: configuration.runtimeDirectory), .status))
    return .ok
  }

  // MARK: Files

  private static func export(_ word: String, _ options: Options) throws(Failure) -> ExitCode {
    let configuration = try ConfigCommand.read(options.configurationPath, as: .caller)
    let client = try ConsoleClient(folder: configuration.runtimeDirectory)
    client.staysOpen = true
    let file = try PersonFile.create(word)
    defer { PersonFile.close(file, word) }
    let entries = try ask(client, .export)
    var place: Int64 = 0
    while true {
      let piece = Array(try ask(client, .exported, number: place).utf8)
      if piece.isEmpty { break }
      let failure = piece.withUnsafeBytes { bytes -> Errno? in
        do throws(Errno) { try Syscall.writeAll(file, bytes) } catch { return error }
        return nil
      }
      if let failure { throw Failure(.cannotCreate, "\(word) cannot be written: \(String(failure.text))") }
      place += Int64(piece.count)
    }
    PersonFile.tell(word, "\(word): \(entries), \(place) bytes")
    return .ok
  }

  private static func importFile(_ word: String, _ options: Options) throws(Failure) -> ExitCode {
    let configuration = try ConfigCommand.read(options.configurationPath, as: .caller)
    let client = try ConsoleClient(folder: configuration.runtimeDirectory)
    client.staysOpen = true
    let file: Descriptor
    do throws(Errno) { file = try PersonFile.open(word) } catch { throw unreadable(word, error) }
    defer { PersonFile.close(file, word) }
    var piece = [UInt8](repeating: 0, count: pieceBytes)
    var (place, kept) = (Int64(0), 0)
    while true {
      let count: Int
      do throws(Errno) { count = try read(file, into: &piece, from: kept) } catch { throw unreadable(word, error) }
      // A character that has begun goes with the next piece.
      let whole = count < pieceBytes ? count : wholeCharacters(piece)
      let part = Array(piece[..<whole])
      guard Array(String(decoding: part, as: UTF8.self).utf8) == part else {
        throw Failure(.usage, "\(word) is no text in UTF-8")
      }
      _ = try ask(client, .importing, text: part, number: place)
      place += Int64(whole)
      if count < pieceBytes { break }
      kept = count - whole
      for index in 0..<kept { piece[index] = piece[whole + index] }
    }
    show(try ask(client, .imported))
    return .ok
  }

  private static func unreadable(_ word: String, _ reason: Errno) -> Failure {
    Failure(.usage, "\(word) cannot be read: \(String(reason.text))")
  }

  /// Fills the rest of a piece; returns how much it has then, which is less than all at the end of the file.
  private static func read(_ file: Descriptor, into piece: inout [UInt8], from start: Int) throws(Errno) -> Int {
    var (count, failure) = (0, nil as Errno?)
    piece.withUnsafeMutableBytes { bytes in
      let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[start...])
      do throws(Errno) { count = try Syscall.readAll(file, into: rest) } catch { failure = error }
    }
    if let failure { throw failure }
    return start + count
  }

  /// The bytes of a full piece up to the last character that begins in it and may go on after it.
  private static func wholeCharacters(_ piece: [UInt8]) -> Int {
    var start = piece.count - 1
    while start > piece.count - 4, piece[start] & 0xC0 == 0x80 { start -= 1 }
    return piece[start] >= 0xC0 ? start : piece.count
  }
}
