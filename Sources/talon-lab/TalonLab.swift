import ArgumentParser

@main
enum Main {
  static func main() {
    do {
      var command = try TalonLab.parseAsRoot()
      try command.run()
      try LabOutput.finish()
    } catch {
      TalonLab.exit(withError: LabFailure.readable(error))
    }
  }
}

/// The workbench: Talon's parts, each alone, for test suites and for measuring.
struct TalonLab: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "talon-lab",
    abstract: "Talon's parts, each alone, for test suites and for measuring.",
    subcommands: [
      JSONCommand.self, EchoCommand.self, BenchCommand.self, FirmwareCommand.self, RecoveryCommand.self,
      SimulateCommand.self, TortureCommand.self, FailOnceCommand.self, FitCommand.self, ClipCommand.self,
      ReadNMEACommand.self, ReadUBXCommand.self, FollowCommand.self, StepsCommand.self, PageCommand.self,
      ConversationCommand.self, GalleryCommand.self,
      PaintCommand.self, SVGCommand.self, ReadCommand.self, WakeCommand.self, RecallCommand.self, EnrolCommand.self, BankCommand.self, TrialCommand.self,
    ])
}
