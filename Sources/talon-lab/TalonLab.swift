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

/// The workbench: the parts of Talon, each alone, for test suites and for measuring.
struct TalonLab: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "talon-lab",
    abstract: "Runs one part of Talon without a board, to test it, to measure it, or to draw what it shows.",
    discussion: """
      For people who develop Talon, and for its test suites. It never ships on a board; an owner does not need it. \
      Build with -c release before you measure.
      """,
    subcommands: [
      JSONCommand.self, EchoCommand.self, BenchCommand.self, FirmwareCommand.self, RecoveryCommand.self,
      SimulateCommand.self, ConsentCommand.self, UpdatesCommand.self, FleetCommand.self, TortureCommand.self,
      FailOnceCommand.self, FitCommand.self, ClipCommand.self,
      ReadNMEACommand.self, ReadUBXCommand.self, FollowCommand.self, StepsCommand.self, PageCommand.self,
      LinesCommand.self, ConversationCommand.self, GalleryCommand.self, SheetCommand.self, HandbookCommand.self,
      PaintCommand.self, SVGCommand.self, ReadCommand.self, WakeCommand.self, RecallCommand.self, EnrolCommand.self,
      BankCommand.self, TrialCommand.self, MetricsCommand.self,
    ])
}
