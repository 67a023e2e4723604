import Codec
import Runtime

/// `talon gateway approvals`: the requests at the gateway that wait for a person, and the answers to them.
enum ApprovalsCommand {
  static func run(_ options: Options) throws(Failure) -> ExitCode {
    let words = options.words.dropFirst()
    let hasAnswer = words.count == 2 && (words.first == "yes" || words.first == "no")
    guard words.isEmpty || hasAnswer else {
      throw Failure(.usage, "expected: talon gateway approvals [yes NUMBER | no NUMBER]")
    }
    if hasAnswer { _ = try number(options.words[2]) }
    let configuration = try ConfigCommand.read(options.configurationPath, as: .owner)
    return hasAnswer ? try answer(options.words[1], options.words[2], configuration) : try list(configuration)
  }

  private static func number(_ text: String) throws(Failure) -> Int64 {
    guard let value = Int64(text), value > 0 else {
      throw Failure(.usage, "\"\(text)\" is no number of a request; see talon gateway approvals")
    }
    return value
  }

  /// Prints what waits.
  static func list(_ configuration: Configuration) throws(Failure) -> ExitCode {
    let line = try ConsoleCommands.ask("approvals", configuration) { _ in }
    let root = JSONView(line.span)
    guard let result = root.member("result"), let list = result.member("approvals") else { return .ok }
    if result.member("programs")?.bool != true {
      Console.out("Requests of programs are not shown: the gateway has not granted operator.approvals.")
    }
    if result.member("devices")?.bool != true {
      Console.out("Requests of devices are not shown: the gateway has not granted operator.pairing.")
    }
    if !result.text("failure").isEmpty { Console.out("The last answer did not count: \(result.text("failure"))") }
    var elements = list.elements()
    var count = 0
    while let entry = elements.next() {
      count += 1
      var text = "\(entry.number("number"))  \(entry.text("kind"))  \(entry.text("subject"))"
      if entry.member("isCut")?.bool == true { text += "… (not the whole: allow it at the gateway)" }
      Console.out(text)
      var place = entry.text("place")
      if entry.member("leftMs") != nil {
        place += "\(place.isEmpty ? "" : ", ")for \(entry.number("leftMs") / 1000) s more"
      }
      if !place.isEmpty { Console.out("   \(place)") }
    }
    if count == 0 { Console.out("Nothing waits for an answer.") }
    if result.number("leftOut") > 0 { Console.out("\(result.number("leftOut")) more had no room here.") }
    return .ok
  }

  /// Allows or refuses one.
  static func answer(_ word: String, _ number: String, _ configuration: Configuration) throws(Failure) -> ExitCode {
    let value = try self.number(number)
    _ = try ConsoleCommands.ask("approval-answer", configuration) { writer in
      writer.key("number")
      writer.int(value)
      writer.key("allow")
      writer.bool(word == "yes")
    }
    return .ok
  }
}
