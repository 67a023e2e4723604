import Codec
import Hands
import Runtime

/// A channel of a PWM chip of the kernel, by its files (kernel document driver-api/pwm, "Using PWMs with the sysfs
/// interface"). It stays as it was set when the program ends.
public final class SysfsPWM: PWMOutput {
  private let chip: SysfsFolder
  private let files: SysfsFolder
  private let channel: Int64
  /// Nanoseconds.
  private let period: Int64
  private let isInverted: Bool

  /// A channel of the chip with this name ("pwmchip0"). `frequency` in hertz, from 1 to 1 MHz.
  /// - Throws: `.invalidArgument` for a name that leads elsewhere, or a frequency outside of that.
  @export(interface)
  public init(
    chip name: String, channel: Int, frequency: Int, isInverted: Bool, root: String = "/sys/class/pwm"
  ) throws(Errno) {
    guard (1...1_000_000).contains(frequency), (0...255).contains(channel) else { throw .invalidArgument }
    chip = try SysfsFolder(name: name, root: root)
    files = try SysfsFolder(name: "pwm\(channel)", root: root + "/" + name)
    self.channel = Int64(channel)
    period = 1_000_000_000 / Int64(frequency)
    self.isInverted = isInverted
  }

  /// Right after the export its files are root's, until udev has given them to the group: `.accessDenied`.
  public func open() throws(Errno) {
    do throws(Errno) { try chip.write(channel, to: "export") } catch {
      // Exported already, also by a run before.
      if error != .busy { throw error }
    }
    let old = try files.number(in: "period")
    if old != period {
      // No pulse may be longer than the period; and no length may be written before there is one.
      if old > 0 { try files.write(0, to: "duty_cycle") }
      try files.write(period, to: "period")
    }
    try setPolarity()
  }

  /// Can only be changed while the channel is off. A chip that cannot turn it round refuses "inversed".
  private func setPolarity() throws(Errno) {
    let word: StaticString = isInverted ? "inversed" : "normal"
    var text = InlineArray<16, UInt8>(repeating: 0)
    var span = text.mutableSpan
    let isSet = try span.withUnsafeMutableBufferPointer { (bytes) throws(Errno) in
      let count = try files.read("polarity", into: bytes)
      return UnsafeBufferPointer(rebasing: bytes[..<count]).starts(with: word.bytes)
    }
    if isSet { return }
    try files.write(0, to: "enable")
    try files.write(word, to: "polarity")
  }

  /// A channel that is off is on with pulses of no length, because what a disabled one puts out depends on the chip.
  public func set(_ share: Double) throws(Errno) {
    let length = Int64(clamping: (Double(period) * min(max(share, 0), 1)).rounded())
    try files.write(length, to: "duty_cycle")
    if try files.number(in: "enable") == 0 { try files.write(1, to: "enable") }
  }

  public func share() throws(Errno) -> Double {
    guard try files.number(in: "enable") != 0 else { return 0 }
    let period = try files.number(in: "period")
    return period <= 0 ? 0 : Double(try files.number(in: "duty_cycle")) / Double(period)
  }

  public func close() {}
}
