import Codec
import Runtime

/// Reads what `chat.history` answers (gateway reference 9.9): what people and agents said, in whichever of its shapes.
enum ChatHistory {
  /// Goes over the messages with text, oldest first; that of each stands in `buffer` while `body` has it. Tools' messages and
  /// those without text are left out. `time`: milliseconds since 1970, 0 where the gateway does not say.
  static func forEach(
    _ payload: borrowing JSONView, into buffer: UnsafeMutableBufferPointer<UInt8>,
    _ body: (_ isPerson: Bool, _ text: Span<UInt8>, _ isCut: Bool, _ time: Int64) -> Void
  ) {
    guard let messages = payload.member("messages"), messages.kind == .array else { return }
    var elements = messages.elements()
    while let message = elements.next() {
      guard let role = message.member("role") else { continue }
      let isPerson = role.equals("user")
      guard isPerson || role.equals("assistant") else { continue }
      var text = MessageText(into: buffer)
      text.read(message)
      let start = isPerson ? said(UnsafeBufferPointer(buffer).extracting(0..<text.count)) : 0
      guard text.count > start else { continue }
      // Until the year 9999, so that times can be added up.
      let time = min(message.member("timestamp")?.int64 ?? 0, 253_402_300_799_999)
      body(isPerson, UnsafeBufferPointer(buffer).extracting(start..<text.count).span, text.isCut, max(time, 0))
    }
  }

  /// Where what a person said begins, behind the time that gateways put before it: "[Sun 2026-11-22 15:46 UTC] ". Brackets without
  /// a date are the person's own.
  static func said(_ text: UnsafeBufferPointer<UInt8>) -> Int {
    guard text.count > 2, text[0] == UInt8(ascii: "[") else { return 0 }
    var (end, hasDate) = (1, false)
    while end < min(text.count, 64), text[end] != UInt8(ascii: "]") {
      if isDate(text, end) { hasDate = true }
      end += 1
    }
    guard hasDate, end + 1 < text.count, text[end] == UInt8(ascii: "]"), text[end + 1] == 0x20 else { return 0 }
    return end + 2
  }

  /// `2026-11-22` stands here.
  private static func isDate(_ text: UnsafeBufferPointer<UInt8>, _ place: Int) -> Bool {
    guard place + 10 <= text.count else { return false }
    for offset in 0..<10 {
      let byte = text[place + offset]
      if offset == 4 || offset == 7 {
        guard byte == UInt8(ascii: "-") else { return false }
      } else {
        guard byte >= 0x30, byte <= 0x39 else { return false }
      }
    }
    return true
  }
}
