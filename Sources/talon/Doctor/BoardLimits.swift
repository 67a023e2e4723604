import Codec
import Device
import Hands
import Runtime

/// What this board cannot do by its hardware, kernel or system: the tables of docs/owners/boards.md, for the devices
/// that the configuration names.
struct BoardLimits {
  /// Boards that differ in their camera connector.
  enum Family {
    /// Pi 1 to 4, 400, Zero and Compute Modules up to 4: the kernel's `unicam` gives Bayer data.
    case unicam
    /// Pi 5, 500 and Compute Module 5: the kernel gives no pictures without libcamera.
    case libcamera
    /// Another board, or another maker's.
    case other
  }

  /// Whether the kernel has a driver.
  enum Driver { case present, absent, unknown }

  private static let page = "docs/owners/boards.md"
  /// Longest text of a device that is read, in bytes: a model has about 40.
  private static let textBytes = 256
  /// Largest list of a kernel's modules that is read, in bytes: Debian's has 0.7 MB.
  private static let moduleListBytes = 4 << 20
  /// Sensors of camera modules for Raspberry Pi, as the kernel's drivers name them.
  private static let sensors = [
    "ov5647", "imx219", "imx477", "imx378", "imx708", "imx296", "imx500", "imx290", "imx327", "imx462", "imx519",
    "ov9281", "ov9282", "ov7251", "ov64a40", "arducam-pivariety",
  ]

  /// See `Family`.
  var family = Family.other
  /// False for a board in a keyboard.
  var hasCameraConnector = true
  /// True on one of Talon's card images, which have no overlays.
  var isCardImage = false
  /// The camera module's sensor in the device tree, as "imx708"; empty without one.
  var sensor = ""
  /// The driver of the camera connector.
  var unicam = Driver.unknown
  /// True when the kernel has an I2C bus.
  var hasI2C = true
  /// True when the kernel has a GPIO chip.
  var hasGPIO = true

  /// No limits.
  init() {}

  /// The limits of a model, as the device tree names it: "Raspberry Pi 5 Model B Rev 1.0".
  init(model: String) {
    let maker = "Raspberry Pi "
    guard model.hasPrefix(maker) else { return }
    let name = String(model.dropFirst(maker.utf8.count))
    let newer = ["5 ", "500", "Compute Module 5"]
    let older = ["Model ", "2 ", "3 ", "4 ", "400", "Zero", "Compute Module "]
    if newer.contains(where: { name.hasPrefix($0) }) {
      family = .libcamera
    } else if older.contains(where: { name.hasPrefix($0) }) {
      family = .unicam
    }
    hasCameraConnector = !name.hasPrefix("400") && !name.hasPrefix("500")
  }

  // MARK: Findings

  /// The finding about a device that is not there, with the reason and what to do.
  /// - Parameter isOnLines: true for a light or a button that is on lines of GPIO chips.
  func finding(
    _ device: CheckedDevice, _ grade: Finding.Grade, _ text: String, isOnLines: Bool = false
  ) -> Finding {
    switch device {
    case .camera:
      let limit = camera
      return Finding(device.name, grade, limit.reason.isEmpty ? text : text + ": " + limit.reason, remedy: limit.remedy)
    case .microphone where isCardImage:
      return Finding(
        device.name, grade, text,
        remedy: device.remedy + "; one on I2S needs an overlay, which a card image has not (\(Self.page))")
    case .motion where !hasI2C && family != .other && !isCardImage:
      return Finding(
        device.name, grade, text + ": the I2C bus is off",
        remedy: "write dtparam=i2c_arm=on to config.txt, and reboot the board (\(Self.page))")
    case .light where isOnLines && !hasGPIO, .button where isOnLines && !hasGPIO:
      return Finding(
        device.name, grade, text + ": the kernel has no GPIO chip",
        remedy: "set [\(device.name)] driver to none, or to one that this board has (\(Self.page))")
    case .receiver, .motion, .microphone, .light, .button:
      return Finding(device.name, grade, text, remedy: device.remedy)
    }
  }

  /// False for a video device of the kernel that gives no pictures by itself: that of the camera connector (`rp1-cfe`)
  /// on boards that need libcamera.
  /// - Parameter bus: where it is, as V4L2 reports it: "platform:1f00110000.csi".
  func givesPictures(bus: Span<UInt8>) -> Bool { family != .libcamera || !bus.hasSuffix(".csi") }

  /// Why there is no camera, where the board is the reason, and what to do.
  private var camera: (reason: String, remedy: String) {
    let usual = CheckedDevice.camera.remedy
    if sensor.isEmpty {
      if !hasCameraConnector {
        return ("", "\(usual); this board has no connector for a Camera Module, but a USB camera works (\(Self.page))")
      }
      switch family {
      case .libcamera:
        return ("", "\(usual); a Camera Module needs libcamera and v4l2loopback on this board (\(Self.page))")
      case .unicam where lacksUnicam:
        return ("", "\(usual); a Camera Module gives no pictures, for this kernel has no unicam (\(Self.page))")
      case .unicam: return ("", "\(usual); a Camera Module needs the overlay of its sensor (\(Self.page))")
      case .other: return ("", usual)
      }
    }
    let module = "its Camera Module (\(sensor)) "
    switch family {
    case .libcamera:
      return (
        module + "gives no pictures on this board without libcamera",
        "let libcamera's rpicam-vid give them to Talon by v4l2loopback (\(Self.page)), or plug in a USB camera"
      )
    case .unicam where lacksUnicam:
      return (
        module + "gives no pictures, for this kernel has no unicam",
        "use Raspberry Pi OS and its kernel (\(Self.page)), or plug in a USB camera"
      )
    case .unicam:
      return (
        module + "has no video device",
        "check its cable, and camera_auto_detect=0 and dtoverlay=\(sensor) in config.txt (\(Self.page)); then reboot"
      )
    case .other:
      return (
        module + "has no video device", "use a USB camera: Talon knows no camera connector of this board (\(Self.page))"
      )
    }
  }

  /// True for a kernel without `unicam`. Talon's card images have Debian's.
  private var lacksUnicam: Bool { unicam == .absent || unicam == .unknown && isCardImage }

  /// A finding for each tool whose PWM chip is not there: it needs an overlay on a Raspberry Pi.
  /// - Parameter isThere: whether there is a file or folder.
  func tools(_ hands: [HandSettings], isThere: (String) -> Bool) -> [Finding] {
    var findings: [Finding] = []
    for hand in hands where hand.kind == .pwm {
      let chip = hand.pwm.chip.hasPrefix("/") ? hand.pwm.chip : "/sys/class/pwm/" + hand.pwm.chip
      if isThere(chip) { continue }
      let overlay =
        isCardImage
        ? "PWM needs an overlay, which a card image has not: use Raspberry Pi OS and the package"
        : family == .other
          ? "ls /sys/class/pwm shows the chips of this kernel"
          : "write dtoverlay=pwm to config.txt, and reboot the board"
      findings.append(
        Finding(
          "tools", .failure, "[tool \(hand.name)]: there is no \(chip)", remedy: "\(overlay) (\(Self.page))"))
    }
    return findings
  }

  // MARK: Reading

  /// The limits of the board below `root`, which is empty for the real one.
  static func read(root: String = "") -> BoardLimits {
    var limits = BoardLimits(model: text(root + "/proc/device-tree/model"))
    limits.isCardImage = isThere(root + "/usr/lib/talon-image/version")
    let buses = names(root + "/dev")
    limits.hasI2C = buses.contains { $0.hasPrefix("i2c-") }
    limits.hasGPIO = buses.contains { $0.hasPrefix("gpiochip") }
    for device in names(root + "/sys/bus/i2c/devices") {
      let name = text("\(root)/sys/bus/i2c/devices/\(device)/name")
      if sensors.contains(name) { limits.sensor = name }
    }
    limits.unicam = connectorDriver(root)
    return limits
  }

  /// Whether `unicam` is registered, or among the kernel's modules.
  private static func connectorDriver(_ root: String) -> Driver {
    if isThere(root + "/sys/bus/platform/drivers/unicam") { return .present }
    let release = text(root + "/proc/sys/kernel/osrelease")
    do throws(Errno) {
      let modules = try TextFile.read("\(root)/lib/modules/\(release)/modules.dep", limit: moduleListBytes)
      return hasUnicam(modules) ? .present : .absent
    } catch {
      return .unknown
    }
  }

  private static func hasUnicam(_ modules: [UInt8]) -> Bool {
    let text = modules.span
    for index in 0..<text.count where text[index] == UInt8(ascii: "u") {
      if text.extracting(index...).hasPrefix("unicam") { return true }
    }
    return false
  }

  private static func text(_ path: String) -> String {
    do throws(Errno) {
      let bytes = try TextFile.read(path, limit: textBytes)
      return bytes.span.trimmed.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    } catch {
      return ""
    }
  }

  private static func names(_ folder: String) -> [String] {
    var names: [String] = []
    do throws(Errno) {
      let open = try Syscall.open(Path(folder), [.read, .directory])
      defer { open.close() }
      let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 8)
      defer { scratch.deallocate() }
      try Syscall.entries(of: open, scratch: scratch) { names.append(String(cString: $0)) }
    } catch {
      return names
    }
    return names
  }

  private static func isThere(_ path: String) -> Bool {
    do throws(Errno) {
      _ = try Syscall.status(Path(path))
      return true
    } catch {
      return false
    }
  }
}
