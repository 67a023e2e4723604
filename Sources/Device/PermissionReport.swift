import Codec

/// The result of `device.permissions` (node-commands 4.5, 11): what the configuration and the rights of this user
/// allow. Nothing is promptable: the configuration or groups must be changed, which no dialog can do. `detail` is an
/// addition.
struct PermissionReport {
  let hardware: HardwareReport
  let access: AccessReading

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("permissions")
    writer.beginObject()
    write("camera", hardware.camera, access.video, "no access to /dev/video*: group video", to: &writer)
    write("microphone", hardware.microphone, .absent, "", to: &writer)
    write("location", hardware.location, .absent, "", to: &writer)
    write("motion", hardware.motion, .absent, "", to: &writer)
    write("notifications", HardwareState(.ok), .absent, "", to: &writer)
    write("serial", access.serial, "no access to serial ports: group dialout", to: &writer)
    write("i2c", access.i2c, "no access to /dev/i2c-*: group i2c", to: &writer)
    write("gpio", access.gpio, "no access to /dev/gpiochip*: group gpio", to: &writer)
    writer.endObject()
    writer.endObject()
  }

  /// A capability: denied by the configuration, by the state of its device, or by its device files.
  private func write(
    _ key: StaticString, _ state: HardwareState, _ files: AccessReading.Access, _ remedy: StaticString,
    to writer: inout JSONWriter
  ) {
    if state.isPermitted {
      write(key, isGranted: files != .denied, files == .denied ? remedy : nil, to: &writer)
    } else {
      write(key, isGranted: false, state.detail, to: &writer)
    }
  }

  /// A kind of device files; left out where there are none.
  private func write(
    _ key: StaticString, _ files: AccessReading.Access, _ remedy: StaticString, to writer: inout JSONWriter
  ) {
    if files == .absent { return }
    write(key, isGranted: files == .granted, files == .denied ? remedy : nil, to: &writer)
  }

  private func write(
    _ key: StaticString, isGranted: Bool, _ detail: StaticString?, to writer: inout JSONWriter
  ) {
    writer.key(key)
    writer.beginObject()
    writer.key("status")
    writer.string(isGranted ? "granted" : "denied")
    writer.key("promptable")
    writer.bool(false)
    if let detail {
      writer.key("detail")
      writer.string(detail)
    }
    writer.endObject()
  }
}
