import Runtime
import Testing

@testable import Device

@Suite("device.permissions") struct PermissionReportTests {
  private let off = HardwareState(.absent, detail: "switched off in the configuration", isPermitted: false)

  private func report(_ hardware: HardwareReport, _ access: AccessReading = AccessReading()) -> String {
    json { PermissionReport(hardware: hardware, access: access).write(to: &$0) }
  }

  @Test("what the configuration allows and no file forbids is granted, though the hardware be absent")
  func granted() {
    let hardware = HardwareReport(
      camera: HardwareState(.absent, detail: "no camera found"), location: HardwareState(.ok),
      motion: HardwareState(.ok))
    #expect(
      report(hardware) == """
        {"permissions":{"camera":{"status":"granted","promptable":false},\
        "microphone":{"status":"denied","promptable":false,"detail":"no microphone configured"},\
        "location":{"status":"granted","promptable":false},"motion":{"status":"granted","promptable":false},\
        "notifications":{"status":"granted","promptable":false}}}
        """)
  }

  @Test("what the configuration or a device forbids is denied, with the reason")
  func denied() {
    let lost = HardwareState(.error, detail: Errno.accessDenied.text, isPermitted: false)
    let text = report(HardwareReport(camera: off, location: lost))
    #expect(
      text.contains(
        #""camera":{"status":"denied","promptable":false,"detail":"switched off in the configuration"}"#))
    #expect(text.contains(#""location":{"status":"denied","promptable":false,"detail":"permission denied"}"#))
    #expect(text.contains(#""motion":{"status":"denied","promptable":false,"detail":"no sensor configured"}"#))
  }

  @Test("files that cannot be opened deny, and name the group that can")
  func files() {
    var access = AccessReading()
    for name in ["video0", "i2c-1", "gpiochip0", "ttyAMA0", "ttyUSB0"] {
      access.add(name.utf8.span) { name == "ttyUSB0" }
    }
    access.add("random".utf8.span) {
      Issue.record("nobody wants to know")
      return true
    }
    #expect(access.video == .denied && access.i2c == .denied && access.gpio == .denied && access.serial == .granted)
    let text = report(HardwareReport(camera: HardwareState(.ok), location: off), access)
    #expect(
      text.contains(
        #""camera":{"status":"denied","promptable":false,"detail":"no access to /dev/video*: group video"}"#))
    #expect(text.contains(#""serial":{"status":"granted","promptable":false}"#))
    #expect(text.contains(#""i2c":{"status":"denied","promptable":false,"detail":"#))
    #expect(text.contains(#""gpio":{"status":"denied","promptable":false,"detail":"#))
  }

  @Test("one file that can be opened is enough, whichever comes first")
  func order() {
    for names in [["video0", "video1"], ["video1", "video0"]] {
      var access = AccessReading()
      for name in names { access.add(name.utf8.span) { name == "video1" } }
      #expect(access.video == .granted)
    }
  }
}
