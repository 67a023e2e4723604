/// An instant as `2026-01-01T00:00:00.000Z` (ISO 8601, RFC 3339), UTC, to the millisecond.
public struct ISO8601: Sendable {
  /// Characters of every instant.
  public static let length = 24
  /// The instants of the years 0 to 9999.
  private static let range: ClosedRange<Int64> = -62_167_219_200_000...253_402_300_799_999
  private static let millisecondsPerDay: Int64 = 86_400_000

  private var storage = InlineArray<24, UInt8>(repeating: 0)

  /// The text of an instant; one outside the years 0 to 9999 becomes the nearest inside.
  /// - Parameter unixMilliseconds: since 1 January 1970, leap seconds not counted.
  public init(unixMilliseconds: Int64) {
    let moment = min(max(unixMilliseconds, Self.range.lowerBound), Self.range.upperBound)
    let days = CivilDate.flooredQuotient(moment, Self.millisecondsPerDay)
    let date = CivilDate(daysSinceEpoch: days)
    let time = UInt64(moment - days * Self.millisecondsPerDay)
    var characters = storage.mutableSpan
    characters.withUnsafeMutableBufferPointer { Self.write(date, time, $0) }
  }

  /// The 24 characters.
  public var text: Span<UInt8> {
    @_lifetime(borrow self)
    get { storage.span }
  }

  private static func write(_ date: CivilDate, _ time: UInt64, _ output: UnsafeMutableBufferPointer<UInt8>) {
    var writer = ByteWriter(into: output)
    writer.decimal(UInt64(date.year), width: 4)
    writer.text("-")
    writer.decimal(UInt64(date.month), width: 2)
    writer.text("-")
    writer.decimal(UInt64(date.day), width: 2)
    writer.text("T")
    writer.decimal(time / 3_600_000, width: 2)
    writer.text(":")
    writer.decimal(time / 60_000 % 60, width: 2)
    writer.text(":")
    writer.decimal(time / 1000 % 60, width: 2)
    writer.text(".")
    writer.decimal(time % 1000, width: 3)
    writer.text("Z")
  }
}
