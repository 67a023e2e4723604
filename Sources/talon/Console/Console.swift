import Runtime

/// Output of commands for people.
enum Console {
  /// True when standard output accepts nothing more, because its reader is gone.
  nonisolated(unsafe) private(set) static var isGone = false

  /// Writes one line to standard output, with text from elsewhere in it: line ends of that are shown as "?", so that it
  /// begins no line of its own.
  static func show(_ text: String) { line(text, to: Descriptor(1)) }

  /// The same to standard error, which is not where programs read results.
  static func tell(_ text: String) { line(text, to: Descriptor(2)) }

  private static func line(_ text: String, to output: Descriptor) {
    var shown: [UInt8] = []
    text.withBytes { bytes in ShownText.forEachByte(of: bytes) { shown.append($0) } }
    shown.append(UInt8(ascii: "\n"))
    shown.withUnsafeBytes { write($0, to: output) }
  }

  /// Words of others as they stand in a sentence of the board (`QuotedText`).
  static func quoted(_ text: String, _ form: QuotedText.Form = .words, most: Int = Budget.quotedBytes) -> String {
    var shown: [UInt8] = []
    text.withBytes { bytes in _ = QuotedText.write(bytes, form, most: most) { shown.append($0) } }
    return String(decoding: shown, as: UTF8.self)
  }

  /// Writes lines of the program's own to standard output.
  static func out(_ text: String) { show(text + "\n", to: Descriptor(1)) }

  /// Writes a line to standard error.
  static func err(_ text: String) { show(text + "\n", to: Descriptor(2)) }

  /// Writes text from elsewhere to standard output, without a line end.
  static func piece(_ text: UnsafeBufferPointer<UInt8>) { show(text, to: Descriptor(1)) }

  private static func show(_ text: String, to output: Descriptor) {
    text.withBytes { show($0, to: output) }
  }

  /// Replaces control characters by "?", and spells out characters that change the direction of text (`ShownText`).
  private static func show(_ text: UnsafeBufferPointer<UInt8>, to output: Descriptor) {
    var shown: [UInt8] = []
    shown.reserveCapacity(text.count)
    ShownText.forEachByte(of: text, keepsLines: true) { shown.append($0) }
    shown.withUnsafeBytes { write($0, to: output) }
  }

  private static func write(_ bytes: UnsafeRawBufferPointer, to output: Descriptor) {
    // There is nobody to tell when standard error itself is closed.
    do throws(Errno) { try Syscall.writeAll(output, bytes) } catch { isGone = true }
  }
}
