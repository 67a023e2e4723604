import Motion
import Runtime

@testable import Board

/// What the chips of these tests feel: another value at each sample, so that a sample that is lost, doubled or shifted
/// shows.
enum ModelWorld {
  /// g.
  static func acceleration(_ sample: Int) -> [Double] { [0.25, -0.5, 1 + 0.01 * Double(sample % 50)] }
  /// Degrees a second.
  static func rotation(_ sample: Int) -> [Double] { [10, -20, 30 + Double(sample % 50)] }
}

/// A motion chip as its data sheet describes it: registers that do things, and a FIFO that time fills. It knows nothing
/// of the drivers.
class ChipModel {
  var registers = [UInt8](repeating: 0, count: 256)
  var fifo: [UInt8] = []
  /// Samples taken since it was made.
  private(set) var taken = 0
  /// It answers, but samples no more.
  var isFrozen = false
  /// Registers that keep what they hold.
  var deafRegisters: Set<UInt8> = []
  private var due = 0.0

  init() { powerUp() }

  /// All registers as after power-on, the FIFO empty.
  func powerUp() {
    registers = [UInt8](repeating: 0, count: 256)
    fifo = []
    due = 0
  }

  /// Samples a second that the registers ask for; 0 while it does not sample.
  var hertz: Double { 0 }

  func advance(milliseconds: Double) {
    guard hertz > 0, !isFrozen else { return }
    due += milliseconds * hertz / 1000
    while due >= 1 {
      due -= 1
      taken += 1
      store(taken)
    }
  }

  /// Puts a sample into the FIFO.
  func store(_ sample: Int) {}

  func read(_ register: UInt8) -> UInt8 { registers[Int(register)] }

  func write(_ value: UInt8, to register: UInt8) {
    if !deafRegisters.contains(register) { registers[Int(register)] = value }
  }

  /// Where a read goes on.
  func next(after register: UInt8) -> UInt8 { register &+ 1 }

  func popByte() -> UInt8 { fifo.isEmpty ? 0xFF : fifo.removeFirst() }

  static func counts(_ values: [Double], perUnit: Double, isHighFirst: Bool) -> [UInt8] {
    values.flatMap { value in
      let count = UInt16(bitPattern: Int16(max(-32768, min(32767, (value * perUnit).rounded()))))
      return isHighFirst ? [UInt8(count >> 8), UInt8(count & 255)] : [UInt8(count & 255), UInt8(count >> 8)]
    }
  }
}

/// A bus with models of chips on it, whose pauses are no time at all but for the chips, and which fails where a test
/// wants.
final class ModelBus: RegisterBus {
  var burstBytes = Budget.i2cBurstBytes
  var chips: [UInt8: ChipModel] = [:]
  /// Addresses that a driver of the kernel has.
  var owned: Set<UInt8> = []
  /// What every transaction fails with.
  var failure: MotionError?
  /// After so many bytes of FIFO one transaction ends with this.
  var failureAfterBytes: (count: Int, error: MotionError)?
  private(set) var isOpen = false
  private(set) var longestRead = 0
  /// Transactions, by kind.
  private(set) var reads = 0, writes = 0
  private var address: UInt8 = 0

  convenience init(_ address: UInt8, _ chip: ChipModel) {
    self.init()
    chips[address] = chip
  }

  func open() throws(MotionError) { isOpen = true }

  func close() { isOpen = false }

  func select(_ address: UInt8) throws(MotionError) {
    if owned.contains(address) { throw .ownedByKernel }
    self.address = address
  }

  private func chip() throws(MotionError) -> ChipModel {
    if let failure { throw failure }
    guard isOpen, let chip = chips[address] else { throw .vanished }
    return chip
  }

  func read(
    _ register: UInt8, into bytes: UnsafeMutableBufferPointer<UInt8>, isRepeatable: Bool
  ) throws(MotionError) {
    let chip = try chip()
    reads += 1
    longestRead = max(longestRead, bytes.count)
    var place = register
    for index in 0..<bytes.count {
      bytes[index] = chip.read(place)
      place = chip.next(after: place)
      guard !isRepeatable, let failing = failureAfterBytes else { continue }
      failureAfterBytes = failing.count > 1 ? (failing.count - 1, failing.error) : nil
      if failing.count <= 1 { throw failing.error }
    }
  }

  func write(_ value: UInt8, to register: UInt8) throws(MotionError) {
    writes += 1
    try chip().write(value, to: register)
  }

  func pause(milliseconds: Int32) { advance(milliseconds: Double(milliseconds)) }

  func advance(milliseconds: Double) {
    for chip in chips.values { chip.advance(milliseconds: milliseconds) }
  }
}
