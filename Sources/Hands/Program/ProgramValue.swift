import Codec

/// A value of a command line that the agent chooses, within what the owner allows.
public struct ProgramValue: Equatable, Sendable {
  public enum Kind: Equatable, Sendable {
    /// A number from a range; whole when both ends are written without a point.
    case number(ClosedRange<Double>, isWhole: Bool)
    /// One of these words.
    case choice([String])
    /// A text of at most so many characters of a set.
    case text(Int, ASCIISet)
  }

  /// The name of the parameter.
  public var name: String
  public var kind: Kind

  /// Writes the text of a JSON value; false when the owner does not allow it.
  public func write(_ value: borrowing JSONView, to writer: inout ByteWriter) -> Bool {
    switch kind {
    case .number(let range, let isWhole):
      guard let number = value.double, range.contains(number) else { return false }
      guard isWhole else {
        writer.shortest(number)
        return true
      }
      guard let whole = value.int64 else { return false }
      writer.decimal(whole)
      return true
    case .choice(let words):
      for word in words where value.equals(word.utf8.span) {
        writer.text(word)
        return true
      }
      return false
    case .text(let most, let characters):
      var text = InlineArray<512, UInt8>(repeating: 0)
      var span = text.mutableSpan
      let length = span.withUnsafeMutableBufferPointer { value.copyString(into: $0) }
      guard let length, length <= most else { return false }
      for index in 0..<length where !characters.contains(text[index]) { return false }
      writer.bytes(text.span.extracting(0..<length))
      return true
    }
  }
}
