import Codec
import Runtime

@testable import Locales

/// Tags, patterns and times that documents bring: whatever they are, what is written of them is text, and a time that
/// was read is written as it was. The input is three lines, a tag, a pattern and a time, and its bytes are a number.
func checkLocale(_ bytes: [UInt8]) {
  let lines = bytes.split(separator: 0x0A, maxSplits: 2, omittingEmptySubsequences: false).map(Array.init)
  let empty: [UInt8] = []
  let (tag, pattern, time) = (lines[0], lines.count > 1 ? lines[1] : empty, lines.count > 2 ? lines[2] : empty)
  let locale = Locale(tag.span) ?? .english
  let isText = String(validating: pattern, as: UTF8.self) != nil
  var number: UInt64 = 0
  for byte in bytes.prefix(8) { number = number << 8 | UInt64(byte) }
  let value = Double(bitPattern: number)

  check(isText: true) { locale.write(value, decimals: Int(truncatingIfNeeded: number), into: &$0) }
  check(isText: String(validating: tag, as: UTF8.self) != nil) { locale.write(value, currency: tag.span, into: &$0) }
  _ = locale.plural(value)
  let wall = LocalTime(wallMilliseconds: Int64(bitPattern: number))
  expect((0..<7).contains(wall.weekday) && (0..<24).contains(wall.hour), "no time of the wall")
  var times = [wall]
  if let read = LocalTime(iso: time.span, local: { LocalTime(wallMilliseconds: $0) }) { times.append(read) }
  for time in times {
    check(isText: isText) { locale.write(time, pattern: pattern.span, into: &$0) }
    for form in 0..<6 { check(isText: true) { locale.write(time, as: Locale.DateForm(rawValue: form)!, into: &$0) } }
  }
  if let relatives = KeyLetters.relatives(of: pattern.span) {
    expect(relatives.count > pattern.count, "a letter without relatives")
  }
  let letters = KeyLetters(locale)
  for row in 0..<5 { expect(letters.letters(row).isEmpty == (row >= letters.rows), "\(letters.rows) rows") }
}

private func check(isText: Bool, _ write: (inout ByteWriter) -> Void) {
  let room = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 4096)
  defer { room.deallocate() }
  var writer = ByteWriter(into: room)
  write(&writer)
  guard writer.isComplete, isText else { return }
  expect(String(validating: room[..<writer.count], as: UTF8.self) != nil, "no text")
}
