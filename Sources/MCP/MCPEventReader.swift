import Runtime

/// Takes messages out of a stream of events as its bytes arrive, in pieces of any size ("Server-sent events" of the
/// HTML standard): what stands after `data:`. Everything else of an event is passed over. The lines of one message are
/// put together without an end between them, which JSON does not need.
public struct MCPEventReader: Sendable {
  /// What has come.
  public enum Piece: Equatable, Sendable {
    /// A piece of a message: these of the bytes that were given.
    case text(Range<Int>)
    /// The message has ended.
    case end
  }

  /// Where in a line the next byte stands.
  private enum Place: Equatable, Sendable {
    /// After so many letters of `data`; after its colon; in what it says; in a line that says something else.
    case name(Int), colon, data, other
  }

  private static let name: StaticString = "data"

  private var place = Place.name(0)
  /// The last line ended in a carriage return, so that a line feed belongs to its end.
  private var isAfterReturn = false
  /// The event has a message.
  private var hasData = false

  /// A reader at the beginning of a stream.
  public init() {}

  /// The next piece from `index` on, which moves after it; nil when all bytes were read.
  public mutating func next(_ bytes: UnsafeBufferPointer<UInt8>, at index: inout Int) -> Piece? {
    while index < bytes.count {
      let byte = bytes[index]
      if isAfterReturn, byte == 0x0A {
        isAfterReturn = false
        index += 1
        continue
      }
      isAfterReturn = byte == 0x0D
      if byte == 0x0A || byte == 0x0D {
        index += 1
        if endLine() { return .end }
        continue
      }
      guard place == .data || place == .colon && byte != 0x20 else {
        readName(byte)
        index += 1
        continue
      }
      place = .data
      let start = index
      while index < bytes.count, bytes[index] != 0x0A, bytes[index] != 0x0D { index += 1 }
      return .text(start..<index)
    }
    return nil
  }

  /// Ends a line; true when it was empty, and the event has a message.
  private mutating func endLine() -> Bool {
    let isEmpty = place == .name(0)
    if place == .data || place == .colon { hasData = true }
    place = .name(0)
    guard isEmpty, hasData else { return false }
    hasData = false
    return true
  }

  private mutating func readName(_ byte: UInt8) {
    switch place {
    case .name(let count):
      if count == Self.name.utf8CodeUnitCount {
        place = byte == UInt8(ascii: ":") ? .colon : .other
      } else {
        place = byte == Self.name.bytes[count] ? .name(count + 1) : .other
      }
    // One blank after the colon is no part of it.
    case .colon: place = .data
    case .data, .other: return
    }
  }
}
