import Foundation
import Hands
import Runtime
import Testing

@testable import Board

@Suite("A line for requests") struct SerialToolLineTests {
  private let terminal = SerialTerminal()
  private let buffer = FixedBuffer(capacity: 64)

  private func line() throws -> SerialToolLine {
    try SerialToolLine(path: terminal.path, baud: 9600, framing: SerialFraming())
  }

  private func send(_ line: SerialToolLine, _ text: String) throws {
    try Array(text.utf8).withUnsafeBufferPointer { try line.send($0) }
  }

  @Test("what arrived unasked is left out, and an answer is read")
  func asks() throws {
    terminal.plug()
    let line = try line()
    try send(line, "one")
    terminal.send("unasked")
    try send(line, "two")
    terminal.send("answer")
    #expect(try line.receive(into: buffer.bytes, milliseconds: 5_000) == 6)
    #expect(String(decoding: buffer.bytes[..<6], as: UTF8.self) == "answer")
    #expect(try line.receive(into: buffer.bytes, milliseconds: 10) == 0)
  }

  @Test("a line that is not there or hangs up is an error, and it is opened again")
  func hangsUp() throws {
    let line = try line()
    #expect(throws: Errno.noSuchFile) { try send(line, "x") }
    terminal.plug()
    try send(line, "x")
    terminal.unplug()
    #expect(throws: Errno.self) { try line.receive(into: buffer.bytes, milliseconds: 5_000) }
    line.close()
    terminal.plug()
    try send(line, "x")
  }

  @Test("parity and stop bits are set before the first byte, and a wrong speed is refused")
  func framing() throws {
    terminal.plug()
    // A pseudo-terminal keeps stop bits, and forgets parity.
    let framing = SerialFraming("8N2".utf8.span)
    let line = try SerialToolLine(path: terminal.path, baud: 19_200, framing: try #require(framing))
    try send(line, "x")
    let port = open(terminal.path, O_RDONLY | O_NOCTTY | O_NONBLOCK)
    defer { close(port) }
    var options = termios()
    #expect(tcgetattr(port, &options) == 0)
    #expect(options.c_cflag & tcflag_t(CSTOPB) != 0 && cfgetospeed(&options) == speed_t(B19200))
    let odd = try SerialToolLine(path: terminal.path, baud: 12_345, framing: SerialFraming())
    #expect(throws: Errno.invalidArgument) { try send(odd, "x") }
  }
}
