import ArgumentParser
import Foundation

/// Many boards that are enrolled without hands, and that all come back when their gateway does.
struct FleetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fleet",
    abstract: "Enrols many boards at one gateway, and takes that away from them twice.",
    discussion: """
      Each board is the firmware in a process of its own, without hardware; they share an address, as boards behind \
      one router do. The gateway is told to end and is back after two seconds; then its power fails, for as long as \
      --away says. The exit code is 1 when a board is not enrolled, when one does not come back, or when the gateway \
      locked the address out; with --strict also when 95 of 100 are not back within 60 s, and when its limit of \
      connections turned more than five of 100 away, which a machine that is busy otherwise may bring about.
      """)

  @Option(help: "The firmware.")
  var talon = ".out/x86_64/talon"

  @Option(help: "The gateway's program.")
  var gateway = ".build/release/talon-gateway"

  @Option(help: "How many boards.")
  var boards = 1000

  @Option(help: "How they enrol: address (one that the gateway trusts), code or link.")
  var by = FleetWay.address

  @Option(help: "Seconds for which the gateway is away without a word.")
  var away = 60.0

  @Option(help: "Seconds for which boards may enrol, and for which they may come back.")
  var patience = 600.0

  @Flag(help: "Figures that miss their bars fail the run: for a machine with nothing else to do.")
  var strict = false

  /// As many `talon connect` as run at a time: boards get their power one after the other.
  private static let connecting = 8
  /// Set when somebody ends the run: the boards must not outlive it.
  nonisolated(unsafe) private static var isOver: sig_atomic_t = 0

  func validate() throws {
    guard (1...10_000).contains(boards), (0...86_400).contains(away), (1...86_400).contains(patience) else {
      throw ValidationError("--boards must be from 1 to 10000, --away from 0 and --patience from 1 to 86400")
    }
    for program in [talon, gateway] where !FileManager.default.isExecutableFile(atPath: program) {
      throw ValidationError("\(program) is no program: build it first")
    }
  }

  func run() throws {
    try Self.allowDescriptors(boards + 1000)
    for number in [SIGINT, SIGTERM] { signal(number) { _ in FleetCommand.isOver = 1 } }
    let folder = FileManager.default.temporaryDirectory.appending(path: "talon-fleet-\(getpid())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let server = try FleetGateway(program: gateway, folder: folder)
    var all: [FleetBoard] = []
    defer {
      for board in all { board.terminate() }
      for board in all { board.waitUntilEnd() }
      server.stop(SIGKILL)
      try? FileManager.default.removeItem(at: folder)
    }
    try server.start()
    let empty = try server.anonymousBytes()
    for number in 1...boards {
      all.append(try FleetBoard(number: number, folder: folder, talon: talon, gateway: server, by: by))
    }
    var isGood = try enrol(all, at: server)
    try checkPlaces(all, at: server)
    // What each connection holds when it is used for nothing.
    try pause(5)
    let held = (try server.anonymousBytes() - empty) / Double(boards)
    show("memory of the gateway for a connection", held / 1024, "KB")
    var verdict = Verdict()
    isGood = try comesBack(server, all, "restart", after: SIGTERM, away: 2, &verdict) && isGood
    isGood = try comesBack(server, all, "power cut", after: SIGKILL, away: away, &verdict) && isGood
    if !isGood { throw ExitCode(1) }
    if strict { try verdict.finish() }
  }

  // MARK: Enrolment

  private func enrol(_ all: [FleetBoard], at server: FleetGateway) throws -> Bool {
    let control = try GatewayControl(stateFolder: server.state)
    var counts = FleetCounts()
    var approvals: [Double] = []
    let begun = Date()
    var waiting = all[...]
    while Date().timeIntervalSince(begun) < patience {
      for board in all { try board.advance() }
      let room = by == .address ? waiting.count : Self.connecting - all.count { $0.isBusy }
      for _ in 0..<min(max(room, 0), waiting.count, 20) { try waiting.removeFirst().begin(target(control)) }
      for line in server.lines() { counts.read(line, at: Date().timeIntervalSince(begun)) }
      if by == .address { try approve(control, begun, &approvals) }
      let isApproved = by != .address || approvals.count >= boards
      if isApproved, counts.online.count == boards { break }
      try pause(0.02)
    }
    let seconds = Date().timeIntervalSince(begun)
    show("boards of \(boards) enrolled by \(by.rawValue)", Double(counts.online.count), "")
    show("enrolled in a minute", Double(counts.online.count) / seconds * 60, "")
    if let first = approvals.first, let last = approvals.last, last > first {
      show("approvals in a minute", Double(approvals.count - 1) / (last - first) * 60, "")
    }
    show("most attempts in a second", Double(counts.busiest), "")
    return counts.online.count == boards && (by != .address || approvals.count == boards) && isWelcome(counts)
  }

  /// A new code or link; nil for a board that comes with a token.
  private func target(_ control: GatewayControl) throws -> String? {
    switch by {
    case .address: return nil
    case .code: return try control.call("qr", ["nodeOnly": true])["setupCode"] as? String
    case .link: return try control.call("qr", ["nodeOnly": true, "join": true])["joinUrl"] as? String
    }
  }

  /// Approves what boards declare, as a person's script does: one after the other.
  private func approve(_ control: GatewayControl, _ begun: Date, _ approvals: inout [Double]) throws {
    let pending = try control.call("nodes.pending")["pending"] as? [[String: Any]] ?? []
    for request in pending.prefix(20) {
      guard let id = request["requestId"] as? String else { continue }
      try control.call("nodes.approve", ["requestId": id])
      approvals.append(Date().timeIntervalSince(begun))
    }
  }

  /// Boards say where they are, as the table says that they were made of.
  private func checkPlaces(_ all: [FleetBoard], at server: FleetGateway) throws {
    let control = try GatewayControl(stateFolder: server.state)
    for board in [all[0], all[all.count / 2], all[all.count - 1]] {
      let answer = try control.call("nodes.invoke", ["node": board.name, "command": "device.info", "params": [:]])
      let payload = answer["payload"] as? [String: Any]
      guard payload?["place"] as? String == board.place, payload?["tags"] as? [String] == ["fleet"] else {
        throw LabFailure("\(board.name) does not say where it is: \(answer)")
      }
    }
  }

  // MARK: Return

  /// Takes the gateway away, and counts how its boards come back.
  private func comesBack(
    _ server: FleetGateway, _ all: [FleetBoard], _ what: String, after signal: Int32, away: Double,
    _ verdict: inout Verdict
  ) throws -> Bool {
    server.stop(signal)
    try pause(away)
    _ = server.lines()
    try server.start()
    var counts = FleetCounts()
    let begun = Date()
    while counts.online.count < boards, Date().timeIntervalSince(begun) < patience {
      try pause(0.02)
      for board in all { try board.advance() }
      for line in server.lines() { counts.read(line, at: Date().timeIntervalSince(begun)) }
    }
    let (half, most, last) = (
      counts.time(0.5, of: boards), counts.time(0.95, of: boards), counts.time(1, of: boards)
    )
    show("back after a \(what): half", half ?? .infinity, "s")
    verdict.show(Self.figure(most ?? .infinity))
    show("the last", last ?? .infinity, "s")
    show("most attempts in a second", Double(counts.busiest), "")
    return last != nil && isWelcome(counts)
  }

  static func figure(_ seconds: Double) -> Measurement {
    Measurement(name: "95 of 100", value: seconds, unit: "s", bar: .fleetBack)
  }

  /// Waits, unless somebody ends the run.
  private func pause(_ seconds: Double) throws {
    let end = Date().addingTimeInterval(seconds)
    repeat {
      guard Self.isOver == 0 else { throw LabFailure("ended by a signal") }
      Thread.sleep(forTimeInterval: min(max(end.timeIntervalSinceNow, 0), 0.1))
    } while Date() < end
  }

  // MARK: Figures

  /// Tells who was turned away. True when nobody was locked out for wrong credentials, and (strictly) at most five of
  /// 100 met the limit of 32 connections of an address that have not said who they are: a busy machine lets some pile
  /// up.
  private func isWelcome(_ counts: FleetCounts) -> Bool {
    for (reason, count) in counts.refusals.sorted(by: { $0.key < $1.key }) {
      show("turned away: \(reason)", Double(count), "")
    }
    let crowded = counts.refusals.filter { $0.key.hasPrefix("too many unauthenticated") }.values.reduce(0, +)
    return (!strict || crowded * 20 <= boards) && !counts.refusals.keys.contains { $0.contains("retry later") }
  }

  private func show(_ name: String, _ value: Double, _ unit: String) {
    print(Measurement(name: name, value: value, unit: unit).line)
    fflush(nil)
  }

  /// A gateway has a descriptor for each board; what it starts with is what it inherits.
  private static func allowDescriptors(_ count: Int) throws {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    guard limit.rlim_cur < rlim_t(count) else { return }
    guard limit.rlim_max >= rlim_t(count) else {
      throw LabFailure("this needs \(count) open files, and \(limit.rlim_max) are allowed (ulimit -Hn)")
    }
    limit.rlim_cur = rlim_t(count)
    _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}
