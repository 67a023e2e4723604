import Motion
import Runtime

/// Samples from one chip: configures it, reads whole records from its FIFO, and recovers it. Lost data (an overflow, a
/// failed transaction, a brief power failure of the chip) makes a gap; a chip that does not recover is an error.
final class FIFOSampler {
  let chip: any MotionChip
  /// The chip's sample rate in Hz; 0 before `start`.
  private(set) var rate: Float = 0
  private let registers: ChipRegisters
  private let mounting: MountingMatrix
  private let records: FixedBuffer
  private var wanted: Float = 0
  /// Time of the chip's last sample, in milliseconds of the monotonic clock.
  private var lastSample: Int64 = 0

  /// A sampler for the chip that is selected on `bus`. `records` is the buffer of one drain.
  init(_ chip: any MotionChip, on bus: any RegisterBus, mounting: MountingMatrix, records: FixedBuffer) {
    self.chip = chip
    self.mounting = mounting
    self.records = records
    registers = ChipRegisters(bus: bus)
  }

  /// Configures the chip.
  func start(rate: Float, now: Int64) throws(MotionError) {
    // A record that does not fit in one transaction would be split.
    guard registers.bus.burstBytes >= chip.traits.recordBytes else { throw .io(.notSupported) }
    wanted = rate
    lastSample = now
    try configure()
  }

  private func configure() throws(MotionError) {
    rate = try chip.configure(registers, rate: wanted)
    registers.bus.pause(milliseconds: chip.traits.settleMilliseconds)
    try chip.restart(registers)
  }

  /// Puts the chip to sleep; ignores errors.
  func stop() {
    do throws(MotionError) { try chip.sleep(registers) } catch { return }
  }

  /// Adds the samples that the chip has gathered. Throws `.vanished` when it replies but has stopped sampling.
  func drain(into batch: MotionBatch, now: Int64) throws(MotionError) {
    do throws(MotionError) {
      switch try gather() {
      case (.sound, 0): break
      case (.sound, let count):
        lastSample = now
        return try parse(count, into: batch)
      case (.overflowed, _):
        lastSample = now
        return try restart(batch)
      case (.reset, _):
        batch.hasGap = true
        try configure()
      }
    } catch {
      // Records may have left the FIFO without arriving, so the FIFO is reset; that fails when the chip is gone.
      try restart(batch)
    }
    if now - lastSample >= Budget.motionSilenceMilliseconds { throw .vanished }
  }

  private func restart(_ batch: MotionBatch) throws(MotionError) {
    batch.hasGap = true
    try chip.restart(registers)
  }

  /// Reads the whole records that are available; returns their number and the chip's condition after that.
  private func gather() throws(MotionError) -> (ChipCondition, Int) {
    guard let waiting = try chip.waiting(registers) else { return (try overflowOrReset(), 0) }
    let (traits, bus) = (chip.traits, registers.bus)
    let count = min(waiting, records.bytes.count / traits.recordBytes)
    let burst = min(traits.recordsPerBurst, bus.burstBytes / traits.recordBytes)
    var done = 0
    while done < count {
      let next = min(burst, count - done)
      let place = done * traits.recordBytes..<(done + next) * traits.recordBytes
      try bus.read(
        traits.fifoRegister, into: UnsafeMutableBufferPointer(rebasing: records.bytes[place]), isRepeatable: false)
      done += next
    }
    return (try chip.condition(registers), count)
  }

  /// After a reset the FIFO status may be meaningless.
  private func overflowOrReset() throws(MotionError) -> ChipCondition {
    let condition = try chip.condition(registers)
    return condition == .reset ? .reset : .overflowed
  }

  private func parse(_ count: Int, into batch: MotionBatch) throws(MotionError) {
    guard let start = UnsafePointer(records.bytes.baseAddress) else { return }
    let traits = chip.traits
    for index in 0..<count {
      guard let raw = chip.parse(start + index * traits.recordBytes) else { return try restart(batch) }
      let acceleration = Self.vector(raw.acceleration, 1 / traits.countsPerG)
      let rotation = Self.vector(raw.rotation, .pi / 180 / traits.countsPerDegree)
      batch.append(MotionSample(acceleration: mounting.apply(acceleration), rotation: mounting.apply(rotation)))
    }
  }

  private static func vector(_ counts: InlineArray<3, Int16>, _ scale: Float) -> Vector3 {
    Vector3(Float(counts[0]) * scale, Float(counts[1]) * scale, Float(counts[2]) * scale)
  }
}
