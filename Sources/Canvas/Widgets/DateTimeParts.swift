import Codec
import Locales
import Runtime

/// What a date field shows of an ISO 8601 value: its date, its time of day, or both, as its locale writes them. The
/// zone is left out: what the picker shows is what is stored. What is no such value shows as it is.
struct DateTimeParts {
  private var text = InlineText<192>()

  init(_ value: Span<UInt8>, _ locale: Locale, hasDate: Bool, hasTime: Bool) {
    let isDate = value.count >= 10 && value[4] == UInt8(ascii: "-") && value[7] == UInt8(ascii: "-")
    let timeStart = isDate ? 11 : 0
    let isTime = value.count >= timeStart + 5 && value[timeStart + 2] == UInt8(ascii: ":")
    guard isDate || isTime,
      let time = LocalTime(
        iso: value.extracting(0..<(isTime ? timeStart + 5 : 10)), local: { LocalTime(wallMilliseconds: $0) })
    else {
      text = InlineText(cutting: value)
      return
    }
    text.fill { buffer in
      var writer = ByteWriter(into: buffer)
      let showsDate = isDate && (hasDate || !isTime)
      if showsDate { locale.write(time, as: .short, into: &writer) }
      guard isTime, hasTime || !isDate else { return min(writer.count, buffer.count) }
      if showsDate { writer.text(" ") }
      locale.write(time, as: .time, into: &writer)
      return min(writer.count, buffer.count)
    }
  }

  var span: Span<UInt8> {
    @_lifetime(borrow self)
    get { text.span }
  }
}
