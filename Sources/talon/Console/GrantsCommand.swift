import Codec
import Gateway
import Runtime

/// `talon grants`: what the people at the board have allowed, and the question that waits for them.
enum GrantsCommand {
  static func run(_ options: Options) throws(Failure) -> ExitCode {
    let words = options.words
    if words.count > 1, words[0] == "give" || words[0] == "end" { try check(words[1]) }
    if words.count == 3, words[0] == "give" { _ = try seconds(words[2]) }
    if let first = words.first, !["yes", "no", "give", "end"].contains(first) || first == "give" && words.count == 1 {
      throw Failure(.usage, expected)
    }
    let configuration = try ConfigCommand.read(options.configurationPath)
    let client = try ConsoleClient(folder: configuration.runtimeDirectory)
    guard let first = words.first else {
      let line = try BoardCommands.check(client.ask("grants") { _ in })
      _ = try show(line)
      return try LineInput.isTerminal() && isSeen ? ask(line, configuration) : .ok
    }
    switch (first, words.count) {
    case ("yes", 1...3):
      guard words.count > 1, isName(words[1]) else { return try showQuestion(client) }
      return try answer(words.count == 3 ? words[2] : "once", words[1], configuration)
    case ("no", 1...2): return try answer("no", words.count == 2 ? words[1] : "", configuration)
    case ("give", 2...3):
      let length = try words.count == 3 ? seconds(words[2]) : .word("60s")
      return try show(
        BoardCommands.check(
          client.ask("grants-give") { writer in
            permissions(words[1], &writer)
            switch length {
            case .word(let word): string("for", word, &writer)
            case .seconds(let count):
              writer.key("for")
              writer.int(count)
            }
          }))
    case ("end", 1...2):
      let which = words.count == 2 ? words[1] : "all"
      return try show(BoardCommands.check(client.ask("grants-end") { permissions(which, &$0) }))
    default: throw Failure(.usage, expected)
    }
  }

  private static let expected =
    "expected: talon grants [yes NAME [FOR] | no [NAME] | give WHAT [FOR] | end [WHAT]]"

  // MARK: Answers

  /// True for what can be the name of a question: "7-k3fq".
  static func isName(_ text: String) -> Bool {
    guard let first = text.utf8.first, first >= UInt8(ascii: "1"), first <= UInt8(ascii: "9") else { return false }
    return text.utf8.contains(UInt8(ascii: "-"))
  }

  /// True when a person sees what this command prints.
  private static var isSeen: Bool {
    do throws(Errno) {
      _ = try Syscall.terminalSize(Descriptor(1))
      return true
    } catch {
      return false
    }
  }

  /// A yes that names no question could be for one that nobody has read: it is shown instead.
  private static func showQuestion(_ client: ConsoleClient) throws(Failure) -> ExitCode {
    let line = try BoardCommands.check(client.ask("grants") { _ in })
    _ = try show(line)
    let root = JSONView(line.span)
    guard root.member("result")?.member("question") != nil else {
      throw Failure(.unavailable, "nothing is asked at this board now")
    }
    throw Failure(.usage, "nothing was granted: a yes names the question that you have read")
  }

  /// Asks the person who has just read the question; it is this one that they answer.
  private static func ask(_ line: [UInt8], _ configuration: Configuration) throws(Failure) -> ExitCode {
    let root = JSONView(line.span)
    guard let question = root.member("result")?.member("question") else { return .ok }
    let name = question.text("name")
    let isOnceOnly = question.member("onceOnly")?.bool == true
    Console.out(
      isOnceOnly
        ? "Allow it once? Type y or n; Enter leaves it to others:"
        : "Allow it? Type y for once, 60s, session or today, or n; Enter leaves it to others:")
    switch try BoardCommands.readLine() {
    case "": return .ok
    case "y", "yes", "once": return try answer("once", name, configuration)
    case "60s": return try answer("60s", name, configuration)
    case "session": return try answer("session", name, configuration)
    case "today": return try answer("today", name, configuration)
    case "n", "no": return try answer("no", name, configuration)
    default: throw Failure(.usage, "not understood; nothing was answered")
    }
  }

  /// Answers the question of this name; a connection is good for one answer.
  private static func answer(
    _ answer: String, _ name: String, _ configuration: Configuration
  ) throws(Failure) -> ExitCode {
    let client = try ConsoleClient(folder: configuration.runtimeDirectory)
    return try show(
      BoardCommands.check(
        client.ask("grants-answer") { writer in
          string("answer", answer, &writer)
          if !name.isEmpty { string("question", name, &writer) }
        }))
  }

  private enum Length {
    case word(String)
    case seconds(Int64)
  }

  /// "once", "session", "today", or a length such as 90s, 10m, 2h.
  private static func seconds(_ text: String) throws(Failure) -> Length {
    if ["once", "session", "today"].contains(text) { return .word(text) }
    let units: [(Character, Int64)] = [("s", 1), ("m", 60), ("h", 3600)]
    for (unit, factor) in units where text.last == unit {
      guard let count = Int64(text.dropLast()), count >= 1, count <= 86_400 / factor else { break }
      return .seconds(count * factor)
    }
    throw Failure(.usage, "\(text) is no length: once, session, today, or a time such as 90s, 10m or 2h, at most 24h")
  }

  private static func string(_ key: StaticString, _ text: String, _ writer: inout JSONWriter) {
    writer.key(key)
    writer.string(text)
  }

  private static let all = [
    "camera", "microphone", "location", "screen.record", "motion", "tools", "run", "camera.front",
  ]

  /// Refuses a word that is no permission.
  private static func check(_ words: String) throws(Failure) {
    for word in words == "all" ? [] : words.split(separator: ",").map({ String($0) }) where !all.contains(word) {
      let near = Nearest.word(word, of: all).map { "; did you mean \($0)?" } ?? "."
      throw Failure(.usage, "\"\(word)\" is no permission\(near) There are: all, " + all.joined(separator: ", "))
    }
  }

  private static func permissions(_ words: String, _ writer: inout JSONWriter) {
    writer.key("permissions")
    writer.beginArray()
    for word in words == "all" ? all : words.split(separator: ",").map({ String($0) }) { writer.string(word) }
    writer.endArray()
  }

  // MARK: What is shown

  private static func show(_ line: [UInt8]) throws(Failure) -> ExitCode {
    let root = JSONView(line.span)
    guard let result = root.member("result"), let list = result.member("permissions") else {
      throw Failure(.temporary, "the agent's answer has no permissions; see talon log")
    }
    var elements = list.elements()
    while let entry = elements.next() {
      Console.show("\(entry.text("permission").left(14)) \(entry.text("rule").left(6)) \(grant(entry))")
    }
    guard let question = result.member("question") else { return .ok }
    Console.show("")
    Console.show(question.text("sentence"))
    if !question.text("about").isEmpty { Console.show(question.text("about")) }
    if !question.text("who").isEmpty { Console.show("Session: \(Console.quoted(question.text("who")))") }
    if !question.text("purpose").isEmpty { Console.show("It says: \(Console.quoted(question.text("purpose")))") }
    let name = question.text("name")
    let isOnceOnly = question.member("onceOnly")?.bool == true
    if !isOnceOnly, question.member("sameOnly")?.bool == true {
      Console.show("An answer for longer is for these words alone.")
    }
    Console.show(
      "Answer within \(question.number("leftMs") / 1000) s: talon grants yes \(name)"
        + "\(isOnceOnly ? "" : " [60s|session|today]"), or talon grants no \(name)")
    return .ok
  }

  private static func grant(_ entry: borrowing JSONView) -> String {
    let only = entry.member("sameOnly")?.bool == true ? ", for what was asked about alone" : ""
    let by = entry.text("grantedBy") + only
    switch entry.text("scope") {
    case "once": return "granted for one use, at the \(by)"
    case "session": return "granted for this session, at the \(by)"
    case "until": return "granted for \(time(entry.number("leftMs") / 1000)) more, at the \(by)"
    default: return entry.text("rule") == "ask" ? "not granted: the board asks" : ""
    }
  }

  /// "59 s", "12 min", "3 h 20 min".
  static func time(_ seconds: Int64) -> String {
    if seconds < 60 { return "\(seconds) s" }
    if seconds < 3600 { return "\(seconds / 60) min" }
    return seconds / 60 % 60 == 0 ? "\(seconds / 3600) h" : "\(seconds / 3600) h \(seconds / 60 % 60) min"
  }
}
