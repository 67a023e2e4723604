import Consent

/// What may be used when, kept by other means than the board's: by what people said and when they said it, in true
/// time.
final class ConsentOracle {
  /// What people allow for one permission.
  private enum Allowed {
    case nothing, session
    /// Until a true time.
    case until(Int64)
  }

  /// A device that is in use.
  private struct Use {
    var permissions: PermissionSet
    /// It was begun by what was allowed for one use, which no end touches but that of its request.
    var byOnce: PermissionSet
  }

  let rules: ConsentRules
  private var allowed = [Allowed](repeating: .nothing, count: 8)
  /// One use is allowed beside that.
  private var once = [Bool](repeating: false, count: 8)
  private var uses: [Int: Use] = [:]
  /// Until when nobody may be asked again, in true time.
  private var refusedUntil = [Int64](repeating: .min, count: 8)
  /// Grants ended, and flash may not know it yet.
  private(set) var hasEnded = false

  init(rules: ConsentRules) { self.rules = rules }

  func wasWritten() { hasEnded = false }

  // MARK: People

  func answered(_ answer: ConsentAnswer, _ permissions: PermissionSet, _ life: ConsentLife) {
    for index in indices(permissions) {
      switch answer {
      case .no: refusedUntil[index] = life.now + ConsentSettings().refusal
      case .once: once[index] = true
      case .session: allowed[index] = .session
      case .minute: allowed[index] = .until(life.now + 60_000)
      case .today: allowed[index] = .until(life.now + life.board.restOfDay)
      }
      if answer != .no { refusedUntil[index] = .min }
    }
    // It may take the place of one that flash has.
    if answer == .session { hasEnded = true }
  }

  /// A question appears.
  func asked(_ permissions: PermissionSet, _ life: ConsentLife) {
    for index in indices(permissions) where refusedUntil[index] > life.now {
      life.violated("somebody is asked about \(name(index)) again, too soon after a no")
    }
  }

  func ended(_ permissions: PermissionSet) {
    for index in indices(permissions) { (allowed[index], once[index]) = (.nothing, false) }
    hasEnded = true
  }

  func sessionEnded() {
    for index in 0..<8 { if case .session = allowed[index] { allowed[index] = .nothing } }
    uses.removeAll()
  }

  /// The agent ends, and with it what was for one use or one session.
  func restarted() {
    once = [Bool](repeating: false, count: 8)
    sessionEnded()
    refusedUntil = [Int64](repeating: .min, count: 8)
  }

  func powerCut() { restarted() }

  // MARK: Uses

  /// The board begins a use for a request.
  func begins(_ request: ConsentRequestModel, _ life: ConsentLife) {
    var byOnce: PermissionSet = []
    for index in indices(request.permissions) {
      let permission = Permission(rawValue: UInt8(index))!
      switch rules[permission] {
      case .allow: continue
      case .deny: life.violated("\(name(index)) is used, which the file denies")
      case .ask: break
      }
      switch allowed[index] {
      case .session: continue
      // A recording has to fit.
      case .until(let end) where life.now < end && life.now + request.length <= end: continue
      case .until, .nothing: break
      }
      if !once[index] { life.violated("\(name(index)) is used, which nobody has allowed") }
      once[index] = false
      byOnce.insert(PermissionSet(permission))
    }
    uses[request.number] = Use(permissions: request.permissions, byOnce: byOnce)
  }

  func ends(_ number: Int) { uses[number] = nil }

  /// Looks at all that is in use now.
  func check(_ life: ConsentLife) {
    for (number, use) in uses {
      for index in indices(use.permissions) {
        let permission = Permission(rawValue: UInt8(index))!
        guard rules[permission] == .ask, !use.byOnce.has(permission) else { continue }
        switch allowed[index] {
        case .session: break
        case .until(let end) where life.now < end: break
        case .until, .nothing: life.violated("request \(number) still uses \(name(index)), which is over")
        }
      }
    }
  }

  private func indices(_ permissions: PermissionSet) -> [Int] {
    (0..<8).filter { permissions.rawValue >> UInt8($0) & 1 == 1 }
  }

  private func name(_ index: Int) -> String { "\(Permission(rawValue: UInt8(index))!)" }
}
