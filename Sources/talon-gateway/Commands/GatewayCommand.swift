import ArgumentParser

struct GatewayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gateway",
    abstract: "Restart, suspend or reload this gateway, cut connections, renew its certificate.",
    subcommands: [Restart.self, Suspend.self, Resume.self, Reload.self, Drop.self, Renew.self])

  struct Restart: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Close all connections as before a restart; they may come back at once.")

    @OptionGroup var gateway: StateOptions
    @Option(help: "How long the restart will take, as told to clients; without it they are told nothing.")
    var expectedMs: Int64?

    func run() throws {
      let params = JSON.compact(["expectedMs": expectedMs.map(JSON.integer)])
      try gateway.call("gateway.restart", params) { result in
        print("Closed \(result["closed"]?.integer ?? 0) connections")
      }
    }
  }

  struct Suspend: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Turn new connections away with close 1013 (since generation N), until `gateway resume`.")

    @OptionGroup var gateway: StateOptions

    func run() throws { try gateway.call("gateway.suspend") { _ in print("New connections are turned away") } }
  }

  struct Resume: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Take new connections again.")

    @OptionGroup var gateway: StateOptions

    func run() throws { try gateway.call("gateway.resume") { _ in print("New connections are taken") } }
  }

  struct Reload: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Read gateway.json again (since generation S).",
      discussion: "A changed list counts at once; commands that run and are not allowed any more are cancelled.")

    @OptionGroup var gateway: StateOptions

    func run() throws { try gateway.call("gateway.reload") { _ in print("Read again") } }
  }

  struct Drop: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Cut a node's connections, or close them with a code.")

    @OptionGroup var gateway: StateOptions
    @Option(help: "Device id, the beginning of one, or display name.") var node: String
    @Option(help: "Close with this code instead of cutting.") var code: Int64?
    @Option(help: "With --code: the reason.") var reason: String?

    func validate() throws {
      guard (1000...4999).contains(code ?? 1000) else {
        throw ValidationError("--code must be 1000 to 4999.")
      }
    }

    func run() throws {
      let params = JSON.compact([
        "node": .string(node), "code": code.map(JSON.integer), "reason": reason.map(JSON.string),
      ])
      try gateway.call("gateway.drop", params) { result in
        print("Dropped \(result["dropped"]?.integer ?? 0) connections")
      }
    }
  }

  struct Renew: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Make a new certificate for connections from now on.")

    @OptionGroup var gateway: StateOptions
    @Flag(help: "Keep the key, as an ordinary renewal does.") var sameKey = false
    @Flag(help: "Make a new key as well.") var newKey = false

    func validate() throws {
      guard sameKey != newKey else { throw ValidationError("Give --same-key or --new-key.") }
    }

    func run() throws {
      try gateway.call("gateway.renew", ["sameKey": .bool(sameKey)]) { result in
        print("fingerprint  \(result["fingerprint"]?.string ?? "")")
      }
    }
  }
}
