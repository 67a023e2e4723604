/// What programs at the board say to the agent's sockets, and what servers on the web answer.
enum LineGrammar {
  private static let members: [(String, Shape)] = [
    ("text", .text), ("session", EventGrammar.session), ("phrases", EventGrammar.phrases), ("limit", .whole(1, 300)),
    ("action", .word(["start", "stop", "once", "cancel", "on", "off", "status"])),
    ("chat", .whole(1, 40)), ("event", .word(["voice.transcript", "agent.request", "notifications.changed"])),
    ("payload", .soup), ("count", .whole(1, 256)),
    ("level", .word(["debug", "info", "warning", "error"])), ("width", .whole(2, 300)),
    ("state", .word(["hold", "release", "on", "off"])), ("speed", .number(0.5, 2)),
    ("what", .text), ("phrase", .text), ("follow", .flag), ("timeoutMs", .time), ("confirm", .word(["reset", "yes"])),
    ("samples", .soup), ("on", .flag), ("own", .flag), ("number", .whole(0, 4_000_000)),
    ("answer", .word(["once", "60s", "session", "today", "no"])), ("question", .name("1-000", 9)),
    ("permissions", .list(.word(["camera", "location", "run", "x"]), 3)), ("for", .word(["once", "session", "today"])),
    ("do", .word(["status", "search", "forget", "forget-entry", "export", "exported", "importing", "models"])),
  ]

  /// A line for the control socket.
  static func write(_ operations: [String], into maker: Maker) {
    maker.add(#"{"op":"#)
    maker.value(.word(operations))
    maker.add(#","id":"#)
    maker.value(.whole(1, 40))
    for _ in 0..<maker.dice.below(4) {
      let (name, shape) = maker.dice.pick(members)
      maker.add(0x2C)
      maker.quote(name)
      maker.add(0x3A)
      maker.value(shape)
    }
    maker.add("}")
  }

  /// A line of the program that shows a page.
  static func writeCanvas(_ commands: [String], into maker: Maker) {
    if maker.dice.chance(1, in: 6) {
      return maker.object([("event", .word(["a2ui-action-result"])), ("id", .text), ("ok", .flag), ("error", .text)])
    }
    let command = maker.dice.pick(commands)
    maker.whole([
      ("id", .name("d", 20)), ("command", .raw("\"\(command)\"")),
      ("paramsJSON", .quoted(CommandGrammar.parameters(command))),
    ])
  }

  private static let kinds = [
    "image/png", "image/gif", "image/jpeg", "image/webp", "image/svg+xml", "text/html", "text/plain", "text/markdown",
    "application/json", "", "x",
  ]
  private static let bodies = [
    "GIF89a\u{1}\0\u{1}\0\0\0\0;",
    "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><rect width='1e30' height='5' stroke-width='1e38'/></svg>",
    "<h1>Title</h1><p>A <b>text</b> with <a href='/x'>a link</a><table><tr><td>1</table>",
    "# Title\n\n* one\n* two\n\n```\ncode\n```", "plain", "",
    "<svg width='1e9' height='1e9' viewBox='0 0 1e-30 1e30'><path d='M0 0L1e38 1e38A1 1 0 0 1 3e38 0Z'/></svg>",
  ]

  /// An answer of HTTP/1.1, whole or broken.
  static func writeHTTP(into maker: Maker) {
    let dice = maker.dice
    maker.add(
      "HTTP/1.1 "
        + dice.pick(["200", "200", "200", "200", "301", "404", "500", "204", "206", "999", "0", "abc", "302"])
        + " X\r\n")
    maker.add("Content-Type: " + dice.pick(kinds) + "\r\n")
    if dice.chance(1, in: 8) { maker.add("Location: " + dice.pick(Maker.urls) + "\r\n") }
    if dice.chance(1, in: 8) { maker.add("Retry-After: " + dice.pick(Maker.numbers) + "\r\n") }
    let body = maker.apart {
      maker.add(dice.pick(bodies))
      if dice.chance(1, in: 4) { maker.add((0..<dice.below(200)).map { _ in dice.byte() }) }
    }
    switch dice.below(6) {
    case 0:
      maker.add("Transfer-Encoding: chunked\r\n\r\n")
      maker.add(String(body.count, radix: 16) + "\r\n")
      maker.add(body)
      maker.add("\r\n0\r\n\r\n")
    case 1:
      maker.add(
        "Transfer-Encoding: chunked\r\n\r\n" + dice.pick(["ffffffffffffffff", "-1", "7fffffff", "0x5", "5;a=b"])
          + "\r\n")
      maker.add(body)
    case 2:
      maker.add("Content-Length: " + dice.pick(Maker.numbers) + "\r\n\r\n")
      maker.add(body)
    default:
      maker.add("Content-Length: \(body.count)\r\n\r\n")
      maker.add(body)
    }
  }
}
