import ArgumentParser

@main
struct TalonGateway: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "talon-gateway",
    abstract: "A gateway for the bench and for tests.",
    discussion: """
      It speaks the OpenClaw gateway protocol of any age to nodes and operators and checks strictly what they \
      send. It is no replacement for an OpenClaw gateway: its only agent repeats what it hears, it \
      understands no speech, and it has no channels.
      """,
    version: Generation.newest.serverVersion,
    subcommands: [
      RunCommand.self, DevicesCommand.self, NodesCommand.self, QRCommand.self, GatewayCommand.self,
      TalkCommand.self,
    ])
}
