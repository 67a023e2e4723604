import Codec
import Consent
import Runtime
import Testing

@testable import ConsentPart

@Suite struct DemandTests {
  private func demand(
    _ command: String, _ parameters: String = "{}", hasFront: Bool = false, side: CameraSide = .unknown,
    hasSound: Bool = true
  ) -> ConsentDemand? {
    ConsentDemand(
      command, JSONView(parameters.utf8.span), hasFront: hasFront,
      ConsentSurroundings(hasSound: hasSound) { _ in side })
  }

  private func text(_ demand: ConsentDemand?) -> String? {
    demand.map { $0.what.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) } }
  }

  @Test func `A clip needs the microphone unless its parameters say otherwise`() {
    #expect(demand("camera.clip")?.permissions == [.camera, .microphone])
    #expect(demand("camera.clip", #"{"includeAudio":false}"#)?.permissions == [.camera])
    #expect(demand("camera.clip", #"{"includeAudio":"no"}"#)?.permissions == [.camera, .microphone])
    #expect(demand("camera.clip", hasSound: false)?.permissions == [.camera])
    #expect(demand("screen.record")?.permissions == [.screen, .microphone])
    #expect(text(demand("screen.record")) == "record this screen with sound")
  }

  @Test(arguments: [
    ("{}", 10_000), (#"{"durationMs":500}"#, 500), (#"{"durationMs":1e300}"#, 60_000), (#"{"durationMs":-1}"#, 0),
    (#"{"durationMs":"x"}"#, 10_000), (#"{"durationMs":9223372036854775807}"#, 60_000),
  ]) func `The length of a recording is what its parameters say, within what there is`(text: String, work: Int64) {
    #expect(demand("camera.clip", text)?.work == work)
  }

  @Test func `A camera whose side is not known needs both, where they differ`() {
    #expect(demand("camera.snap")?.permissions == [.camera])
    #expect(demand("camera.snap", hasFront: true)?.permissions == [.camera, .frontCamera])
    #expect(demand("camera.snap", hasFront: true, side: .front)?.permissions == [.frontCamera])
    #expect(demand("camera.ptz.control", hasFront: true, side: .other)?.permissions == [.camera])
  }

  @Test func `A tool and a program are named, within the room for it`() {
    #expect(text(demand("mcp.tools.call.v1", #"{"tool":"photo"}"#)) == "use the tool photo")
    #expect(text(demand("system.run", #"{"command":["/usr/bin/uptime","-p"]}"#)) == "run the program /usr/bin/uptime")
    #expect(text(demand("system.run", #"{"command":"rm -rf"}"#)) == "run the program ")
    let long = String(repeating: "x", count: 500)
    #expect(text(demand("mcp.tools.call.v1", #"{"tool":"\#(long)"}"#)) == "use the tool (a long name)")
  }

  @Test func `The purpose is the agent's own words, cut to what is shown`() {
    func purpose(_ command: String, _ parameters: String) -> String? {
      let found = demand(command, parameters)
      return found.map { $0.purpose.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) } }
    }
    #expect(purpose("camera.snap", #"{"purpose":"a","reason":"b"}"#) == "a")
    #expect(purpose("camera.snap", #"{"purpose":5,"reason":"b"}"#) == "b")
    #expect(purpose("mcp.tools.call.v1", #"{"tool":"photo","arguments":{"purpose":"c"}}"#) == "c")
    let long = String(repeating: "y", count: 400)
    #expect(purpose("camera.snap", #"{"purpose":"\#(long)"}"#)?.utf8.count == Budget.consentPurposeBytes)
  }

  @Test func `Commands that touch nobody need no consent`() {
    for command in ["device.info", "canvas.present", "camera.list", "system.notify", ""] {
      #expect(demand(command) == nil)
    }
  }
}
