import Runtime

/// What a date field shows of an ISO 8601 value: its date, its time of day, or both, as they are stored. Seconds and
/// the zone are left out; what is no such value shows as it is.
struct DateTimeParts {
  private var text = InlineText<64>()

  init(_ value: Span<UInt8>, hasDate: Bool, hasTime: Bool) {
    let isDate = value.count >= 10 && value[4] == UInt8(ascii: "-") && value[7] == UInt8(ascii: "-")
    let timeStart = isDate ? 11 : 0
    let isTime = value.count >= timeStart + 5 && value[timeStart + 2] == UInt8(ascii: ":")
    guard isDate || isTime else {
      text.fill { buffer in DateTimeParts.copy(value.extracting(first: min(value.count, 64)), to: buffer, at: 0) }
      return
    }
    text.fill { buffer in
      var count = 0
      if isDate, hasDate || !isTime { count = DateTimeParts.copy(value.extracting(0..<10), to: buffer, at: 0) }
      guard isTime, hasTime || !isDate else { return count }
      if count > 0 {
        buffer[count] = 0x20
        count += 1
      }
      return DateTimeParts.copy(value.extracting(timeStart..<timeStart + 5), to: buffer, at: count)
    }
  }

  var span: Span<UInt8> {
    @_lifetime(borrow self)
    get { text.span }
  }

  private static func copy(_ bytes: Span<UInt8>, to buffer: UnsafeMutableBufferPointer<UInt8>, at start: Int) -> Int {
    for index in 0..<bytes.count { buffer[start + index] = bytes[index] }
    return start + bytes.count
  }
}
