import Codec
import Runtime

/// A control of a camera that does not have its configured value.
public struct ControlMismatch: Sendable {
  /// The reason.
  public enum Reason: Equatable, Sendable {
    /// The camera has no such control.
    case missing
    /// Its driver lets nobody change it for now.
    case locked
    /// The kernel refused to set it.
    case refused(Errno)
    /// It was set to another value, the nearest that there is.
    case differs(is: Int, wanted: Int)
  }

  /// The control's name, as `talon camera controls` prints it.
  public let name: CameraText
  public let reason: Reason

  /// A mismatch; see the properties.
  public init(name: CameraText, reason: Reason) {
    self.name = name
    self.reason = reason
  }

  /// What a refusal means. Those of a control are not those of a camera (userspace-api/media, VIDIOC_S_CTRL): EACCES is
  /// one that is only read, EBUSY one of a camera in use, ERANGE and EINVAL are about its value.
  private static func text(_ reason: Errno) -> StaticString {
    switch reason {
    case .accessDenied: "it can only be read; remove it from the configuration"
    case .busy: "another program uses the camera; stop that program"
    case .invalidArgument, .outOfRange: "its driver does not accept this value; talon camera controls shows its range"
    default: DeviceTrouble(reason, of: .camera).text
    }
  }

  /// Writes it for the log: "exposure_time_absolute is 250, not the 300 of the configuration".
  public func write(to writer: inout ByteWriter) {
    switch reason {
    case .missing:
      writer.text("has no control ")
      writer.bytes(name.span)
    case .locked:
      writer.bytes(name.span)
      writer.text(" cannot be set: the camera's driver has locked it for now; ")
      writer.text("stop other programs that use the camera, or remove it from the configuration")
    case .refused(let errno):
      writer.bytes(name.span)
      writer.text(" cannot be set: ")
      writer.text(Self.text(errno))
    case .differs(let value, let wanted):
      writer.bytes(name.span)
      writer.text(" is ")
      writer.decimal(Int64(value))
      writer.text(", not the ")
      writer.decimal(Int64(wanted))
      writer.text(" of the configuration")
    }
  }
}

/// The mismatches of a camera's controls since its stream began. The camera works in spite of them.
public struct ControlMismatches: Sendable {
  private var mismatches: InlineArray<16, ControlMismatch>
  /// Their number.
  public private(set) var count = 0

  /// None.
  public init() {
    mismatches = InlineArray(repeating: ControlMismatch(name: CameraText(), reason: .missing))
    // At most one for each setting: exposure, gain, white balance, focus, power line, and those by name.
    precondition(mismatches.count >= 5 + Budget.namedControls)
  }

  /// The mismatch at `index`, which is below `count`.
  public subscript(_ index: Int) -> ControlMismatch {
    precondition(index < count)
    return mismatches[index]
  }

  /// Adds one; ignored when there is no room.
  public mutating func append(_ mismatch: ControlMismatch) {
    guard count < mismatches.count else { return }
    mismatches[count] = mismatch
    count += 1
  }
}
