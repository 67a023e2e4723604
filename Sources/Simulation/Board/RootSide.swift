import Codec
import Device
import Runtime
import Simulated

/// What makes the board hang, and root's side of recovery (`systemd/talon-recovery`), which restarts it three times a
/// day at most. It has dice of its own, so that lives without it are as they were.
final class RootSide: RecoveryReadings, RecoveryRequests, Actor {
  /// What is wrong with the board.
  private enum Fault {
    /// A link with a carrier that leads nowhere before this step is taken; nil: before somebody else mends it.
    case link(DeadLink, remedy: RecoveryRung?)
    case memory
    /// A driver holds a worker of the agent in the kernel: nothing can kill it.
    case driver
    /// The agent hangs soon after each of its starts.
    case agent

    /// Only who pulls the plug ends it, where root's side does not.
    var isInside: Bool { if case .link(_, nil) = self { false } else { true } }
  }

  private enum Step: Int { case next, mend, obey, watchdog, locked, hang }

  private static let day: Int64 = 86_400_000
  /// How long the board may go on hanging after the agent, or root's side, has had its patience.
  private static let limit: Int64 = 600_000
  /// `restarts_max`, `step_seconds` and `sleep_seconds` there; `WatchdogSec=` and `RestartSec=` of the service.
  private static let restarts = 3, stepPause: Int64 = 60_000, sleepPause: Int64 = 20_000
  private static let watchdog: Int64 = 60_000, restartPause: Int64 = 5_000
  private static let watchdogs = 5

  unowned(unsafe) let life: Life
  private let dice: SeededRandom

  private var fault: Fault?
  private var faults: Int64 = 0
  private var endedAt: Int64 = 0
  /// Since when the board hangs and nobody else has a part in it; nil: not yet, or not.
  private var hangsSince: Int64?
  /// A card that takes no write is a reason to do nothing.
  private var isExcused = false

  // What root's side keeps on flash, and what it forgets without power.
  private var count = 0
  private var stamp: Int64 = 0
  private var last: String?
  private var isRestarting = false
  private var poweredAt: Int64 = 0
  private var steps: Int64 = 0
  private var askedAt: Int64?
  private var askedID = ""
  private var order: (rung: RecoveryRung, reason: String)?
  private var hangs = 0
  /// When it restarted the board.
  private var times: [Int64] = []
  /// Why the board was last restarted, for the agent.
  private(set) var told: RestartReading?

  init(_ life: Life, seed: UInt64) {
    self.life = life
    dice = SeededRandom(seed: seed &* 0xC2B2_AE3D_27D4_EB4F ^ 0x1656_67B1_9E37_79F9)
  }

  private var flash: Flash { life.board.flash }

  private func random(below bound: Int64) -> Int64 { Int64((dice.next() >> 33) % UInt64(bound)) }

  /// How often this board hangs in a day: most never do.
  func choice() -> Int { [0, 0, 0, 0, 2, 8][Int(random(below: 6))] }

  private var isThere: Bool { life.scenario.hangsPerDay > 0 }

  /// What the agent gets; nil on boards without root's side.
  var devices: RecoveryDevices? { isThere ? RecoveryDevices(readings: self, requests: self) : nil }

  func begin() { if isThere { plan() } }

  private func plan() {
    let mean = Self.day / Int64(life.scenario.hangsPerDay)
    life.schedule.add(self, Step.next.rawValue, at: life.now + Self.limit + random(below: 2 * mean))
  }

  private func add(_ step: Step, _ number: Int64, after pause: Int64) {
    life.schedule.add(self, step.rawValue, number, at: life.now + pause)
  }

  func act(_ what: Int, _ number: Int64) {
    switch Step(rawValue: what)! {
    case .next:
      plan()
      // The agent has seen that the last one is over.
      if fault == nil, life.now - endedAt >= Self.limit, life.board.isServing { happens() }
    case .mend: if number == faults, let fault { fault.isInside ? life.board.losePower() : mend() }
    case .obey: if number == steps { obey() }
    case .watchdog, .locked, .hang: if number == faults, fault != nil { goOn(Step(rawValue: what)!) }
    }
  }

  // MARK: Faults

  private func happens() {
    faults += 1
    life.report.hangs += 1
    life.trace.note(life.now, "the board hangs", faults)
    isExcused = flash.mood != .good || life.now - flash.goodSince < 2 * Self.limit
    // A person comes and pulls the plug, or mends what is outside.
    add(.mend, faults, after: Self.limit * 6 + random(below: Self.day / 6))
    switch random(below: 8) {
    case 0...4:
      let isWireless = random(below: 2) == 0
      let link = DeadLink(
        name: DeviceName(cutting: isWireless ? "wlan0" : "eth0"), isWireless: isWireless,
        reason: random(below: 2) == 0 ? .noAddress : .routerSilent)
      let remedies: [RecoveryRung?] = [.interface, isWireless ? .driver : .restart, .restart, nil]
      fault = .link(link, remedy: remedies[Int(random(below: 4))])
      life.network.outages += 1
    case 5: fault = .memory
    case 6:
      fault = .driver
      hang()
    default:
      fault = .agent
      hang()
    }
    life.invariants.conditionsChanged()
  }

  private func mend() {
    guard let fault else { return }
    life.trace.note(life.now, "it hangs no more", faults)
    self.fault = nil
    (hangsSince, endedAt) = (nil, life.now)
    if case .link = fault { life.network.outages -= 1 }
    life.invariants.conditionsChanged()
  }

  private func goOn(_ step: Step) {
    switch step {
    case .watchdog: agentEnded()
    case .locked: _ = restart("a process of the agent cannot be killed", after: 1_000)
    default: hang()
    }
  }

  /// The agent's loop stands still: from outside, it is gone. The watchdog ends it.
  private func hang() {
    guard life.board.isServing else { return add(.hang, faults, after: Self.restartPause) }
    if hangsSince == nil { hangsSince = life.now }
    life.board.stopAtOnce()
    add(.watchdog, faults, after: Self.watchdog)
  }

  /// `recovery ended`.
  private func agentEnded() {
    if case .driver = fault { return add(.locked, faults, after: Self.sleepPause) }
    hangs += 1
    if hangs == Self.watchdogs {
      hangs = 0
      if restart("the agent hung 5 times in a row", after: 1_000) { return }
    }
    life.board.startAgain(after: Self.restartPause)
    add(.hang, faults, after: Self.restartPause + 10_000 + random(below: 20_000))
  }

  // MARK: Power

  /// The power goes, also for a restart: what hangs inside is over, and nobody finishes what was begun.
  func powerLost() {
    steps += 1
    (askedAt, askedID, order, hangs) = (nil, "", nil, 0)
    if fault?.isInside == true { mend() }
    hangsSince = nil
  }

  /// `recovery start`.
  func powerReturned() {
    poweredAt = life.now
    told = RestartReading((last.map { "cause = recovery\nreason = \($0)\n" } ?? "cause = power\n").utf8.span)
    if let last, told?.cause != .recovery || told?.reason != InlineText(cutting: last) {
      life.invariants.violated("the board was restarted, and its agent does not hear why")
    }
    if last == nil, isRestarting {
      life.invariants.violated("the board was restarted, and the reason is lost")
    }
    (last, isRestarting) = (nil, false)
  }

  // MARK: What the agent sees and asks for

  func readRecovery() -> RecoveryReading {
    var reading = RecoveryReading()
    switch fault {
    case .link(let link, _):
      reading.deadLink = link
      if life.board.agent?.session.state != .online, hangsSince == nil { hangsSince = life.now }
    case .memory:
      reading.isMemoryFull = true
      if hangsSince == nil { hangsSince = life.now }
    default: break
    }
    return reading
  }

  func send(_ request: UnsafeBufferPointer<UInt8>) throws(Errno) {
    var values: [String: String] = [:]
    for line in String(decoding: request, as: UTF8.self).split(separator: "\n") {
      let parts = line.split(separator: "=", maxSplits: 1)
      guard parts.count == 2 else { return life.invariants.violated("a request has the line \(line)") }
      values[String(parts[0].dropLast())] = String(parts[1].dropFirst())
    }
    let rungs: [RecoveryRung] = [.interface, .driver, .restart]
    guard let id = values["id"], let reason = values["reason"], !reason.isEmpty,
      let rung = rungs.first(where: { "\($0.word)" == values["do"] }), rung == .restart || values["name"] != nil
    else { return life.invariants.violated("root's side was asked for what it does not know: \(values)") }
    checkRecord(id, rung, reason)
    guard life.options.plant != .ignoresRequests, id != askedID else { return }
    askedID = id
    if let askedAt, life.now - askedAt < Self.stepPause {
      return life.invariants.violated("root's side was asked twice within a minute")
    }
    (askedAt, order) = (life.now, (rung, reason))
    life.report.recoverySteps += 1
    life.trace.note(life.now, "recovery", Int64(rung.rawValue))
    steps += 1
    add(.obey, steps, after: 1_000 + random(below: 15_000))
  }

  /// A step is on flash before it is asked for.
  private func checkRecord(_ id: String, _ rung: RecoveryRung, _ reason: String) {
    let kept = flash.promised["ladder"].flatMap { $0.withUnsafeBufferPointer { RecoveryRecord($0) } }
    guard let kept, "\(kept.number)" == id, kept.last?.rung == rung, "\(kept.last!.reason.text)" == reason else {
      return life.invariants.violated("a step was asked for before it was on flash")
    }
  }

  private func obey() {
    guard let order else { return }
    self.order = nil
    if order.rung == .restart {
      _ = restart(order.reason, after: 1_000 + random(below: 30_000))
    } else if case .link(_, let remedy?) = fault, remedy.rawValue <= order.rung.rawValue {
      mend()
      life.board.networkChanged()
    }
  }

  // MARK: Restarts

  /// True when root's side would restart the board now: fewer than three times before it has run for a day, or before a
  /// day has passed by a clock that a time server has set.
  private var mayRestart: Bool { count < Self.restarts || isNewDay }

  private var isNewDay: Bool {
    life.now - poweredAt >= Self.day || stamp > 0 && knowsTime && life.wall - stamp >= Self.day
  }

  private var knowsTime: Bool { life.network.outages == 0 && life.now - poweredAt >= Self.stepPause }

  private func restart(_ reason: String, after pause: Int64) -> Bool {
    if isNewDay { count = 0 }
    guard count < Self.restarts || life.options.plant == .restartsOften else {
      if stamp == 0, knowsTime { stamp = life.wall }
      return false
    }
    isRestarting = true
    count += 1
    stamp = knowsTime ? life.wall : 0
    times.append(life.now)
    life.report.restarts += 1
    life.trace.note(life.now, "root restarts the board", Int64(count))
    if times.count > 3, life.now - times[times.count - 4] < Self.day {
      life.invariants.violated("the board was restarted a fourth time within 24 hours: \(reason)")
    }
    if life.options.plant != .losesReason { last = reason }
    life.board.losePower(for: pause + 15_000 + random(below: 20_000))
    return true
  }

  // MARK: The limit

  /// When `check` wants to be called, whatever else happens.
  var deadline: Int64 { mustBeBackBy.map { $0 + 1 } ?? .max }

  private var mustBeBackBy: Int64? {
    guard let fault, let hangsSince, fault.isInside, !isExcused else { return nil }
    switch fault {
    case .driver, .agent: return hangsSince + Self.limit
    case .link, .memory: return hangsSince + Budget.recoveryPatience + Self.limit
    }
  }

  /// After every step. Who has a part in it, or has used up the day's restarts, excuses the board.
  func check() {
    guard let fault, hangsSince != nil else { return }
    if flash.mood != .good || !mayRestart || hasUsedUp { isExcused = true }
    if case .link = fault, life.board.agent?.session.state == .online { hangsSince = nil }
    switch fault {
    case .link, .memory: if !life.board.isServing || life.board.agent?.isHeld == true { hangsSince = nil }
    case .driver, .agent: break
    }
    guard let due = mustBeBackBy, life.now > due else { return }
    life.invariants.violated("the board hangs for longer than ten minutes after its patience: \(fault)")
  }

  /// The agent has asked for as many restarts as it may in a day.
  private var hasUsedUp: Bool {
    guard let record = flash.promised["ladder"].flatMap({ $0.withUnsafeBufferPointer { RecoveryRecord($0) } })
    else { return false }
    return record.counts[2] >= Budget.recoverySteps[2]
  }
}
