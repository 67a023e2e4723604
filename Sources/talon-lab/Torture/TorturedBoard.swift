import Foundation

/// How a run with a fault ended well.
enum Outcome: Int, CaseIterable {
  /// The call was never made so often: nothing failed.
  case notReached
  /// All worked, and nobody was told.
  case unnoticed
  /// All worked, and the log has a warning.
  case logged
  /// A command was answered with an error, and worked when it was asked again.
  case answered
  /// Talon ended with an exit code of `sysexits.h` and a sentence, and worked when it was started again.
  case ended

  var text: String {
    switch self {
    case .notReached: "was not reached"
    case .unnoticed: "recovered"
    case .logged: "recovered and logged"
    case .answered: "answered with an error once"
    case .ended: "ended with a reason"
    }
  }
}

/// One board that goes through the scenario again and again: start, pair, connect, snap, locate, lose the link,
/// reconnect, stop. Its folder holds a `talon.conf` that keeps state in `state` and is named after the folder.
final class TorturedBoard {
  /// Seconds until a node is connected after any start or loss: backoff and pairing poll included.
  static let connectPatience = 45.0
  /// Seconds until a command works after it was answered with an error: a lost receiver is looked for after five.
  static let repairPatience = 15.0
  /// Seconds for Talon to end after TERM.
  static let stopPatience = 10.0
  /// Milliseconds that a node has for an answer.
  static let invokeTimeout = 10_000
  /// Seconds for what is in flight (a job, a closing socket) to give its descriptor back.
  static let descriptorPatience = 5.0

  let folder: String
  let name: String
  private let talon: String
  private let gateway: GatewayControl
  private var process: TalonProcess?
  private var deviceID: String?
  private var connectedAt = 0
  private var outcome = Outcome.unnoticed
  private var said = ""
  /// The last error that a command was answered with.
  private var refusal = ""
  /// Descriptors of a run in which nothing fails.
  var usualDescriptors: Int?
  /// Warnings of a run in which nothing fails, without their numbers.
  var usualWarnings: Set<String> = []

  init(folder: String, talon: String, gatewayState: String) throws {
    self.folder = folder
    self.talon = talon
    name = URL(fileURLWithPath: folder).lastPathComponent
    gateway = try GatewayControl(stateFolder: gatewayState)
  }

  var log: String { folder + "/talon.log" }
  private var config: String { folder + "/talon.conf" }
  private var report: String { folder + "/calls" }

  /// What a run left: its outcome, what failed, and what was said about it.
  struct Result {
    var outcome: Outcome
    var target = ""
    var said = ""
  }

  /// Goes through the scenario once. Throws when the fault was not survived.
  func run(_ fault: Fault?) throws -> Result {
    for leftover in ["state", "run", "talon.log", "calls", "calls.again"] {
      try? FileManager.default.removeItem(atPath: folder + "/" + leftover)
    }
    (deviceID, connectedAt, outcome, said) = (nil, 0, .unnoticed, "")
    defer { cleanUp() }
    let first = try start(report, fault)
    try scenario()
    var target = ""
    if fault != nil {
      guard let call = first.calls.first else { return Result(outcome: .notReached) }
      target = call.count > 2 ? String(call[2]) : ""
    }
    if outcome == .unnoticed, let news = warnings.first(where: { !usualWarnings.contains(Self.kind($0)) }) {
      (outcome, said) = (.logged, news)
    }
    return Result(outcome: outcome, target: target, said: said)
  }

  private func start(_ report: String, _ fault: Fault?) throws -> TalonProcess {
    let started = try TalonProcess(talon: talon, config: config, log: log, report: report, fault: fault)
    process = started
    return started
  }

  /// How often each call was made in the run before.
  func callCounts() throws -> [String: Int] {
    let lines = try String(contentsOfFile: report, encoding: .utf8).split(separator: "\n")
    return lines.reduce(into: [:]) { counts, line in
      let name = String(line.prefix { $0 != " " })
      if name != "pid" { counts[name, default: 0] += 1 }
    }
  }

  /// Lines of the log with priority warning or worse.
  var warnings: [String] {
    let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map(String.init).filter { $0.hasPrefix("<") && $0.dropFirst().first ?? "9" <= "4" }
  }

  /// A warning without what differs each time.
  static func kind(_ warning: String) -> String { warning.filter { !$0.isNumber } }

  // MARK: The scenario

  private func scenario() throws {
    try waitUntilConnected()
    try invoke("camera.snap", ["maxWidth": 640, "delayMs": 0])
    try invoke("location.get", ["timeoutMs": 5_000])
    try invoke("device.status", [:])
    _ = try? gateway.call("gateway.drop", ["node": deviceID ?? ""])
    try waitUntilConnected()
    try invoke("device.health", [:])
    try checkDescriptors()
    try stop()
    try checkIdentity()
  }

  private func waitUntilConnected() throws {
    try wait(Self.connectPatience, "was not connected again") {
      try keepRunning()
      try approve()
      guard let deviceID, let since = try connection(of: deviceID), since > connectedAt else { return false }
      connectedAt = since
      return true
    }
  }

  /// Approves this board when it asks, and remembers who it is.
  private func approve() throws {
    guard connectedAt == 0 || deviceID == nil else { return }
    let devices = try gateway.call("devices.list")
    for request in devices["pending"] as? [[String: Any]] ?? [] where request["displayName"] as? String == name {
      deviceID = request["deviceId"] as? String
      try gateway.call("devices.approve", ["requestId": request["requestId"] ?? ""])
    }
  }

  /// When the node connected, in the gateway's milliseconds; nil when it is not connected.
  private func connection(of id: String) throws -> Int? {
    let nodes = try gateway.call("nodes.status")["nodes"] as? [[String: Any]] ?? []
    let row = nodes.first { $0["nodeId"] as? String == id }
    return row?["connected"] as? Bool == true ? row?["connectedAtMs"] as? Int : nil
  }

  /// Asks, and asks again after an error; one command may so fail, with an answer.
  private func invoke(_ command: String, _ params: [String: Any]) throws {
    let request: [String: Any] = [
      "node": deviceID ?? "", "command": command, "params": params, "timeoutMs": Self.invokeTimeout,
    ]
    if try isAnswered(command, request) { return }
    if outcome == .answered { throw TortureError("\(command) failed after another command: \(refusal)") }
    if outcome != .ended { (outcome, said) = (.answered, refusal) }
    try settle()
    try wait(Self.repairPatience, "did not recover: \(refusal)") { try isAnswered(command, request) }
  }

  /// False when the answer is an error. The gateway's own, that nobody answered, is not taken.
  private func isAnswered(_ command: String, _ request: [String: Any]) throws -> Bool {
    do {
      try gateway.call("nodes.invoke", request)
      return true
    } catch let error as GatewayControl.Refusal {
      if error.code == "TIMEOUT" { throw TortureError("\(command) was never answered") }
      refusal = "\(command): \(error.code): \(error.message)"
      return false
    }
  }

  /// Waits until the node is connected, for the first time or still.
  private func settle() throws {
    try wait(Self.connectPatience, "was not connected again") {
      try keepRunning()
      guard let deviceID, let since = try connection(of: deviceID) else { return false }
      connectedAt = since
      return true
    }
  }

  /// Starts Talon again when it ended for a reason that it gave, as a supervisor would, once.
  private func keepRunning() throws {
    guard let end = process?.end else { return }
    try judge(end)
    _ = try start(report + ".again", nil)
  }

  /// Notes an end that is in order; throws for any other. After EX_USAGE and EX_CONFIG a supervisor would leave the
  /// board alone for ever.
  private func judge(_ end: TalonProcess.End) throws {
    guard case .code(let code) = end else { throw TortureError("Talon was killed: \(end)") }
    let last = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").last ?? ""
    guard (65...77).contains(code), last.hasPrefix("talon: "), last.count > 20 else {
      throw TortureError("Talon ended with \(code) and without a reason: \(last)")
    }
    if outcome == .ended { throw TortureError("Talon ended twice: \(last)") }
    (outcome, said) = (.ended, "\(code): \(last)")
  }

  private func checkDescriptors() throws {
    var open: [String] { process?.descriptors ?? [] }
    guard let usualDescriptors else {
      Thread.sleep(forTimeInterval: 1)
      return usualDescriptors = open.count
    }
    try wait(Self.descriptorPatience, "has more than \(usualDescriptors) descriptors: \(open.sorted())") {
      open.count <= usualDescriptors
    }
  }

  private func stop() throws {
    process?.terminate()
    try wait(Self.stopPatience, "did not stop") { process?.end != nil }
    if let end = process?.end, end != .code(0) { try judge(end) }
  }

  /// The board is still who it was.
  private func checkIdentity() throws {
    let asking = Process()
    let pipe = Pipe()
    asking.executableURL = URL(fileURLWithPath: talon)
    asking.arguments = ["identity", "--config", config]
    asking.standardOutput = pipe
    try asking.run()
    let answer = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    asking.waitUntilExit()
    guard let deviceID, answer.contains(deviceID) else { throw TortureError("the identity was lost: \(answer)") }
  }

  private func cleanUp() {
    if process?.end == nil { process?.destroy() }
    if let deviceID { _ = try? gateway.call("devices.remove", ["deviceId": deviceID]) }
  }

  private func wait(_ seconds: Double, _ complaint: @autoclosure () -> String, until isDone: () throws -> Bool) throws {
    let deadline = Date(timeIntervalSinceNow: seconds)
    while try !isDone() {
      guard Date() < deadline else { throw TortureError("Talon \(complaint())") }
      Thread.sleep(forTimeInterval: 0.1)
    }
  }
}
