import Hands
import Runtime
import Testing

@testable import talon

/// `[tool NAME]` of the kinds sensor, serial and program.
@Suite struct HandDeviceConfigurationTests {
  private func parse(_ text: String) throws -> Configuration { try HandConfiguration.parse(text) }

  private func complaint(_ text: String) -> String? { HandConfiguration.complaint(text) }

  private static let sensor = "[tool a]\nkind = sensor\nfrom = hwmon lm75 temp1\n"
  private static let text = "[tool a]\nkind = serial\ndevice = /dev/ttyUSB0\n"
  private static let modbus = "[tool a]\nkind = serial\ndevice = /dev/ttyUSB0\nprotocol = modbus\naddress = 1\n"

  @Test("sections of these kinds are read")
  func several() throws {
    let configuration = try parse(
      #"""
      [tool greenhouse]
      kind = sensor
      label = The greenhouse
      from = hwmon lm75@1-0048 temp1
      every = 30
      window = 1440
      above = 30
      below = -2.5
      hysteresis = 1
      scale = 1.8
      offset = 32
      unit = °F
      [tool pump]
      kind = serial
      device = /dev/ttyUSB0
      baud = 19200
      framing = 8E1
      protocol = modbus
      timeout = 200
      address = 7
      register flow = holding 0x0010 u16 scale 0.1 unit l/min
      register target = holding 21 i16 writable 5..30
      [tool other]
      kind = serial
      device = /dev/ttyUSB0
      baud = 19200
      framing = 8E1
      protocol = modbus
      address = 8
      register flow = input 0 u16
      [tool meter]
      kind = serial
      device = /dev/ttyUSB1
      allow = MEAS\?|VOLT [0-9]{1,2}
      prefix = \x02
      terminator = \r
      answer_end = none
      [tool valve]
      kind = program
      run = /usr/local/bin/valve {zone number 1..8}
      time_limit = 20
      user = valves
      """#)
    let hands = configuration.hands
    let sensor = hands[0].sensor
    #expect(sensor.source?.place == "1-0048" && sensor.label == "The greenhouse" && sensor.every == 30_000)
    #expect(sensor.windowMinutes == 1440 && sensor.above == 30 && sensor.below == -2.5 && sensor.unitText == "°F")
    let pump = hands[1].serial
    #expect(pump.baud == 19_200 && pump.framing.parity == .even && pump.address == 7 && pump.timeout == 200)
    #expect(pump.registers.count == 2 && pump.registers[0].scale == 0.1 && pump.registers[1].writable == 5...30)
    let meter = hands[3].serial
    #expect(meter.allowed != nil && meter.prefix == [2] && meter.terminator == [13] && meter.answerEnd == [])
    let program = hands[4].program
    #expect(program.template?.path == "/usr/local/bin/valve" && program.timeout == 20_000 && program.user == "valves")
  }

  /// What is wrong, and what is said of it, with file and line.
  static let mistakes: [(String, String)] = [
    (
      "[tool a]\nkind = sensor",
      "f:1: [tool a] from: is missing: which sensor? Example: from = hwmon lm75 temp1"
    ),
    (
      "[tool a]\nkind = sensor\nfrom = lm75",
      "f:3: [tool a] from: must be iio DEVICE CHANNEL, hwmon CHIP VALUE, onewire NUMBER or thermal ZONE; "
        + "for example: hwmon lm75 temp1"
    ),
    ("\(sensor)every = 0", "f:4: [tool a] every: must be a whole number from 1 to 86400"),
    ("\(sensor)window = 10081", "f:4: [tool a] window: must be a whole number from 1 to 10080"),
    ("\(sensor)window = 1\nevery = 61", "f:1: [tool a] window: is shorter than every"),
    ("\(sensor)above = hot", "f:4: [tool a] above: must be a number from -1000000 to 1000000"),
    ("\(sensor)above = 1\nbelow = 1", "f:1: [tool a] below: is not below above"),
    ("\(sensor)hysteresis = -1", "f:4: [tool a] hysteresis: must be a number from 0 to 1000000"),
    ("\(sensor)label = \(String(repeating: "x", count: 41))", "f:4: [tool a] label: must have at most 40 bytes"),
    (
      "[tool a]\nkind = serial",
      "f:1: [tool a] device: is missing: which line? Example: device = /dev/ttyUSB0"
    ),
    (
      "\(text)baud = 9601",
      "f:4: [tool a] baud: must be one of 1200, 2400, 4800, 9600, 19200, 38400, 57600, 115200, 230400, 460800, 921600"
    ),
    ("\(text)framing = 9N1", "f:4: [tool a] framing: must be 8N1, 8E1, 8O1, 8N2, 7E1 or the like"),
    ("\(text)protocol = can", "f:4: [tool a] protocol: must be one of text, modbus"),
    ("\(text)timeout = 19", "f:4: [tool a] timeout: must be a whole number from 20 to 20000"),
    (
      text,
      "f:1: [tool a] request: is missing: what is sent? Example: request = MEAS?; or allow, for what the agent may send"
    ),
    ("\(text)request = x\nallow = y", "f:1: [tool a] allow: makes no sense with request"),
    (
      "\(text)allow = (a)",
      "f:4: [tool a] allow: must be a pattern of at most 32 characters and sets, such as SET [0-9]{1,3}|GET"
    ),
    (
      "\(text)request = \\q",
      "f:4: [tool a] request: must be none, or at most 64 bytes of text with \\r, \\n, \\t, \\0, \\\\ and \\x1b "
        + "for what has no sign"
    ),
    ("\(text)address = 1", "f:4: [tool a] address: is a key of Modbus: protocol = modbus must stand above it"),
    (
      "\(text)register x = coil 1",
      "f:4: [tool a] register x: is a key of Modbus: protocol = modbus must stand above it"
    ),
    ("\(modbus)prefix = x", "f:6: [tool a] prefix: is a key of lines of text, not of protocol = modbus"),
    ("\(modbus)address = 2", "f:6: [tool a] address: appears twice"),
    (
      "[tool a]\nkind = serial\ndevice = /dev/ttyUSB0\nprotocol = modbus\naddress = 248",
      "f:5: [tool a] address: must be a whole number from 1 to 247"
    ),
    (
      "[tool a]\nkind = serial\ndevice = /dev/ttyUSB0\nprotocol = modbus\nregister x = coil 1",
      "f:1: [tool a] address: is missing: the device's address on the line, from 1 to 247"
    ),
    (
      modbus,
      "f:1: [tool a] register: is missing: what does it measure? "
        + "Example: register flow = holding 0x0010 u16 scale 0.1 unit l/min"
    ),
    (
      "\(modbus)register Flow = coil 1",
      "f:6: [tool a] register Flow: must have a name of small letters, digits and _, at most 32"
    ),
    ("\(modbus)register x = coil 70000", "f:6: [tool a] register x: 70000 is no address from 0 to 65535"),
    (
      modbus + (0...16).map { "register r\($0) = coil \($0)\n" }.joined(),
      "f:22: [tool a] register r16: there may be at most 16 registers"
    ),
    (
      "\(modbus)register x = coil 1\n[tool b]\nkind = serial\ndevice = /dev/ttyUSB0\nbaud = 1200\nrequest = x",
      "f:7: [tool b] device: is the line of [tool a], with another baud or framing"
    ),
    (
      "[location]\ndriver = serial\nport = /dev/ttyUSB0\n\(text)request = x",
      "f:4: [tool a] device: is the port of [location] already"
    ),
    (
      "[tool a]\nkind = program",
      "f:1: [tool a] run: is missing: which program? Example: run = /usr/local/bin/valve {zone number 1..8}"
    ),
    (
      "[tool a]\nkind = program\nrun = valve",
      "f:3: [tool a] run: must be an absolute path and words, with places such as {number 0..100}"
    ),
    (
      "[tool a]\nkind = program\nrun = /bin/x {a thing}",
      "f:3: [tool a] run: {a thing} must be {NAME number 0..100}, {NAME choice WORD...} or {NAME text 40 [a-z0-9 ]}"
    ),
    (
      "[tool a]\nkind = program\nrun = /bin/x\ntime_limit = 101",
      "f:4: [tool a] time_limit: must be a whole number from 1 to 100"
    ),
    ("[tool a]\nkind = program\nregister x = coil 1", "f:3: [tool a] register x: is a key of kind serial"),
  ]

  @Test("what is wrong is told with its file, line and key", arguments: mistakes)
  func refused(text: String, says: String) { #expect(complaint(text) == says) }
}
