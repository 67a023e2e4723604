import CAllocationCounter
import Motion
import Runtime
import Testing

@testable import Board

/// Registers alone, which keep what is written to them.
private final class QuietBus: RegisterBus {
  let burstBytes = Budget.i2cBurstBytes
  let registers = FixedBuffer(capacity: 1024)

  func open() throws(MotionError) {}
  func close() {}
  func select(_ address: UInt8) throws(MotionError) {}
  func pause(milliseconds: Int32) {}

  func read(
    _ register: UInt8, into bytes: UnsafeMutableBufferPointer<UInt8>, isRepeatable: Bool
  ) throws(MotionError) {
    for index in 0..<bytes.count { bytes[index] = registers.bytes[Int(register) + index] }
  }

  func write(_ value: UInt8, to register: UInt8) throws(MotionError) { registers.bytes[Int(register)] = value }
}

@Suite("Draining a motion sensor")
struct MotionAllocationTests {
  private let clock = SerialTestClock()
  private let batch = MotionBatch()

  private func allocations(_ source: any MotionSource) throws -> UInt64 {
    // The first of a kind makes what Swift knows of its types.
    try source.drain(into: batch)
    tl_count_allocations()
    defer { _ = tl_counted_allocations() }
    for _ in 0..<10 {
      batch.clear()
      try source.drain(into: batch)
    }
    return tl_counted_allocations()
  }

  @Test(
    "takes nothing from the heap",
    arguments: [
      // Who it is, and a FIFO of 20 samples.
      [0x75: 0x68, 0x73: 240], [0x0F: 0x69, 0x3A: 120], [0x0F: 0x68, 0x2F: 20], [0x00: 0xD1, 0x22: 240],
      [0x00: 0xE5, 0x39: 20],
    ] as [[Int: UInt8]])
  func chips(registers: [Int: UInt8]) throws {
    let bus = QuietBus()
    for (register, value) in registers { bus.registers.bytes[register] = value }
    let source = I2CMotionSource(on: bus, address: 0x40, clock: clock)
    _ = try source.open(rate: 50)
    let count = try allocations(source)
    #expect(count == 0)
    #expect(batch.count == 20)
  }

  @Test("of the kernel's IIO takes nothing either")
  func kernel() throws {
    let tree = IIOTree()
    tree.add(0, "imu", quantities: ["accel", "anglvel"], format: "le:s16/16>>0", scale: "0.001")
    let source = IIOMotionSource(clock: clock, root: tree.root)
    _ = try source.open(rate: 50)
    tree.capture(0, [UInt8](repeating: 1, count: 12 * 12 * Budget.iioBufferSamples))
    let count = try allocations(source)
    #expect(count == 0)
    #expect(batch.count == Budget.iioBufferSamples)
  }
}
