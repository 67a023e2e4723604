import Runtime

/// A device at the board that reads codes, such as a scanner of bar codes that is a keyboard to the kernel.
public protocol CodeScanner: AnyObject {
  /// Begins to read codes, also of a device that is plugged in later. The delegate outlives the scanner.
  func start(_ delegate: any CodeScannerDelegate)
  /// Gives the device back.
  func stop()
}

/// Gets what a scanner reads, on the loop's thread.
public protocol CodeScannerDelegate: AnyObject {
  /// The text of a code in UTF-8, 1 to `Budget.scannerTextBytes` bytes, valid during the call.
  func scanned(_ text: Span<UInt8>)
  /// A code whose text is not there whole.
  func scanFailed(_ fault: ScanFault)
}

/// Why the text of a code is not there.
public enum ScanFault: Sendable {
  /// It is longer than `Budget.scannerTextBytes`.
  case tooLong
  /// The kernel has dropped events.
  case lost

  /// For the log: "is longer than 4296 bytes".
  public func write(to line: inout LogLine) {
    switch self {
    case .tooLong:
      line.add("is longer than ")
      line.add(Budget.scannerTextBytes)
      line.add(" bytes")
    case .lost: line.add("did not arrive whole: scan it again")
    }
  }
}
