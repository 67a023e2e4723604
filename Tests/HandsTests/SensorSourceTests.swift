import Codec
import Runtime
import Testing

@testable import Hands

@Suite("Which sensor a configuration names") struct SensorSourceTests {
  @Test("a channel tells what is measured, and the kernel's unit")
  func channels() throws {
    let pressure = try #require(SensorSource.parse("iio bmp280 pressure").source)
    #expect(pressure.quantity == .pressure && pressure.factor == 10)
    let gas = try #require(SensorSource.parse("iio scd30 concentration_co2").source)
    #expect(gas.quantity == .concentration && gas.channel == "concentration_co2")
    #expect(SensorSource.parse("iio ads1015 voltage0").source?.quantity == .voltage)
    #expect(SensorSource.parse("hwmon sht3x humidity1").source?.quantity == .humidity)
    #expect(SensorSource.parse("hwmon ina226 power1").source?.factor == 0.000_001)
    #expect(SensorSource.parse("thermal cpu-thermal").source?.interface == .thermal)
  }

  @Test("one of several has its place, one value its label")
  func places() throws {
    let chip = try #require(SensorSource.parse("hwmon lm75@0-0048 temp1").source)
    #expect(chip.device == "lm75" && chip.place == "0-0048" && chip.label.isEmpty)
    let core = try #require(SensorSource.parse("hwmon coretemp temp Package id 0").source)
    #expect(core.label == "Package id 0" && core.channel == "temp")
  }

  @Test("what the kernel refuses is told about the sensor, with a step that fits its bus")
  func refusals() throws {
    func sentence(_ text: String, _ reason: Errno) throws -> String {
      let source = try #require(SensorSource.parse(text).source)
      let bytes = [UInt8](unsafeUninitializedCapacity: 512) { buffer, count in
        var writer = ByteWriter(into: buffer)
        SensorFailure(.system(reason)).write(source, to: &writer)
        count = min(writer.count, 512)
      }
      return String(decoding: bytes, as: UTF8.self)
    }
    for number: Int32 in 1...133 {
      let reason = Errno(number)
      let trouble = DeviceTrouble(reason, of: .chip)
      #expect(
        try sentence("hwmon lm75@0-0048 temp1", reason)
          == "lm75@0-0048 gives no value: \(trouble.text); \(trouble.step)")
      for text in ["onewire 28-0316a2795bff", "thermal cpu-thermal"] {
        let told = try sentence(text, reason)
        #expect(told.contains(" gives no value: \(trouble.text); "))
        #expect(!told.contains("i2c") || reason == .accessDenied || reason == .notPermitted, "\(told)")
      }
    }
    #expect(try sentence("onewire 28-0316a2795bff", .inputOutput).hasSuffix("its pull-up resistor"))
  }

  @Test("a thermometer of the bus has a family that is one, and twelve digits")
  func oneWire() {
    #expect(SensorSource.parse("onewire 28-0316a2795bff").source?.device == "28-0316a2795bff")
    for wrong in ["28-0316A2795BFF", "01-0316a2795bff", "28-0316a2795bf", "28-0316a2795bff temp1", "../../../etc/x"] {
      #expect(SensorSource.parse("onewire " + wrong).complaint.contains("for example 28-0316a2795bff"))
    }
  }

  @Test(
    "what names no sensor is refused",
    arguments: [
      "", "iio", "iio bmp280", "usb x y", "iio bmp280 accel_x", "hwmon lm75 temp", "hwmon lm75 fan1", "iio ../x temp",
      "iio a/b temp", "iio lm75@a@b temp", "iio x temp some label", "thermal", "thermal a b", "hwmon x temperature1",
    ])
  func wrong(text: String) {
    let (source, complaint) = SensorSource.parse(text)
    #expect(source == nil && !complaint.isEmpty)
  }
}

@Suite("What sensors say in files") struct SensorTextTests {
  private static let good = "72 01 4b 46 7f ff 0e 10 57 : crc=57 YES\n72 01 4b 46 7f ff 0e 10 57 t=23125\n"

  @Test("numbers of attributes, with and without a unit")
  func numbers() {
    #expect(SensorTexts.number("23125\n".utf8.span) == 23125)
    #expect(SensorTexts.number("-0.062500\n".utf8.span) == -0.0625)
    #expect(SensorTexts.number("0.001 dB\n".utf8.span) == 0.001)
    for wrong in ["", "\n", "abc", "nan", "1e999", "12x"] { #expect(SensorTexts.number(wrong.utf8.span) == nil) }
  }

  @Test("a 1-Wire thermometer's degrees, above and below zero")
  func oneWire() {
    #expect(SensorTexts.oneWire(Self.good.utf8.span) == .value(23125))
    let cold = "5e ff 4b 46 7f ff 02 10 11 : crc=11 YES\n5e ff 4b 46 7f ff 02 10 11 t=-10125\n"
    #expect(SensorTexts.oneWire(cold.utf8.span) == .value(-10125))
  }

  @Test("a wrong checksum, a bus of zeros, and a sensor that has not measured are no degrees")
  func failures() {
    let noise = Self.good.replacing("YES", with: "NO")
    #expect(SensorTexts.oneWire(noise.utf8.span) == .badChecksum)
    let zeros = "00 00 00 00 00 00 00 00 00 : crc=00 YES\n00 00 00 00 00 00 00 00 00 t=0\n"
    #expect(SensorTexts.oneWire(zeros.utf8.span) == .badChecksum)
    let powerOn = "50 05 4b 46 7f ff 0c 10 1c : crc=1c YES\n50 05 4b 46 7f ff 0c 10 1c t=85000\n"
    #expect(SensorTexts.oneWire(powerOn.utf8.span) == .powerOn)
    // Water that boils at altitude: measured.
    let hot = "50 05 4b 46 7f ff 10 10 8a : crc=8a YES\n50 05 4b 46 7f ff 10 10 8a t=85000\n"
    #expect(SensorTexts.oneWire(hot.utf8.span) == .value(85000))
    for wrong in ["", "72 01", "zz 01 4b 46 7f ff 0e 10 57 : crc=57 YES\n t=1", String(Self.good.prefix(60))] {
      #expect(SensorTexts.oneWire(wrong.utf8.span) == .unreadable)
    }
  }
}

@Suite("A sensor's window") struct SensorWindowTests {
  @Test("has the minimum, maximum and mean of what it covers")
  func summary() {
    var window = SensorWindow(milliseconds: 3_600_000)
    #expect(window.summary(at: 0) == nil)
    for minute in 0..<60 { window.add(Double(minute % 10), at: Int64(minute) * 60_000) }
    #expect(window.summary(at: 3_599_999) == .init(minimum: 0, maximum: 9, mean: 4.5, count: 60))
  }

  @Test("forgets what is older, piece by piece, and everything after a long time")
  func forgets() {
    var window = SensorWindow(milliseconds: 60_000)
    window.add(100, at: 0)
    for second in 1..<60 { window.add(1, at: Int64(second) * 1000) }
    #expect(window.summary(at: 59_999)?.maximum == 100)
    #expect(window.summary(at: 60_000)?.maximum == 1)
    #expect(window.summary(at: 10_000_000) == nil)
    window.add(7, at: 10_000_000)
    #expect(window.summary(at: 10_000_000) == .init(minimum: 7, maximum: 7, mean: 7, count: 1))
  }
}

@Suite("A sensor's alarm") struct SensorAlarmTests {
  @Test("tells once above the limit, and once when it is well below again")
  func hysteresis() {
    var alarm = SensorAlarm(above: 30, below: nil, hysteresis: 1, pause: 0)
    #expect(alarm.take(30, at: 0) == nil)
    #expect(alarm.take(30.1, at: 1) == .above(limit: 30))
    #expect(alarm.take(29.5, at: 2) == nil)
    #expect(alarm.isRaised)
    #expect(alarm.take(31, at: 3) == nil)
    #expect(alarm.take(28.9, at: 4) == .back)
    #expect(!alarm.isRaised)
    #expect(alarm.take(29.9, at: 5) == nil)
  }

  @Test("tells of the other limit without being back in between")
  func both() {
    var alarm = SensorAlarm(above: 30, below: 2, hysteresis: 0.5, pause: 0)
    #expect(alarm.take(1, at: 0) == .below(limit: 2))
    #expect(alarm.take(40, at: 1) == .above(limit: 30))
    #expect(alarm.take(2.2, at: 2) == .back)
  }

  @Test("a swinging value tells no more often than the pause allows, and then how it is")
  func pause() {
    var alarm = SensorAlarm(above: 30, below: nil, hysteresis: 0, pause: 300_000)
    #expect(alarm.take(31, at: 0) == .above(limit: 30))
    var told = 0
    for second in 1..<300 where alarm.take(second % 2 == 0 ? 31 : 29, at: Int64(second) * 1000) != nil { told += 1 }
    #expect(told == 0)
    #expect(alarm.take(29, at: 300_000) == .back)
  }
}
