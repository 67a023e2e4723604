import Codec

/// The settings for a receiver that is no u-blox, in order: those of its family in `VendorSetting.all` that the
/// configuration asks for.
struct VendorPlan {
  /// Bits a second of a fix a second, at the baud rate with which most receivers are delivered. A line that is slower
  /// for the configured rate is made faster.
  private static let bitsPerFix: UInt32 = 9600

  /// The receiver's family; nil while it is not known.
  var family: VendorFamily?
  private var index = VendorSetting.all.count
  private var values = VendorSetting.Values(rate: 1, systems: UBXSystems())
  private var hasRate = false
  private var saves = false
  private var changesSpeed = false

  /// A plan for an unknown receiver.
  init() {}

  /// Starts with the first setting of the receiver's family.
  /// - Parameter speed: the baud rate of the line.
  mutating func begin(_ settings: ReceiverSettings, speed: UInt32) {
    values = VendorSetting.Values(rate: settings.rate, systems: settings.systems)
    hasRate = settings.rate > 0
    saves = settings.saves
    let isSlow = speed < VendorSetting.fastSpeed && speed < Self.bitsPerFix * UInt32(settings.rate)
    // A baud rate of the configuration is never left.
    changesSpeed = settings.speed == 0 && isSlow
    index = 0
    skip()
  }

  /// The current setting; nil after the last.
  var setting: VendorSetting? { index < VendorSetting.all.count ? VendorSetting.all[index] : nil }

  /// Goes on to the next setting.
  mutating func next() {
    index += 1
    skip()
  }

  /// Writes the current setting.
  func write(to writer: inout ByteWriter) {
    if let setting { setting.write(values, to: &writer) }
  }

  private mutating func skip() {
    while let setting, setting.family != family || !isWanted(setting) { index += 1 }
  }

  private func isWanted(_ setting: VendorSetting) -> Bool {
    switch setting.purpose {
    case .sentences: true
    case .rate: hasRate
    case .systems: values.systems != UBXSystems() && setting.applies(values)
    case .save: saves
    case .speed: changesSpeed
    }
  }
}
