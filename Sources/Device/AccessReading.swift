import Codec

/// Which device files of the board this user may open for reading and writing.
public struct AccessReading: Equatable, Sendable {
  /// Access to the files of one kind.
  public enum Access: Equatable, Sendable {
    /// There is no such file.
    case absent
    /// There are files, but none can be opened.
    case denied
    /// At least one can be opened.
    case granted

    mutating func add(isOpen: Bool) {
      if isOpen {
        self = .granted
      } else if self == .absent {
        self = .denied
      }
    }
  }

  /// Cameras: `/dev/video*`.
  public var video = Access.absent
  /// Serial ports: `/dev/ttyAMA*`, `ttyS*`, `ttyUSB*`, `ttyACM*`.
  public var serial = Access.absent
  /// `/dev/i2c-*`.
  public var i2c = Access.absent
  /// `/dev/gpiochip*`.
  public var gpio = Access.absent

  /// No files.
  public init() {}

  /// Adds a file of `/dev`; `isOpen` is called only for the kinds above.
  public mutating func add(_ name: Span<UInt8>, isOpen: () -> Bool) {
    if name.hasPrefix("video") {
      video.add(isOpen: isOpen())
    } else if name.hasPrefix("i2c-") {
      i2c.add(isOpen: isOpen())
    } else if name.hasPrefix("gpiochip") {
      gpio.add(isOpen: isOpen())
    } else if name.hasPrefix("ttyAMA") || name.hasPrefix("ttyS") || name.hasPrefix("ttyUSB") || name.hasPrefix("ttyACM")
    {
      serial.add(isOpen: isOpen())
    }
  }
}
