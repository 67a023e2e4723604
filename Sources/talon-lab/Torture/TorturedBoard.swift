import Foundation

/// One board that goes through the scenario again and again: start, pair, connect, snap, locate, ask at the console,
/// lose the link, reconnect, stop, and come back with what it kept. A long one also shows a picture and runs a script,
/// and is told to read its configuration again instead of losing the link. Its folder holds a `talon.conf` with a
/// shared token and an operator connection, which keeps state in `state` and names the board after the folder.
final class TorturedBoard {
  /// Seconds until a node is connected after any start or loss: backoff and pairing poll included.
  static let connectTimeoutSeconds = 45.0
  /// Seconds until a command works after it was answered with an error: a lost receiver is looked for after five.
  static let repairTimeout = 15.0
  /// Seconds for Talon to end after TERM.
  static let stopTimeout = 10.0
  /// Milliseconds that a node has for an answer.
  static let invokeTimeout = 10_000
  /// Seconds for what is in flight (a job, a closing socket) to give its descriptor back.
  static let descriptorTimeout = 5.0
  /// Seconds after which all that a run without faults opened is closed again.
  static let settling = 1.0
  /// Seconds for the board to read that its second connection was accepted, on a busy machine.
  static let acceptanceSeconds = 2.0

  let folder: String
  let name: String
  /// Knows how many descriptors are usual; nil for the run that shows it.
  var judge: Judge?
  var isLong = false
  private let talon: String
  private let gateway: GatewayControl
  private let watch: GatewayWatch
  private var process: TalonProcess?
  private var deviceID: String?
  private var connectedAt = 0
  /// From which look of the watch on a console that is open is the one of now.
  private var consoleLook = 0
  private var record = RunRecord()

  init(folder: String, talon: String, gatewayState: String, watch: GatewayWatch) throws {
    self.folder = folder
    self.talon = talon
    self.watch = watch
    name = URL(fileURLWithPath: folder).lastPathComponent
    gateway = try GatewayControl(stateFolder: gatewayState)
    // What a board has to come back with, once it is paired: the state on flash, and no shared token.
    let text = try String(contentsOfFile: config, encoding: .utf8)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).filter { !$0.hasPrefix("token_file") }
    try lines.joined(separator: "\n").write(toFile: keptConfig, atomically: false, encoding: .utf8)
  }

  var log: String { folder + "/talon.log" }
  private var keptLog: String { folder + "/kept.log" }
  private var config: String { folder + "/talon.conf" }
  private var keptConfig: String { folder + "/kept.conf" }
  private var calls: String { folder + "/calls" }

  /// The calls of the run before, which had no fault.
  func tracedCalls() throws -> [TracedCall] {
    try String(contentsOfFile: calls, encoding: .utf8).split(separator: "\n").compactMap { TracedCall($0) }
  }

  /// What ends the scenario early; the record says why.
  private struct Abandoned: Error {}

  /// Goes through the scenario once, and answers what was seen. Throws when the bench itself failed.
  func run(_ fault: Fault?) throws -> RunRecord {
    for leftover in ["state", "run", "talon.log", "kept.log", "calls", "calls.again"] {
      try? FileManager.default.removeItem(atPath: folder + "/" + leftover)
    }
    (deviceID, connectedAt, consoleLook, record) = (nil, 0, 0, RunRecord())
    defer { cleanUp() }
    let first = try TalonProcess(talon: talon, config: config, log: log, tracing: calls, fault: fault)
    process = first
    do {
      try scenario()
      try comeBack()
    } catch is Abandoned {}
    if let fault, let line = first.reportLines.lazy.compactMap({ TracedCall($0) }).first {
      assert(line.name == fault.call && line.occurrence == fault.occurrence)
      record.target = line.target
    }
    record.warnings = lines(of: log).filter { $0.hasPrefix("<") && $0.dropFirst().first ?? "9" <= "4" }
    record.shownSecret = try shownSecret()
    return record
  }

  // MARK: The scenario

  private func scenario() throws {
    try waitUntilConnected()
    try ask("camera.snap", ["maxWidth": 640, "delayMs": 0])
    try ask("location.get", ["timeoutMs": 5_000])
    try ask("device.status")
    try waitForConsole()
    try askAtConsole()
    if isLong {
      try showPicture()
      try reload()
    } else {
      try loseLink()
    }
    try waitUntilConnected()
    try ask("device.health")
    try ask("device.permissions")
    try waitForConsole()
    try lookAtDescriptors()
    try stop()
  }

  private func waitUntilConnected() throws {
    try wait(Self.connectTimeoutSeconds, or: "was not connected") {
      try keepRunning()
      deviceID = try deviceID ?? watch.device(of: name)
      guard let deviceID, let since = try watch.connectedAt(deviceID), since > connectedAt else { return false }
      connectedAt = since
      return true
    }
  }

  private func waitForConsole() throws {
    try wait(Self.connectTimeoutSeconds, or: "opened no second connection") {
      try keepRunning()
      guard let deviceID else { return false }
      return try watch.hasConsole(deviceID, by: consoleLook)
    }
    // The gateway accepts it a moment before the board reads that. A fault may have kept the line out of the log.
    let deadline = Date(timeIntervalSinceNow: Self.acceptanceSeconds)
    while !isConsoleOnline, Date() < deadline { Thread.sleep(forTimeInterval: 0.05) }
  }

  /// What the log says last of the second connection.
  private var isConsoleOnline: Bool {
    guard let line = lines(of: log).last(where: { $0.dropFirst(3).hasPrefix("operator: ") }) else { return false }
    return line.contains(": online") || line.contains(": connected")
  }

  /// A person at the board asks something of the gateway, and asks again after an error.
  private func askAtConsole() throws {
    record.questions.append(.init(command: ConsoleQuestion.command, answers: []))
    try wait(Self.repairTimeout + Self.connectTimeoutSeconds, or: "did not recover") {
      try keepRunning()
      return try note(ConsoleQuestion.ask(talon: talon, config: config, output: folder + "/console.txt"))
    }
  }

  /// A picture that is decoded, text that is set, a drawing, a script, and a picture of all of it.
  private func showPicture() throws {
    let picture = "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVR42mP4b8OAFTEMLQkABVlOwRN0atsAAAAASUVORK5CYII="
    let page = "<h1>Hej \u{5D0}\u{5D1}</h1><p>a page</p><img src='data:image/png;base64,\(picture)'>"
    try ask("canvas.navigate", ["url": "data:text/html,\(page)"])
    try ask(
      "canvas.navigate",
      ["url": "data:image/svg+xml,<svg viewBox='0 0 9 9'><circle cx='4' cy='4' r='4' opacity='.5'/></svg>"])
    try ask("canvas.eval", ["javaScript": "Array.from({length: 2000}, (_, i) => 'x'.repeat(i)).join('').length"])
    try ask("canvas.snapshot", ["format": "png"])
    try ask("canvas.snapshot", ["format": "jpeg"])
  }

  /// Talon reads its configuration again, and all is made anew.
  private func reload() throws {
    forgetConnection()
    process?.reload()
  }

  private func loseLink() throws {
    forgetConnection()
    // Already gone, perhaps, by the fault.
    _ = try? gateway.call("gateway.drop", ["node": deviceID ?? ""])
  }

  /// Only what connects from now on counts: the watch may not have seen the latest connection yet.
  private func forgetConnection() {
    connectedAt = Int(Date().timeIntervalSince1970 * 1000)
    // The look of now may have begun before.
    consoleLook = watch.count + 2
  }

  /// Asks, and asks again after an error.
  private func ask(_ command: String, _ params: [String: Any] = [:]) throws {
    let request: [String: Any] = [
      "node": deviceID ?? "", "command": command, "params": params, "timeoutMs": Self.invokeTimeout,
    ]
    record.questions.append(.init(command: command, answers: []))
    if try isAnswered(request) { return }
    try wait(Self.repairTimeout + (try isConnected() ? 0 : Self.connectTimeoutSeconds), or: "did not recover") {
      try keepRunning()
      return try isConnected() && isAnswered(request)
    }
  }

  private func isConnected() throws -> Bool {
    guard let deviceID else { return false }
    return try watch.connectedAt(deviceID) != nil
  }

  private func isAnswered(_ request: [String: Any]) throws -> Bool {
    let answer: RunRecord.Answer
    do {
      try gateway.call("nodes.invoke", request)
      answer = .result
    } catch let error as GatewayControl.Refusal {
      answer = error.isSilence ? .silence : .refusal("\(error.code): \(error.message)")
    }
    return try note(answer)
  }

  /// Writes down an answer to the latest question; true when it is a result.
  private func note(_ answer: RunRecord.Answer) throws -> Bool {
    record.questions[record.questions.count - 1].answers.append(answer)
    if answer == .silence { throw Abandoned() }
    return answer == .result
  }

  /// Starts Talon again when it ended, as a supervisor would, once.
  private func keepRunning() throws {
    guard let how = process?.end else { return }
    record.ends.append(.init(how: how, lastLine: lines(of: log).last ?? ""))
    if record.ends.count > 1 { throw Abandoned() }
    forgetConnection()
    process = try TalonProcess(talon: talon, config: config, log: log, tracing: calls + ".again", fault: nil)
  }

  private func lookAtDescriptors() throws {
    guard let process else { return }
    if judge == nil { Thread.sleep(forTimeInterval: Self.settling) }
    let deadline = Date(timeIntervalSinceNow: Self.descriptorTimeout)
    repeat {
      record.descriptors = process.descriptors
      if judge?.surplus(record.descriptors) == nil { return }
      Thread.sleep(forTimeInterval: 0.1)
    } while Date() < deadline
  }

  private func stop() throws {
    process?.terminate()
    try wait(Self.stopTimeout, or: "did not stop") { process?.end != nil }
    if let how = process?.end { record.stop = .init(how: how, lastLine: lines(of: log).last ?? "") }
  }

  /// The board still has its identity, and the gateway still accepts its token.
  private func comeBack() throws {
    forgetConnection()
    process = try TalonProcess(talon: talon, config: keptConfig, log: keptLog, tracing: nil, fault: nil)
    try wait(Self.connectTimeoutSeconds, or: "did not come back with what it kept on flash; see kept.log") {
      guard process?.end == nil, let deviceID, let since = try watch.connectedAt(deviceID) else { return false }
      return try since > connectedAt && watch.hasConsole(deviceID, by: consoleLook)
    }
    record.kept = true
  }

  // MARK: Around it

  private func cleanUp() {
    process?.destroy()
    process = nil
    watch.forget(name)
    if let deviceID { _ = try? gateway.call("devices.remove", ["deviceId": deviceID]) }
  }

  private func lines(of file: String) -> [String] {
    let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map(String.init)
  }

  private func shownSecret() throws -> String? {
    let token = try String(contentsOfFile: folder + "/token", encoding: .utf8)
    let shared = token.trimmingCharacters(in: .whitespacesAndNewlines)
    return lines(of: log).contains { $0.contains(shared) } ? "the shared token" : nil
  }

  private func wait(_ seconds: Double, or missing: String, until isDone: () throws -> Bool) throws {
    let deadline = Date(timeIntervalSinceNow: seconds)
    while try !isDone() {
      guard Date() < deadline else {
        record.missing = missing
        throw Abandoned()
      }
      Thread.sleep(forTimeInterval: 0.1)
    }
  }
}
