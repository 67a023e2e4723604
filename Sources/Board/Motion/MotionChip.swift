import Codec
import Motion

/// A driver for a kind of motion chip: its registers and their values. Each driver is a short file in `Chips` that
/// names the sections of its datasheet; `FIFOSampler` has the common part.
protocol MotionChip: AnyObject {
  var traits: ChipTraits { get }

  /// Configures the chip from any state to sample into its FIFO at the rate nearest to `rate`; returns the actual rate.
  func configure(_ chip: ChipRegisters, rate: Float) throws(MotionError) -> Float

  /// Empties the FIFO, which goes on filling, and clears an overflow.
  func restart(_ chip: ChipRegisters) throws(MotionError)

  /// Number of whole records in the FIFO; nil when it has overflowed or is misaligned.
  func waiting(_ chip: ChipRegisters) throws(MotionError) -> Int?

  /// The chip's condition, checked after the records were read.
  func condition(_ chip: ChipRegisters) throws(MotionError) -> ChipCondition

  /// A record's numbers; nil when the record is misaligned.
  func parse(_ record: UnsafePointer<UInt8>) -> RawMotion?

  /// Stops sampling.
  func sleep(_ chip: ChipRegisters) throws(MotionError)
}

/// The constants of a kind of chip.
struct ChipTraits {
  var name: StaticString
  var hasGyroscope = true
  /// FIFO register, bytes per record, and records in the FIFO.
  var fifoRegister: UInt8
  var recordBytes: Int
  var fifoRecords: Int
  /// Most records per transaction.
  var recordsPerBurst = Int.max
  /// Counts per g, and per degree per second.
  var countsPerG: Float
  var countsPerDegree: Float = 1
  /// Milliseconds from the configuration to the first valid sample.
  var settleMilliseconds: Int32 = 80
}

/// The condition of a chip since it was configured.
enum ChipCondition {
  case sound
  /// The FIFO overflowed while it was read.
  case overflowed
  /// It lost its configuration: its power failed for a moment.
  case reset
}

/// A record's numbers, in the chip's own units and axes.
struct RawMotion: Equatable {
  var acceleration: InlineArray<3, Int16>
  var rotation: InlineArray<3, Int16>

  init(acceleration: InlineArray<3, Int16>, rotation: InlineArray<3, Int16> = InlineArray(repeating: 0)) {
    self.acceleration = acceleration
    self.rotation = rotation
  }

  static func == (left: RawMotion, right: RawMotion) -> Bool {
    for axis in 0..<3 {
      guard left.acceleration[axis] == right.acceleration[axis] else { return false }
      guard left.rotation[axis] == right.rotation[axis] else { return false }
    }
    return true
  }

  /// Three big-endian numbers of 16 bits.
  static func highFirst(_ bytes: UnsafePointer<UInt8>) -> InlineArray<3, Int16> {
    InlineArray { Int16(bitPattern: UInt16(bytes[2 * $0]) << 8 | UInt16(bytes[2 * $0 + 1])) }
  }

  /// Three little-endian numbers of 16 bits.
  static func lowFirst(_ bytes: UnsafePointer<UInt8>) -> InlineArray<3, Int16> {
    InlineArray { Int16(bitPattern: UInt16(bytes[2 * $0 + 1]) << 8 | UInt16(bytes[2 * $0])) }
  }
}

/// A sample rate of a chip, and its register code.
struct ChipRate {
  let code: UInt8
  /// In Hz.
  let hertz: Float

  /// The one of `rates` that is nearest to `wanted`.
  static func nearest<let count: Int>(_ wanted: Float, of rates: InlineArray<count, ChipRate>) -> ChipRate {
    var best = rates[0]
    for index in 1..<count where abs(rates[index].hertz - wanted) < abs(best.hertz - wanted) { best = rates[index] }
    return best
  }

  /// The divider of a chip that samples at `base` / (1 + divider).
  static func divider(_ wanted: Float, base: Float) -> ChipRate {
    let divider = (base / max(wanted, 1) - 1).rounded()
    let code = UInt8(clamping: divider.bounded(4, 255))
    return ChipRate(code: code, hertz: base / Float(1 + Int(code)))
  }
}
