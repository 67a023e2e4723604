/// Encodes bytes that arrive in pieces (RFC 4648).
public struct Base64Encoder {
  private let alphabet: Base64
  /// Bytes that wait for the rest of their group of three.
  private var pending = InlineArray<3, UInt8>(repeating: 0)
  private var pendingCount = 0

  /// An encoder at the start of a text.
  public init(_ alphabet: Base64) {
    self.alphabet = alphabet
  }

  /// How many characters the next `count` bytes add at once; the last group waits for `finish`.
  public func outputLength(adding count: Int) -> Int {
    (pendingCount + count) / 3 * 4
  }

  /// Encodes the next bytes.
  /// - Returns: how many characters were written; less room in `output` than `outputLength(adding:)` is a
  ///   programmer's error.
  public mutating func encode(_ input: Span<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>) -> Int {
    precondition(output.count >= outputLength(adding: input.count))
    var index = 0
    var written = 0
    while pendingCount > 0, index < input.count {
      pending[pendingCount] = input[index]
      pendingCount += 1
      index += 1
      if pendingCount == 3 { written = flush(into: output) }
    }
    let whole = (input.count - index) / 3 * 3
    written += alphabet.encode(
      input.extracting(index..<index + whole), into: UnsafeMutableBufferPointer(rebasing: output[written...]))
    for rest in index + whole..<input.count {
      pending[pendingCount] = input[rest]
      pendingCount += 1
    }
    return written
  }

  /// Writes what is left: nothing, or one group of two to four characters. The encoder can then be used for another
  /// text.
  public mutating func finish(into output: UnsafeMutableBufferPointer<UInt8>) -> Int {
    flush(into: output)
  }

  private mutating func flush(into output: UnsafeMutableBufferPointer<UInt8>) -> Int {
    defer { pendingCount = 0 }
    return alphabet.encode(pending.span.extracting(0..<pendingCount), into: output)
  }
}
