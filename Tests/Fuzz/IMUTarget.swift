import Motion
import Runtime

@testable import Board

/// A bus on which everybody says whatever the input says: bytes of registers and FIFOs, and errors.
private final class FuzzBus: RegisterBus {
  let burstBytes: Int
  private let input: [UInt8]
  private var place = 0
  /// What the first register that is asked gives, so that a driver is reached.
  private var number: (register: UInt8, value: UInt8)?

  init(_ input: [UInt8]) {
    self.input = input
    burstBytes = next(of: input, 0) & 1 == 0 ? Budget.i2cBurstBytes : 32
    let chips: [(UInt8, UInt8)] = [
      (0x75, 0x68), (0x75, 0x70), (0x75, 0x47), (0x0F, 0x69), (0x0F, 0x6C), (0x0F, 0x68), (0x00, 0xEA), (0x00, 0xD1),
      (0x00, 0xE5), (0x75, 0x98), (0x75, 0x12), (0x75, 0x67), (0x0F, 0x70), (0x00, 0x05),
    ]
    let choice = Int(next(of: input, 1))
    if choice < chips.count { number = chips[choice] }
    place = 2
  }

  private func byte() -> UInt8 {
    defer { place += 1 }
    return next(of: input, place)
  }

  func open() throws(MotionError) {}
  func close() {}
  func select(_ address: UInt8) throws(MotionError) {}
  func pause(milliseconds: Int32) {}

  private func fail() throws(MotionError) {
    switch byte() {
    case 0xF0: throw .vanished
    case 0xF1: throw .stuckBus
    case 0xF2: throw .io(.wouldBlock)
    default: return
    }
  }

  /// What was written last is what a register holds, mostly.
  private var written: [UInt8: UInt8] = [:]

  func read(
    _ register: UInt8, into bytes: UnsafeMutableBufferPointer<UInt8>, isRepeatable: Bool
  ) throws(MotionError) {
    expect(bytes.count > 0 && bytes.count <= burstBytes, "a read of \(bytes.count) bytes")
    try fail()
    for index in 0..<bytes.count { bytes[index] = byte() }
    guard isRepeatable, bytes.count == 1 else { return }
    if let number, number.register == register, written.isEmpty { bytes[0] = number.value }
    if let kept = written[register], bytes[0] < 0xC0 { bytes[0] = kept }
  }

  func write(_ value: UInt8, to register: UInt8) throws(MotionError) {
    try fail()
    written[register] = value
  }
}

/// Byte `index` of an input, over and over.
private func next(of input: [UInt8], _ index: Int) -> UInt8 { input.isEmpty ? 0 : input[index % input.count] }

private final class FuzzClock: Clock {
  var monotonic: Int64 = 0
  var wall: Int64 = 0
}

/// Whatever a chip says, it is refused with a reason, or its samples are numbers within its range.
func checkIMU(_ bytes: [UInt8]) {
  let bus = FuzzBus(bytes)
  let clock = FuzzClock()
  // At an address of no chip's own every place is asked.
  let source = I2CMotionSource(on: bus, address: 0x40, clock: clock)
  let batch = MotionBatch()
  do throws(MotionError) {
    let facts = try source.open(rate: 50)
    expect(facts.rate > 1 && facts.rate < 300, "a rate of \(facts.rate)")
    expect(facts.memory > 0, "a memory of \(facts.memory) ms")
    for _ in 0..<8 {
      clock.monotonic += 400
      batch.clear()
      try source.drain(into: batch)
      expect(batch.count <= Budget.motionBatchSamples, "\(batch.count) samples")
      for index in 0..<batch.count { expect(isSound(batch[index]), "\(batch[index])") }
    }
    source.close()
  } catch {
    expect(error.wire.text.utf8CodeUnitCount > 0, "refused without a reason")
  }
  checkFormat(bytes)
}

/// Two whole ranges are more than any chip's: +-128 g of an ADXL345 in 16 bits, +-2300 degrees a second.
private func isSound(_ sample: MotionSample) -> Bool {
  let (felt, turned) = (sample.acceleration.magnitude, sample.rotation.magnitude)
  return felt.isFinite && turned.isFinite && felt < 222 && turned < 70
}

/// A type of IIO that is taken reads within its bytes, and gives a number of so many bits.
private func checkFormat(_ bytes: [UInt8]) {
  guard let format = bytes.withUnsafeBufferPointer({ IIOFormat(Span(_unsafeElements: $0)) }) else { return }
  let record = [UInt8](repeating: 0xFF, count: format.storageBytes)
  let number = record.withUnsafeBufferPointer { format.number(at: $0.baseAddress!) }
  expect(format.isSigned ? number == -1 : number == -1 || number > 0, "all ones are \(number)")
}
