import Camera
import Codec
import Device
import Runtime

/// A light of the kernel's LED class (kernel document leds-class): on a GPIO, on a camera, on the board.
///
/// Blocks for up to `Budget.indicatorReads` short pauses; used by one worker at a time. Nothing stays open between
/// calls, so that a light that is plugged in anew works again.
public final class LEDIndicator: Indicator {
  /// A number of 32 bits, a line feed, and one more byte, for a file with more in it says something else.
  private static let numberBytes = 12
  /// Milliseconds between two looks at a light that has not obeyed yet.
  private static let pauseMilliseconds: Int32 = 5

  private let trigger, most, brightness: Path
  private let text = FixedBuffer(capacity: LEDIndicator.numberBytes)

  /// A light by its name in the class folder ("led0", "input0::capslock"). It need not be there yet.
  /// - Throws: `.invalidArgument` for a name that is empty or leads elsewhere, `ENAMETOOLONG`.
  public init(name: String, root: String = "/sys/class/leds") throws(Errno) {
    guard Self.isName(name) else { throw .invalidArgument }
    trigger = try Path("\(root)/\(name)/trigger")
    most = try Path("\(root)/\(name)/max_brightness")
    brightness = try Path("\(root)/\(name)/brightness")
  }

  private static func isName(_ name: String) -> Bool {
    if name.isEmpty || name == "." || name == ".." { return false }
    for byte in name.utf8 where byte == UInt8(ascii: "/") || byte == 0 { return false }
    return true
  }

  /// See `Indicator`. On is as bright as it gets, and not left to one of the kernel's triggers.
  public func light(_ isOn: Bool) -> Bool {
    do throws(Errno) {
      let level = isOn ? try number(in: most) : 0
      guard level > 0 || !isOn else { return false }
      if isOn { try freeOfTriggers() }
      try write(level, to: brightness)
      return try shows(isOn)
    } catch {
      return false
    }
  }

  /// A kernel without triggers has no such file.
  private func freeOfTriggers() throws(Errno) {
    do throws(Errno) {
      try write("none\n", to: trigger)
    } catch {
      if error != .noSuchFile { throw error }
    }
  }

  /// Behind a slow bus the kernel sets a light a little after it said so, and may read the old value until then.
  private func shows(_ isOn: Bool) throws(Errno) -> Bool {
    for attempt in 0..<Budget.indicatorReads {
      if attempt > 0 {
        _ = try Syscall.waitReadable(Descriptor(-1), or: nil, milliseconds: Self.pauseMilliseconds)
      }
      let shines = try number(in: brightness) > 0
      if shines == isOn { return true }
    }
    return false
  }

  private func number(in path: Path) throws(Errno) -> Int64 {
    let file = try Syscall.open(path, .read)
    defer { file.close() }
    let count = try Syscall.readAll(file, into: UnsafeMutableRawBufferPointer(text.bytes))
    let text = Span(_unsafeElements: UnsafeBufferPointer(rebasing: text.bytes[..<count]))
    guard let number = SystemTexts.number(text) else { throw .invalidArgument }
    return number
  }

  private func write(_ level: Int64, to path: Path) throws(Errno) {
    var writer = ByteWriter(into: text.bytes)
    writer.decimal(level)
    writer.byte(UInt8(ascii: "\n"))
    guard writer.isComplete else { throw .invalidArgument }
    try write(UnsafeBufferPointer(rebasing: text.bytes[..<writer.count]), to: path)
  }

  private func write(_ word: StaticString, to path: Path) throws(Errno) {
    try write(word.bytes, to: path)
  }

  private func write(_ bytes: UnsafeBufferPointer<UInt8>, to path: Path) throws(Errno) {
    let file = try Syscall.open(path, [.write, .truncate])
    defer { file.close() }
    try Syscall.writeAll(file, UnsafeRawBufferPointer(bytes))
  }
}
