import Codec
import Runtime

/// A photo that is kept, as its file's name says: `NUMBER-TIME.jpg`, or `NUMBER-TIME-late.jpg`.
public struct KeptPhoto: Equatable, Sendable {
  /// Rises with each photo, so that the order is right also when the clock was set meanwhile. Ten digits in the name.
  public var number: Int64
  /// When it was taken: milliseconds since 1970, 0 where the board did not know. Thirteen digits in the name.
  public var time: Int64
  /// `time` is later than when it was taken: the first moment after that at which the board knew the time.
  public var isLate = false
  /// Bytes of the file.
  public var bytes = 0

  /// A photo; see the properties.
  public init(number: Int64, time: Int64, isLate: Bool = false, bytes: Int = 0) {
    (self.number, self.time, self.isLate, self.bytes) = (number, time, isLate, bytes)
  }

  static let numberDigits = 10, timeDigits = 13
  static let ending: StaticString = ".jpg", lateEnding: StaticString = "-late.jpg"
  /// The largest number that a name has room for.
  public static let lastNumber: Int64 = 9_999_999_999

  /// When it was taken, if that is known.
  public var taken: Int64? { time == 0 || isLate ? nil : time }

  /// The file's name.
  public var name: InlineText<40> {
    var name = InlineText<40>()
    name.fill { buffer in
      var writer = ByteWriter(into: buffer)
      Self.write(number, Self.numberDigits, to: &writer)
      writer.text("-")
      Self.write(time, Self.timeDigits, to: &writer)
      writer.text(isLate ? Self.lateEnding : Self.ending)
      return min(writer.count, buffer.count)
    }
    return name
  }

  private static func write(_ number: Int64, _ digits: Int, to writer: inout ByteWriter) {
    var scale: Int64 = 1
    for _ in 1..<digits { scale *= 10 }
    while scale > 0 {
      writer.byte(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: max(number, 0) / scale % 10))
      scale /= 10
    }
  }

  /// What a file's name says; nil for another file.
  public init?(name: Span<UInt8>) {
    let fixed = Self.numberDigits + 1 + Self.timeDigits
    guard name.count > fixed, name[Self.numberDigits] == UInt8(ascii: "-"),
      let number = Self.number(name.extracting(0..<Self.numberDigits)),
      let time = Self.number(name.extracting((Self.numberDigits + 1)..<fixed))
    else { return nil }
    let rest = name.extracting(fixed...)
    if Self.equals(rest, Self.ending) {
      self.init(number: number, time: time)
    } else if Self.equals(rest, Self.lateEnding) {
      self.init(number: number, time: time, isLate: true)
    } else {
      return nil
    }
  }

  private static func equals(_ text: Span<UInt8>, _ other: StaticString) -> Bool {
    guard text.count == other.bytes.count else { return false }
    for index in 0..<text.count where text[index] != other.bytes[index] { return false }
    return true
  }

  private static func number(_ digits: Span<UInt8>) -> Int64? {
    var number: Int64 = 0
    for index in 0..<digits.count {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digits[index]) else { return nil }
      number = number * 10 + Int64(digits[index] - UInt8(ascii: "0"))
    }
    return number
  }
}

/// Where photos are kept. Calls block: they are for one worker at a time.
public protocol PhotoFiles: AnyObject {
  /// Calls `body` with each photo, in any order, and removes what a power cut left unfinished.
  func list(_ body: (KeptPhoto) -> Void) throws(Errno)
  /// Writes a photo. When this returns it is on flash; when it throws or power fails, there is all of it or nothing.
  func write(_ photo: KeptPhoto, _ bytes: UnsafeBufferPointer<UInt8>) throws(Errno)
  /// Reads a photo; returns its bytes.
  func read(_ photo: KeptPhoto, into bytes: UnsafeMutableBufferPointer<UInt8>) throws(Errno) -> Int
  /// Gives a photo another name.
  func rename(_ photo: KeptPhoto, to other: KeptPhoto) throws(Errno)
  /// Removes a photo. It is gone for good after `sync`.
  func remove(_ photo: KeptPhoto) throws(Errno)
  /// Puts removals and names on flash.
  func sync() throws(Errno)
  /// Removes every photo for good; returns how many. Throws when one is left.
  func removeAll() throws(Errno) -> Int
}
