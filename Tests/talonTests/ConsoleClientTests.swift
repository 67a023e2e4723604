import Codec
import Foundation
import Glibc
import Runtime
import Testing

@testable import talon

/// `talon status` and its like at the moment in which an agent starts over.
@Suite("Commands and an agent that starts over")
struct ConsoleClientTests {
  static func socket(at path: String) -> Int32 {
    let file = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = bind(file, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    return file
  }

  /// Takes `ends` connections and ends them without a word, then one that it answers.
  private static func serve(_ file: Int32, ends: Int) {
    listen(file, 4)
    for number in 0...ends {
      let client = accept(file, nil, nil)
      var bytes = [UInt8](repeating: 0, count: 4096)
      _ = recv(client, &bytes, bytes.count, 0)
      let answer = #"{"id":1,"type":"result","result":{"state":"online"}}"# + "\n"
      if number == ends { _ = send(client, answer, answer.utf8.count, Int32(MSG_NOSIGNAL)) }
      close(client)
    }
    close(file)
  }

  private func state(_ folder: String) throws -> String {
    let answer = try ConsoleClient.status(folder: folder)
    let line = JSONView(answer.span)
    return line.member("result")?.text("state") ?? ""
  }

  @Test("a file on which nobody listens yet is waited for")
  func waits() throws {
    let folder = TemporaryFolder()
    let file = Self.socket(at: folder.path + "/control")
    Thread.detachNewThread {
      usleep(250_000)
      Self.serve(file, ends: 0)
    }
    #expect(try state(folder.path) == "online")
  }

  @Test("an agent that goes before it has answered is asked once more")
  func cut() throws {
    let folder = TemporaryFolder()
    let file = Self.socket(at: folder.path + "/control")
    Thread.detachNewThread { Self.serve(file, ends: 1) }
    #expect(try state(folder.path) == "online")
  }

  private final class Connection: @unchecked Sendable {
    var number: Int32 = -1
  }

  @Test("one that has its answer leaves the connection to others, unless more follows", arguments: [false, true])
  func leaves(staysOpen: Bool) throws {
    let folder = TemporaryFolder()
    let file = Self.socket(at: folder.path + "/control")
    listen(file, 4)
    let (taken, isAnswered) = (Connection(), DispatchSemaphore(value: 0))
    Thread.detachNewThread {
      taken.number = accept(file, nil, nil)
      var bytes = [UInt8](repeating: 0, count: 4096)
      _ = recv(taken.number, &bytes, bytes.count, 0)
      let answer = #"{"id":1,"type":"result","result":{}}"# + "\n"
      _ = send(taken.number, answer, answer.utf8.count, Int32(MSG_NOSIGNAL))
      isAnswered.signal()
    }
    let client = try ConsoleClient(folder: folder.path)
    client.staysOpen = staysOpen
    _ = try client.ask("status") { _ in }
    isAnswered.wait()
    var byte: UInt8 = 0
    #expect(recv(taken.number, &byte, 1, Int32(MSG_DONTWAIT)) == (staysOpen ? -1 : 0))
    withExtendedLifetime(client) {}
    close(taken.number)
    close(file)
  }

  @Test("without the file there is no agent")
  func absent() {
    let folder = TemporaryFolder()
    #expect(throws: Failure.self) { try state(folder.path) }
  }
}
