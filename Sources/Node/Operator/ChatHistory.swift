import Codec
import Runtime

/// Reads the response of `chat.history` (gateway reference 9.9): the messages of people and agents, in each of its
/// forms.
public enum ChatHistory {
  /// Calls `body` with each message that has text, oldest first; its text is in `buffer` meanwhile. Messages of tools
  /// and those without text are skipped. `time`: milliseconds since 1970, 0 when the gateway does not say.
  public static func forEach(
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
      let start = isPerson ? textStart(UnsafeBufferPointer(buffer).extracting(0..<text.count)) : 0
      guard text.count > start else { continue }
      // Limited to the year 9999, so that times can be added.
      let time = min(message.member("timestamp")?.int64 ?? 0, 253_402_300_799_999)
      body(isPerson, UnsafeBufferPointer(buffer).extracting(start..<text.count).span, text.isCut, max(time, 0))
    }
  }

  /// The start of a person's message, after the time that gateways put before it: "[Sun 2026-11-22 15:46 UTC] ".
  /// Brackets without a date are the person's own.
  static func textStart(_ text: UnsafeBufferPointer<UInt8>) -> Int {
    guard text.count > 2, text[0] == UInt8(ascii: "[") else { return 0 }
    var (end, hasDate) = (1, false)
    while end < min(text.count, 64), text[end] != UInt8(ascii: "]") {
      if isDate(text, end) { hasDate = true }
      end += 1
    }
    guard hasDate, end + 1 < text.count, text[end] == UInt8(ascii: "]"), text[end + 1] == 0x20 else { return 0 }
    return end + 2
  }

  /// True when a date such as `2026-11-22` begins at `place`.
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
