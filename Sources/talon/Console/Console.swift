import Runtime

/// What commands tell the person at the console.
enum Console {
  /// True when standard output takes nothing any more: its reader is gone.
  nonisolated(unsafe) private(set) static var isGone = false

  /// A line to standard output.
  static func out(_ text: String) { show(text + "\n", to: Descriptor(1)) }

  /// A line to standard error.
  static func err(_ text: String) { show(text + "\n", to: Descriptor(2)) }

  /// Text of others to standard output, as it comes and without a line's end.
  static func piece(_ text: UnsafeBufferPointer<UInt8>) { show(text, to: Descriptor(1)) }

  private static func show(_ text: String, to output: Descriptor) {
    text.utf8.span.withUnsafeBufferPointer { show($0, to: output) }
  }

  /// What a terminal might take for an order becomes "?", and what turns the direction of a text is spelt (`ShownText`).
  private static func show(_ text: UnsafeBufferPointer<UInt8>, to output: Descriptor) {
    var shown: [UInt8] = []
    shown.reserveCapacity(text.count)
    ShownText.forEachByte(of: text, keepsLines: true) { shown.append($0) }
    shown.withUnsafeBytes { write($0, to: output) }
  }

  private static func write(_ bytes: UnsafeRawBufferPointer, to output: Descriptor) {
    // Nobody is left to tell when the console itself is gone.
    do throws(Errno) { try Syscall.writeAll(output, bytes) } catch { isGone = true }
  }
}
