import Codec
import Device
import Runtime
import Simulated
import Testing

@Suite struct NotificationTests {
  private let reader = NotificationReader()

  private func read(_ parameters: String) -> String {
    do throws(NotificationError) {
      let notification = try reader.read(JSONView(parameters.utf8.span))
      let title = String(decoding: notification.title, as: UTF8.self)
      let body = String(decoding: notification.body, as: UTF8.self)
      return "\(title)|\(body)|\(notification.hasSound)|\(notification.priority)"
    } catch {
      let buffer = FixedBuffer(capacity: 256)
      var writer = ByteWriter(into: buffer.bytes)
      error.writeMessage(to: &writer)
      return String(decoding: buffer.bytes[..<writer.count], as: UTF8.self)
    }
  }

  @Test(
    "title or body alone is enough, and both are trimmed",
    arguments: [
      (#"{"title":" Gate \n","body":"\topen  now "}"#, "Gate|open  now|true|active"),
      (#"{"title":"Gate"}"#, "Gate||true|active"),
      (#"{"body":"open","title":null}"#, "|open|true|active"),
      (#"{"title":"T\u00fcr \ud83d\udeaa"}"#, "Tür 🚪||true|active"),
      (#"{"title":"a","delivery":7,"subtitle":"s","other":{}}"#, "a||true|active"),
    ])
  func texts(parameters: String, notification: String) {
    #expect(read(parameters) == notification)
  }

  @Test(
    "a notification that says nothing is refused",
    arguments: [
      "{}", "null", "", #"{"title":"","body":" \n\t "}"#, #"{"sound":"none"}"#,
    ])
  func empty(parameters: String) {
    #expect(read(parameters) == "INVALID_REQUEST: empty notification")
  }

  @Test(
    "five words mean silence, in any case; every other sound is the default one",
    arguments: [
      ("none", false), ("SILENT", false), ("Off", false), ("false", false), ("0", false), (" none ", false),
      ("", true), ("default", true), ("nonesuch", true), ("a name longer than any word for silence", true),
    ])
  func sounds(word: String, hasSound: Bool) {
    #expect(read(#"{"title":"a","sound":"\#(word)"}"#) == "a||\(hasSound)|active")
  }

  @Test("a priority is one of three words", arguments: ["passive", "active", "timeSensitive"])
  func priorities(word: String) {
    #expect(read(#"{"title":"a","priority":"\#(word)"}"#) == "a||true|\(word)")
  }

  @Test(
    "what is wrong is refused by name",
    arguments: [
      (#"{"title":5}"#, "INVALID_REQUEST: title must be a string of at most 1024 bytes"),
      (#"{"title":"a","body":[]}"#, "INVALID_REQUEST: body must be a string of at most 4096 bytes"),
      (#"{"title":"a","sound":false}"#, "INVALID_REQUEST: sound must be a string"),
      (
        #"{"title":"a","priority":"urgent"}"#,
        "INVALID_REQUEST: priority must be passive, active or timeSensitive"
      ),
      (#"{"title":"a","priority":1}"#, "INVALID_REQUEST: priority must be passive, active or timeSensitive"),
      (
        #"{"title":"a","attention":"soon"}"#,
        "INVALID_REQUEST: attention must be passive, notify, active, interrupt or urgent"
      ),
      ("[]", "INVALID_REQUEST: parameters must be an object"),
    ])
  func refuses(parameters: String, message: String) {
    #expect(read(parameters) == message)
  }

  @Test("texts of exactly the bound are taken, longer ones are refused")
  func bounds() {
    let title = String(repeating: "t", count: Budget.notificationTitleBytes)
    let body = String(repeating: "b", count: Budget.notificationBodyBytes)
    #expect(read(#"{"title":"\#(title)","body":"\#(body)"}"#) == "\(title)|\(body)|true|active")
    #expect(read(#"{"title":"\#(title)t"}"#).hasSuffix("of at most \(Budget.notificationTitleBytes) bytes"))
    #expect(read(#"{"body":"\#(body)b"}"#).hasSuffix("of at most \(Budget.notificationBodyBytes) bytes"))
  }

  @Test("the log shows a notification in one line that nothing can break out of")
  func logged() throws {
    let log = Log(output: nil)
    let notifier = NoticeBoard(clock: VirtualClock(), log: log)
    notifier.notify(try reader.read(JSONView(#"{"title":"Gate","body":"open\n<3>forged"}"#.utf8.span)))
    notifier.notify(try reader.read(JSONView(#"{"body":"alone"}"#.utf8.span)))
    var lines: [String] = []
    log.forEachLine { lines.append(String(decoding: $0, as: UTF8.self)) }
    #expect(lines == ["<5>notify: Gate - open?<3>forged", "<5>notify: alone"])
  }

  @Test(
    "attention is what is asked for, or follows from the priority",
    arguments: [
      (#"{"title":"a"}"#, AttentionLevel.notify), (#"{"title":"a","priority":"passive"}"#, .passive),
      (#"{"title":"a","priority":"active"}"#, .active), (#"{"title":"a","priority":"timeSensitive"}"#, .urgent),
      (#"{"title":"a","priority":"passive","attention":"interrupt"}"#, .interrupt),
    ])
  func attention(parameters: String, level: AttentionLevel) throws {
    #expect(try reader.read(JSONView(parameters.utf8.span)).attention == level)
  }
}
