import Codec
import Motion

/// A kind of motion chip: where its registers are and what they hold. Each stands in a short file of its own below `Chips`,
/// with the sections of its datasheet; `FIFOSampler` does the rest.
protocol MotionChip: AnyObject {
  var traits: ChipTraits { get }

  /// Brings the chip, whatever state it is in, to sample into its FIFO, at the rate nearest to `rate`: the one it takes.
  func configure(_ chip: ChipRegisters, rate: Float) throws(MotionError) -> Float

  /// Empties the FIFO, which goes on filling, and forgets an overflow.
  func restart(_ chip: ChipRegisters) throws(MotionError)

  /// How many whole records wait in the FIFO; nil when it has overflowed or is out of step.
  func waiting(_ chip: ChipRegisters) throws(MotionError) -> Int?

  /// What became of the chip, asked after the records were read.
  func condition(_ chip: ChipRegisters) throws(MotionError) -> ChipCondition

  /// A record's numbers; nil when it does not begin where a record begins.
  func parse(_ record: UnsafePointer<UInt8>) -> RawMotion?

  /// Stops sampling.
  func sleep(_ chip: ChipRegisters) throws(MotionError)
}

/// What is the same of a kind of chip wherever it is.
struct ChipTraits {
  var name: StaticString
  var hasGyroscope = true
  /// Where the FIFO is read, how long a record is, and how many fit.
  var fifoRegister: UInt8
  var recordBytes: Int
  var fifoRecords: Int
  /// Records that one transaction may fetch.
  var recordsPerBurst = Int.max
  /// Numbers per g, and per degree a second.
  var countsPerG: Float
  var countsPerDegree: Float = 1
  /// Milliseconds from the configuration to the first sample that is right.
  var settleMilliseconds: Int32 = 80
}

/// What became of a chip since it was configured.
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

  /// Three numbers of two bytes each, the higher one first.
  static func highFirst(_ bytes: UnsafePointer<UInt8>) -> InlineArray<3, Int16> {
    InlineArray { Int16(bitPattern: UInt16(bytes[2 * $0]) << 8 | UInt16(bytes[2 * $0 + 1])) }
  }

  /// Three numbers of two bytes each, the lower one first.
  static func lowFirst(_ bytes: UnsafePointer<UInt8>) -> InlineArray<3, Int16> {
    InlineArray { Int16(bitPattern: UInt16(bytes[2 * $0 + 1]) << 8 | UInt16(bytes[2 * $0])) }
  }
}

/// A rate that a chip can take, and the code in its registers for that.
struct ChipRate {
  let code: UInt8
  /// Samples a second.
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
