import Codec

/// The settings for a u-blox receiver, in order.
///
/// Receivers up to generation 8 have a message for each setting; later ones take keys and values. Either way position
/// and satellites are enabled as UBX, which is complete and has a checksum, and then the redundant sentences are
/// disabled. Generation 7 has the position alone as UBX, and keeps the sentences about satellites.
struct ReceiverPlan {
  /// One command that is acknowledged.
  enum Step: Equatable {
    /// Up to generation 8.
    case send(UBXValues.Message, every: UInt8)
    case measure(UInt16)
    case receive(UBXSystems)
    case save
    /// Later ones: the messages of one port, and the rest.
    case portValues(UBXCommand.Port)
    case measureValue(UInt16)
    case receiveValues(UBXSystems)
  }

  private static let sentences: InlineArray<6, UBXValues.Message> = [.gga, .gll, .gsa, .gsv, .rmc, .vtg]
  /// The divisor of a rate in Hz.
  private static let millisecondsPerSecond: UInt16 = 1000

  private var steps = InlineArray<12, Step>(repeating: .save)
  private var count = 0
  private var index = 0
  private var saves = false
  private var rate: UInt16 = 1
  /// True when all settings have been sent.
  var isDone = false

  /// An empty plan.
  init() {}

  /// The plan for a receiver.
  init(_ settings: ReceiverSettings, _ version: UBXVersion) {
    saves = settings.saves
    rate = max(settings.rate, 1)
    let period = settings.rate > 0 ? Self.millisecondsPerSecond / rate : nil
    if version.hasValues {
      add(.portValues(.uart1))
      add(.portValues(.usb))
      if let period { add(.measureValue(period)) }
      if settings.systems != UBXSystems() { add(.receiveValues(settings.systems)) }
      return
    }
    add(.send(.pvt, every: 1))
    // Once a second, whatever the rate of fixes.
    let hasSatellites = Self.hasSatellites(version)
    if hasSatellites { add(.send(.sat, every: UInt8(rate))) }
    for index in Self.sentences.indices {
      let sentence = Self.sentences[index]
      let isNeeded = !hasSatellites && (sentence == .gsa || sentence == .gsv)
      add(.send(sentence, every: isNeeded ? UInt8(rate) : 0))
    }
    if let period { add(.measure(period)) }
    if settings.systems != UBXSystems() { add(.receive(settings.systems)) }
    if settings.saves { add(.save) }
  }

  /// True when the receiver knows NAV-SAT: from protocol 15 on, with generation 8.
  private static func hasSatellites(_ version: UBXVersion) -> Bool {
    if let protocolVersion = version.protocolVersion { return protocolVersion >= 1500 }
    return (version.generation ?? 0) >= 8
  }

  private mutating func add(_ step: Step) {
    steps[count] = step
    count += 1
  }

  /// The current setting; nil after the last.
  var step: Step? { index < count ? steps[index] : nil }

  /// The receiver acknowledged the current setting.
  mutating func taken() { index += 1 }

  /// The receiver refused it. One that sends no position as UBX (generation 6 and before) keeps its sentences.
  mutating func refused() {
    let isPosition = step == .send(.pvt, every: 1)
    index += 1
    guard isPosition else { return }
    while case .send? = step { index += 1 }
  }

  /// True when the setting is for a port that the receiver may lack: those of generation 10 have no USB.
  var mayLack: Bool { step == .portValues(.usb) || step == .portValues(.uart1) }

  /// The id of the current setting in its acknowledgement.
  var stepID: UBXMessageID? {
    switch step {
    case nil: nil
    case .send?: UBXCommand.messageRate
    case .measure?: UBXCommand.measurementRate
    case .receive?: UBXCommand.constellations
    case .save?: UBXCommand.save
    case .portValues?, .measureValue?, .receiveValues?: UBXCommand.values
    }
  }

  /// Writes the current setting.
  func write(to writer: inout ByteWriter) {
    var values = UBXValues(saves ? .all : .volatile)
    switch step {
    case nil: return
    case .send(let message, let every)?: return UBXCommand.send(message.id, every: every, to: &writer)
    case .measure(let period)?: return UBXCommand.measure(everyMilliseconds: period, to: &writer)
    case .receive(let systems)?: return UBXCommand.receive(systems, to: &writer)
    case .save?: return UBXCommand.saveConfiguration(to: &writer)
    case .portValues(let port)?:
      values.send(.pvt, on: port, every: 1)
      values.send(.sat, on: port, every: UInt8(rate))
      for index in Self.sentences.indices { values.send(Self.sentences[index], on: port, every: 0) }
    case .measureValue(let period)?: values.measure(everyMilliseconds: period)
    case .receiveValues(let systems)?: values.receive(systems)
    }
    values.write(to: &writer)
  }
}
