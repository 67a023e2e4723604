import Codec
import Device
import Runtime

/// The files of one device of a class of the kernel (kernel documents leds-class, pwm). Opens its files anew in every
/// call, so that a device that was unplugged and plugged in works again.
final class SysfsFolder {
  /// A number of 32 bits, a line feed, and one more byte to detect longer files.
  private static let numberBytes = 12

  private let path: Path
  private let length: Int
  private let text = FixedBuffer(capacity: SysfsFolder.numberBytes)

  /// A device by its name in a folder ("led0", "input0::capslock", "pwmchip0"). It need not be there yet.
  /// - Throws: `.invalidArgument` for a name that is empty or leads elsewhere, `ENAMETOOLONG`.
  init(name: String, root: String = "/sys/class/leds") throws(Errno) {
    guard Self.isName(name) else { throw .invalidArgument }
    path = try Path("\(root)/\(name)/")
    length = path.length
  }

  private static func isName(_ name: String) -> Bool {
    if name.isEmpty || name == "." || name == ".." { return false }
    for byte in name.utf8 where byte == UInt8(ascii: "/") || byte == 0 { return false }
    return true
  }

  /// The number in a file.
  func number(in file: StaticString) throws(Errno) -> Int64 {
    let count = try read(file, into: text.bytes)
    let text = Span(_unsafeElements: UnsafeBufferPointer(rebasing: text.bytes[..<count]))
    guard let number = SystemTexts.number(text) else { throw .invalidArgument }
    return number
  }

  /// The beginning of a file.
  func read(_ file: StaticString, into bytes: UnsafeMutableBufferPointer<UInt8>) throws(Errno) -> Int {
    let file = try open(file, .read)
    defer { file.close() }
    return try Syscall.readAll(file, into: UnsafeMutableRawBufferPointer(bytes))
  }

  /// Writes a number and a line feed.
  func write(_ number: Int64, to file: StaticString) throws(Errno) {
    var writer = ByteWriter(into: text.bytes)
    writer.decimal(number)
    writer.byte(UInt8(ascii: "\n"))
    guard writer.isComplete else { throw .invalidArgument }
    try write(UnsafeBufferPointer(rebasing: text.bytes[..<writer.count]), to: file)
  }

  /// Writes a literal.
  func write(_ word: StaticString, to file: StaticString) throws(Errno) { try write(word.bytes, to: file) }

  /// Writes bytes.
  func write(_ bytes: UnsafeBufferPointer<UInt8>, to file: StaticString) throws(Errno) {
    let file = try open(file, [.write, .truncate])
    defer { file.close() }
    try Syscall.writeAll(file, UnsafeRawBufferPointer(bytes))
  }

  private func open(_ file: StaticString, _ mode: OpenMode) throws(Errno) -> Descriptor {
    path.truncate(to: length)
    try path.append(file)
    return try Syscall.open(path, mode)
  }
}
