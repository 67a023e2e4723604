import Codec
import Runtime

/// The record of what happened while the gateway was away: JSON, so that later releases may add members.
extension HandOver {
  /// Writes the record.
  public func writeRecord(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("serial")
    writer.uint(serial)
    writer.key("sealed")
    writer.int(Int64(sealedCount))
    writer.key("sealedOmitted")
    writer.uint(UInt64(sealedOmitted))
    writer.key("omitted")
    writer.uint(UInt64(omitted))
    writer.key("turns")
    writer.beginArray()
    for index in 0..<count { self[index].write(to: &writer) }
    writer.endArray()
    writer.endObject()
  }

  /// Reads what `writeRecord` wrote. False, and nothing changes, for anything else.
  public mutating func readRecord(_ text: Span<UInt8>) -> Bool {
    guard isEmpty, (try? JSONValidator.check(text, depthLimit: 4)) != nil else { return false }
    let record = JSONView(text)
    guard let serial = record.member("serial")?.uint64, let sealed = record.member("sealed")?.uint64,
      let turns = record.member("turns"), turns.kind == .array
    else { return false }
    var elements = turns.elements()
    while let element = elements.next() {
      if let turn = AwayTurn(element) { add(turn) }
    }
    restore(
      serial: serial, sealedCount: Int(clamping: sealed), sealedOmitted: Self.number(record.member("sealedOmitted")),
      omitted: Self.number(record.member("omitted")))
    return true
  }

  private static func number(_ member: JSONView?) -> UInt32 {
    guard let value = member?.uint64 else { return 0 }
    return UInt32(clamping: value)
  }
}

extension AwayTurn {
  /// A turn; the texts are cut to their room, and control characters, of which each would be six in a record, become
  /// blanks.
  init(time: Int64, end: TurnEnd, question: Span<UInt8>, answer: Span<UInt8>, deeds: Span<UInt8>) {
    self.time = time
    self.end = end
    self.question = InlineText(cutting: question)
    self.answer = InlineText(cutting: answer)
    self.deeds = InlineText(cutting: deeds)
    clean()
  }

  /// What a record says of one turn; nil when it says none.
  fileprivate init?(_ element: borrowing JSONView) {
    guard element.kind == .object, let time = element.member("time")?.int64, let end = element.member("end")?.uint64
    else { return nil }
    self.time = time
    self.end = TurnEnd(rawValue: UInt8(clamping: end)) ?? .failed
    Self.copy(element.member("question"), to: &question)
    Self.copy(element.member("answer"), to: &answer)
    Self.copy(element.member("deeds"), to: &deeds)
    clean()
  }

  fileprivate func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("time")
    writer.int(time)
    writer.key("end")
    writer.uint(UInt64(end.rawValue))
    writer.key("question")
    writer.string(question.span)
    writer.key("answer")
    writer.string(answer.span)
    writer.key("deeds")
    writer.string(deeds.span)
    writer.endObject()
  }

  private static func copy<let capacity: Int>(_ member: JSONView?, to text: inout InlineText<capacity>) {
    guard let member else { return }
    text.fill { member.copyString(into: $0) }
  }

  private mutating func clean() {
    question.makeLine()
    answer.makeLine()
    deeds.makeLine()
  }
}
