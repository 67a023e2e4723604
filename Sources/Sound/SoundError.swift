import Codec
import Runtime

/// Why sound cannot be captured or played, grouped by what to do next.
public enum SoundError: WireError {
  // Check the hardware or the configuration.

  /// Switched off in the configuration.
  case disabled
  /// No card with this name, or no card at all (empty name).
  case noCard(SoundName)
  /// The card has no such device that plays or captures.
  case noDevice(Int)
  /// The device has fewer channels than this one's number.
  case noChannel(Int)
  /// The device may not be opened by this user.
  case noPermission
  /// The device has no known sample format.
  case noFormat
  /// The privacy light does not work, and the configuration requires it.
  case noIndicator
  /// The mixer has no control with this name, or none at all (empty name).
  case noControl(SoundName)
  /// The mixer's control with this name may not be changed.
  case lockedControl(SoundName)
  /// A file is not a supported WAV file: the reason.
  case notWAV(StaticString)
  /// The kernel refused a call.
  case io(Errno)
  /// Out of memory.
  case noMemory

  // Try again.

  /// Another program uses the device.
  case busy
  /// The card was unplugged.
  case disconnected
  /// The card is suspended.
  case suspended
  /// The card gives no frames without an error.
  case stalled
  /// Closed by a person (panic).
  case held
  /// The recording has ended.
  case ended

  /// The code and its text.
  public var wire: (code: StaticString, text: StaticString) {
    switch self {
    case .disabled: ("MIC_PERMISSION_REQUIRED", "sound is switched off in the configuration")
    case .noCard(let name): ("UNAVAILABLE", name.isEmpty ? "no sound card found" : "sound card not found: ")
    case .noDevice: ("UNAVAILABLE", "the sound card has no such device: ")
    case .noChannel: ("UNAVAILABLE", "the sound card has no channel ")
    case .noPermission: ("MIC_PERMISSION_REQUIRED", "the sound card may not be opened: group audio?")
    case .noFormat: ("UNAVAILABLE", "the sound card has no form of sample that is known")
    case .noIndicator: ("UNAVAILABLE", "the light that shows that the microphone is on does not work")
    case .noControl(let name):
      ("UNAVAILABLE", name.isEmpty ? "the sound card has no such control" : "the sound card has no control ")
    case .lockedControl:
      ("UNAVAILABLE", "the sound card's control is locked by another program or read-only; name another one: ")
    case .notWAV: ("UNAVAILABLE", "not a WAV file that can be played: ")
    case .io: ("UNAVAILABLE", "sound card: ")
    case .noMemory: ("UNAVAILABLE", "no memory for sound")
    case .busy: ("UNAVAILABLE", "the sound card is in use by another program")
    case .disconnected: ("UNAVAILABLE", "the sound card was unplugged")
    case .suspended: ("UNAVAILABLE", "the sound card sleeps")
    case .stalled: ("UNAVAILABLE", "the sound card gives no frames")
    case .held: ("UNAVAILABLE", "a person holds this board (panic)")
    case .ended: ("UNAVAILABLE", "the recording has ended")
    }
  }

  /// Writes the requested value, or what the kernel's reason means.
  public func writeDetail(to writer: inout ByteWriter) {
    switch self {
    // One pattern a case: the span of a name that several bind crashes the compiler (Swift 6.3.1).
    case .noCard(let name): writer.bytes(name.span)
    case .noControl(let name): writer.bytes(name.span)
    case .lockedControl(let name): writer.bytes(name.span)
    case .noDevice(let number), .noChannel(let number): writer.decimal(Int64(number))
    case .notWAV(let reason): writer.text(reason)
    case .io(let reason): DeviceTrouble(reason, of: .sound).write { writer.text($0) }
    default: break
    }
  }

  /// The error for an errno of a card.
  public init(_ errno: Errno) {
    switch errno {
    case .busy: self = .busy
    case .accessDenied, .notPermitted: self = .noPermission
    case .noSuchDevice, .noSuchFile, .noSuchDeviceOrAddress: self = .disconnected
    case .outOfMemory: self = .noMemory
    default: self = .io(errno)
    }
  }

  /// True when both are of the same kind.
  public func isLike(_ other: SoundError) -> Bool { wire.text.utf8Start == other.wire.text.utf8Start }

  /// True when only a person can help, or plugging in a card.
  public var isConfiguration: Bool {
    switch self {
    case .disabled, .noIndicator, .noFormat, .notWAV: true
    default: false
    }
  }

  /// The error in a log line.
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

/// A name of a card, a device or a control.
public typealias SoundName = InlineText<96>
