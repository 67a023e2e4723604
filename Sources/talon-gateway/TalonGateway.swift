import ArgumentParser

@main
struct TalonGateway: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "talon-gateway",
    abstract: "Runs an OpenClaw gateway for tests on this machine, to which boards connect and pair.",
    discussion: """
      For people who develop Talon, and for its tests. It speaks the gateway protocol of any generation to nodes and \
      operators, and checks strictly what they send. An owner needs an OpenClaw gateway instead: the only agent here \
      repeats what it hears, no speech is understood, and there are no channels.
      """,
    version: Generation.newest.serverVersion,
    subcommands: [
      RunCommand.self, DevicesCommand.self, NodesCommand.self, QRCommand.self, GatewayCommand.self,
      TalkCommand.self, ToolsCommand.self, ApprovalsCommand.self,
    ])
}
