import Device
import Runtime
import Testing

@testable import talon

/// What doctor says of a device's file: in words about the device, never the kernel's.
@Suite struct DeviceFileTests {
  private let check = BoardCheck(configuration: Configuration(), limits: BoardLimits())

  @Test("a file that is not there is a device that is not there")
  func absent() {
    let finding = check.file(.receiver, "/nonexistent/ttyACM0", .serial)
    let text = "/nonexistent/ttyACM0: it is not there"
    #expect(finding == Finding("receiver", .failure, text, remedy: CheckedDevice.receiver.remedy))
  }

  @Test("a user without the right is told the group", arguments: [Errno.accessDenied, .notPermitted])
  func forbidden(reason: Errno) {
    let receiver = check.missing(.receiver, "/dev/ttyACM0", DeviceTrouble(reason, of: .serial), reason)
    #expect(receiver.text == "/dev/ttyACM0: this user may not use it" && receiver.remedy.contains("group dialout"))
    let motion = check.missing(.motion, "/dev/i2c-1", DeviceTrouble(reason, of: .chip), reason)
    #expect(motion.remedy.contains("group i2c"))
  }
}
