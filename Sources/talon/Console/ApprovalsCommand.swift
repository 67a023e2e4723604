import Codec
import Runtime

/// `talon gateway approvals`: the requests at the gateway that wait for a person, and the answers to them.
enum ApprovalsCommand {
  static func run(_ options: Options) throws(Failure) -> ExitCode {
    let words = options.words.dropFirst()
    let hasAnswer = words.count == 2 && (words.first == "yes" || words.first == "no")
    guard words.isEmpty || hasAnswer else {
      throw Failure(.usage, "expected: talon gateway approvals [yes NAME | no NAME]")
    }
    if hasAnswer { try check(options.words[2]) }
    let configuration = try ConfigCommand.read(options.configurationPath, as: .owner)
    return hasAnswer ? try answer(options.words[1], options.words[2], configuration) : try list(configuration)
  }

  /// Refuses what is no name of a request: an answer is for the one that was read.
  private static func check(_ text: String) throws(Failure) {
    guard GrantsCommand.isName(text) else {
      throw Failure(.usage, "\(Console.quoted(text)) is no name of a request; see talon gateway approvals")
    }
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
    if !result.text("failure").isEmpty { Console.show("The last answer did not count: \(result.text("failure"))") }
    var elements = list.elements()
    var count = 0
    while let entry = elements.next() {
      count += 1
      let isProgram = entry.text("kind") == "program"
      let subject = Console.quoted(entry.text("subject"), isProgram ? .exact : .words, most: 2048)
      var text = "\(entry.text("name"))  \(entry.text("kind"))  \(subject)"
      if entry.member("isCut")?.bool == true { text += "... (not the whole: allow it at the gateway)" }
      Console.show(text)
      var place = entry.text("place").isEmpty ? "" : Console.quoted(entry.text("place"), most: 512)
      if entry.member("leftMs") != nil {
        place += "\(place.isEmpty ? "" : ", ")for \(entry.number("leftMs") / 1000) s more"
      }
      if !place.isEmpty { Console.show("   \(place)") }
    }
    if count == 0 { Console.out("Nothing waits for an answer.") }
    if result.number("leftOut") > 0 { Console.show("\(result.number("leftOut")) more had no room here.") }
    return .ok
  }

  /// Allows or refuses one.
  static func answer(_ word: String, _ name: String, _ configuration: Configuration) throws(Failure) -> ExitCode {
    _ = try ConsoleCommands.ask("approval-answer", configuration) { writer in
      writer.key("name")
      writer.string(name)
      writer.key("allow")
      writer.bool(word == "yes")
    }
    return .ok
  }
}
