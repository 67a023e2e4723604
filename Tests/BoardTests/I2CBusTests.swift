import CLinux
import Glibc
import Motion
import Runtime
import Testing

@testable import Board

/// An adapter of the kernel's i2c-dev after a regular file, with one chip of 256 registers. Calls of the thread that
/// made it go there until it is deallocated; those of libi2c do not, for the library makes them itself.
private final class FakeAdapter {
  /// As in <linux/i2c.h>.
  private struct Message {
    var address: UInt16
    var flags: UInt16
    var length: UInt16
    var bytes: UnsafeMutablePointer<UInt8>
  }

  private struct Transfer {
    var messages: UnsafeMutablePointer<Message>
    var count: UInt32
  }

  var functions: UInt = 0x0000_0001
  var registers = (0..<256).map { UInt8($0) ^ 0x5A }
  var selected: UInt = 0
  var owned: UInt?
  /// Transfers, each message as "w68:2" or "r68:6".
  var log: [String] = []
  /// What the next transfers fail with, one each.
  var failures: [Int32] = []
  /// What every call of the C library that passes the door fails with.
  var refusal: Int32 = 0
  private let tree = ReadingsTree()
  var path: String { tree.root + "/i2c-1" }

  init() {
    tree.write("/i2c-1", "")
    tl_interpose_device(
      { context, _, request, argument in
        Unmanaged<FakeAdapter>.fromOpaque(context!).takeUnretainedValue().answer(request, argument)
      }, Unmanaged.passUnretained(self).toOpaque())
    tl_interpose_thread(
      { context, call, _ in
        let adapter = Unmanaged<FakeAdapter>.fromOpaque(context!).takeUnretainedValue()
        return call == Int32(TL_CALL_ioctl.rawValue) ? adapter.refusal : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  deinit {
    tl_interpose_device(nil, nil)
    tl_interpose_thread(nil, nil)
  }

  private func answer(_ request: UInt64, _ argument: UnsafeMutableRawPointer?) -> Int32 {
    switch request {
    case 0x0705: argument!.storeBytes(of: functions, as: UInt.self)
    case 0x0703:
      selected = UInt(bitPattern: argument)
      if selected == owned { return refuse(16) }
    case 0x0707:
      if !failures.isEmpty { return refuse(failures.removeFirst()) }
      let transfer = argument!.load(as: Transfer.self)
      let messages = UnsafeBufferPointer(start: transfer.messages, count: Int(transfer.count))
      log.append(
        messages.map { ($0.flags & 1 == 1 ? "r" : "w") + String($0.address, radix: 16) + ":\($0.length)" }
          .joined(separator: " "))
      var place = 0
      for message in messages {
        for index in 0..<Int(message.length) {
          if message.flags & 1 == 1 {
            message.bytes[index] = registers[(place + index) % 256]
          } else if index == 0 {
            place = Int(message.bytes[0])
          } else {
            registers[place] = message.bytes[index]
          }
        }
      }
      return Int32(transfer.count)
    default: return refuse(25)
    }
    return 0
  }

  private func refuse(_ reason: Int32) -> Int32 {
    errno = reason
    return -1
  }
}

@Suite("An I2C bus of the kernel")
struct I2CBusTests {
  private let adapter = FakeAdapter()

  private func opened() throws -> I2CBus {
    let bus = try I2CBus(path: adapter.path)
    try bus.open()
    try bus.select(0x68)
    return bus
  }

  private func read(_ bus: I2CBus, _ register: UInt8, _ count: Int, isRepeatable: Bool = true) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    try bytes.withUnsafeMutableBufferPointer { try bus.read(register, into: $0, isRepeatable: isRepeatable) }
    return bytes
  }

  @Test("reads registers in one combined transaction, and writes one in one message")
  func combined() throws {
    let bus = try opened()
    #expect(adapter.selected == 0x68)
    #expect(try read(bus, 0x72, 6) == Array(adapter.registers[0x72..<0x78]))
    try bus.write(0x40, to: 0x6A)
    #expect(adapter.registers[0x6A] == 0x40)
    #expect(adapter.log == ["w68:1 r68:6", "w68:2"])
  }

  @Test("reads more than the budget's burst in several; of a FIFO it must not be asked for more")
  func bursts() throws {
    let bus = try opened()
    let limit = Budget.i2cBurstBytes
    _ = try read(bus, 0, limit, isRepeatable: false)
    #expect(adapter.log == ["w68:1 r68:\(limit)"])
    _ = try read(bus, 0, limit + 1)
    #expect(adapter.log.suffix(2) == ["w68:1 r68:\(limit)", "w68:1 r68:1"])
    #expect(failureOf { _ = try read(bus, 0, limit + 1, isRepeatable: false) } == "io(Runtime.Errno(number: 22))")
  }

  @Test("what does not acknowledge is gone", arguments: [Int32(6), 121, 19])
  func nobody(reason: Int32) throws {
    let bus = try opened()
    adapter.failures = [reason]
    #expect(failureOf { _ = try read(bus, 0, 1) } == "vanished")
    #expect(try read(bus, 0, 1) == [0x5A])
  }

  @Test(
    "a lost arbitration or a line that is held is tried once more; twice is a stuck bus",
    arguments: [Int32(11), 110, 16])
  func stuck(reason: Int32) throws {
    let bus = try opened()
    adapter.failures = [reason]
    #expect(try read(bus, 0, 1) == [0x5A])
    adapter.failures = [reason]
    try bus.write(1, to: 2)
    #expect(adapter.registers[2] == 1)
    adapter.failures = [reason, reason]
    #expect(failureOf { _ = try read(bus, 0, 1) } == "stuckBus")
    #expect(adapter.failures.isEmpty)
    // What left a FIFO is not there a second time.
    adapter.failures = [reason, reason]
    #expect(failureOf { _ = try read(bus, 0, 1, isRepeatable: false) } == "io(Runtime.Errno(number: \(reason)))")
    #expect(adapter.failures.count == 1)
  }

  @Test("what else the kernel says is reported")
  func other() throws {
    let bus = try opened()
    adapter.failures = [5]
    #expect(failureOf { _ = try read(bus, 0, 1) } == "io(Runtime.Errno(number: 5))")
  }

  @Test("an address that a driver has is not touched")
  func owned() throws {
    let bus = try I2CBus(path: adapter.path)
    try bus.open()
    adapter.owned = 0x68
    #expect(failureOf { try bus.select(0x68) } == "ownedByKernel")
    try bus.select(0x69)
  }

  @Test("no bus, or one that may not be opened, is told apart; a closed one answers nothing")
  func opening() throws {
    #expect(failureOf { try I2CBus(path: adapter.path + "9").open() } == "absent")
    adapter.refusal = 13
    #expect(failureOf { try I2CBus(path: adapter.path).open() } == "noPermission")
    adapter.refusal = 25
    #expect(failureOf { try I2CBus(path: adapter.path).open() } == "io(Runtime.Errno(number: 25))")
    adapter.refusal = 0
    let bus = try opened()
    bus.close()
    bus.close()
    #expect(failureOf { _ = try read(bus, 0, 1) } == "vanished")
    #expect(failureOf { try bus.select(0x68) } == "vanished")
    // Neither combined transactions nor bytes.
    adapter.functions = 0x0001_0000
    #expect(failureOf { try I2CBus(path: adapter.path).open() } == "io(Runtime.Errno(number: 95))")
  }

  @Test("SMBus's blocks and bytes are taken where there is nothing better, through the same door")
  func smbus() throws {
    adapter.functions = 0x0418_0000
    let bus = try opened()
    #expect(bus.burstBytes == 32)
    // libi2c asks the file itself, and a regular file is no bus.
    #expect(failureOf { _ = try read(bus, 0, 4) } == "io(Runtime.Errno(number: 25))")
    #expect(adapter.log.isEmpty)
    adapter.refusal = 6
    #expect(failureOf { _ = try read(bus, 0, 4) } == "vanished")
    #expect(failureOf { try bus.write(0, to: 4) } == "vanished")
    adapter.refusal = 110
    #expect(failureOf { _ = try read(bus, 0, 4) } == "stuckBus")
    adapter.refusal = 0
    adapter.functions = 0x0018_0000
    let poor = try I2CBus(path: adapter.path)
    try poor.open()
    #expect(poor.burstBytes == 1)
  }
}
