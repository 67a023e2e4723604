import Runtime

/// What commands tell the person at the console.
enum Console {
  /// A line to standard output.
  static func out(_ text: String) { write(text, to: Descriptor(1)) }

  /// A line to standard error.
  static func err(_ text: String) { write(text, to: Descriptor(2)) }

  private static func write(_ text: String, to output: Descriptor) {
    let line = text + "\n"
    line.utf8.span.withUnsafeBytes { bytes in
      // Nobody is left to tell when the console itself is gone.
      do throws(Errno) { try Syscall.writeAll(output, bytes) } catch {}
    }
  }
}
