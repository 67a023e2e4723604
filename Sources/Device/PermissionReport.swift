import Codec
import Runtime

/// The result of `device.permissions` (node-commands 4.5, 11): what the configuration, the rights of this user and the
/// people at the board allow. Only what these people are asked about is promptable: the configuration or groups must be
/// changed for the rest, which no dialog can do. `detail` is an addition.
struct PermissionReport {
  let hardware: HardwareReport
  let access: AccessReading

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("permissions")
    writer.beginObject()
    let entries = hardware.consent
    for index in 0..<entries.count { writeConsent(entries[index], to: &writer) }
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

  /// What has no device of its own, or more than one: only where there is a rule for it.
  private func writeConsent(_ entry: ConsentEntry, to writer: inout JSONWriter) {
    if entry.state == .allowed || Self.hasDevice(entry.word) { return }
    write(entry.word, isGranted: entry.state == .granted, Self.detail(entry.state), asks: entry.state, to: &writer)
  }

  private static func hasDevice(_ word: StaticString) -> Bool {
    let names: InlineArray<4, StaticString> = ["camera", "microphone", "location", "motion"]
    for index in 0..<4 where names[index].bytes.elementsEqual(word.bytes) { return true }
    return false
  }

  private static func detail(_ state: ConsentState) -> StaticString? {
    switch state {
    case .allowed: nil
    case .denied: "the owner's file denies it"
    case .asks: "whoever is at the board is asked"
    case .granted: "granted at the board for now"
    }
  }

  /// What the people at the board say of a capability.
  private func consent(_ key: StaticString) -> ConsentState {
    let entries = hardware.consent
    for index in 0..<entries.count where entries[index].word.bytes.elementsEqual(key.bytes) {
      return entries[index].state
    }
    return .allowed
  }

  /// A capability: denied by the configuration, by the state of its device, or by its device files.
  private func write(
    _ key: StaticString, _ state: HardwareState, _ files: AccessReading.Access, _ remedy: StaticString,
    to writer: inout JSONWriter
  ) {
    let consent = consent(key)
    if state.isPermitted, files != .denied, consent != .allowed {
      write(key, isGranted: consent == .granted, Self.detail(consent), asks: consent, to: &writer)
    } else if state.isPermitted {
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
    _ key: StaticString, isGranted: Bool, _ detail: StaticString?, asks: ConsentState = .allowed,
    to writer: inout JSONWriter
  ) {
    writer.key(key)
    writer.beginObject()
    writer.key("status")
    writer.string(isGranted ? "granted" : "denied")
    writer.key("promptable")
    writer.bool(asks == .asks || asks == .granted)
    if let detail {
      writer.key("detail")
      writer.string(detail)
    }
    writer.endObject()
  }
}
