import CLinux
import Device
import Glibc
import Runtime
import Testing

@testable import Board

/// The mailbox of a Raspberry Pi's firmware (kernel: drivers/char/broadcom/vcio.c), as far as Talon asks it.
private struct FakeMailbox {
  var bits: UInt32 = 0
  /// What it answers to the whole message and to the tag.
  var code: UInt32 = 0x8000_0000
  var tagCode: UInt32 = 0x8000_0004
  var refusal: Int32 = 0
  /// What it was asked.
  var request: UInt64 = 0
  var message: [UInt32] = []
}

@Suite("The firmware's mailbox") struct FirmwareMailboxTests {
  private let tree = ReadingsTree()

  /// Reads a board whose mailbox is `mailbox`.
  private func read(_ mailbox: inout FakeMailbox) throws -> DeviceSnapshot {
    try withUnsafeMutablePointer(to: &mailbox) { pointer in
      tl_interpose_device(
        { context, _, request, argument in
          let mailbox = context!.assumingMemoryBound(to: FakeMailbox.self)
          let words = argument!.assumingMemoryBound(to: UInt32.self)
          mailbox.pointee.request = request
          mailbox.pointee.message = (0..<Int(words[0] / 4)).map { words[$0] }
          if mailbox.pointee.refusal != 0 {
            errno = mailbox.pointee.refusal
            return -1
          }
          words[1] = mailbox.pointee.code
          words[4] = mailbox.pointee.tagCode
          words[5] = mailbox.pointee.bits
          return 0
        }, pointer)
      defer { tl_interpose_device(nil, nil) }
      var snapshot = DeviceSnapshot()
      try SystemReadings(root: tree.root, stateFolder: tree.root, clock: SerialTestClock()).read(into: &snapshot)
      return snapshot
    }
  }

  @Test("it is asked for the state of throttling by the property interface, and not to clear it")
  func asks() throws {
    tree.write("/dev/vcio", "")
    var mailbox = FakeMailbox(bits: 0x5_0001)
    let throttling = try #require(try read(&mailbox).throttling)
    #expect(throttling.bits == 0x5_0001)
    #expect(throttling.isNow(.underVoltage) && throttling.hasBeen(.throttled))
    // _IOWR(100, 0, char *): direction, size of a pointer, type, number.
    #expect(mailbox.request == 0xC000_6400 | UInt64(MemoryLayout<UnsafeRawPointer>.size) << 16)
    #expect(mailbox.message == [28, 0, 0x0003_0046, 4, 4, 0, 0])
  }

  @Test("firmware that does not know the tag tells nothing")
  func unknownTag() throws {
    tree.write("/dev/vcio", "")
    var whole = FakeMailbox(bits: 1, code: 0x8000_0001)
    #expect(try read(&whole).throttling == nil)
    var tag = FakeMailbox(bits: 1, tagCode: 4)
    #expect(try read(&tag).throttling == nil)
  }

  @Test("what the mailbox refuses, the kernel's attribute tells")
  func attribute() throws {
    tree.write("/sys/devices/platform/soc/soc:firmware/get_throttled", "0x80008\n")
    var mailbox = FakeMailbox(refusal: 25)
    #expect(try read(&mailbox).throttling?.bits == 0x80008)
    tree.write("/dev/vcio", "")
    #expect(try read(&mailbox).throttling?.bits == 0x80008)
    #expect(mailbox.message.count == 7)
  }
}
