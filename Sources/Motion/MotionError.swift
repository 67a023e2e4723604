import Codec
import Runtime

/// Why there is no answer about motion, grouped by what to do next.
public enum MotionError: WireError {
  // Change the request.

  /// A parameter of the wrong JSON type or value: its key, and what it must be.
  case invalid(key: StaticString, wanted: StaticString)
  /// The parameters are not a JSON object.
  case notAnObject

  // Check the hardware or the configuration.

  /// No sensor is configured.
  case noSensor
  /// Nothing answers at the address, or no bus or device is there.
  case absent
  /// An unknown chip answers, with these identification registers.
  case unknownChip(ChipNumbers)
  /// A known chip answers which only the kernel's driver can set up: its name.
  case kernelOnly(StaticString)
  /// More than one chip answers that may be the configured one: its name.
  case ambiguous(StaticString)
  /// Where the configured chip could be, a known one of another kind answers: its name.
  case otherChip(StaticString)
  /// The bus or device may not be opened by this user.
  case noPermission
  /// The kernel's driver uses the chip: it must be used through IIO.
  case ownedByKernel
  /// The kernel's driver has no buffered capture, or there is no trigger for it.
  case noCapture
  /// The chip does not keep the value written to this register.
  case refused(register: UInt8)
  /// The kernel refused a call.
  case io(Errno)

  // Try again.

  /// A line of the bus is held low: no chip on it can be reached.
  case stuckBus
  /// The chip no longer answers.
  case vanished
  /// `Budget.runningInvokes` requests wait already.
  case tooMany

  /// Writes the requested value, the chip, or what the kernel's reason means.
  public func writeDetail(to writer: inout ByteWriter) {
    switch self {
    case .invalid(_, let wanted):
      writer.text(" must be ")
      writer.text(wanted)
    case .unknownChip(let numbers):
      numbers.write(to: &writer)
      writer.text("; set [motion] chip to a chip with the same registers, or driver = iio")
    case .kernelOnly(let name):
      writer.text(name)
      writer.text(": load the kernel's driver, and set driver = iio")
    case .ambiguous(let name):
      writer.text(name)
      writer.text(": set [motion] address")
    case .otherChip(let name):
      writer.text(name)
      writer.text("; set [motion] chip = auto, or set address too")
    case .refused(let number): writer.hex(number)
    case .io(let reason): DeviceTrouble(reason, of: .chip).write { writer.text($0) }
    default: break
    }
  }

  /// The code and its text.
  public var wire: (code: StaticString, text: StaticString) {
    switch self {
    case .invalid(let key, _): ("INVALID_REQUEST", key)
    case .notAnObject: ("INVALID_REQUEST", "parameters must be an object")
    case .noSensor: ("MOTION_UNAVAILABLE", "no motion sensor is configured")
    case .absent: ("MOTION_UNAVAILABLE", "no motion sensor answers")
    case .unknownChip: ("MOTION_UNAVAILABLE", "an unknown chip answers at ")
    case .kernelOnly: ("MOTION_UNAVAILABLE", "Talon cannot set up the ")
    case .ambiguous: ("MOTION_UNAVAILABLE", "more than one chip answers that may be the ")
    case .otherChip: ("MOTION_UNAVAILABLE", "the configured motion chip does not answer, but this one does: ")
    case .noPermission: ("MOTION_PERMISSION_REQUIRED", "the motion sensor's bus may not be opened: group i2c?")
    case .ownedByKernel: ("MOTION_UNAVAILABLE", "the kernel's driver has the chip: set driver = iio")
    case .noCapture:
      ("MOTION_UNAVAILABLE", "the kernel's driver captures no samples: is there a trigger (iio-trig-hrtimer)?")
    case .refused: ("MOTION_UNAVAILABLE", "the motion sensor does not keep what is written to its register ")
    case .io: ("MOTION_UNAVAILABLE", "motion sensor: ")
    case .stuckBus: ("MOTION_UNAVAILABLE", "the motion sensor's bus is stuck: a line is held low")
    case .vanished: ("MOTION_UNAVAILABLE", "the motion sensor no longer answers")
    case .tooMany: ("UNAVAILABLE", "too many motion requests at once")
    }
  }

  /// True when both have the same text.
  func isSame(_ other: MotionError) -> Bool { wire.text.bytes.elementsEqual(other.wire.text.bytes) }

  /// Writes the message without its code, for the log.
  public func write(to line: inout LogLine) {
    line.add(wire.text)
    var detail = InlineText<256>()
    detail.fill { bytes in
      var writer = ByteWriter(into: bytes)
      writeDetail(to: &writer)
      return min(writer.count, bytes.count)
    }
    line.add(detail.span)
  }
}
