import Codec
import Device
import Foundation
import Hands
import Testing

@testable import talon

/// What doctor says on boards that lack something: the tables of docs/owners/boards.md.
@Suite struct BoardLimitsTests {
  // MARK: Models

  @Test(
    "every Raspberry Pi of the table is known by its device tree",
    arguments: [
      ("Raspberry Pi Model A Rev 2", .unicam, true), ("Raspberry Pi Model A Plus Rev 1.1", .unicam, true),
      ("Raspberry Pi Model B Rev 2", .unicam, true), ("Raspberry Pi Model B Plus Rev 1.2", .unicam, true),
      ("Raspberry Pi Zero Rev 1.3", .unicam, true), ("Raspberry Pi Zero W Rev 1.1", .unicam, true),
      ("Raspberry Pi Zero 2 W Rev 1.0", .unicam, true), ("Raspberry Pi 2 Model B Rev 1.1", .unicam, true),
      ("Raspberry Pi 3 Model B Rev 1.2", .unicam, true), ("Raspberry Pi 3 Model B Plus Rev 1.3", .unicam, true),
      ("Raspberry Pi 3 Model A Plus Rev 1.0", .unicam, true), ("Raspberry Pi 4 Model B Rev 1.4", .unicam, true),
      ("Raspberry Pi 400 Rev 1.0", .unicam, false), ("Raspberry Pi Compute Module Rev 1.0", .unicam, true),
      ("Raspberry Pi Compute Module 3 Plus Rev 1.0", .unicam, true),
      ("Raspberry Pi Compute Module 4 Rev 1.1", .unicam, true),
      ("Raspberry Pi Compute Module 4S Rev 1.0", .unicam, true), ("Raspberry Pi 5 Model B Rev 1.0", .libcamera, true),
      ("Raspberry Pi 500 Rev 1.0", .libcamera, false), ("Raspberry Pi Compute Module 5 Rev 1.0", .libcamera, true),
      ("Raspberry Pi Compute Module 5 Lite Rev 1.0", .libcamera, true), ("Radxa ROCK Pi 4B", .other, true),
      ("Orange Pi Zero", .other, true), ("", .other, true),
    ] as [(String, BoardLimits.Family, Bool)])
  func model(_ model: String, _ family: BoardLimits.Family, _ hasConnector: Bool) {
    let limits = BoardLimits(model: model)
    #expect(limits.family == family && limits.hasCameraConnector == hasConnector)
  }

  // MARK: Cameras

  private func camera(
    _ model: String, sensor: String = "", unicam: BoardLimits.Driver = .unknown, isCardImage: Bool = false
  ) -> Finding {
    var limits = BoardLimits(model: model)
    (limits.sensor, limits.unicam, limits.isCardImage) = (sensor, unicam, isCardImage)
    return limits.finding(.camera, .warning, "no camera found")
  }

  @Test("a Camera Module without pictures is named, with the reason and the page")
  func modules() {
    let rows: [(String, BoardLimits.Driver, Bool, reason: String, remedy: String)] = [
      ("Raspberry Pi 5 Model B Rev 1.0", .absent, false, "without libcamera", "v4l2loopback"),
      ("Raspberry Pi 5 Model B Rev 1.0", .present, false, "without libcamera", "v4l2loopback"),
      ("Raspberry Pi Compute Module 5 Rev 1.0", .unknown, false, "without libcamera", "v4l2loopback"),
      ("Raspberry Pi 4 Model B Rev 1.4", .absent, false, "this kernel has no unicam", "Raspberry Pi OS"),
      ("Raspberry Pi 4 Model B Rev 1.4", .unknown, true, "this kernel has no unicam", "Raspberry Pi OS"),
      ("Raspberry Pi 4 Model B Rev 1.4", .present, false, "has no video device", "dtoverlay=imx708"),
      ("Raspberry Pi 4 Model B Rev 1.4", .unknown, false, "has no video device", "dtoverlay=imx708"),
      ("Radxa ROCK Pi 4B", .absent, false, "has no video device", "USB camera"),
    ]
    for (model, unicam, isCardImage, reason, remedy) in rows {
      let finding = camera(model, sensor: "imx708", unicam: unicam, isCardImage: isCardImage)
      #expect(finding.grade == .warning && finding.text.hasPrefix("no camera found: its Camera Module (imx708)"))
      #expect(finding.text.contains(reason) && finding.remedy.contains(remedy), "\(model)")
      #expect(finding.remedy.contains("docs/owners/boards.md"))
    }
  }

  @Test("without a camera, what the board would need for a Camera Module is said beside the usual advice")
  func noCamera() {
    let rows: [(String, BoardLimits.Driver, Bool, String)] = [
      ("Raspberry Pi 5 Model B Rev 1.0", .absent, false, "needs libcamera"),
      ("Raspberry Pi 500 Rev 1.0", .absent, false, "no connector for a Camera Module"),
      ("Raspberry Pi 400 Rev 1.0", .present, false, "no connector for a Camera Module"),
      ("Raspberry Pi 3 Model B Rev 1.2", .absent, false, "has no unicam"),
      ("Raspberry Pi Zero 2 W Rev 1.0", .unknown, true, "has no unicam"),
      ("Raspberry Pi Zero W Rev 1.1", .present, false, "overlay of its sensor"),
    ]
    for (model, unicam, isCardImage, remedy) in rows {
      let finding = camera(model, unicam: unicam, isCardImage: isCardImage)
      #expect(finding.text == "no camera found" && finding.remedy.hasPrefix(CheckedDevice.camera.remedy))
      #expect(finding.remedy.contains(remedy) && finding.remedy.contains("docs/owners/boards.md"), "\(model)")
    }
    #expect(camera("Radxa ROCK Pi 4B").remedy == CheckedDevice.camera.remedy)
  }

  @Test(
    "a video device of the camera connector is no camera where libcamera is needed",
    arguments: [
      ("platform:1f00110000.csi", false), ("platform:v4l2loopback-042", true), ("usb-xhci-hcd.0-1", true), ("", true),
    ])
  func connector(_ bus: String, _ givesPictures: Bool) {
    let newer = BoardLimits(model: "Raspberry Pi 5 Model B Rev 1.0").givesPictures(bus: bus.utf8.span)
    let older = BoardLimits(model: "Raspberry Pi 4 Model B Rev 1.4").givesPictures(bus: bus.utf8.span)
    #expect(newer == givesPictures && older)
  }

  // MARK: Other devices

  @Test("what is off in the kernel or needs an overlay is said, where the board is the reason alone")
  func others() {
    var limits = BoardLimits(model: "Raspberry Pi 4 Model B Rev 1.4")
    for device in CheckedDevice.allCases where device != .camera {
      #expect(limits.finding(device, .failure, "x") == Finding(device.name, .failure, "x", remedy: device.remedy))
    }
    limits.hasI2C = false
    #expect(limits.finding(.motion, .failure, "x").remedy.contains("dtparam=i2c_arm=on"))
    limits.isCardImage = true
    #expect(limits.finding(.motion, .failure, "x").remedy == CheckedDevice.motion.remedy)
    #expect(limits.finding(.microphone, .failure, "x").remedy.contains("which a card image has not"))
    limits.hasGPIO = false
    for device in [CheckedDevice.light, .button] {
      #expect(limits.finding(device, .failure, "x", isOnLines: true).text.hasSuffix("no GPIO chip"))
      #expect(limits.finding(device, .failure, "x").text == "x")
    }
  }

  @Test("a tool whose PWM chip is not there is named, with the overlay where the board takes one")
  func pwm() {
    func hand(_ name: String, _ kind: HandKind, _ chip: String) -> HandSettings {
      var hand = HandSettings(name: name)
      hand.kind = kind
      hand.pwm.chip = chip
      return hand
    }
    let hands = [hand("fan", .pwm, "pwmchip0"), hand("lamp", .pwm, "/tmp/pwmchip3"), hand("pump", .gpio, "")]
    for (model, isCardImage, remedy) in [
      ("Raspberry Pi 4 Model B Rev 1.4", false, "dtoverlay=pwm"),
      ("Raspberry Pi 4 Model B Rev 1.4", true, "which a card image has not"), ("PC", false, "ls /sys/class/pwm"),
    ] {
      var limits = BoardLimits(model: model)
      limits.isCardImage = isCardImage
      let findings = limits.tools(hands) { $0 == "/tmp/pwmchip3" }
      #expect(findings.map(\.text) == ["[tool fan]: there is no /sys/class/pwm/pwmchip0"])
      #expect(findings.allSatisfy { $0.grade == .failure && $0.remedy.contains(remedy) })
      #expect(limits.tools(hands) { _ in true }.isEmpty)
    }
  }

  // MARK: Reading

  private func put(_ folder: TemporaryFolder, _ path: String, _ text: String) throws {
    let file = URL(fileURLWithPath: folder.path + path)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  @Test("model, sensor, buses and drivers are read from the kernel's files")
  func read() throws {
    let folder = TemporaryFolder()
    try put(folder, "/proc/device-tree/model", "Raspberry Pi 4 Model B Rev 1.4\0")
    try put(folder, "/proc/sys/kernel/osrelease", "6.1.0-28-arm64\n")
    try put(folder, "/sys/bus/i2c/devices/10-0010/name", "imx219\n")
    try put(folder, "/sys/bus/i2c/devices/1-0068/name", "mpu6050\n")
    try put(folder, "/dev/i2c-1", "")
    let bare = BoardLimits.read(root: folder.path)
    #expect(bare.family == .unicam && bare.sensor == "imx219" && bare.hasI2C && !bare.hasGPIO && !bare.isCardImage)
    #expect(bare.unicam == .unknown)
    let modules = "/lib/modules/6.1.0-28-arm64/modules.dep"
    try put(folder, modules, "kernel/drivers/media/mc/mc.ko:\nkernel/drivers/uio/uio.ko:\n")
    #expect(BoardLimits.read(root: folder.path).unicam == .absent)
    try put(folder, modules, "kernel/drivers/media/platform/bcm2835/bcm2835-unicam.ko.xz: kernel/mc.ko\n")
    #expect(BoardLimits.read(root: folder.path).unicam == .present)
    try put(folder, modules, "")
    try put(folder, "/sys/bus/platform/drivers/unicam/bind", "")
    try put(folder, "/usr/lib/talon-image/version", "1\n")
    let image = BoardLimits.read(root: folder.path)
    #expect(image.unicam == .present && image.isCardImage)
  }

  @Test("a board of which nothing can be read has no limits but those of its buses")
  func empty() {
    let limits = BoardLimits.read(root: TemporaryFolder().path)
    #expect(limits.family == .other && limits.unicam == .unknown && limits.sensor.isEmpty && !limits.hasI2C)
  }

  @Test("the agent's report gives the same advice")
  func report() throws {
    let status = Array(
      #"{"pid":7,"state":"online","hardware":[{"name":"camera","state":"absent","detail":"no camera found"}]}"#.utf8)
    var limits = BoardLimits(model: "Raspberry Pi 5 Model B Rev 1.0")
    limits.sensor = "imx477"
    let findings = AgentDiagnosis(configuration: Configuration(), limits: limits).findings(JSONView(status.span))
    #expect(findings.last == camera("Raspberry Pi 5 Model B Rev 1.0", sensor: "imx477"))
  }
}
