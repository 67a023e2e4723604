import Runtime

/// Lets things happen: from time to time one of them, for a while.
final class Incidents: Actor {
  private enum Step: Int { case next, end }

  unowned(unsafe) let life: Life
  /// How the board's camera is.
  private(set) var camera = SimulatedCamera.State.present
  private var isPlain: Bool { !life.scenario.isSecure }
  private let total: Int64
  private var last: Int64 = 0
  /// Counts what began and what ended.
  private(set) var count: Int64 = 0

  init(_ life: Life) {
    self.life = life
    total = Incident.allCases.reduce(0) { $0 + $1.weight }
  }

  /// The first comes when the board had time to be approved. None begins in the last two minutes.
  func begin(until end: Int64) {
    last = end - 120_000
    plan(600_000)
  }

  private func plan(_ pause: Int64 = 0) {
    guard life.scenario.incidentsPerDay > 0 else { return }
    let mean = 86_400_000 / Int64(life.scenario.incidentsPerDay)
    life.schedule.add(self, Step.next.rawValue, at: life.now + pause + life.interval(mean))
  }

  func act(_ what: Int, _ number: Int64) {
    count += 1
    switch Step(rawValue: what)! {
    case .next:
      plan()
      if life.now < last { happens(choose()) }
    case .end:
      end(Incident(rawValue: Int(number))!)
      life.invariants.conditionsChanged()
    }
  }

  private func choose() -> Incident {
    var left = life.random(below: total)
    for incident in Incident.allCases {
      left -= incident.weight
      if left < 0 { return incident }
    }
    return .outage
  }

  private func lasts(_ incident: Incident, _ milliseconds: Int64) {
    life.schedule.add(self, Step.end.rawValue, Int64(incident.rawValue), at: life.now + milliseconds)
  }

  /// Seconds often, minutes sometimes, an hour or more seldom.
  private func duration() -> Int64 {
    switch life.random(below: 10) {
    case 0...4: 1_000 + life.interval(20_000)
    case 5...8: life.interval(300_000)
    default: life.interval(3_600_000)
    }
  }

  // MARK: Beginning

  /// Lets it happen now.
  func happens(_ incident: Incident) {
    life.report.incidents[incident.rawValue] += 1
    life.trace.note(life.now, "incident", Int64(incident.rawValue))
    begin(incident)
    life.invariants.conditionsChanged()
  }

  private func begin(_ incident: Incident) {
    switch incident {
    case .outage, .refusals, .blackHole, .namesGone, .tlsFault, .slowLink, .longWay, .splitDelivery, .singleDelivery,
      .impostor, .routeGone:
      beginNetwork(incident)
    case .forgottenUp: life.network.forget(up: true, down: false)
    case .forgottenDown: life.network.forget(up: false, down: true)
    case .forgottenBoth: life.network.forget(up: true, down: true)
    case .resets: life.network.resetAll()
    case .networkChange: life.board.networkChanged()
    case .gatewayCrash, .gatewayMachineGone, .plannedRestart, .upgrade, .downgrade: stopGateway(incident)
    case .silence, .lostTicks, .deafness, .hang, .proxy, .lockout, .stranger, .acceptsNothing, .cloned:
      beginGateway(incident)
    case .tokenRotated, .deviceRemoved, .renewedSameKey, .renewedNewKey, .authChanged: changeGateway(incident)
    case .powerCut, .powerCutInWrite, .flashRefuses, .flashFull, .flashSlow, .restart, .wallJump, .cameraGone,
      .cameraHangs, .receiverGone, .manyEvents, .panic, .cardGone, .cardBusy, .cardSilent, .lightBroken:
      beginBoard(incident)
    case .manyInvokes, .garbage, .largeMessage, .endlessFragments, .strangeEvents: burden(incident)
    }
  }

  private func beginNetwork(_ incident: Incident) {
    let network = life.network!
    switch incident {
    case .outage: network.outages += 1
    case .refusals: network.refusals += 1
    case .blackHole: network.blackHoles += 1
    case .namesGone: network.nameFaults += 1
    case .tlsFault: network.tlsFaults += 1
    case .slowLink: network.bandwidth = 2_000 + life.random(below: 20_000)
    case .longWay:
      network.latency = 300 + life.random(below: 3_000)
      network.jitter = network.latency
    case .splitDelivery: network.delivery = .split
    case .singleDelivery: network.delivery = .single
    case .impostor:
      // Before the board knows whom to trust, it would trust anybody.
      guard life.scenario.isPinConfigured || life.invariants.pin != nil, life.board.isServing else { return }
      guard life.scenario.isSecure, network.impostor == nil else { return }
      network.impostor = life.gateway.strangersCertificate()
      network.resetAll()
    case .routeGone:
      guard life.scenario.addresses > 1, network.deadRoute == nil else { return }
      network.deadRoute = Int(life.random(below: Int64(life.scenario.addresses)))
      if life.chance(1, in: 2) { network.resetAll() }
    default: return
    }
    lasts(incident, duration())
  }

  private func stopGateway(_ incident: Incident) {
    let gateway = life.gateway!
    var pause = 1_000 + life.interval(20_000)
    if life.chance(1, in: 10) { pause = life.interval(1_800_000) }
    if incident == .gatewayCrash || incident == .gatewayMachineGone {
      gateway.stop(silently: incident == .gatewayMachineGone)
    } else {
      let expected: Int64? = life.chance(1, in: 3) ? nil : pause
      for peer in gateway.peers where peer.isOnline { peer.shutDown(restartExpected: expected) }
      // The second that a gateway gives its clients.
      gateway.downs += 1
      life.schedule.add(GatewayEnd(life), 0, at: life.now + 1_000)
    }
    lasts(incident, pause + 1_000)
  }

  private func beginGateway(_ incident: Incident) {
    let gateway = life.gateway!
    switch incident {
    case .silence: gateway.silences += 1
    case .lostTicks: gateway.lostTicks += 1
    case .deafness: gateway.deafness += 1
    case .hang: gateway.hangs += 1
    case .proxy: gateway.proxyStatus = [401, 403, 429, 502, 503, 503][Int(life.random(below: 6))]
    case .lockout: gateway.lockedUntil = life.now + 300_000
    case .stranger: gateway.strangers += 1
    case .acceptsNothing: gateway.refusing += 1
    case .cloned: gateway.clones += 1
    default: return
    }
    if incident != .deafness, incident != .lostTicks, life.chance(1, in: 2) { life.network.resetAll() }
    lasts(incident, incident == .lockout ? 300_000 : duration())
  }

  private func changeGateway(_ incident: Incident) {
    let gateway = life.gateway!
    switch incident {
    case .tokenRotated:
      gateway.revoke([[.node], [.operator], [.node, .operator]][Int(life.random(below: 3))], "token rotated")
    case .deviceRemoved:
      gateway.device.approved = [false, false]
      gateway.device.isSurfaceApproved = false
      gateway.device.removedAt = life.now
      gateway.revoke([.node, .operator], "device removed")
    case .renewedSameKey, .renewedNewKey:
      guard life.scenario.isSecure else { return }
      let keeps = incident == .renewedSameKey
      gateway.certificate = gateway.newCertificate(keepingKey: keeps)
      if !(keeps && life.scenario.pinsKey), !life.scenario.hasAuthority { life.person.certificateReplaced() }
      if life.chance(1, in: 2) { life.network.resetAll() }
    case .authChanged: for peer in gateway.peers where peer.isOnline { peer.close(4001, "gateway auth changed") }
    default: return
    }
  }

  private func beginBoard(_ incident: Incident) {
    let board = life.board!
    switch incident {
    case .powerCut: board.losePower()
    case .powerCutInWrite:
      board.flash.mood = .cut(step: Int(life.random(below: 26)))
      // Something to write.
      life.events.post(1)
      return lasts(incident, 60_000)
    case .flashRefuses: board.flash.mood = .refusing(.inputOutput)
    case .flashFull: board.flash.mood = .refusing(.noSpace)
    case .flashSlow: board.flash.mood = .slow
    case .restart: return board.restart()
    case .wallJump:
      let jumps: [Int64] = [-86_400_000 * 30, -3_600_000, 3_600_000, 86_400_000 * 400, -board.clock.wall]
      return board.setWall(board.clock.wall + jumps[Int(life.random(below: 5))])
    case .cameraGone: camera = .absent
    case .cameraHangs: camera = life.chance(1, in: 2) ? .hanging : .broken
    case .receiverGone: board.receiver.unplug()
    case .panic: board.holdStill()
    case .cardGone: life.room.card = .absent
    case .cardBusy: life.room.card = .busy
    case .cardSilent: life.room.card = .silent
    case .lightBroken: life.room.isLightBroken = true
    case .manyEvents: return life.events.post(20 + Int(life.random(below: 80)))
    default: return
    }
    if incident != .powerCut { lasts(incident, duration()) }
  }

  private func burden(_ incident: Incident) {
    guard life.gateway.isUp, life.gateway.silences == 0, let node = life.gateway.node else { return }
    switch incident {
    case .manyInvokes: if life.gateway.mayInvoke { for _ in 0..<(50 + life.random(below: 950)) { node.invoke() } }
    case .garbage: node.sendGarbage()
    case .largeMessage: node.sendLarge(Int(1 + life.random(below: 25)) << 20)
    case .endlessFragments: node.sendFragments(200)
    case .strangeEvents: node.sendStrangeEvents()
    default: return
    }
  }

  // MARK: Ending

  private func end(_ incident: Incident) {
    let network = life.network!
    let gateway = life.gateway!
    switch incident {
    case .outage: network.outages -= 1
    case .refusals: network.refusals -= 1
    case .blackHole: network.blackHoles -= 1
    case .namesGone: network.nameFaults -= 1
    case .tlsFault: network.tlsFaults -= 1
    case .slowLink: network.bandwidth = 0
    case .longWay:
      network.latency = life.scenario.latency
      network.jitter = life.scenario.jitter
    case .splitDelivery, .singleDelivery: network.delivery = .whole
    case .impostor: network.impostor = nil
    case .gatewayCrash, .gatewayMachineGone, .plannedRestart: gateway.start(startup: startup())
    case .upgrade: restart(1)
    case .downgrade: restart(-1)
    case .silence: gateway.silences -= 1
    case .lostTicks: gateway.lostTicks -= 1
    case .deafness: gateway.deafness -= 1
    case .hang: gateway.hangs -= 1
    case .proxy: gateway.proxyStatus = nil
    case .stranger: gateway.strangers -= 1
    case .acceptsNothing: gateway.refusing -= 1
    case .cloned: gateway.clones -= 1
    case .routeGone: network.deadRoute = nil
    case .flashRefuses, .flashFull: if case .refusing = life.board.flash.mood { life.board.flash.mood = .good }
    case .flashSlow: if life.board.flash.mood == .slow { life.board.flash.mood = .good }
    case .powerCutInWrite: if case .cut = life.board.flash.mood { life.board.flash.mood = .good }
    case .cameraGone, .cameraHangs: camera = .present
    case .receiverGone: life.board.receiver.plug()
    case .cardGone, .cardBusy, .cardSilent: life.room.card = .present
    case .lightBroken: life.room.isLightBroken = false
    // Nobody presses the button of a board without power.
    case .panic: if !life.board.letGo() { lasts(.panic, 10_000) }
    default: return
    }
  }

  /// The gateway comes back as a release of the next generation, or of the one before.
  private func restart(_ step: Int) {
    let gateway = life.gateway!
    let release = Generation(rawValue: gateway.generation.rawValue + step) ?? gateway.generation
    gateway.start(as: release, startup: startup())
  }

  /// Milliseconds that a gateway's side services need after it listens.
  private func startup() -> Int64 { life.chance(1, in: 2) ? life.random(below: 20_000) : 0 }
}

/// The end of a gateway that said goodbye: its sockets are closed.
private final class GatewayEnd: Actor {
  unowned(unsafe) let life: Life

  init(_ life: Life) { self.life = life }

  func act(_ what: Int, _ number: Int64) {
    life.gateway.stop(silently: false)
    life.gateway.downs -= 1
  }
}
