import Foundation
import Glibc
import Runtime
import Testing

@testable import talon

/// An agent that answers what it is told to: for each line that it reads the next of its answers, on a thread of its
/// own. "" ends the connection.
private final class ScriptedAgent: @unchecked Sendable {
  let folder = TemporaryFolder()
  private let listener: Int32
  private var client: Int32 = -1

  init(_ answers: [String]) {
    listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &name.sun_path) { bytes in
      for (index, byte) in "\(folder.path)/control".utf8.enumerated() { bytes[index] = byte }
    }
    let bound = withUnsafePointer(to: &name) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    precondition(bound == 0 && listen(listener, 1) == 0)
    Thread.detachNewThread { self.serve(answers) }
  }

  deinit { Glibc.close(listener) }

  private func serve(_ answers: [String]) {
    let client = accept(listener, nil, nil)
    defer { Glibc.close(client) }
    for answer in answers {
      var byte: UInt8 = 0
      while byte != UInt8(ascii: "\n") {
        guard read(client, &byte, 1) == 1 else { return }
      }
      let text = Array(answer.utf8)
      var sent = 0
      while sent < text.count {
        let count = text[sent...].withUnsafeBytes { write(client, $0.baseAddress, $0.count) }
        guard count > 0 else { return }
        sent += count
      }
    }
    // It waits until the console hangs up.
    var byte: UInt8 = 0
    if answers.last != "" { while read(client, &byte, 1) == 1 {} }
  }
}

@Suite("Recordings that the running agent makes") struct LentTakeTests {
  private static func answer(_ id: Int, _ samples: [Int16]) -> String {
    let bytes = samples.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
    return #"{"id":\#(id),"type":"started"}"# + "\n"
      + #"{"id":\#(id),"type":"result","result":{"rate":16000,"samples":"\#(Data(bytes).base64EncodedString())"}}"#
      + "\n"
  }

  private func failure(_ answers: String...) throws -> String? {
    let agent = ScriptedAgent(answers)
    let take = try #require(try LentTake.connect(folder: agent.folder.path))
    defer { take.close() }
    do throws(Failure) {
      try take.record {}
      return nil
    } catch {
      return error.text
    }
  }

  @Test("one after the other over one connection; who speaks is told when each begins")
  func records() throws {
    let long = (0..<Budget.enrolTakeSamples).map { Int16(truncatingIfNeeded: $0) }
    let agent = ScriptedAgent([Self.answer(1, [16_384, -32_768, 0]), Self.answer(2, long)])
    let take = try #require(try LentTake.connect(folder: agent.folder.path))
    defer { take.close() }
    var begun = 0
    try take.record { begun += 1 }
    #expect(begun == 1 && take.samples == [0.5, -1, 0])
    try take.record { begun += 1 }
    #expect(begun == 2 && take.samples.count == long.count && take.samples[40_000] == Float(long[40_000]) / 32_768)
  }

  @Test("without an agent there is none")
  func absent() throws {
    let folder = TemporaryFolder()
    #expect(try LentTake.connect(folder: folder.path) == nil)
  }

  @Test("what the agent says is in the way is told, also in the midst")
  func refused() throws {
    let refusal = #"{"id":1,"type":"error","code":"BUSY","message":"somebody talks"}"# + "\n"
    #expect(try failure(refusal) == "the running agent has the microphone: somebody talks")
    #expect(
      try failure(#"{"id":1,"type":"started"}"# + "\n" + refusal)
        == "the running agent has the microphone: somebody talks")
    #expect(
      try failure(
        #"{"id":1,"type":"error","code":"INVALID_REQUEST","message":"the operation in \"op\" is unknown"}"# + "\n")
        == "the agent is of another release: restart it")
    #expect(try failure("") == "the agent ended the connection")
  }

  @Test("what is no recording, and one that is longer than any, is not taken for one")
  func nonsense() throws {
    let long = [Int16](repeating: 1, count: Budget.enrolTakeSamples + 2)
    for answer in [
      #"{"id":1,"type":"result"}"# + "\n", #"{"id":1,"type":"result","result":{"samples":7}}"# + "\n",
      #"{"id":1,"type":"result","result":{"samples":"A"}}"# + "\n",
      #"{"id":1,"type":"result","result":{"samples":""}}"# + "\n",
      Self.answer(1, long),
    ] {
      #expect(try failure(answer) == "the agent's recording cannot be read")
    }
  }
}
