import Codec
import Runtime

/// A control of a camera that is not as the configuration wants it.
public struct ControlComplaint: Sendable {
  /// What is wrong.
  public enum Reason: Equatable, Sendable {
    /// The camera has no such control.
    case missing
    /// The kernel refused to set it.
    case refused(Errno)
    /// It was set to another value, the nearest that there is.
    case differs(is: Int, wanted: Int)
  }

  /// The control's name, as `talon camera controls` prints it.
  public let name: CameraText
  public let reason: Reason

  /// A complaint; see the properties.
  public init(name: CameraText, reason: Reason) {
    self.name = name
    self.reason = reason
  }

  /// Writes it for the log: "exposure_time_absolute is 250, not the 300 of the configuration".
  public func write(to writer: inout ByteWriter) {
    switch reason {
    case .missing:
      writer.text("has no control ")
      writer.bytes(name.span)
    case .refused(let errno):
      writer.bytes(name.span)
      writer.text(" cannot be set: ")
      writer.text(errno.text)
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

/// What is wrong with the controls of a camera since its stream began. None of it keeps the camera from working.
public struct ControlComplaints: Sendable {
  private var complaints: InlineArray<16, ControlComplaint>
  /// How many there are.
  public private(set) var count = 0

  /// All is as wanted.
  public init() {
    complaints = InlineArray(repeating: ControlComplaint(name: CameraText(), reason: .missing))
    // At most one for each setting: exposure, gain, white balance, focus, power line, and those by name.
    precondition(complaints.count >= 5 + Budget.namedControls)
  }

  /// The complaint at `index`, which is below `count`.
  public subscript(_ index: Int) -> ControlComplaint {
    precondition(index < count)
    return complaints[index]
  }

  /// Adds one; beyond the room for all that can go wrong nothing is added.
  public mutating func append(_ complaint: ControlComplaint) {
    guard count < complaints.count else { return }
    complaints[count] = complaint
    count += 1
  }
}
