import Codec
import Foundation
import Gateway
import Runtime
import Simulated
import Testing
@testable import Node

/// A server that takes what it has room for.
private final class ScriptedTransport: Transport {
  var room = Int.max
  private(set) var received: [UInt8] = []
  private(set) var opened = 0
  private(set) weak var delegate: (any TransportDelegate)?

  func open(_ url: GatewayURL, _ delegate: any TransportDelegate) {
    opened += 1
    self.delegate = delegate
  }
  func write(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    let count = min(room, bytes.count)
    received += bytes[..<count]
    room -= count
    return count
  }
  func resumeReading() {}
  func close() { delegate = nil }
  func fail() { delegate?.transportFailed(TransportFailure(.connect, reason: .connectionRefused)) }

  /// The messages, each as long as it says itself.
  func messages() -> [String] {
    var (rest, messages) = (received[...], [String]())
    while let space = rest.firstIndex(of: UInt8(ascii: " ")),
      let count = Int(String(decoding: rest[..<space], as: UTF8.self)),
      rest.endIndex - space - 1 >= count
    {
      messages.append(String(decoding: rest[(space + 1)..<(space + 1 + count)], as: UTF8.self))
      rest = rest[(space + 1 + count)...]
    }
    return messages
  }
}

/// The log as a syslog server gets it.
@Suite struct SyslogPartTests {
  private let clock = VirtualClock()
  private let log: Log
  private let transport = ScriptedTransport()
  private let part: SyslogPart

  init() throws {
    log = Log(level: .debug, output: nil, clock: clock)
    part = SyslogPart(
      server: try GatewayURL("wss://logs.example:6514"), host: "Barn board\u{e9}", transport: transport, clock: clock,
      log: log)
    part.start()
  }

  private func advance(_ milliseconds: Int64 = 0) {
    clock.advance(milliseconds)
    part.advance(to: clock.monotonic)
  }

  private func connect() {
    advance()
    transport.delegate?.transportSecured(certificate: nil)
  }

  private func status() -> String {
    let buffer = FixedBuffer(capacity: 256)
    var writer = JSONWriter(into: buffer.bytes)
    part.writeStatus(to: &writer)
    return String(decoding: buffer.bytes[..<writer.count], as: UTF8.self)
  }

  @Test("a line is a message of RFC 5424 in a frame of RFC 5425")
  func message() throws {
    log.write(.warning, "camera", "it is gone")
    connect()
    let message = try #require(transport.messages().first)
    #expect(message.hasPrefix("<28>1 "))
    #expect(message.hasSuffix("Z Barn-board-- talon - camera - camera: it is gone"))
  }

  @Test("nothing is opened while there is nothing to say, and once for many lines")
  func laziness() {
    advance()
    #expect(transport.opened == 0)
    for number in 0..<10 { log.write(.info, "x") { $0.add(number) } }
    connect()
    log.write(.info, "y", "more")
    advance()
    #expect(transport.opened == 1 && transport.messages().count == 11)
  }

  @Test("a line that did not fit goes on where it stopped")
  func pieces() {
    log.write(.info, "x", "one")
    log.write(.info, "x", "two")
    transport.room = 5
    connect()
    #expect(transport.received.count == 5)
    transport.room = .max
    transport.delegate?.transportWritable()
    #expect(transport.messages().map { $0.suffix(3) } == ["one", "two"])
  }

  @Test("a server that is away is asked ever less often, and the log says so once")
  func away() {
    log.write(.info, "x", "one")
    var pauses: [Int64] = []
    for _ in 0..<12 {
      advance()
      transport.fail()
      guard let due = part.nextDeadline else { break }
      pauses.append(due - clock.monotonic)
      clock.advance(due - clock.monotonic)
    }
    #expect(pauses.first == Budget.syslogPauses.lowerBound && pauses.last == Budget.syslogPauses.upperBound)
    var complaints = 0
    log.forEachEntry(last: 256, upTo: .warning) { _ in complaints += 1 }
    #expect(complaints == 1)
  }

  @Test("lines that the ring has lost are counted, and the server is told")
  func lost() throws {
    for number in 0..<(Budget.logLines + 44) { log.write(.info, "x") { $0.add(number) } }
    connect()
    let messages = transport.messages()
    #expect(messages.first?.hasSuffix("syslog: 44 lines are missing: the server was away for too long") == true)
    #expect(messages.count == Budget.logLines + 1)
    #expect(messages.last?.hasSuffix("x: \(Budget.logLines + 43)") == true)
  }

  @Test("a line that was being sent when the connection broke is not sent in halves")
  func broken() {
    log.write(.info, "x", "one")
    transport.room = 5
    connect()
    transport.fail()
    transport.room = .max
    log.write(.info, "x", "two")
    advance(Budget.syslogPauses.lowerBound)
    transport.delegate?.transportSecured(certificate: nil)
    #expect(String(decoding: transport.received[5...], as: UTF8.self).hasSuffix("x: two"))
    #expect(!String(decoding: transport.received[5...], as: UTF8.self).contains("one"))
    #expect(status() == #""syslog":{"state":"connected","sent":1,"lost":1}"#)
  }

  @Test("a held board sends nothing")
  func held() {
    part.hold()
    log.write(.info, "x", "one")
    advance(60_000)
    #expect(transport.opened == 0)
    part.letGo()
    advance()
    #expect(transport.opened == 1)
  }

  @Test("the longest line and name fit a frame")
  func longest() throws {
    let part = SyslogPart(
      server: try GatewayURL("wss://logs.example:6514"), host: String(repeating: "n", count: 300), transport: transport,
      clock: clock, log: log)
    part.start()
    log.write(.info, "module") { $0.add(String(repeating: "a", count: 2_000)) }
    part.advance(to: clock.monotonic)
    transport.delegate?.transportSecured(certificate: nil)
    let message = try #require(transport.messages().first)
    #expect(message.hasSuffix("aaa..."))
    #expect(message.utf8.count <= Budget.syslogFrameBytes)
  }
}
