import Camera
import Runtime
import Testing

@testable import talon

/// `[camera]` and `[camera NAME]`.
@Suite struct CameraConfigurationTests {
  private func parse(_ text: String) throws -> Configuration {
    try ConfigurationFile.parse(Array(text.utf8), file: "f")
  }

  private func complaint(_ text: String) -> String? {
    do {
      let folder = TemporaryFolder()
      _ = try ConfigurationFile.read(folder.put("talon.conf", "[gateway]\nurl = wss://a\n" + text))
      return nil
    } catch {
      return (error.key.map { "\($0): " } ?? "") + error.reason
    }
  }

  @Test("cameras have settings of their own, by name; the others share theirs")
  func several() throws {
    let configuration = try parse(
      """
      [camera door]
      device = usb-0000:01:00.0-1.2
      facing = front
      rotation = 90
      [camera]
      power_line = 50
      [camera yard]
      device = /dev/video2
      flip = vertical
      exposure = 300
      white_balance = auto
      controls = sharpness 3, brightness -10
      sensor = imx219
      bayer_order = gbrg
      """)
    let cameraSettings = configuration.cameraSettings
    #expect(cameraSettings.count == 2)
    let door = cameraSettings.settings(
      for: CameraEntry(
        id: CameraText(cutting: "/dev/video9"), name: CameraText(), bus: CameraText(cutting: "usb-0000:01:00.0-1.2")))
    #expect(door.name == CameraText(cutting: "door") && door.position == .front)
    #expect(door.orientation == Orientation(quarters: 1) && door.controls.powerLine == nil)
    let yard = cameraSettings.settings(for: CameraEntry(id: CameraText(cutting: "/dev/video2"), name: CameraText()))
    #expect(yard.orientation == Orientation(isFlipped: true) && yard.sensor == .imx219)
    #expect(yard.bayerOrder == .gbrg && door.bayerOrder == nil)
    #expect(yard.controls.exposure == .value(300) && yard.controls.whiteBalance == .automatic)
    #expect(yard.controls.namedCount == 2 && yard.controls.named[1].value == -10)
    let other = cameraSettings.settings(for: CameraEntry(id: CameraText(cutting: "/dev/video0"), name: CameraText()))
    #expect(other.controls.powerLine == .hertz50 && other.name.isEmpty)
  }

  @Test("flip and rotation count together, whichever stands first")
  func orientation() throws {
    let first = try parse("[camera]\nflip = horizontal\nrotation = 270")
    let second = try parse("[camera]\nrotation = 270\nflip = horizontal")
    let expected = Orientation(quarters: 3, isMirrored: true)
    #expect(first.cameraSettings.others.orientation == expected && second.cameraSettings.others.orientation == expected)
  }

  @Test(
    "what makes no sense is refused by name",
    arguments: [
      ("[camera a b]", "[camera a b]: a camera's name has letters, digits, - and _, at most 64"),
      ("[camera \(String(repeating: "x", count: 65))]", "a camera's name has letters, digits, - and _, at most 64"),
      ("[camera a]\ndevice = x\n[camera a]", "[camera a]: appears twice"),
      ("[camera a]\nfacing = back", "[camera a] device: is missing: where is it plugged in? talon camera list tells"),
      ("[camera a]\ndelay = 5", "[camera a] delay: unknown key; [camera] has a key of that name"),
      ("[camera]\ndevice = x", "[camera] device: unknown key; each camera has one in a [camera NAME] of its own"),
      ((0...8).map { "[camera c\($0)]\ndevice = d\($0)\n" }.joined(), "[camera c8]: there may be at most 8 cameras"),
      ("[camera]\nindicator = required", "[camera] indicator_led: is missing: which light? ls /sys/class/leds tells"),
    ])
  func refused(text: String, reason: String) {
    #expect(complaint(text)?.hasSuffix(reason) == true, "\(complaint(text) ?? "taken")")
  }
}
