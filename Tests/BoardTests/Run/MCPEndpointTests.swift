import Fetch
import Foundation
import Gateway
import MCP
import Runtime
import Testing

@testable import Board

@Suite("The way to an MCP server at an address") final class MCPEndpointTests: MCPLinkDelegate {
  private final class StillClock: Clock {
    var monotonic: Int64 = 1_000
    var wall: Int64 { monotonic }
  }

  /// A server's end of one connection after the other.
  private final class Server: FetchTransport {
    private var delegate: (any TransportDelegate)?
    private(set) var opens = 0
    private(set) var sent: [UInt8] = []
    private var held: [UInt8] = []

    var isOpen: Bool { delegate != nil }

    func open(
      _ url: GatewayURL, trust: FetchTrust, judge: any AddressPolicy, _ delegate: any TransportDelegate
    ) {
      opens += 1
      (sent, held) = ([], [])
      self.delegate = delegate
    }

    func write(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
      sent += bytes
      return bytes.count
    }

    func resumeReading() {}
    func close() { delegate = nil }

    /// Takes the connection, and answers what it has asked for: header and body.
    func accept() { delegate?.transportSecured(certificate: nil) }
    func refuse() { delegate?.transportFailed(TransportFailure(.connect, detail: nil)) }
    func end() { delegate?.transportFailed(TransportFailure(.closedByPeer, detail: nil)) }

    /// Says bytes; what is not taken comes again.
    func say(_ text: String) {
      held += Array(text.utf8)
      pump()
    }

    func pump() {
      while let delegate, !held.isEmpty {
        let (bytes, connection) = (held, opens)
        let count = delegate.transportReceived(bytes.span)
        // What the delegate does may open another connection.
        guard opens == connection, count > 0 else { return }
        held.removeFirst(min(count, held.count))
      }
    }

    func answer(_ type: String, _ body: String, _ fields: String = "", status: Int = 200) {
      accept()
      say("HTTP/1.1 \(status) X\r\nContent-Type: \(type)\r\n\(fields)Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
    }

    /// The header fields and the body of the request.
    var request: (head: String, body: String) {
      let parts = String(decoding: sent, as: UTF8.self).components(separatedBy: "\r\n\r\n")
      return (parts[0], parts.count > 1 ? parts[1] : "")
    }
  }

  private let clock = StillClock()
  private var servers: [Server] = []
  private var link: MCPEndpoint! = nil
  private var told = ""
  /// Called with the next piece of an answer.
  private var onPiece: () -> Void = {}

  init() throws {
    let url = try WebURL("http://127.0.0.1:8123/mcp".utf8.span)
    var made: [Server] = []
    link = try MCPEndpoint(url, clock: clock) {
      made.append(Server())
      return made[made.count - 1]
    }
    servers = made
    #expect(servers.count == Budget.mcpLanes)
  }

  func linkOpened() { told += "opened " }
  func linkReceived(_ bytes: UnsafeBufferPointer<UInt8>) {
    told += String(decoding: bytes, as: UTF8.self)
    let onPiece = onPiece
    self.onPiece = {}
    onPiece()
  }
  func linkComplained(_ line: UnsafeBufferPointer<UInt8>) {}
  func linkLost(_ words: UnsafeBufferPointer<UInt8>) { told += "lost:" + String(decoding: words, as: UTF8.self) }

  /// Lets everything happen that is due.
  private func settle() {
    for _ in 0..<5 {
      while let due = link.nextDeadline, due <= clock.monotonic { link.advance(to: clock.monotonic) }
      for server in servers { server.pump() }
    }
  }

  private func open() {
    #expect(link.open(self))
    settle()
    told = ""
  }

  private func send(_ text: String) -> Bool { (text + "\n").withBytes { link.send($0) } }

  private func call(_ id: Int) -> Bool { send(#"{"jsonrpc":"2.0","id":\#(id),"method":"tools/call"}"#) }

  @Test("a line is a request with what the specification wants, and its answer a line, however it is written")
  func answers() {
    #expect(link.open(self) && !link.open(self) && told.isEmpty)
    settle()
    #expect(told == "opened ")
    told = ""
    #expect(send(#"{"id":1,"method":"initialize"}"#))
    servers[0].answer("application/json", "{\n  \"id\": 1,\r\n  \"result\": {}\n}\n", "Mcp-Session-Id: a-1\r\n")
    settle()
    #expect(told == #"{  "id": 1,  "result": {}}"# + "\n")
    let head = servers[0].request.head
    #expect(head.hasPrefix("POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:8123\r\n"))
    #expect(head.contains("Accept: application/json, text/event-stream\r\n"))
    #expect(!head.contains("MCP-Protocol-Version") && !head.contains("Mcp-Session-Id"))
    #expect(servers[0].request.body == #"{"id":1,"method":"initialize"}"#)
    link.agreed(on: .march2025)
    #expect(send(#"{"method":"notifications/initialized"}"#))
    servers[0].answer("text/plain", "", status: 202)
    #expect(servers[0].request.head.contains("MCP-Protocol-Version: 2025-03-26\r\n"))
    #expect(servers[0].request.head.contains("Mcp-Session-Id: a-1\r\n"))
  }

  @Test("short lines go one after the other; calls have connections of their own, and so many")
  func lanes() {
    open()
    #expect(send(#"{"method":"a"}"#) && send(#"{"method":"b"}"#) && send(#"{"method":"c"}"#))
    #expect(servers[0].opens == 1)
    for (number, name) in ["a", "b", "c"].enumerated() {
      servers[0].answer("text/plain", "", status: 202)
      #expect(servers[0].request.body == #"{"method":"\#(name)"}"# && servers[0].opens == number + 1)
      settle()
    }
    for id in 1...Budget.mcpCalls { #expect(call(id)) }
    #expect(!call(9))
    servers[2].answer("application/json", #"{"id":2,"result":{}}"#)
    settle()
    #expect(told == #"{"id":2,"result":{}}"# + "\n" && call(9))
    for _ in 0..<10_000 where send(#"{"method":"x"}"#) {}
    #expect(!send(#"{"method":"x"}"#))
  }

  @Test("messages of two streams never mix")
  func streams() {
    open()
    #expect(call(1) && call(2))
    for server in servers[1...2] {
      server.accept()
      server.say("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n")
    }
    servers[1].say("data: {\"method\":\"p\"}\n\ndata: {\"id\":1,")
    servers[2].say("data: {\"id\":2,\"result\":{}}\n\n")
    settle()
    #expect(told == "{\"method\":\"p\"}\n{\"id\":1,")
    servers[1].say("\"result\":{}}\n\n")
    settle()
    #expect(told == "{\"method\":\"p\"}\n{\"id\":1,\"result\":{}}\n{\"id\":2,\"result\":{}}\n")
    servers[1].end()
    servers[2].end()
    settle()
    #expect(!told.contains("lost") && call(3) && call(4) && call(5) && call(6))
  }

  @Test("a status that is none of a success, and a server that is not there, are the end, with words")
  func fails() {
    open()
    #expect(call(1))
    servers[1].answer("application/json", "{}", status: 404)
    settle()
    #expect(told == "lost:127.0.0.1 answered with status 404" && !call(2))
    open()
    #expect(send(#"{"method":"a"}"#))
    servers[0].refuse()
    settle()
    #expect(told == "lost:127.0.0.1 does not accept connections")
    #expect(link.nextDeadline == nil && servers.allSatisfy { !$0.isOpen })
  }

  @Test("a call that is never answered is forgotten, and nothing else")
  func silent() {
    open()
    #expect(call(1))
    servers[1].accept()
    clock.monotonic += Budget.mcpSilenceMilliseconds
    settle()
    #expect(told.isEmpty && !servers[1].isOpen && call(2))
  }

  @Test("a call that tells of itself without end is forgotten after the time that a gateway waits")
  func endless() {
    open()
    #expect(call(1))
    servers[1].accept()
    servers[1].say("HTTP/1.1 200 X\r\nContent-Type: text/event-stream\r\n\r\n")
    let end = clock.monotonic + Budget.mcpRequestMilliseconds
    while clock.monotonic + 60_000 < end {
      clock.monotonic += 60_000
      servers[1].say(": still here\n\n")
      settle()
      #expect(servers[1].isOpen)
    }
    clock.monotonic = end
    settle()
    #expect(!servers[1].isOpen && told.isEmpty && call(2))
  }

  @Test("short lines wait for the one before them, as far as there is room")
  func waiting() {
    open()
    let line = #"{"jsonrpc":"2.0","method":"notifications/x","params":"\#(String(repeating: "x", count: 900))"}"#
    var taken = 0
    while send(line) { taken += 1 }
    // The first one is under way.
    #expect(taken == 1 + Budget.mcpShortBytes / (line.utf8.count + 1))
    servers[0].answer("text/plain", "", status: 202)
    settle()
    #expect(servers[0].opens == 2 && send(line) && !send(line))
  }

  private func cancel(_ id: Int) -> Bool {
    defer { settle() }
    return send(#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":\#(id)}}"#)
  }

  @Test("calls that are cancelled leave their connections to those after them")
  func cancelled() {
    open()
    for id in 1...Budget.mcpCalls { #expect(call(id)) }
    for id in 1...Budget.mcpCalls {
      #expect(cancel(id))
      servers[0].answer("text/plain", "", status: 202)
      settle()
    }
    #expect(call(9))
    servers[1].answer("application/json", #"{"id":9,"result":{}}"#)
    settle()
    #expect(told == #"{"id":9,"result":{}}"# + "\n")
  }

  @Test("a call that is cancelled in the middle of its answer leaves the others theirs")
  func cancelledWithin() {
    open()
    #expect(call(1) && call(2))
    servers[1].accept()
    servers[1].say("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{\"id\":1,")
    servers[2].answer("application/json", #"{"id":2,"result":{}}"#)
    #expect(told == #"{"id":1,"#)
    let line = #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#
    #expect(send(line) && told == #"{"id":1,"#)
    settle()
    #expect(told == "{\"id\":1,\n{\"id\":2,\"result\":{}}\n")
  }

  @Test("a call that is cancelled as its answer comes leaves nothing of it to the next one")
  func cancelledAndFollowed() {
    open()
    for id in 1...Budget.mcpCalls { #expect(call(id)) }
    onPiece = {
      #expect(self.send(#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#))
      #expect(self.call(9))
    }
    servers[1].answer("application/json", "{\"id\":1,\n\"result\":{}}")
    settle()
    servers[1].answer("application/json", #"{"id":9,"result":{}}"#)
    settle()
    #expect(told == "{\"id\":1,\n{\"id\":9,\"result\":{}}\n")
  }

  @Test("a session that could change a request is none")
  func hostile() {
    open()
    #expect(send(#"{"method":"a"}"#))
    servers[0].answer("text/plain", "", "Mcp-Session-Id: a b\r\n", status: 202)
    settle()
    #expect(send(#"{"method":"b"}"#))
    servers[0].accept()
    #expect(!servers[0].request.head.contains("Mcp-Session-Id"))
    link.close()
    #expect(servers.allSatisfy { !$0.isOpen } && link.nextDeadline == nil)
  }
}
