import Codec
import Motion
import Runtime

/// A motion chip on an I2C bus of the kernel (`/dev/i2c-N`): identified by its ID register and read through its FIFO.
///
/// Opening takes up to 0.4 s, while chips reset and settle; a drain some milliseconds. On one worker at a time.
public final class I2CMotionSource: MotionSource {
  private let bus: any RegisterBus
  private let address: UInt8?
  private let kind: ChipKind?
  private let mounting: MountingMatrix
  private let clock: any Clock
  private let records = FixedBuffer(capacity: Budget.motionFIFOBytes)
  private var sampler: FIFOSampler?

  /// A closed source. `bus` is the path of a bus, such as /dev/i2c-1; `address` is the chip's, or nil to try all
  /// addresses of known chips; `kind` is what the chip is, or nil to identify it. Throws when the path is too long.
  @export(interface)
  public convenience init(
    bus: String, address: UInt8? = nil, kind: ChipKind? = nil, mounting: MountingMatrix = MountingMatrix(),
    clock: any Clock
  ) throws(Errno) {
    self.init(on: try I2CBus(path: bus), address: address, kind: kind, mounting: mounting, clock: clock)
  }

  /// The same on another kind of bus.
  init(
    on bus: any RegisterBus, address: UInt8? = nil, kind: ChipKind? = nil,
    mounting: MountingMatrix = MountingMatrix(), clock: any Clock
  ) {
    self.bus = bus
    self.address = address
    self.kind = kind
    self.mounting = mounting
    self.clock = clock
  }

  @export(interface)
  public func open(rate: Float) throws(MotionError) -> MotionFacts {
    close()
    do throws(MotionError) {
      try bus.open()
      let chip = try ChipSearch(bus: bus).find(at: address, as: kind)
      let sampler = FIFOSampler(chip, on: bus, mounting: mounting, records: records)
      try sampler.start(rate: rate, now: clock.monotonic)
      self.sampler = sampler
      return facts(sampler)
    } catch {
      close()
      throw error
    }
  }

  private func facts(_ sampler: FIFOSampler) -> MotionFacts {
    let traits = sampler.chip.traits
    return MotionFacts(
      name: InlineText(cutting: traits.name), rate: sampler.rate, hasGyroscope: traits.hasGyroscope,
      memory: Int64(clamping: Float(traits.fifoRecords) * 1000 / sampler.rate))
  }

  public func drain(into batch: MotionBatch) throws(MotionError) {
    guard let sampler else { throw .vanished }
    let now = clock.monotonic
    do throws(MotionError) {
      try sampler.drain(into: batch, now: now)
    } catch {
      close()
      throw error
    }
    batch.end = now * 1000
  }

  public func close() {
    sampler?.stop()
    sampler = nil
    bus.close()
  }
}
