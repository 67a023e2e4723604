import Foundation
import Testing

@testable import Board

@Suite("The light around the board")
struct AmbientLightTests {
  private let tree = ReadingsTree()

  init() { add(0, ["in_accel_x_raw": "12\n"]) }

  private func add(_ device: Int, _ values: [String: String]) {
    for (name, value) in values { tree.write("/sys/bus/iio/devices/iio:device\(device)/\(name)", value) }
  }

  @Test("a sensor that tells lux is read as it is, and one that tells its own numbers by its offset and scale")
  func values() throws {
    let sensor = AmbientLightSensor(root: tree.root)
    #expect(sensor.illuminance() == nil)
    add(1, ["in_illuminance_input": "12.5\n"])
    #expect(sensor.illuminance() == 12.5)
    try FileManager.default.removeItem(atPath: tree.root + "/sys/bus/iio/devices/iio:device1")
    #expect(sensor.illuminance() == nil)
    add(2, ["in_illuminance0_raw": "100\n", "in_illuminance0_offset": "-20", "in_illuminance0_scale": "0.5"])
    #expect(sensor.illuminance() == 40)
  }

  @Test("what is no number is no light", arguments: ["", "dark", "nan", "1e999"])
  func odd(text: String) {
    add(1, ["in_illuminance_input": text])
    #expect(AmbientLightSensor(root: tree.root).illuminance() == nil)
  }
}
