import Codec
import Runtime

// A day as a record: magic, version, day (8), activities (2), a byte and two of steps and centimeters for each minute,
// and for each activity its start (3), end (3), kind and confidence. Least significant byte first.
extension MotionDay {
  private static let magic: StaticString = "TLMD"
  /// Of the format: magic and version, the day and a count, then spans of eight bytes.
  private static let version: UInt8 = 1
  private static let headerBytes = 5 + 8 + 2
  private static let spanBytes = 8
  /// Bytes of the largest record.
  static let recordBytes = headerBytes + minutes * 3 + Budget.motionDayActivities * spanBytes

  /// Writes the day into `buffer`, which must have `recordBytes`; returns how many bytes it takes.
  func encode(into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
    var writer = RecordWriter(buffer, Self.magic, Self.version)
    writer.number(UInt64(bitPattern: number ?? 0), 8)
    writer.number(UInt64(spanCount), 2)
    for index in 0..<Self.minutes { writer.byte(UInt8(minute(index).steps)) }
    for index in 0..<Self.minutes { writer.number(UInt64(minute(index).centimeters), 2) }
    for index in 0..<spanCount {
      let span = self.span(index)
      writer.number(UInt64(span.start), 3)
      writer.number(UInt64(span.end), 3)
      writer.byte(span.reading.activity.rawValue)
      writer.byte(span.reading.confidence.rawValue)
    }
    return writer.count
  }

  /// Loads the day from a record; false, and an empty slot, when the record is not valid.
  func decode(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    begin(nil, isDated: true)
    guard RecordReader.begins(bytes, Self.magic, Self.version) else { return false }
    var reader = RecordReader(bytes, from: 5)
    let number = Int64(bitPattern: reader.number(8))
    let count = Int(reader.number(2))
    guard
      BelievableDate.contains(number.multiplied(clamping: Self.milliseconds)), count <= Budget.motionDayActivities,
      bytes.count == Self.headerBytes + Self.minutes * 3 + count * Self.spanBytes
    else { return false }
    begin(number, isDated: true)
    for index in 0..<Self.minutes { add(steps: Int(reader.byte()), centimeters: 0, to: index) }
    for index in 0..<Self.minutes { add(steps: 0, centimeters: Int(reader.number(2)), to: index) }
    for _ in 0..<count {
      guard let span = Self.span(&reader) else {
        begin(nil, isDated: true)
        return false
      }
      append(span)
    }
    isChanged = false
    return true
  }

  private static func span(_ reader: inout RecordReader) -> ActivitySpan? {
    let start = UInt32(reader.number(3))
    let end = UInt32(reader.number(3))
    guard
      start <= end, end <= seconds, let activity = Activity(rawValue: reader.byte()),
      let confidence = Confidence(rawValue: reader.byte())
    else { return nil }
    return ActivitySpan(start: start, end: end, reading: ActivityReading(activity, confidence))
  }
}
