import ArgumentParser
import Foundation

/// How long a firmware is away after each kind of loss.
struct RecoveryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recovery",
    abstract: "Measures how soon a firmware works again after each kind of loss.",
    discussion: """
      The configuration's url is a line on 127.0.0.1 that this command keeps and breaks; behind it runs a gateway that
      has approved the node. The exit code is 1 when it is away for longer than its bar.
      """)

  @Option(help: "The firmware.")
  var talon: String

  @Option(help: "Its configuration, with log level info or more.")
  var config: String

  @Option(help: "The line's port on 127.0.0.1, which stands in the configuration.")
  var port: UInt16

  @Option(help: "The gateway's port on 127.0.0.1.")
  var gatewayPort: UInt16

  @Option(help: "A shell command that restarts the gateway as its operator would; without it that loss is left out.")
  var restart: String?

  @Option(help: "Seconds that the network is away.")
  var outage = 90

  func run() throws {
    let line = try Line(port: port, gatewayPort: gatewayPort)
    let node = try RunningNode(talon: talon, config: config)
    defer { node.stop() }
    _ = try node.waitUntilOnline()
    var verdict = Verdict()
    func measure(_ kind: String, _ node: RunningNode, _ loss: () throws -> Void) throws {
      verdict.show(Self.figure(kind, try seconds(node, loss)))
      // The node's pause after a loss grows when losses follow each other at once.
      Thread.sleep(forTimeInterval: 65)
    }
    try measure("the gateway closes the connection", node) { line.end(withReset: false) }
    try measure("the connection is reset", node) { line.end(withReset: true) }
    try measure("the connection falls silent in a good network", node) { line.forget() }
    line.silence()
    Thread.sleep(forTimeInterval: Double(outage))
    try measure("the network let nothing through for \(outage) s", node) { line.restore() }
    if let restart {
      try measure("the gateway restarts", node) {
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        shell.arguments = ["-c", restart]
        try shell.run()
        shell.waitUntilExit()
      }
    }
    try verdict.finish()
  }

  static func figure(_ kind: String, _ seconds: Double) -> Measurement {
    Measurement(name: kind, value: seconds, unit: "s", bar: .recovery)
  }

  /// Seconds from the loss until the node works again.
  private func seconds(_ node: RunningNode, _ loss: () throws -> Void) throws -> Double {
    let before = DispatchTime.now().uptimeNanoseconds
    try loss()
    _ = try node.waitUntilOnline()
    return Double(DispatchTime.now().uptimeNanoseconds - before) / 1e9
  }
}
