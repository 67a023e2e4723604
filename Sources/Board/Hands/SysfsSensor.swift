import Codec
import Hands
import Runtime

/// A sensor that a driver of the kernel shows in sysfs: Industrial I/O, hwmon, 1-Wire or a thermal zone.
///
/// The kernel numbers its devices in the order in which it finds them, so the folder is looked for by the device's
/// name, again whenever the name in it is another or it cannot be read.
public final class SysfsSensor: SensorDevice {
  /// `PAGE_SIZE`: no attribute of sysfs is longer (kernel document filesystems/sysfs).
  static let attributeBytes = 4096
  /// Numbers of values of one type that are looked at for a label.
  static let labelledValues = 64

  let source: SensorSource
  let root: String
  let path = Path()
  let text = FixedBuffer(capacity: SysfsSensor.attributeBytes)
  /// Bytes of `path` that are the device's folder, with its slash; 0 while it is not known.
  var folderLength = 0
  /// The channel; with a label it is known once the device was found.
  var channel: InlineText<64>

  /// A sensor that was not looked for yet. `root` is empty except in tests.
  @export(interface)
  public init(_ source: SensorSource, root: String = "") {
    self.source = source
    self.root = root
    channel = InlineText(cutting: source.channel)
  }

  @export(interface)
  public func read() -> SensorOutcome {
    do throws(SensorFault) {
      if !isStillThere { try find() }
      return .value(try readValue())
    } catch {
      folderLength = 0
      return .failed(error.failure)
    }
  }

  /// The folder that was found last has the device's name still.
  private var isStillThere: Bool {
    guard folderLength > 0 else { return false }
    switch source.interface {
    case .oneWire: return true
    case .thermal: return attributeEquals("type", source.device)
    case .iio: return isNamed
    case .hwmon: return isNamed && (source.label.isEmpty || labelOfChannelIsRight)
    }
  }

  // MARK: Values

  private func readValue() throws(SensorFault) -> Double {
    switch source.interface {
    case .oneWire: return try readOneWire()
    case .thermal: return source.factor * (try temperature(try number("temp")))
    case .hwmon:
      // hwmon/sysfs-interface: 1 when the chip has detected an open or shorted sensor.
      // A chip that cannot tell it now has a value still.
      if exists("", channel, "_fault"), let fault = try? number("", channel, "_fault"), fault != 0 {
        throw SensorFault(.fault)
      }
      let value = try number("", channel, "_input")
      if Self.begins(channel.span, "temp") { return source.factor * (try temperature(value)) }
      return source.factor * value
    case .iio: return source.factor * (try readIIO())
    }
  }

  /// Thousandths of a degree Celsius. Drivers without a temperature give one that cannot be: `THERMAL_TEMP_INVALID` is
  /// -274000, below absolute zero.
  private func temperature(_ value: Double) throws(SensorFault) -> Double {
    guard value > -273_150 else { throw SensorFault(.fault) }
    return value
  }

  /// sysfs-bus-iio: `_input` is in the unit of the ABI, `_raw` becomes it by (raw + offset) * scale.
  private func readIIO() throws(SensorFault) -> Double {
    if exists("in_", channel, "_input") { return try number("in_", channel, "_input") }
    let raw = try number("in_", channel, "_raw")
    return (raw + (try shared("_offset") ?? 0)) * (try shared("_scale") ?? 1)
  }

  /// An attribute of the channel, or the one that all channels of its type share ("in_voltage_scale").
  private func shared(_ name: StaticString) throws(SensorFault) -> Double? {
    if exists("in_", channel, name) { return try number("in_", channel, name) }
    let type = typeOfChannel
    return exists("in_", type, name) ? try number("in_", type, name) : nil
  }

  private var typeOfChannel: InlineText<64> {
    let span = channel.span
    var end = 0
    while end < span.count, (97...122).contains(span[end]) { end += 1 }
    return InlineText(cutting: span.extracting(0..<end))
  }

  private func readOneWire() throws(SensorFault) -> Double {
    // Of newer kernels, which check the sum themselves; all have the other.
    guard exists("w1_slave") else { return source.factor * (try number("temperature")) }
    let read: SensorTexts.OneWire
    do throws(Errno) {
      read = try attribute("w1_slave") { SensorTexts.oneWire($0) }
    } catch {
      throw SensorFault(.system(error))
    }
    switch read {
    case .value(let value): return source.factor * value
    case .badChecksum: throw SensorFault(.badChecksum)
    case .powerOn: throw SensorFault(.powerOn)
    case .unreadable: throw SensorFault(.noNumber)
    }
  }

  // MARK: Attributes

  private func number(_ name: StaticString) throws(SensorFault) -> Double { try number("", InlineText(), name) }

  private func number(
    _ prefix: StaticString, _ middle: InlineText<64>, _ suffix: StaticString
  ) throws(SensorFault) -> Double {
    let value: Double?
    do throws(Errno) {
      value = try attribute(prefix, middle, suffix) { SensorTexts.number($0) }
    } catch {
      throw error == .noSuchFile ? channelFault() : SensorFault(.system(error))
    }
    guard let value else { throw SensorFault(.noNumber) }
    return value
  }

  /// Reads an attribute, trimmed unless it is of several lines. The text is valid during `parse`.
  func attribute<Value>(
    _ prefix: StaticString, _ middle: InlineText<64> = InlineText(), _ suffix: StaticString = "",
    _ parse: (Span<UInt8>) -> Value
  ) throws(Errno) -> Value {
    try go(prefix, middle, suffix)
    let file = try Syscall.open(path, .read)
    defer { file.close() }
    let count = try Syscall.readAll(file, into: UnsafeMutableRawBufferPointer(text.bytes))
    return parse(Span(_unsafeElements: UnsafeBufferPointer(rebasing: text.bytes[..<count])))
  }

  func exists(_ prefix: StaticString, _ middle: InlineText<64> = InlineText(), _ suffix: StaticString = "") -> Bool {
    do throws(Errno) {
      try go(prefix, middle, suffix)
      _ = try Syscall.status(path)
      return true
    } catch {
      return false
    }
  }

  /// An attribute is exactly this text.
  func attributeEquals(_ prefix: StaticString, _ expected: String, middle: InlineText<64> = InlineText()) -> Bool {
    let suffix: StaticString = middle.isEmpty ? "" : "_label"
    do throws(Errno) {
      return try attribute(prefix, middle, suffix) { text in
        let found = SensorTexts.trimmed(text)
        let wanted = expected.utf8.span
        guard found.count == wanted.count else { return false }
        for index in 0..<found.count where found[index] != wanted[index] { return false }
        return true
      }
    } catch {
      return false
    }
  }

  private func go(_ prefix: StaticString, _ middle: InlineText<64>, _ suffix: StaticString) throws(Errno) {
    path.truncate(to: folderLength)
    try path.append(prefix)
    try middle.span.withUnsafeBufferPointer { bytes throws(Errno) in try path.append(bytes) }
    try path.append(suffix)
  }
}

/// A failure, as Swift throws it.
struct SensorFault: Error {
  let failure: SensorFailure
  init(_ kind: SensorFailure.Kind) { failure = SensorFailure(kind) }
  init(_ failure: SensorFailure) { self.failure = failure }
}
