import Motion
import Runtime

/// Samples with one chip: sets it up, reads whole records out of its FIFO, and keeps it going. What is lost on the way (an
/// overflow, a transaction that failed, a chip whose power failed for a moment) makes a gap; a chip that does not come back
/// is an error.
final class FIFOSampler {
  let chip: any MotionChip
  /// Samples a second that the chip takes; 0 before `start`.
  private(set) var rate: Float = 0
  private let registers: ChipRegisters
  private let mounting: MountingMatrix
  private let records: FixedBuffer
  private var wanted: Float = 0
  /// When the chip last gave a sample: milliseconds of the monotonic clock.
  private var lastSample: Int64 = 0

  /// A sampler for the chip that is selected on `bus`. `records` holds what one drain reads.
  init(_ chip: any MotionChip, on bus: any RegisterBus, mounting: MountingMatrix, records: FixedBuffer) {
    self.chip = chip
    self.mounting = mounting
    self.records = records
    registers = ChipRegisters(bus: bus)
  }

  /// Sets the chip up.
  func start(rate: Float, now: Int64) throws(MotionError) {
    // A record that does not fit into one transaction would come in pieces.
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

  /// Puts the chip to sleep, if it listens.
  func stop() {
    do throws(MotionError) { try chip.sleep(registers) } catch { return }
  }

  /// Adds what the chip has gathered. Throws `.vanished` when it answers, but gives no samples any more.
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
      // Records may have left the FIFO and not arrived, so it begins anew; a chip that is gone fails at that.
      try restart(batch)
    }
    if now - lastSample >= Budget.motionSilenceMilliseconds { throw .vanished }
  }

  private func restart(_ batch: MotionBatch) throws(MotionError) {
    batch.hasGap = true
    try chip.restart(registers)
  }

  /// Reads the whole records that are there: how many, and what the chip says of itself then.
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

  /// A chip that was reset may well show a FIFO that makes no sense.
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
