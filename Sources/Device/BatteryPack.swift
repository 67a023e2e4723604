import Runtime

/// One of the board's batteries.
public struct BatteryPack: Sendable {
  /// Its name below `/sys/class/power_supply`.
  public var name = DeviceName()
  /// Its reading. The charger in it is not used, because that is the board's.
  public var reading = BatteryReading()
  /// Its charge now and when full, both in microwatt-hours or both in microampere-hours; nil where unknown.
  public var amount: (now: Double, full: Double)?

  /// A battery without readings.
  public init() {}
}

extension BatteryReading {
  /// Several batteries as one, fed by `charger`.
  ///
  /// A single one is taken as it is. The level of several is their total charge where each reports it, else the
  /// average; currents are added, voltages are not. The board runs on battery while one is discharging, and is full
  /// when all are. A gauge that does not report charging gets it from the charger, if there is one.
  public init(_ packs: DevicePacks, charger: Charger, hasCharger: Bool) {
    self.init()
    self.charger = charger
    guard packs.count > 0 else { return }
    if packs.count == 1 { self = packs[0].reading } else { combine(packs) }
    self.charger = charger
    if state == .unknown, hasCharger {
      state = charger == .none ? .unplugged : level ?? 0 >= 1 ? .full : .charging
    }
  }

  private mutating func combine(_ packs: DevicePacks) {
    var (now, full, levels, sum) = (0.0, 0.0, 0, 0.0)
    var amounts = 0
    var (charging, unplugged, whole) = (0, 0, 0)
    for index in 0..<packs.count {
      let pack = packs[index]
      if let amount = pack.amount {
        now += amount.now
        full += amount.full
        amounts += 1
      }
      if let level = pack.reading.level {
        sum += level
        levels += 1
      }
      switch pack.reading.state {
      case .charging: charging += 1
      case .unplugged: unplugged += 1
      case .full: whole += 1
      case .unknown: break
      }
      if let celsius = pack.reading.temperature { temperature = max(temperature ?? celsius, celsius) }
      if let milliamperes = pack.reading.current { current = (current ?? 0) + milliamperes }
      if let seconds = pack.reading.timeToEmpty { timeToEmpty = (timeToEmpty ?? 0) + seconds }
    }
    if amounts == packs.count, full > 0 {
      level = min(now / full, 1)
    } else if levels > 0 {
      level = sum / Double(levels)
    }
    state = charging > 0 ? .charging : unplugged > 0 ? .unplugged : whole == packs.count ? .full : .unknown
  }
}
