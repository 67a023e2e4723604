import ArgumentParser
import Foundation

/// What every command that talks to the running gateway takes.
struct StateOptions: ParsableArguments {
  @Option(help: "The gateway's state folder.")
  var state = StateFolder.defaultPath

  @Flag(help: "Print JSON for machines on standard output.")
  var json = false

  /// Runs `body` over a control connection. A failure is printed, as JSON if so asked, and ends the command.
  func withGateway(_ body: (ControlClient) throws -> Void) throws {
    do {
      let client = try ControlClient(path: StateFolder(path: state).path(of: ControlSocket.name))
      defer { client.close() }
      try body(client)
    } catch let code as ExitCode {
      throw code
    } catch {
      throw report(error)
    }
  }

  /// One operation; prints its JSON, or calls `describe` for people.
  func call(_ operation: String, _ params: JSON = [:], describe: (JSON) -> Void) throws {
    try withGateway { client in
      let result = try client.call(operation, params)
      if json { print(result.prettyText) } else { describe(result) }
    }
  }

  private func report(_ error: any Error) -> ExitCode {
    let failure = error as? GatewayError ?? GatewayError(code: "UNAVAILABLE", message: "\(error)")
    if json {
      let answer: JSON = ["ok": false, "error": failure.json]
      print(answer.prettyText)
    } else {
      let details = failure.details.map { " \($0.text)" } ?? ""
      FileHandle.standardError.write(Data("talon-gateway: \(failure.message)\(details)\n".utf8))
    }
    return .failure
  }

  /// How to repeat a command against this gateway.
  func commandLine(_ words: String) -> String {
    let suffix = state == StateFolder.defaultPath ? "" : " --state \(state)"
    return "talon-gateway \(words)\(suffix)"
  }
}
