import Codec
import Runtime

/// Why nothing is heard or said, by what to do next.
public enum SoundError: WireError {
  // Look at the hardware or the configuration.

  /// The configuration says no.
  case disabled
  /// No card of this name is there, or none at all (an empty name).
  case noCard(SoundName)
  /// The card is there, but has no such device that plays or captures.
  case noDevice(Int)
  /// The device has fewer channels than this one's number.
  case noChannel(Int)
  /// The device may not be opened by this user.
  case noPermission
  /// The device has no form of sample that is known.
  case noFormat
  /// The light that shows that a microphone is on does not work, and the configuration says that it must.
  case noIndicator
  /// The mixer has no control of this name, or none at all (an empty name).
  case noControl(SoundName)
  /// A file is no sound that is known: what is wrong with it.
  case notWAV(StaticString)
  /// The kernel refused a call.
  case io(Errno)
  /// There is no memory.
  case noMemory

  // Try again.

  /// Another program has the device.
  case busy
  /// The card was unplugged.
  case disconnected
  /// The card sleeps, as the board did.
  case suspended
  /// The card gives no frames though it says nothing.
  case stalled
  /// A person wants it closed (panic).
  case held
  /// What was to be read has ended.
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

  /// Names what was asked for, or the kernel's reason.
  public func writeDetail(to writer: inout ByteWriter) {
    switch self {
    case .noCard(let name): writer.bytes(name.span)
    case .noControl(let name): writer.bytes(name.span)
    case .noDevice(let number), .noChannel(let number): writer.decimal(Int64(number))
    case .notWAV(let reason): writer.text(reason)
    case .io(let reason): writer.text(reason.text)
    default: break
    }
  }

  /// What a call of the kernel says of a card.
  public init(_ errno: Errno) {
    switch errno {
    case .busy: self = .busy
    case .accessDenied, .notPermitted: self = .noPermission
    case .noSuchDevice, .noSuchFile, .noSuchDeviceOrAddress: self = .disconnected
    case .outOfMemory: self = .noMemory
    default: self = .io(errno)
    }
  }

  /// True when both are of one kind.
  public func isLike(_ other: SoundError) -> Bool { wire.text.utf8Start == other.wire.text.utf8Start }

  /// True where nothing but a person can help, or a card that is plugged in.
  public var isConfiguration: Bool {
    switch self {
    case .disabled, .noIndicator, .noFormat, .notWAV: true
    default: false
    }
  }

  /// The error in a log line.
  public func write(to line: inout LogLine) {
    line.add(wire.text)
    var detail = InlineText<128>()
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
