import Codec
import Runtime

/// Where the members of a JSON-RPC message stand that mean something, found in one pass: a line may have a megabyte.
struct MCPMessage {
  private(set) var id = MCPPlace()
  private(set) var method = MCPPlace()
  private(set) var params = MCPPlace()
  private(set) var result = MCPPlace()
  private(set) var error = MCPPlace()

  /// The members of an object; none of anything else. Of several by the same name the last one counts.
  init(_ message: borrowing JSONView) {
    let whole = message.tail.count
    var members = message.members()
    while let member = members.next() {
      let place = MCPPlace(whole - member.value.tail.count)
      if member.name.equals("id") {
        id = place
      } else if member.name.equals("method") {
        method = place
      } else if member.name.equals("params") {
        params = place
      } else if member.name.equals("result") {
        result = place
      } else if member.name.equals("error") {
        error = place
      }
    }
  }
}

/// Where a member's value begins, from the message's first byte on.
struct MCPPlace {
  private let offset: Int

  /// No member.
  init() { offset = -1 }

  init(_ offset: Int) { self.offset = offset }

  /// The value in its message; nil where there is none.
  @_lifetime(copy message)
  func of(_ message: borrowing JSONView) -> JSONView? {
    guard offset >= 0 else { return nil }
    return JSONView(message.tail.extracting(offset..<message.tail.count))
  }
}

/// Writes messages of JSON-RPC 2.0, each a line.
enum MCPWriter {
  /// What Talon calls itself.
  private static let client: StaticString = "talon"

  /// `initialize`: what Talon wants, and that it has nothing of what servers may ask of clients.
  static func greet(_ id: Int64, version: String, to writer: inout ByteWriter) {
    begin("initialize", id, &writer)
    writer.text(#","params":{"protocolVersion":""#)
    writer.text(MCPVersion.wanted.name)
    writer.text(#"","capabilities":{},"clientInfo":{"name":""#)
    writer.text(client)
    writer.text(#"","version":""#)
    writer.text(version)
    writer.text("\"}}}\n")
  }

  /// `notifications/initialized`
  static func confirm(to writer: inout ByteWriter) {
    writer.text(#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#)
    writer.text("\n")
  }

  /// `tools/list`, from a place that the server gave, which is JSON text of a string; empty for the first page.
  static func list(_ id: Int64, cursor: Span<UInt8>, to writer: inout ByteWriter) {
    begin("tools/list", id, &writer)
    if !cursor.isEmpty {
      writer.text(#","params":{"cursor":"#)
      writer.bytes(cursor)
      writer.text("}")
    }
    writer.text("}\n")
  }

  /// The beginning of `tools/call`, up to its arguments. `name` is JSON text.
  static func beginCall(_ id: Int64, name: Span<UInt8>, to writer: inout ByteWriter) {
    begin("tools/call", id, &writer)
    writer.text(#","params":{"name":"#)
    writer.bytes(name)
    writer.text(#","arguments":"#)
  }

  /// An object without one of its members.
  static func write(_ object: borrowing JSONView, without left: StaticString, to writer: inout ByteWriter) {
    var members = object.members()
    var isFirst = true
    writer.byte(UInt8(ascii: "{"))
    while let member = members.next() {
      if member.name.equals(left) { continue }
      if !isFirst { writer.byte(UInt8(ascii: ",")) }
      isFirst = false
      line(member.name.rawText, to: &writer)
      writer.byte(UInt8(ascii: ":"))
      line(member.value.rawText, to: &writer)
    }
    writer.byte(UInt8(ascii: "}"))
  }

  /// The end of `tools/call`. Its own id is the token of its progress.
  static func endCall(_ id: Int64, to writer: inout ByteWriter) {
    writer.text(#","_meta":{"progressToken":"#)
    writer.decimal(id)
    writer.text("}}}\n")
  }

  /// `notifications/cancelled`
  static func cancel(_ id: Int64, to writer: inout ByteWriter) {
    writer.text(#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"#)
    writer.decimal(id)
    writer.text(#","reason":"nobody waits for it any more"}}"#)
    writer.text("\n")
  }

  /// `ping`
  static func ping(_ id: Int64, to writer: inout ByteWriter) {
    begin("ping", id, &writer)
    writer.text("}\n")
  }

  /// The answer to a ping of the server; `id` is JSON text.
  static func pong(_ id: Span<UInt8>, to writer: inout ByteWriter) {
    writer.text(#"{"jsonrpc":"2.0","id":"#)
    writer.bytes(id)
    writer.text(",\"result\":{}}\n")
  }

  /// The answer to any other request of the server.
  static func refuse(_ id: Span<UInt8>, to writer: inout ByteWriter) {
    writer.text(#"{"jsonrpc":"2.0","id":"#)
    writer.bytes(id)
    writer.text(#","error":{"code":-32601,"message":"this client has no such method"}}"#)
    writer.text("\n")
  }

  private static func begin(_ method: StaticString, _ id: Int64, _ writer: inout ByteWriter) {
    writer.text(#"{"jsonrpc":"2.0","id":"#)
    writer.decimal(id)
    writer.text(#","method":""#)
    writer.text(method)
    writer.text("\"")
  }

  /// JSON text without line ends, which stand between its values alone: a string has none as they are.
  static func line(_ json: Span<UInt8>, to writer: inout ByteWriter) {
    var start = 0
    for index in 0..<json.count where json[index] == 0x0A || json[index] == 0x0D {
      writer.bytes(json.extracting(start..<index))
      start = index + 1
    }
    writer.bytes(json.extracting(start..<json.count))
  }
}
