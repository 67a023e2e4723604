/// The first epoch of a recording: its lines up to the first with another time.
struct ReplayEpoch {
  /// Milliseconds.
  static let day: Int64 = 86_400_000

  /// Bytes; all of the text when no other time follows.
  private(set) var count = 0
  /// UTC since midnight in milliseconds, if a line has it.
  private(set) var timeOfDay: Int64?

  init(_ text: Span<UInt8>) {
    while count < text.count {
      let end = Self.lineEnd(text, from: count)
      if let time = Self.timeOfDay(of: text.extracting(count..<end)) {
        if let timeOfDay, timeOfDay != time { return }
        timeOfDay = time
      }
      count = end
    }
  }

  /// The end of the line that begins at `start`, after its line feed.
  private static func lineEnd(_ text: Span<UInt8>, from start: Int) -> Int {
    var index = start
    while index < text.count, text[index] != 0x0A { index += 1 }
    return min(index + 1, text.count)
  }

  /// The time of a line `$ttkkk,hhmmss[.sss],...` of a type that begins with one.
  private static func timeOfDay(of line: Span<UInt8>) -> Int64? {
    guard line.count >= 13, line[0] == UInt8(ascii: "$"), line[6] == UInt8(ascii: ",") else { return nil }
    guard kinds(line[3], line[4], line[5]) else { return nil }
    guard let hours = number(line, 7, 2), let minutes = number(line, 9, 2), let seconds = number(line, 11, 2)
    else { return nil }
    return ((hours * 60 + minutes) * 60 + seconds) * 1000 + milliseconds(line)
  }

  /// True for GGA, GNS, RMC and ZDA.
  private static func kinds(_ first: UInt8, _ second: UInt8, _ third: UInt8) -> Bool {
    switch (first, second, third) {
    case (0x47, 0x47, 0x41), (0x47, 0x4E, 0x53), (0x52, 0x4D, 0x43), (0x5A, 0x44, 0x41): true
    default: false
    }
  }

  /// The first three digits after the decimal point, if there is one.
  private static func milliseconds(_ line: Span<UInt8>) -> Int64 {
    guard line.count > 13, line[13] == UInt8(ascii: ".") else { return 0 }
    var value: Int64 = 0
    var scale: Int64 = 100
    for index in 14..<min(17, line.count) {
      guard let digit = number(line, index, 1) else { break }
      value += digit * scale
      scale /= 10
    }
    return value
  }

  private static func number(_ line: Span<UInt8>, _ start: Int, _ length: Int) -> Int64? {
    var value: Int64 = 0
    for index in start..<start + length {
      guard (0x30...0x39).contains(line[index]) else { return nil }
      value = value * 10 + Int64(line[index] - 0x30)
    }
    return value
  }
}
