import Codec
import Hands
import Runtime

/// Keys of the kinds `sensor`, `serial` and `program`.
extension HandKeys {
  static let sensor: [HandKey] = [
    HandKey("from", [.sensor]) { settings, value in
      let (source, complaint) = SensorSource.parse(value)
      settings.sensor.source = source
      return source == nil ? complaint : nil
    },
    HandKey("label", [.sensor]) { ConfigurationKey.text($1, limit: 40, &$0.sensor.label) },
    HandKey("every", [.sensor]) { ConfigurationKey.seconds($1, Budget.sensorSeconds, &$0.sensor.every) },
    HandKey("window", [.sensor]) { ConfigurationKey.number($1, Budget.sensorWindowRange, &$0.sensor.windowMinutes) },
    HandKey("above", [.sensor]) { limit($1, &$0.sensor.above) },
    HandKey("below", [.sensor]) { limit($1, &$0.sensor.below) },
    HandKey("hysteresis", [.sensor]) { decimal($1, 0...1_000_000, &$0.sensor.hysteresis) },
    HandKey("scale", [.sensor]) { decimal($1, -1_000_000...1_000_000, &$0.sensor.scale) },
    HandKey("offset", [.sensor]) { decimal($1, -1_000_000...1_000_000, &$0.sensor.offset) },
    HandKey("unit", [.sensor]) { ConfigurationKey.text($1, limit: Budget.handWordBytes, &$0.sensor.unit) },
  ]

  static let serial: [HandKey] = [
    HandKey("device", [.serial]) { ConfigurationKey.path($1, &$0.serial.device) },
    HandKey("baud", [.serial]) { settings, value in
      let speeds: [UInt32] = [1200, 2400, 4800, 9600, 19_200, 38_400, 57_600, 115_200, 230_400, 460_800, 921_600]
      return ConfigurationKey.choice(value, speeds.map { ("\($0)", $0) }, &settings.serial.baud)
    },
    HandKey("framing", [.serial]) { settings, value in
      guard let framing = SerialFraming(value.utf8.span) else { return "must be 8N1, 8E1, 8O1, 8N2, 7E1 or the like" }
      settings.serial.framing = framing
      return nil
    },
    HandKey("protocol", [.serial]) {
      ConfigurationKey.choice($1, [("text", .text), ("modbus", .modbus)], &$0.serial.language)
    },
    HandKey("timeout", [.serial]) { ConfigurationKey.number($1, Budget.serialTimeoutRange, &$0.serial.timeout) },
    HandKey("request", [.serial]) { text($0) ?? bytes($1, &$0.serial.request) },
    HandKey("allow", [.serial]) { settings, value in
      if let complaint = text(settings) { return complaint }
      guard let pattern = TextPattern(value.utf8.span) else {
        return "must be a pattern of at most \(Budget.patternItems) characters and sets, such as SET [0-9]{1,3}|GET"
      }
      settings.serial.allowed = pattern
      settings.serial.allowedText = value
      return nil
    },
    HandKey("prefix", [.serial]) { text($0) ?? bytes($1, &$0.serial.prefix) },
    HandKey("terminator", [.serial]) { text($0) ?? bytes($1, &$0.serial.terminator) },
    HandKey("answer_end", [.serial]) { text($0) ?? bytes($1, &$0.serial.answerEnd) },
    HandKey("address", [.serial]) { modbus($0) ?? ConfigurationKey.number($1, 1...247, &$0.serial.address) },
  ]

  static let program: [HandKey] = [
    HandKey("run", [.program]) { settings, value in
      let (template, complaint) = ProgramTemplate.parse(value)
      settings.program.template = template
      return template == nil ? complaint : nil
    },
    HandKey("time_limit", [.program]) {
      ConfigurationKey.seconds($1, Budget.programSeconds, &$0.program.timeout)
    },
    HandKey("user", [.program]) { ConfigurationKey.text($1, limit: 32, &$0.program.user) },
  ]

  /// The key `register NAME`, whose second word is the register's name.
  static let registerPrefix = "register "

  static func addRegister(_ key: String, _ value: String, _ settings: inout HandSettings) -> String? {
    if settings.kind != .serial { return "is a key of kind serial" }
    if let complaint = modbus(settings) { return complaint }
    guard settings.serial.registers.count < Budget.modbusRegisters else {
      return "there may be at most \(Budget.modbusRegisters) registers"
    }
    let name = ConfigurationKey.trimmed(Array(key.utf8.dropFirst(registerPrefix.utf8.count))[...])
    let (register, complaint) = ModbusRegister.parse(name: name, value)
    guard let register else { return complaint }
    settings.serial.registers.append(register)
    return nil
  }

  // MARK: Types of values

  private static func text(_ settings: HandSettings) -> String? {
    settings.serial.language == .text ? nil : "is a key of lines of text, not of protocol = modbus"
  }

  private static func modbus(_ settings: HandSettings) -> String? {
    settings.serial.language == .modbus ? nil : "is a key of Modbus: protocol = modbus must stand above it"
  }

  private static func limit(_ value: String, _ target: inout Double?) -> String? {
    var number = 0.0
    let complaint = decimal(value, -1_000_000...1_000_000, &number)
    if complaint == nil { target = number }
    return complaint
  }

  /// Text with escapes for what no line can hold.
  private static func bytes(_ value: String, _ target: inout [UInt8]) -> String? {
    guard let bytes = EscapedText.bytes(value, limit: 64) else {
      return "must be none, or at most 64 bytes of text with \\r, \\n, \\t, \\0, \\\\ and \\x1b for what has no sign"
    }
    target = bytes
    return nil
  }

  // MARK: What makes sense together

  static func sensorComplaint(_ sensor: SensorSettings) -> (key: String, reason: String)? {
    if sensor.source == nil {
      return ("from", "is missing: which sensor? Example: from = hwmon lm75 temp1")
    }
    if let above = sensor.above, let below = sensor.below, below >= above { return ("below", "is not below above") }
    if Int64(sensor.windowMinutes) * 60_000 < sensor.every { return ("window", "is shorter than every") }
    return nil
  }

  static func serialComplaint(_ hands: [HandSettings], _ index: Int, port: String) -> (key: String, reason: String)? {
    let serial = hands[index].serial
    if serial.device.isEmpty { return ("device", "is missing: which line? Example: device = /dev/ttyUSB0") }
    if serial.device == port { return ("device", "is the port of [location] already") }
    for other in hands[..<index] where other.kind == .serial && other.serial.device == serial.device {
      if !other.serial.isSameLine(as: serial) {
        return ("device", "is the line of [tool \(other.name)], with another baud or framing")
      }
    }
    if serial.language == .modbus {
      if serial.address == 0 { return ("address", "is missing: the device's address on the line, from 1 to 247") }
      if serial.registers.isEmpty {
        return (
          "register",
          "is missing: what does it measure? Example: register flow = holding 0x0010 u16 scale 0.1 unit l/min"
        )
      }
      return nil
    }
    if serial.allowed != nil, !serial.request.isEmpty { return ("allow", "makes no sense with request") }
    if serial.allowed == nil, serial.request.isEmpty {
      return ("request", "is missing: what is sent? Example: request = MEAS?; or allow, for what the agent may send")
    }
    return nil
  }

  static func programComplaint(_ program: ProgramSettings) -> (key: String, reason: String)? {
    program.template == nil
      ? ("run", "is missing: which program? Example: run = /usr/local/bin/valve {zone number 1..8}") : nil
  }
}
