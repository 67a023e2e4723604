import Codec
import Runtime

extension Locale {
  /// The forms of a date that a locale has.
  public enum DateForm: Int, Sendable {
    /// "Friday, November 27, 2026", and without the year.
    case whole, wholeInYear
    /// "Nov 27, 2026", and "11/27/26".
    case short, digits
    /// "9:05 AM"
    case time
    /// "November 2026"
    case month
  }

  /// What stands above the columns of a picker.
  public enum Field: Int, Sendable { case year, month, day, hour, minute }

  /// The caption of a field: "Month".
  @_lifetime(immortal)
  public func caption(_ field: Field) -> Span<UInt8> { text(.fields, field.rawValue) }

  /// The name of a month, 1...12, as it stands by itself: "November". Empty for another number.
  @_lifetime(immortal)
  public func monthName(_ month: Int) -> Span<UInt8> { text(.monthsAlone, month - 1) }

  /// The name of a month in few letters: "Nov".
  @_lifetime(immortal)
  public func shortMonthName(_ month: Int) -> Span<UInt8> { text(.monthsShort, month - 1) }

  /// The order in which a date in digits is written.
  public var dateOrder: InlineArray<3, Field> {
    var order: InlineArray<3, Field> = [.year, .month, .day]
    var (count, seen): (Int, UInt8) = (0, 0)
    for letter in part(.patterns, DateForm.digits.rawValue) where count < 3 {
      let field: Field? =
        switch letter {
        case UInt8(ascii: "y"): .year
        case UInt8(ascii: "M"), UInt8(ascii: "L"): .month
        case UInt8(ascii: "d"): .day
        default: nil
        }
      guard let field, seen & 1 << UInt8(field.rawValue) == 0 else { continue }
      seen |= 1 << UInt8(field.rawValue)
      order[count] = field
      count += 1
    }
    return order
  }

  /// Writes an hour, 0...23, as the locale's clock does: "9 PM", or "21".
  public func write(hour: Int, into writer: inout ByteWriter) {
    guard let date = CivilDate(year: 1970, month: 1, day: 1) else { return }
    let pattern: StaticString = hasPeriods ? "h a" : "HH"
    write(LocalTime(date, hour: min(max(hour, 0), 23)), pattern: pattern.utf8Bytes, into: &writer)
  }

  /// A time in one of the locale's forms, cut where it is too long.
  public func text<let size: Int>(_ time: LocalTime, as form: DateForm) -> InlineText<size> {
    var text = InlineText<size>()
    text.fill { buffer in
      var writer = ByteWriter(into: buffer)
      write(time, as: form, into: &writer)
      return min(writer.count, buffer.count)
    }
    return text
  }

  /// True where a day has two times twelve hours.
  public var hasPeriods: Bool {
    let pattern = part(.patterns, DateForm.time.rawValue)
    for byte in pattern where byte == UInt8(ascii: "h") { return true }
    return false
  }

  @_lifetime(immortal)
  private func text(_ column: Column, _ number: Int) -> Span<UInt8> {
    _overrideLifetime(Span(_unsafeElements: part(column, number)), copying: ())
  }

  /// Writes a time in one of the locale's forms.
  public func write(_ time: LocalTime, as form: DateForm, into writer: inout ByteWriter) {
    write(time, pattern: Span(_unsafeElements: part(.patterns, form.rawValue)), into: &writer)
  }

  /// Writes a time by a pattern of Unicode TR35 section 8, of which y, M, L, d, E, c, a, h, H, K, k, m and s are known;
  /// other letters are passed over. Text in single quotes stands for itself, and two of them for one.
  public func write(_ time: LocalTime, pattern: Span<UInt8>, into writer: inout ByteWriter) {
    var index = 0
    while index < pattern.count {
      let letter = pattern[index]
      if letter == UInt8(ascii: "'") {
        index = quote(pattern, from: index, into: &writer)
        continue
      }
      guard letter | 0x20 >= UInt8(ascii: "a"), letter | 0x20 <= UInt8(ascii: "z") else {
        writer.byte(letter)
        index += 1
        continue
      }
      var end = index
      while end < pattern.count, pattern[end] == letter { end += 1 }
      write(time, letter, count: end - index, into: &writer)
      index = end
    }
  }

  /// - Returns: where the pattern goes on.
  private func quote(_ pattern: Span<UInt8>, from start: Int, into writer: inout ByteWriter) -> Int {
    let mark = UInt8(ascii: "'")
    if start + 1 < pattern.count, pattern[start + 1] == mark {
      writer.byte(mark)
      return start + 2
    }
    var index = start + 1
    while index < pattern.count {
      if pattern[index] == mark {
        guard index + 1 < pattern.count, pattern[index + 1] == mark else { return index + 1 }
        index += 1
      }
      writer.byte(pattern[index])
      index += 1
    }
    return index
  }

  private func write(_ time: LocalTime, _ letter: UInt8, count: Int, into writer: inout ByteWriter) {
    let month = Int(time.date.month)
    let twelve = (time.hour + 11) % 12 + 1
    switch letter {
    case UInt8(ascii: "y"):
      let year = Int(time.date.year)
      count == 2 ? number(year % 100, 2, into: &writer) : number(year, count, into: &writer)
    case UInt8(ascii: "M"):
      if count <= 2 { return number(month, count, into: &writer) }
      name(count == 3 ? .monthsShort : .months, month - 1, into: &writer)
    case UInt8(ascii: "L"):
      if count <= 2 { return number(month, count, into: &writer) }
      name(count == 3 ? .monthsShort : .monthsAlone, month - 1, into: &writer)
    case UInt8(ascii: "d"): number(Int(time.date.day), count, into: &writer)
    case UInt8(ascii: "E"), UInt8(ascii: "c"): name(count == 4 ? .days : .daysShort, time.weekday, into: &writer)
    case UInt8(ascii: "a"): name(.periods, time.hour < 12 ? 0 : 1, into: &writer)
    case UInt8(ascii: "h"): number(twelve, count, into: &writer)
    case UInt8(ascii: "H"): number(time.hour, count, into: &writer)
    case UInt8(ascii: "K"): number(time.hour % 12, count, into: &writer)
    case UInt8(ascii: "k"): number((time.hour + 23) % 24 + 1, count, into: &writer)
    case UInt8(ascii: "m"): number(time.minute, count, into: &writer)
    case UInt8(ascii: "s"): number(time.second, count, into: &writer)
    default: break
    }
  }

  private func name(_ column: Column, _ number: Int, into writer: inout ByteWriter) {
    writer.bytes(Span(_unsafeElements: part(column, number)))
  }

  private func number(_ value: Int, _ digits: Int, into writer: inout ByteWriter) {
    var least = 10
    // A pattern may ask for any number of digits.
    for _ in 1..<max(min(digits, 4), 1) {
      if value >= 0, value < least { writer.byte(UInt8(ascii: "0")) }
      least *= 10
    }
    writer.decimal(Int64(value))
  }
}
