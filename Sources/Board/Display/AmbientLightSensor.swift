import Canvas
import Codec
import Hands
import Runtime

/// The board's first light sensor that a driver of the kernel shows (kernel document ABI/testing/sysfs-bus-iio:
/// in_illuminance, in lux). Looked for anew while there is none. For one thread at a time.
public final class AmbientLightSensor: AmbientLight {
  private let folder: String
  private let path = Path()
  private let text = FixedBuffer(capacity: 64)
  /// Bytes of `path` up to the channel's name and with it; 0 while there is none.
  private var length = 0

  /// Reads nothing yet. `root` is empty except in tests.
  @export(interface)
  public init(root: String = "") { folder = "\(root)/sys/bus/iio/devices" }

  public func illuminance() -> Float? {
    if length == 0 { find() }
    guard length > 0, let lux = value else {
      length = 0
      return nil
    }
    return lux.isFinite ? Float(lux) : nil
  }

  /// sysfs-bus-iio: `_input` is in lux, `_raw` becomes it by (raw + offset) * scale.
  private var value: Double? {
    if let lux = number("_input") { return lux }
    guard let raw = number("_raw") else { return nil }
    return (raw + (number("_offset") ?? 0)) * (number("_scale") ?? 1)
  }

  private func number(_ name: StaticString) -> Double? {
    do throws(Errno) {
      path.truncate(to: length)
      try path.append(name)
      let file = try Syscall.open(path, .read)
      defer { file.close() }
      let count = try Syscall.readAll(file, into: UnsafeMutableRawBufferPointer(text.bytes))
      return SensorTexts.number(Span(_unsafeElements: UnsafeBufferPointer(rebasing: text.bytes[..<count])))
    } catch {
      return nil
    }
  }

  /// The channel is `in_illuminance`, or has a number where the device has several.
  private func find() {
    let scratch = FixedBuffer(capacity: 1024)
    do throws(Errno) {
      let devices = try Syscall.open(try Path(folder), [.read, .directory])
      defer { devices.close() }
      try Syscall.entries(of: devices, scratch: UnsafeMutableRawBufferPointer(scratch.bytes)) { name in
        guard self.length == 0 else { return }
        if !self.enter(name, "/in_illuminance") { _ = self.enter(name, "/in_illuminance0") }
      }
    } catch {
      length = 0
    }
  }

  private func enter(_ device: UnsafePointer<CChar>, _ channel: StaticString) -> Bool {
    do throws(Errno) {
      path.truncate()
      try path.append(folder)
      try path.append("/")
      try path.append(cString: device)
      try path.append(channel)
      length = path.length
    } catch {
      length = 0
    }
    if length > 0, value == nil { length = 0 }
    return length > 0
  }
}
