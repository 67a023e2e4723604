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
    #expect(text(demand("screen.record")) == "record this screen with sound for 10 s")
    #expect(text(demand("camera.clip", #"{"durationMs":1500,"includeAudio":false}"#)) == "film for 2 s")
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

  private func subject(_ command: String, _ parameters: String) -> String {
    guard let found = demand(command, parameters)?.subject else { return "none" }
    let buffer = FixedBuffer(capacity: 1024)
    var line = LogLine(buffer.bytes)
    found.write(to: &line)
    return String(decoding: buffer.bytes[..<line.count], as: UTF8.self)
  }

  @Test func `What decides what is done is in the question: each word, folder, environment and argument`() {
    #expect(text(demand("system.run", #"{"command":["/bin/sh"]}"#)) == "run a program")
    #expect(
      subject("system.run", #"{"command":["/bin/sh","-c","rm -rf \"$HOME\"\n"]}"#)
        == #"Command line: "/bin/sh" "-c" "rm -rf \"$HOME\"\n""#)
    #expect(
      subject("system.run", #"{"command":["ls"],"cwd":"/srv","env":{"LANG":"C"}}"#)
        == #"Command line: "ls" in "/srv" with "LANG" = "C""#)
    #expect(subject("system.run", #"{"command":["\u0072\u006d","\u202egpj"]}"#) == #"Command line: "rm" "\u{202E}gpj""#)
    #expect(subject("system.run", #"{"command":"rm -rf"}"#) == #"Command line: "rm -rf""#)
    #expect(
      subject("mcp.tools.call.v1", #"{"tool":"lamp","arguments":{"action":"on","level":5}}"#)
        == #"Tool: "lamp" "action" = "on", "level" = "5""#)
    #expect(subject("camera.snap", #"{"deviceId":"/dev/video1","facing":"front"}"#) == #"Camera: "/dev/video1""#)
    #expect(subject("camera.clip", #"{"facing":"front"}"#) == #"Camera: "front""#)
    #expect(subject("camera.snap", "{}") == "")
  }

  @Test func `Of a longer line it is said how much is not shown`() {
    for count in [ConsentSubject.capacity, 5_000] {
      let long = String(repeating: "x", count: count)
      let found = demand("system.run", #"{"command":["sh","\#(long)","; rm -rf /"]}"#)?.subject
      let shown = found?.text.count ?? 0
      #expect(shown <= ConsentSubject.capacity)
      // The quotation marks, the dots and the blank are the board's.
      #expect(found?.unshown == count + 10 - (shown - 4 - 1 - QuotedText.frame))
      #expect(subject("system.run", #"{"command":["\#(long)"]}"#).contains("bytes that are not shown"))
    }
    #expect(demand("system.run", #"{"command":["sh"]}"#)?.subject.unshown == 0)
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
