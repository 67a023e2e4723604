/// Checks a JSON text of any size as it arrives and keeps only the few strings whose paths are given, such as `id` or
/// `payload.nodeId`. The text is refused exactly where a `JSONValidator` refuses it. Of members by the same name the
/// last one counts.
public struct JSONScanner {
  /// The most places that one scanner can watch.
  public static let pathsMax = 8

  private var machine: JSONMachine
  private var capture: JSONCapture

  /// A scanner at the start of a text.
  /// - Parameters:
  ///   - depthLimit: how many containers may be nested, 1 to 1024.
  ///   - paths: names of members from the text's own object inwards, with dots between them; at most
  ///     `pathsMax`.
  ///     Members of objects inside arrays have no path.
  ///   - buffer: where the strings are kept. Each path gets an equal share of it, which is the longest
  ///     string, in bytes of UTF-8,
  ///     that it can keep. The buffer must outlive the scanner.
  public init<let count: Int>(
    depthLimit: Int, paths: InlineArray<count, StaticString>, buffer: UnsafeMutableBufferPointer<UInt8>
  ) {
    precondition(count > 0 && count <= Self.pathsMax)
    machine = JSONMachine(depthLimit: depthLimit)
    capture = JSONCapture(share: buffer.count / count, buffer: buffer)
    for index in 0..<count { capture.watch(paths[index]) }
  }

  /// Reads the next bytes. After an error every further call throws it again.
  public mutating func feed(_ bytes: Span<UInt8>) throws(JSONError) {
    try machine.feed(bytes, into: &capture)
  }

  /// Ends the text; throws `unexpectedEnd` when a value is missing or half read.
  public mutating func finish() throws(JSONError) {
    try machine.finish()
  }

  /// What was found at the path by this index so far.
  public func finding(_ path: Int) -> JSONFinding {
    capture.finding(path)
  }

  /// The string at the path by this index, unescaped, or nil unless `finding` is `string`. It is in the scanner's
  /// buffer.
  public func string(_ path: Int) -> UnsafeBufferPointer<UInt8>? {
    guard finding(path) == .string else { return nil }
    return capture.string(path)
  }

  /// True when the string at the path by this index was found and says exactly `expected`.
  public func equals(_ path: Int, _ expected: StaticString) -> Bool {
    guard let string = string(path) else { return false }
    return Span(_unsafeElements: string).matches(expected)
  }
}

/// What was found at a path.
public enum JSONFinding: UInt8, Sendable {
  /// Nothing, so far.
  case absent
  /// A string that fits.
  case string
  /// A string longer than its share of the buffer.
  case tooLong
  /// A value of another kind.
  case other
}
