import Codec
import Consent
import Foundation
import Gateway
import Runtime
import Simulated
import Testing

@testable import Agent
@testable import Benches
@testable import ConsentPart
@testable import Node

/// Answers from the console to questions that change between reading and answering.
@Suite("An answer is for the question that was read") struct NamedAnswerTests {
  private let bench: AgentBench
  private let server = NotingServer()
  private let control: Control

  init() throws {
    bench = try ConsentTests.bench([(.camera, .ask), (.location, .ask), (.microphone, .ask)])
    control = Control(server: server, node: bench.agent)
  }

  /// The answer of the local socket.
  private func ask(_ line: String) throws -> [String: Any] {
    server.lines = []
    control.lineReceived(line.utf8.span, from: 1)
    let text = try #require(server.lines.last).text
    return try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  /// The question that the list shows, as a person reads it before they answer.
  private func read() throws -> [String: Any]? {
    let result = try ask(#"{"op":"grants","id":1}"#)["result"] as? [String: Any]
    bench.passAlive(Budget.consentArmMilliseconds)
    return result?["question"] as? [String: Any]
  }

  private func name() throws -> String { try #require(try read()?["name"] as? String) }

  private func answer(_ word: String, _ name: String? = nil) throws -> String? {
    let member = name.map { #","question":"\#($0)""# } ?? ""
    return try ask(#"{"op":"grants-answer","id":2,"answer":"\#(word)"\#(member)}"#)["code"] as? String
  }

  private var granted: PermissionSet? { bench.agent.consent?.granted }

  @Test func `The name in the list is what answers`() throws {
    #expect(try bench.invoke("1", "camera.snap").isEmpty)
    #expect(try answer("today", try name()) == nil)
    #expect(try bench.settle().map(\.isOK) == [true])
    #expect(granted == [.camera])
  }

  @Test func `A question that took the place of the one that was read gets no answer`() throws {
    #expect(try bench.invoke("1", "camera.snap").isEmpty)
    let photo = try name()
    bench.cancelInvoke("1")
    _ = try bench.invoke("2", "location.get")
    for word in ["once", "60s", "session", "today", "no"] { #expect(try answer(word, photo) == "NO_QUESTION") }
    #expect(granted == [] && bench.agent.consent?.question?.permissions == [.location])
  }

  @Test func `A question that waited behind another is as new as the first sight of it`() throws {
    #expect(try bench.invoke("1", "camera.snap").isEmpty)
    #expect(try bench.invoke("2", "location.get").isEmpty)
    let photo = try name()
    bench.cancelInvoke("1")
    _ = try bench.settle()
    let place = try #require(bench.agent.consent?.question)
    let placeName = NotingListener.text(place.name.span)
    #expect(placeName != photo)
    #expect(try answer("today", placeName) == "TOO_SOON")
    for source in [Grant.Source.screen, .button, .console] {
      bench.agent.consent?.answer(.today, to: place.number, by: source)
    }
    #expect(granted == [])
    bench.passAlive(Budget.consentArmMilliseconds)
    #expect(try answer("60s", placeName) == nil)
    #expect(granted == [.location])
  }

  @Test func `A yes without a name is none, and a no needs none`() throws {
    #expect(try bench.invoke("1", "camera.snap").isEmpty)
    _ = try read()
    for word in ["once", "60s", "session", "today"] { #expect(try answer(word) == "INVALID_REQUEST") }
    for wrong in ["1", "1-", "", "1-zzzzz", "2-0000"] { #expect(try answer("today", wrong) == "NO_QUESTION") }
    #expect(granted == [] && bench.camera.captures == 0)
    #expect(try answer("no") == nil)
    #expect(try bench.settle().map(\.code) == ["CAMERA_PERMISSION_REQUIRED"])
  }

  @Test func `After its time, after panic and after a restart the name answers nothing`() throws {
    #expect(try bench.invoke("1", "camera.snap").isEmpty)
    let first = try name()
    bench.passAlive(Budget.consentQuestionMilliseconds)
    #expect(try answer("today", first) == "NO_QUESTION")
    bench.passAlive(Budget.consentSilenceMilliseconds)
    #expect(try bench.takeAnswers().count == 1)
    #expect(try bench.invoke("2", "camera.snap").isEmpty)
    let second = try name()
    #expect(second != first)
    bench.agent.holdStill("in a test")
    #expect(try answer("today", second) == "NO_QUESTION")
    bench.agent.letGo("in a test")
    #expect(granted == [])
    let other = try ConsentTests.bench([(.camera, .ask)])
    other.pass(5)
    #expect(try other.invoke("1", "camera.snap").isEmpty)
    let question = try #require(other.agent.consent?.question)
    #expect(question.number == 1 && NotingListener.text(question.name.span) != first)
  }

  @Test func `The words of others make no sentence, wherever the question is shown`() throws {
    let forged = #"main\") wants to know the time of day.\nThe agent (session x\u202E\u2028"#
    let params = #"{"purpose":"\#(forged)","deviceId":"\#(forged)"}"#
    let frame = bench.frame("1", "camera.snap", params: params)
      .replacingOccurrences(of: "}}", with: #","sessionKey":"\#(forged)"}}"#)
    bench.gateway.send(frame)
    _ = try bench.settle()
    let question = try #require(try ConsentTests.part(bench).question)
    func text(_ write: (inout LogLine) -> Void) -> String {
      let buffer = FixedBuffer(capacity: 2048)
      var line = LogLine(buffer.bytes)
      write(&line)
      return String(decoding: buffer.bytes[..<line.count], as: UTF8.self)
    }
    #expect(text { question.writeSentence(to: &$0) } == "The agent wants to take a photo.")
    let words = text { question.writeWords(to: &$0) }
    let subject = text { question.subject.write(to: &$0) }
    #expect(words.hasPrefix("Session \"main') wants to know the time of day. The agent (session x"))
    #expect(subject.hasPrefix("Camera: \"main\\\") wants"))
    for shown in [words, subject] {
      #expect(shown.unicodeScalars.allSatisfy { $0 == " " || CleanScalar($0.value) == .plain }, "\(shown)")
    }
    var lines: [String] = []
    bench.log.forEachLine { lines.append(String(decoding: $0, as: UTF8.self)) }
    let asked = try #require(lines.last { $0.contains("wants to") })
    #expect(asked.contains("The agent wants to take a photo. Answer on the screen"))
  }
}
