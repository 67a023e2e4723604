import ArgumentParser

struct TalkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "talk", abstract: "Set what the gateway understands of speech, and whether it speaks.",
    discussion: """
      It understands nothing: after every utterance it says the text that it was told to expect, with the milliseconds \
      and the loudness of the sound that arrived. Silence is not understood. In a conversation, what begins with "ask" \
      is a question for the agent.
      """,
    subcommands: [Expect.self, Fail.self, Mute.self, Unmute.self, Route.self, Heard.self], defaultSubcommand: Heard.self
  )

  struct Expect: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Understand this text from now on, whatever is said; ends `talk fail`.")

    @OptionGroup var gateway: StateOptions
    @Argument(help: "The text.") var text: String
    @Option(
      help: """
        Realtime sessions stop in the midst of their reply, after so many pieces of 100 ms, and never say that they \
        have.
        """
    )
    var stallsAfter: Int?

    func run() throws {
      try gateway.call(
        "talk.expect", .compact(["text": .string(text), "stallsAfter": stallsAfter.map { .integer(Int64($0)) }])
      ) { result in
        print("Understands: \(result["text"]?.string ?? "")")
      }
    }
  }

  struct Fail: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Fail to understand speech until `talk expect`, as if the provider were away.")

    @OptionGroup var gateway: StateOptions
    @Argument(help: "What the provider says.") var message: String
    @Flag(help: "Refuse new sessions instead of failing at the end of an utterance.") var atOnce = false

    func run() throws {
      try gateway.call("talk.fail", ["message": .string(message), "atOnce": .bool(atOnce)]) { result in
        print("Fails: \(result["message"]?.string ?? "")")
      }
    }
  }

  struct Mute: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Answer talk.speak with UNAVAILABLE.")

    @OptionGroup var gateway: StateOptions
    @Option(
      help:
        "\(TalkVoice.Silence.allCases.map(\.rawValue).joined(separator: ", ")); the first unless one is named."
    )
    var reason: String?

    func run() throws {
      try gateway.call("talk.mute", .compact(["reason": reason.map(JSON.string)])) { result in
        let mayFallBack = result["fallbackEligible"]?.bool == true
        print(
          "Mute: \(result["reason"]?.string ?? "")\(mayFallBack ? ", clients may speak by themselves" : "")")
      }
    }
  }

  struct Unmute: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Answer talk.speak with sound again.")

    @OptionGroup var gateway: StateOptions

    func run() throws { try gateway.call("talk.unmute") { _ in print("Speaks") } }
  }

  struct Route: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Route what is said after a wake phrase to a session from now on.")

    @OptionGroup var gateway: StateOptions
    @Argument(help: "The phrase.") var phrase: String
    @Argument(help: "The session's key.") var sessionKey: String

    func run() throws {
      try gateway.call("talk.route", ["trigger": .string(phrase), "sessionKey": .string(sessionKey)]) { _ in
        print("\(phrase) leads to \(sessionKey)")
      }
    }
  }

  struct Heard: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Show what was heard last, and what was spoken.")

    @OptionGroup var gateway: StateOptions

    func run() throws {
      try gateway.call("talk.heard") { result in
        let sessions = result["sessions"]?.array ?? []
        let spoken = result["spoken"]?.array ?? []
        if sessions.isEmpty, spoken.isEmpty { print("Nothing was heard or spoken.") }
        sessions.forEach(describe)
        for row in spoken {
          print(
            "spoke  \(row["milliseconds"]?.integer ?? 0) ms of \(row["outputFormat"]?.string ?? "")  "
              + (row["text"]?.string ?? ""))
        }
      }
    }

    private func describe(_ row: JSON) {
      func number(_ key: String) -> Int64 { row[key]?.integer ?? 0 }
      print(
        "heard  \(number("milliseconds")) ms of \(row["format"]?.string ?? "") in \(number("appends")) pieces, "
          + "rms \(number("rms")), peak \(number("peak"))  \(row["mode"]?.string ?? "") \(row["state"]?.string ?? "")"
      )
      for text in row["answers"]?.strings ?? [] { print("       answered: \(text)") }
      for text in row["transcripts"]?.strings ?? [] { print("       \(text)") }
    }
  }
}
