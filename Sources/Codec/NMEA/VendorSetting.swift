/// A setting of a receiver that is no u-blox, as one sentence of its maker's protocol: MediaTek "PMTK NMEA Packet User
/// Manual", "CASIC Multimode Navigation Receiver Protocol", Airoha and Quectel "GNSS Protocol Specification" of the
/// modules named at `VendorFamily`.
public struct VendorSetting: Sendable {
  /// What is set.
  public enum Purpose: Equatable, Sendable {
    /// Which sentences it sends.
    case sentences
    /// Fixes a second.
    case rate
    /// The satellite systems.
    case systems
    /// That its settings stay without power.
    case save
    /// The baud rate of its line; the answer is not awaited, for it comes at either rate.
    case speed

    /// The word in the log.
    public var word: StaticString {
      switch self {
      case .sentences: "sentences"
      case .rate: "rate"
      case .systems: "constellations"
      case .save: "save"
      case .speed: "baud rate"
      }
    }
  }

  /// Values in a setting.
  public struct Values: Sendable {
    /// Fixes a second, 1 to 10.
    public let rate: UInt16
    public let systems: UBXSystems

    /// Values within their limits.
    public init(rate: UInt16, systems: UBXSystems) {
      self.rate = min(max(rate, 1), 10)
      self.systems = systems
    }

    /// Milliseconds between fixes, of the steps that CASIC and Quectel have in common: at least the rate is met.
    fileprivate var steppedPeriod: UInt64 {
      switch rate {
      case 1: 1000
      case 2: 500
      case 3...5: 200
      default: 100
      }
    }

    /// 1 GPS, 2 BeiDou, 4 GLONASS: the systems of PCAS04.
    fileprivate var casicMask: UInt64 {
      (systems.contains(.gps) ? 1 : 0) | (systems.contains(.beidou) ? 2 : 0) | (systems.contains(.glonass) ? 4 : 0)
    }
  }

  /// The baud rate that `speed` sets.
  public static let fastSpeed: UInt32 = 115_200
  /// The longest sentence with checksum and line end, in bytes: PMTK314 has 46.
  public static let lengthMax = 80

  /// Who knows it.
  public let family: VendorFamily
  /// What it sets.
  public let purpose: Purpose
  /// True when some of the family do not know it and do well without it.
  public let mayLack: Bool
  /// The text between `$` and `*`, with values for `~` and a letter: see `Body.add`.
  private let template: StaticString

  private init(_ family: VendorFamily, _ purpose: Purpose, _ template: StaticString, mayLack: Bool = false) {
    self.family = family
    self.purpose = purpose
    self.template = template
    self.mayLack = mayLack
  }

  /// All settings of all families, each in the order in which they are sent. Position, status and error of the position
  /// come with each fix, and satellites once a second. What a save would make permanent comes before it; the baud rate
  /// comes last and is not saved, so that the receiver is found at its usual one.
  public static let all: InlineArray<30, VendorSetting> = [
    // GLL, RMC, VTG, GGA, GSA, GSV, and others.
    VendorSetting(.mediatek, .sentences, "PMTK314,0,1,0,1,1,~v,0,0,0,0,0,0,0,0,0,0,0,0,0"),
    // The time between fixes; PMTK220 is the time between reports. MT3333 has the latter alone.
    VendorSetting(.mediatek, .rate, "PMTK300,~p,0,0,0,0", mayLack: true),
    VendorSetting(.mediatek, .rate, "PMTK220,~p"),
    VendorSetting(.mediatek, .systems, "PMTK353,~g,~r,~e,0,~b"),
    VendorSetting(.mediatek, .speed, "PMTK251,115200"),

    // GGA, GLL, GSA, GSV, RMC, VTG, ZDA, antenna, and others.
    VendorSetting(.casic, .sentences, "PCAS03,1,0,1,~n,1,0,0,0,0,0,,,0,0"),
    VendorSetting(.casic, .rate, "PCAS02,~c"),
    VendorSetting(.casic, .systems, "PCAS04,~m"),
    VendorSetting(.casic, .save, "PCAS00"),
    VendorSetting(.casic, .speed, "PCAS01,5"),

    // 0 GGA, 1 GLL, 2 GSA, 3 GSV, 4 RMC, 5 VTG.
    VendorSetting(.airoha, .sentences, "PAIR062,0,1"),
    VendorSetting(.airoha, .sentences, "PAIR062,4,1"),
    VendorSetting(.airoha, .sentences, "PAIR062,2,1"),
    VendorSetting(.airoha, .sentences, "PAIR062,3,~n"),
    VendorSetting(.airoha, .sentences, "PAIR062,1,0"),
    VendorSetting(.airoha, .sentences, "PAIR062,5,0"),
    VendorSetting(.airoha, .rate, "PAIR050,~p"),
    VendorSetting(.airoha, .systems, "PAIR066,~g,~r,~e,~b,~q,0"),
    VendorSetting(.airoha, .save, "PAIR513"),
    VendorSetting(.airoha, .speed, "PAIR864,0,0,115200"),

    VendorSetting(.quectel, .sentences, "PQTMCFGMSGRATE,W,GGA,1"),
    VendorSetting(.quectel, .sentences, "PQTMCFGMSGRATE,W,RMC,1"),
    VendorSetting(.quectel, .sentences, "PQTMCFGMSGRATE,W,GSA,1"),
    VendorSetting(.quectel, .sentences, "PQTMCFGMSGRATE,W,GSV,~n"),
    VendorSetting(.quectel, .sentences, "PQTMCFGMSGRATE,W,GLL,0", mayLack: true),
    VendorSetting(.quectel, .sentences, "PQTMCFGMSGRATE,W,VTG,0", mayLack: true),
    VendorSetting(.quectel, .rate, "PQTMCFGFIXRATE,W,~c"),
    VendorSetting(.quectel, .systems, "PQTMCFGCNST,W,~g,~r,~e,~b,~q,0"),
    VendorSetting(.quectel, .save, "PQTMSAVEPAR"),
    VendorSetting(.quectel, .speed, "PQTMCFGUART,W,115200"),
  ]

  /// Questions to which a receiver of each family answers what it is. One of another maker ignores them.
  public static func writeQuestion(_ family: VendorFamily, to writer: inout ByteWriter) {
    var body = Body()
    switch family {
    case .mediatek: body.add("PMTK605")
    case .casic: body.add("PCAS06,1")
    case .airoha, .quectel: body.add("PQTMVERNO")
    }
    body.write(to: &writer)
  }

  /// True when the receiver answers whether it has taken the setting.
  public var isAnswered: Bool { family != .casic && purpose != .speed }

  /// True when it sets something: PCAS04 has no system besides GPS, BeiDou and GLONASS.
  public func applies(_ values: Values) -> Bool {
    family != .casic || purpose != .systems || values.casicMask != 0
  }

  /// True when a command in an answer is this one.
  public func isAnswer(_ command: UBXText) -> Bool {
    let text = command.text
    let own = template.utf8Bytes
    // Four letters are the protocol's.
    guard !text.isEmpty, own.count >= 4 + text.count else { return false }
    for index in 0..<text.count where own[4 + index] != text[index] { return false }
    return own.count == 4 + text.count || own[4 + text.count] == UInt8(ascii: ",")
  }

  /// Writes the sentence.
  public func write(_ values: Values, to writer: inout ByteWriter) {
    var body = Body()
    body.add(template, values)
    body.write(to: &writer)
  }

  /// Builds a sentence.
  private struct Body {
    private var storage = InlineArray<80, UInt8>(repeating: 0)
    private var count = 0

    /// Adds a text.
    mutating func add(_ text: StaticString) {
      let bytes = text.utf8Bytes
      for index in 0..<bytes.count { add(bytes[index]) }
    }

    /// Adds a text with values: `~p` milliseconds between fixes, `~c` the same in the steps of receivers that have few,
    /// `~n` fixes a second, `~v` the same up to 5, `~g` GPS, `~r` GLONASS, `~e` Galileo, `~b` BeiDou, `~q` QZSS as 1 or
    /// 0, `~m` the mask of PCAS04.
    mutating func add(_ template: StaticString, _ values: Values) {
      let bytes = template.utf8Bytes
      var index = 0
      while index < bytes.count {
        if bytes[index] == UInt8(ascii: "~"), index + 1 < bytes.count {
          add(value(bytes[index + 1], values))
          index += 2
        } else {
          add(bytes[index])
          index += 1
        }
      }
    }

    private func value(_ letter: UInt8, _ values: Values) -> UInt64 {
      switch letter {
      case UInt8(ascii: "p"): 1000 / UInt64(values.rate)
      case UInt8(ascii: "c"): values.steppedPeriod
      // PCAS03 has one digit.
      case UInt8(ascii: "n"): min(UInt64(values.rate), 9)
      // PMTK314 goes up to 5.
      case UInt8(ascii: "v"): min(UInt64(values.rate), 5)
      case UInt8(ascii: "g"): values.systems.contains(.gps) ? 1 : 0
      case UInt8(ascii: "r"): values.systems.contains(.glonass) ? 1 : 0
      case UInt8(ascii: "e"): values.systems.contains(.galileo) ? 1 : 0
      case UInt8(ascii: "b"): values.systems.contains(.beidou) ? 1 : 0
      case UInt8(ascii: "q"): values.systems.contains(.qzss) ? 1 : 0
      default: values.casicMask
      }
    }

    /// Adds a number of at most four digits.
    private mutating func add(_ value: UInt64) {
      var divisor: UInt64 = 1000
      while divisor > 1, value < divisor { divisor /= 10 }
      while divisor > 0 {
        add(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value / divisor % 10))
        divisor /= 10
      }
    }

    private mutating func add(_ byte: UInt8) {
      precondition(count < storage.count)
      storage[count] = byte
      count += 1
    }

    /// Writes `$`, the text, `*`, the checksum and the line end.
    func write(to writer: inout ByteWriter) {
      var sum: UInt8 = 0
      writer.byte(UInt8(ascii: "$"))
      for index in 0..<count {
        sum ^= storage[index]
        writer.byte(storage[index])
      }
      writer.byte(UInt8(ascii: "*"))
      writer.byte(Self.digit(sum >> 4))
      writer.byte(Self.digit(sum & 15))
      writer.byte(0x0D)
      writer.byte(0x0A)
    }

    private static func digit(_ value: UInt8) -> UInt8 {
      value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
  }
}
