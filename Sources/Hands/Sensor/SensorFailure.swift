import Codec
import Runtime

/// Why a sensor gave no value, in the words that the owner and the agent read.
public struct SensorFailure: Equatable, Sendable {
  public enum Kind: Equatable, Sendable {
    /// No device, channel or label of this name.
    case noDevice, noChannel
    /// Several devices have the name.
    case ambiguous
    /// The kernel does not give the value.
    case system(Errno)
    /// What the driver says is no number.
    case noNumber
    /// The answer of a 1-Wire thermometer was disturbed, or came before its first measurement.
    case badChecksum, powerOn
    /// The chip says that the sensor is broken or not connected (hwmon: `temp1_fault`).
    case fault
  }

  public var kind: Kind
  /// What is there instead, for `noDevice`, `noChannel` and `ambiguous`: names with commas between them.
  public var found: InlineText<160>

  /// A failure for which nothing else was found.
  public init(_ kind: Kind, found: InlineText<160> = InlineText()) {
    self.kind = kind
    self.found = found
  }

  /// Writes what is wrong, and what to do.
  public func write(_ source: SensorSource, to writer: inout ByteWriter) {
    switch kind {
    case .noDevice:
      writer.text("the board has no ")
      writer.text(Self.interface(source))
      writer.text(" named ")
      writeDevice(source, to: &writer)
      writeFound("; it has ", "; it has none", to: &writer)
    case .noChannel:
      writeDevice(source, to: &writer)
      writer.text(" has no value ")
      writer.text(source.channel)
      if !source.label.isEmpty {
        writer.text(" with the label ")
        writer.text(source.label)
      }
      writeFound("; it has ", "", to: &writer)
    case .ambiguous:
      writer.text("several sensors are named ")
      writer.text(source.device)
      writeFound(": ", "", to: &writer)
      writer.text("; the owner must say in the configuration which")
    case .system(let reason):
      let trouble = DeviceTrouble(reason, of: .chip)
      writeDevice(source, to: &writer)
      writer.text(" gives no value: ")
      writer.text(trouble.text)
      writer.text("; ")
      writer.text(Self.step(reason, source) ?? trouble.step)
    case .noNumber:
      writeDevice(source, to: &writer)
      writer.text(" answers with something that is no number")
    case .badChecksum:
      writeDevice(source, to: &writer)
      writer.text(" answers with bytes that do not match their checksum: look at the cable and its pull-up resistor")
    case .powerOn:
      writeDevice(source, to: &writer)
      writer.text(" has lost its power for a moment and has measured nothing since: look at the cable")
    case .fault:
      writeDevice(source, to: &writer)
      writer.text(" reports that the sensor is broken or not connected")
    }
  }

  private func writeDevice(_ source: SensorSource, to writer: inout ByteWriter) {
    writer.text(source.device)
    guard !source.place.isEmpty else { return }
    writer.text("@")
    writer.text(source.place)
  }

  private func writeFound(_ before: StaticString, _ nothing: StaticString, to writer: inout ByteWriter) {
    if found.isEmpty { return writer.text(nothing) }
    writer.text(before)
    writer.bytes(found.span)
  }

  /// What to do with a sensor that is not on an I2C bus; nil for any other, and for what is the same for all.
  private static func step(_ reason: Errno, _ source: SensorSource) -> StaticString? {
    if reason == .accessDenied || reason == .notPermitted || reason == .tooManyOpenFiles { return nil }
    return switch source.interface {
    case .oneWire: "look at its cable and its pull-up resistor"
    case .thermal: "restart the board if it stays so"
    case .iio, .hwmon: nil
    }
  }

  private static func interface(_ source: SensorSource) -> StaticString {
    switch source.interface {
    case .iio: "IIO device"
    case .hwmon: "hwmon chip"
    case .oneWire: "1-Wire thermometer"
    case .thermal: "thermal zone"
    }
  }
}

/// What reading a sensor gave.
public enum SensorOutcome: Equatable, Sendable {
  /// In the unit of the source's quantity.
  case value(Double)
  case failed(SensorFailure)
}

/// A sensor of the board.
public protocol SensorDevice: AnyObject {
  /// Looks for the sensor and reads it. Blocks (a 1-Wire thermometer measures for 750 ms), so on a worker.
  func read() -> SensorOutcome
}
