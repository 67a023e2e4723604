import Device
import Foundation
import Runtime
import Testing
@testable import Agent
@testable import Benches
@testable import SensePart

/// Reports as a test wants them.
private final class ScriptedInspector: Inspector {
  var report: [UInt8] = []
  var failure: DiagnosisError?
  private(set) var asked: [Inspection] = []

  func inspect(
    _ inspection: Inspection, into report: UnsafeMutableBufferPointer<UInt8>, cancellation: Cancellation
  ) throws(DiagnosisError) -> Int {
    asked.append(inspection)
    if let failure { throw failure }
    for index in self.report.indices { report[index] = self.report[index] }
    return self.report.count
  }
}

/// What a gateway may ask of a board that it cannot stand before.
@Suite struct DiagnosisPartTests {
  private let inspector = ScriptedInspector()

  @Test("without permission none of its commands is there")
  func forbidden() throws {
    let bench = try AgentBench()
    for command in ["debug.logs", "debug.doctor", "debug.bundle"] {
      #expect(try bench.invoke("1", command).first?.isOK == false)
      #expect(!bench.agent.router.has(command))
    }
  }

  @Test("debug.logs gives the agent's own lines")
  func logs() throws {
    let bench = try AgentBench(inspector: inspector)
    bench.log.write(.warning, "camera", "it is gone")
    let answer = try #require(try bench.invoke("1", "debug.logs", params: #"{"module":"camera"}"#).first)
    #expect((answer.payload["logs"] as? String)?.hasSuffix("warning camera: it is gone\n") == true)
    #expect(try bench.invoke("2", "debug.logs", params: #"{"lines":0}"#).first?.code == "INVALID_REQUEST")
  }

  @Test("debug.doctor hands on the findings, and debug.bundle the file")
  func reports() throws {
    let bench = try AgentBench(inspector: inspector)
    inspector.report = Array(#"{"verdict":"warning","findings":[]}"#.utf8)
    #expect(try bench.invoke("1", "debug.doctor").first?.payload["verdict"] as? String == "warning")
    inspector.report = [0x1F, 0x8B, 0, 255]
    let file = try #require(try bench.invoke("2", "debug.bundle").first)
    #expect(file.payload["format"] as? String == "tar.gz")
    #expect(file.payload["base64"] as? String == "H4sA/w==")
    #expect(inspector.asked == [.doctor, .bundle])
  }

  @Test("a report that cannot be made is an error that says why, and the next one is made")
  func failures() throws {
    let bench = try AgentBench(inspector: inspector)
    for failure in [DiagnosisError.failed, .slow, .tooLarge] {
      inspector.failure = failure
      let answer = try #require(try bench.invoke("1", "debug.bundle").first)
      #expect(answer.code == "\(failure.wire.code)")
    }
    inspector.failure = nil
    inspector.report = Array("{}".utf8)
    #expect(try bench.invoke("2", "debug.doctor").first?.isOK == true)
  }

  @Test("one report is made at a time")
  func busy() throws {
    let bench = try AgentBench(inspector: inspector)
    inspector.report = Array("{}".utf8)
    bench.gateway.send(bench.frame("1", "debug.doctor"))
    bench.gateway.send(bench.frame("2", "debug.bundle"))
    let answers = try bench.settle()
    #expect(answers.first { $0.id == "2" }?.code == "UNAVAILABLE")
    #expect(answers.first { $0.id == "1" }?.isOK == true)
  }
}
