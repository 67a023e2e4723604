import Runtime

/// What commands tell the person at the console.
enum Console {
  /// True when standard output takes nothing any more: its reader is gone.
  nonisolated(unsafe) private(set) static var isGone = false

  /// A line to standard output.
  static func out(_ text: String) { write(text, to: Descriptor(1)) }

  /// A line to standard error.
  static func err(_ text: String) { write(text, to: Descriptor(2)) }

  /// Text of others to standard output, as it comes and without a line's end. What a terminal might take for a command
  /// becomes "?".
  static func piece(_ text: UnsafeMutableBufferPointer<UInt8>) {
    for index in text.indices where isControl(text, index) { text[index] = UInt8(ascii: "?") }
    write(UnsafeRawBufferPointer(text), to: Descriptor(1))
  }

  /// C0 but for tabs and line ends, DEL, and the C1 controls (U+0080 to U+009F) by their second byte.
  private static func isControl(_ text: UnsafeMutableBufferPointer<UInt8>, _ index: Int) -> Bool {
    let byte = text[index]
    if byte == 0x7F || byte < 0x20 { return byte != UInt8(ascii: "\n") && byte != UInt8(ascii: "\t") }
    return byte & 0xE0 == 0x80 && index > 0 && text[index - 1] == 0xC2
  }

  private static func write(_ text: String, to output: Descriptor) {
    let line = text + "\n"
    line.utf8.span.withUnsafeBytes { write($0, to: output) }
  }

  private static func write(_ bytes: UnsafeRawBufferPointer, to output: Descriptor) {
    // Nobody is left to tell when the console itself is gone.
    do throws(Errno) { try Syscall.writeAll(output, bytes) } catch { isGone = true }
  }
}
