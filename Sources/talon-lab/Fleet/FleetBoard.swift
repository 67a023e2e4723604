import ArgumentParser
import Foundation

/// How a board comes to a gateway that does not know it.
enum FleetWay: String, CaseIterable, ExpressibleByArgument {
  /// With the gateway's token, from an address that it trusts; somebody approves what the board declares.
  case address
  /// With a setup code for each board.
  case code
  /// With a join link for each board.
  case link
}

/// One board without hardware: the firmware in a process of its own, with a folder for what a board keeps.
final class FleetBoard {
  let name: String
  let place: String
  private let folder: URL
  private let talon: String
  private var process: ChildProcess?
  private(set) var hasBegun = false
  /// The first start ends with `talon connect`, which leaves what the agent begins with.
  private var isConnecting = false

  init(number: Int, folder: URL, talon: String, gateway: FleetGateway, by way: FleetWay) throws {
    name = String(format: "field-%04d", number)
    place = "row \(number / 100)"
    self.folder = folder.appending(path: name)
    self.talon = talon
    try FileManager.default.createDirectory(at: self.folder, withIntermediateDirectories: true)
    var text = "[gateway]\n"
    if way == .address { text += "url = \(gateway.url)\ntoken_file = \(self.folder.path)/token\n" }
    text += """
      [node]
      name = \(name)
      place = \(place)
      tags = fleet
      state_directory = \(self.folder.path)/state
      runtime_directory = \(self.folder.path)/run

      [camera]
      driver = none

      [location]
      driver = none

      [canvas]
      authorities = \(gateway.certificate)

      """
    try LabOutput.write(Array(text.utf8), toFile: configuration)
    guard way == .address else { return }
    let token = self.folder.appending(path: "token").path
    try FileManager.default.copyItem(atPath: gateway.token, toPath: token)
  }

  private var configuration: String { folder.appending(path: "talon.conf").path }
  private var log: String { folder.appending(path: "talon.log").path }

  /// Gets its power for the first time. `target`: its code or link; nil for none.
  func begin(_ target: String?) throws {
    hasBegun = true
    guard let target else { return try run() }
    isConnecting = true
    process = try ChildProcess([talon, "connect", target, "--config", configuration], output: log)
  }

  /// Lets the agent begin when `talon connect` has ended. Throws when either has ended as it should not.
  func advance() throws {
    guard let end = process?.end else { return }
    guard isConnecting, end == .code(0) else { throw LabFailure("\(name) has ended: see \(log)") }
    isConnecting = false
    try run()
  }

  /// Whether `talon connect` runs.
  var isBusy: Bool { isConnecting }

  private func run() throws {
    process = try ChildProcess([talon, "run", "--config", configuration], output: log)
  }

  func terminate() { if let process, process.end == nil { kill(process.pid, SIGTERM) } }

  func waitUntilEnd() { process?.waitUntilEnd() }
}
