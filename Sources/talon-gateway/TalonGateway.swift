import ArgumentParser

@main
struct TalonGateway: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "talon-gateway",
    abstract: "A gateway for the bench and for tests.",
    discussion: """
      It speaks the newest OpenClaw gateway protocol to nodes and checks strictly what they send. It is no \
      replacement for an OpenClaw gateway: it has no agents, no channels and no operators but this command line.
      """,
    version: Generation.newest.serverVersion,
    subcommands: [RunCommand.self, DevicesCommand.self, NodesCommand.self])
}
