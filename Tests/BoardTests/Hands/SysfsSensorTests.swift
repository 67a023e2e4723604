import Foundation
import Hands
import Runtime
import Testing

@testable import Board

@Suite("Sensors of sysfs") struct SysfsSensorTests {
  private let tree = ReadingsTree()

  private func sensor(_ text: String) throws -> SysfsSensor {
    SysfsSensor(try #require(SensorSource.parse(text).source), root: tree.root)
  }

  private func value(_ text: String) throws -> Double? {
    if case .value(let value) = try sensor(text).read() { return (value * 1000).rounded() / 1000 }
    return nil
  }

  private func failure(_ text: String) throws -> SensorFailure? {
    if case .failed(let failure) = try sensor(text).read() { return failure }
    return nil
  }

  private func text(_ found: InlineText<160>) -> String {
    found.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }

  private func addChip(_ number: Int, _ name: String, place: String, _ files: [String: String]) {
    let device = "/sys/devices/i2c-1/\(place)"
    tree.write("\(device)/modalias", "i2c:\(name)\n")
    tree.write("/sys/class/hwmon/hwmon\(number)/name", name + "\n")
    tree.link("/sys/class/hwmon/hwmon\(number)/device", to: device)
    for (file, text) in files { tree.write("/sys/class/hwmon/hwmon\(number)/\(file)", text + "\n") }
  }

  private func addIIO(_ number: Int, _ name: String, place: String = "1-0076", _ files: [String: String]) {
    let device = "/sys/devices/i2c-1/\(place)/iio:device\(number)"
    for (file, text) in files { tree.write("\(device)/\(file)", text + "\n") }
    tree.write("\(device)/name", name + "\n")
    tree.link("/sys/bus/iio/devices/iio:device\(number)", to: device)
  }

  @Test("a chip of hwmon is found by its name, and again when its number has changed")
  func hwmon() throws {
    addChip(0, "acpitz", place: "acpi", ["temp1_input": "30000"])
    addChip(3, "lm75", place: "0-0048", ["temp1_input": "23125"])
    let lm75 = try sensor("hwmon lm75 temp1")
    #expect(lm75.read() == .value(23.125))
    tree.write("/sys/class/hwmon/hwmon3/name", "other\n")
    addChip(4, "lm75", place: "0-0048", ["temp1_input": "-500"])
    #expect(lm75.read() == .value(-0.5))
    #expect(try value("hwmon acpitz temp1") == 30)
  }

  @Test("of two chips with a name the place decides, and its absence is told")
  func places() throws {
    addChip(0, "lm75", place: "0-0048", ["temp1_input": "1000"])
    addChip(1, "lm75", place: "0-0049", ["temp1_input": "2000"])
    #expect(try value("hwmon lm75@0-0049 temp1") == 2)
    let both = try #require(try failure("hwmon lm75 temp1"))
    #expect(both.kind == .ambiguous)
    #expect(text(both.found).contains("lm75@0-0048") && text(both.found).contains("lm75@0-0049"))
    #expect(try failure("hwmon lm75@0-004a temp1")?.kind == .noDevice)
  }

  @Test("a value is found by its label")
  func labels() throws {
    addChip(
      2, "coretemp", place: "c",
      ["temp1_label": "Package id 0", "temp1_input": "50000", "temp7_label": "Core 5", "temp7_input": "51500"])
    #expect(try value("hwmon coretemp temp Core 5") == 51.5)
    let absent = try #require(try failure("hwmon coretemp temp Core 9"))
    #expect(absent.kind == .noChannel && text(absent.found) == "Package id 0, Core 5")
  }

  @Test("volts, amperes, watts and percent of hwmon")
  func units() throws {
    addChip(
      0, "ina226", place: "1-0040",
      ["in1_input": "5020", "curr1_input": "-250", "power1_input": "1250000", "humidity1_input": "45500"])
    #expect(try value("hwmon ina226 in1") == 5.02)
    #expect(try value("hwmon ina226 curr1") == -0.25)
    #expect(try value("hwmon ina226 power1") == 1.25)
    #expect(try value("hwmon ina226 humidity1") == 45.5)
  }

  @Test("a chip that knows its sensor is broken, a value that is none, and a channel that it has not")
  func broken() throws {
    addChip(0, "max31", place: "x", ["temp1_input": "1", "temp1_fault": "1", "temp2_input": "n/a", "temp2_fault": "0"])
    #expect(try failure("hwmon max31 temp1")?.kind == .fault)
    #expect(try failure("hwmon max31 temp2")?.kind == .noNumber)
    let absent = try #require(try failure("hwmon max31 temp3"))
    #expect(absent.kind == .noChannel && text(absent.found).contains("temp1"))
  }

  @Test("a temperature below absolute zero is a broken sensor's, and one of a cold night is none")
  func belowZero() throws {
    for (index, type) in ["cpu-thermal", "no-thermal", "cold-thermal"].enumerated() {
      let folder = "/sys/class/thermal/thermal_zone\(index)"
      tree.write("\(folder)/type", type + "\n")
      tree.write("\(folder)/temp", ["48312\n", "-274000\n", "-40000\n"][index])
    }
    #expect(try value("thermal cpu-thermal") == 48.312)
    #expect(try failure("thermal no-thermal")?.kind == .fault)
    #expect(try value("thermal cold-thermal") == -40)
    addChip(0, "soc", place: "x", ["temp1_input": "-274000", "temp2_input": "-40000", "in1_input": "-274000"])
    #expect(try failure("hwmon soc temp1")?.kind == .fault)
    #expect(try value("hwmon soc temp2") == -40 && value("hwmon soc in1") == -274)
  }

  @Test("a chip that cannot tell whether its sensor is broken has a value still")
  func unreadableFault() throws {
    addChip(
      0, "max31", place: "x",
      ["temp1_input": "23000", "temp1_fault/x": "", "temp2_input": "1", "temp2_fault": "?"])
    #expect(try value("hwmon max31 temp1") == 23)
    #expect(try value("hwmon max31 temp2") == 0.001)
  }

  @Test("IIO: a processed value, and a raw one with offset and scale, its own or that of its type")
  func iio() throws {
    addIIO(0, "bmp280", ["in_temp_input": "25080", "in_pressure_input": "100.653267000"])
    #expect(try value("iio bmp280 temp") == 25.08)
    #expect(try value("iio bmp280 pressure") == 1006.533)
    addIIO(
      1, "si7020", place: "1-0040",
      [
        "in_temp_raw": "6000", "in_temp_offset": "-4368", "in_temp_scale": "10.725585937",
        "in_humidityrelative_raw": "4000", "in_humidityrelative_offset": "-786.432000000",
        "in_humidityrelative_scale": "7.629394531",
      ])
    #expect(try value("iio si7020 temp") == 17.504)
    #expect(try value("iio si7020 humidityrelative") == 24.518)
    addIIO(
      2, "ads1015", place: "1-0048",
      ["in_voltage0_raw": "1000", "in_voltage1_raw": "1000", "in_voltage_scale": "2", "in_voltage1_scale": "3"])
    #expect(try value("iio ads1015 voltage0") == 2)
    #expect(try value("iio ads1015 voltage1") == 3)
    addIIO(3, "scd30", place: "1-0061", ["in_concentration_co2_raw": "0.0415", "in_concentration_scale": "1"])
    #expect(try value("iio scd30 concentration_co2") == 415)
  }

  @Test("an IIO device by the label that the board's device tree gives it, and by its place")
  func iioNames() throws {
    addIIO(0, "bmp280", place: "1-0076", ["in_temp_input": "1000", "label": "outside"])
    addIIO(1, "bmp280", place: "1-0077", ["in_temp_input": "2000"])
    #expect(try value("iio outside temp") == 1)
    #expect(try value("iio bmp280@1-0077 temp") == 2)
    #expect(try failure("iio bmp280 temp")?.kind == .ambiguous)
    let absent = try #require(try failure("iio bme680 temp"))
    #expect(absent.kind == .noDevice && text(absent.found).contains("bmp280"))
  }

  @Test("1-Wire: the text with its checksum, and the number alone where there is no text")
  func oneWire() throws {
    let folder = "/sys/bus/w1/devices/28-0316a2795bff"
    let absent = try #require(try failure("onewire 28-0316a2795bff"))
    #expect(absent.kind == .noDevice && absent.found.isEmpty)
    tree.write("\(folder)/temperature", "21500\n")
    #expect(try value("onewire 28-0316a2795bff") == 21.5)
    tree.write(
      "\(folder)/w1_slave", "72 01 4b 46 7f ff 0e 10 57 : crc=57 YES\n72 01 4b 46 7f ff 0e 10 57 t=23125\n")
    #expect(try value("onewire 28-0316a2795bff") == 23.125)
    tree.write(
      "\(folder)/w1_slave", "72 01 4b 46 7f ff 0e 10 57 : crc=57 NO\n72 01 4b 46 7f ff 0e 10 57 t=23125\n")
    #expect(try failure("onewire 28-0316a2795bff")?.kind == .badChecksum)
    let other = try #require(try failure("onewire 28-000000000001"))
    #expect(text(other.found) == "28-0316a2795bff")
  }

  @Test("a thermal zone by its type")
  func thermal() throws {
    tree.write("/sys/class/thermal/thermal_zone0/type", "cpu-thermal\n")
    tree.write("/sys/class/thermal/thermal_zone0/temp", "48312\n")
    tree.write("/sys/class/thermal/cooling_device0/type", "gpu-thermal\n")
    #expect(try value("thermal cpu-thermal") == 48.312)
    let absent = try #require(try failure("thermal gpu-thermal"))
    #expect(text(absent.found) == "cpu-thermal")
  }

  @Test("a board without these interfaces has no such sensor")
  func nothing() throws {
    for source in ["hwmon lm75 temp1", "iio bmp280 temp", "onewire 28-0316a2795bff", "thermal cpu-thermal"] {
      #expect(try failure(source)?.kind == .noDevice)
    }
  }
}
