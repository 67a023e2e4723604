import Codec
import Foundation
import Gateway
import Runtime
import Simulated
import Testing
@testable import Agent
@testable import Benches
@testable import Node

@Suite("Links for the agent")
final class LinkDeskTests {
  private let clock = VirtualClock()
  private let runner = DeferredRunner()
  private let channel = FakeChannel()
  private let store = MemoryStore()
  private let server = NotingServer()
  private let log = Log(level: .info, output: nil)
  private let outbox: Outbox
  private let desk: LinkDesk
  private let node: BenchNode
  private let control: Control

  init() throws {
    let random = SeededRandom(seed: 3)
    outbox = try Outbox(store: MemoryStore(), runner: runner, clock: clock, random: random, log: log)
    desk = try LinkDesk(
      store: store, outbox: outbox, runner: runner, clock: clock, random: random, log: log)
    node = BenchNode(desk)
    control = Control(server: server, node: node)
    desk.start()
    outbox.online(channel)
    desk.connected(channel)
  }

  /// What became of a link, in a word.
  private func open(
    _ text: String, from origin: LinkOrigin = .console, _ confirmation: LinkDesk.Confirmation = .asks
  ) -> String {
    switch desk.open(text.utf8.span, from: origin, confirmation) {
    case .sent: "sent"
    case .waits: "waits"
    case .asked: "asked"
    case .unconfirmed: "unconfirmed"
    case .refused(let failure): failure.code.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }
  }

  /// The answer to a request of a console.
  private func ask(_ line: String) throws -> [String: Any] {
    server.lines = []
    control.lineReceived(line.utf8.span, from: 1)
    runner.runAll()
    let text = try #require(server.lines.last).text
    return try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  private func result(_ line: String) throws -> [String: Any] { try ask(line)["result"] as? [String: Any] ?? [:] }

  private func key(renew: Bool = false) throws -> String {
    try result(#"{"op":"link-key","id":1,"renew":\#(renew)}"#)["key"] as? String ?? ""
  }

  private var sent: [[String: Any]] { channel.asked.filter { $0.event == "agent.request" }.map(\.payload) }

  private func string(_ payload: [String: Any]?, _ name: String) -> String? { payload?[name] as? String }

  @Test("without the board's key somebody has to say yes, and delivery does not count")
  func asks() throws {
    #expect(
      open("openclaw://agent?message=Water%20me&sessionKey=garden&thinking=low&deliver=1&to=a&channel=b") == "asked")
    #expect(sent.isEmpty)
    let question = try #require(desk.question)
    #expect(question.message == InlineText(cutting: "Water me"))
    desk.answer(true, to: question.number + 1, by: .button)
    #expect(sent.isEmpty && desk.question != nil, "an answer to another question")
    desk.answer(true, to: question.number, by: .button)
    let payload = try #require(sent.first)
    #expect(string(payload, "message") == "Water me")
    #expect(string(payload, "sessionKey") == "garden")
    #expect(string(payload, "thinking") == "low")
    #expect(payload["deliver"] as? Bool == false)
    #expect(payload["to"] == nil && payload["channel"] == nil)
    #expect(desk.question == nil)
  }

  @Test("a message that the question has no room for is marked as cut")
  func cut() throws {
    #expect(open("openclaw://agent?message=a") == "asked")
    #expect(try #require(desk.question).isCut == false)
    desk.answer(false, to: try #require(desk.question).number, by: .screen)
    clock.advance(Budget.linkQuestionSpacing)
    let letters = String(repeating: "a", count: Budget.linkShownBytes + 1)
    #expect(open("openclaw://agent?message=\(letters)&key=\(try key())", from: .screen) == "asked")
    #expect(try #require(desk.question).isCut)
  }

  @Test("a no sends nothing, and so does silence for a minute")
  func refuses() throws {
    #expect(open("openclaw://agent?message=a") == "asked")
    desk.answer(false, to: try #require(desk.question).number, by: .screen)
    #expect(desk.question == nil)
    clock.advance(Budget.linkQuestionSpacing)
    #expect(open("openclaw://agent?message=b") == "asked")
    clock.advance(Budget.consentQuestionMilliseconds)
    #expect(desk.nextDeadline == clock.monotonic)
    desk.advance(to: clock.monotonic)
    #expect(desk.question == nil && sent.isEmpty)
  }

  @Test("one question in five seconds, and one at a time")
  func spacing() throws {
    #expect(open("openclaw://agent?message=a") == "asked")
    #expect(open("openclaw://agent?message=b") == "BUSY")
    desk.answer(false, to: try #require(desk.question).number, by: .screen)
    clock.advance(Budget.linkQuestionSpacing - 1)
    #expect(open("openclaw://agent?message=b") == "RATE_LIMITED")
    clock.advance(1)
    #expect(open("openclaw://agent?message=b") == "asked")
  }

  @Test("the board's own key sends at once, with delivery, and never leaves the board")
  func ownKey() throws {
    let key = try key()
    #expect(key.utf8.count == Budget.linkKeyCharacters)
    #expect(try self.key() == key)
    #expect(open("openclaw://agent?message=a&deliver=true&to=a&channel=b&timeoutSeconds=9&key=\(key)") == "sent")
    let payload = try #require(sent.first)
    #expect(payload["deliver"] as? Bool == true)
    #expect(string(payload, "to") == "a" && string(payload, "channel") == "b")
    #expect(payload["timeoutSeconds"] as? Int == 9)
    #expect(string(payload, "key") != key)
    #expect(open("openclaw://agent?message=a&key=\(key)x", .none) == "unconfirmed")
  }

  @Test("the key is on flash, and another one takes its place")
  func keptKey() throws {
    let first = try key()
    let again = try LinkDesk(
      store: store, outbox: outbox, runner: runner, clock: clock, random: SeededRandom(seed: 9), log: log)
    again.start()
    #expect(again.keeper?.key == InlineText(cutting: first))
    let second = try key(renew: true)
    #expect(first != second)
    #expect(open("openclaw://agent?message=a&key=\(first)", .none) == "unconfirmed")
    #expect(open("openclaw://agent?message=a&key=\(second)", .none) == "sent")
  }

  @Test("a key that flash does not take is told so")
  func brokenFlash() throws {
    store.failure = .system(.inputOutput)
    #expect(try ask(#"{"op":"link-key","id":1}"#)["code"] as? String == "NOT_KEPT")
  }

  @Test("a page asks even with the board's key, which then counts")
  func page() throws {
    let key = try key()
    #expect(open("openclaw://agent?message=a&deliver=1&to=t&key=\(key)", from: .screen) == "asked")
    desk.answer(true, to: try #require(desk.question).number, by: .screen)
    #expect(sent.first?["deliver"] as? Bool == true)
  }

  @Test("240 characters without the key, 20 000 with it, of which the long ones wait for the gateway")
  func lengths() throws {
    let long = String(repeating: "a", count: Budget.linkStrangerCharacters)
    #expect(open("openclaw://agent?message=" + long, .given(.console)) == "sent")
    #expect(open("openclaw://agent?message=a" + long, .given(.console)) == "LINK_TOO_LONG")
    let longest =
      "openclaw://agent?message=\(String(repeating: "b", count: Budget.linkMessageCharacters))&key=\(try key())"
    #expect(open(longest) == "waits")
    #expect(open(longest) == "UNAVAILABLE", "one at a time")
    channel.answer()
    channel.answer()
    #expect(string(sent.last, "message")?.count == Budget.linkMessageCharacters)
    desk.offline()
    #expect(open(longest) == "UNAVAILABLE", "without a gateway")
  }

  @Test("links that connect the board, and what is no link, are refused, and the log has nothing of them")
  func others() {
    #expect(open("openclaw://gateway?host=gw&tls=1&token=sesame", .given(.console)) == "NOT_HERE")
    #expect(open("oc-pair://sesame") == "NOT_HERE")
    #expect(open("sesame") == "INVALID_LINK")
    var lines = 0
    log.forEachLine { line in
      lines += 1
      #expect(!String(decoding: line, as: UTF8.self).contains("sesame"))
    }
    #expect(lines == 3)
  }

  @Test("a board that is held opens none, and asks no more")
  func held() {
    #expect(open("openclaw://agent?message=a") == "asked")
    desk.hold()
    #expect(desk.question == nil)
    #expect(open("openclaw://agent?message=a") == "HELD")
    desk.letGo()
    clock.advance(Budget.linkQuestionSpacing)
    #expect(open("openclaw://agent?message=a") == "asked")
  }

  @Test("a console hands a link over in pieces, which follow each other")
  func pieces() throws {
    #expect(
      try result(#"{"op":"link","id":1,"transfer":5,"offset":0,"more":true,"text":"openclaw://agent?mess"}"#)["state"]
        as? String == "more")
    #expect(
      try result(#"{"op":"link","id":2,"transfer":5,"offset":21,"text":"age=hello","confirm":"given"}"#)["state"]
        as? String == "sent")
    #expect(string(sent.first, "message") == "hello")
    _ = try ask(#"{"op":"link","id":1,"transfer":6,"offset":0,"more":true,"text":"openclaw://agent?mess"}"#)
    for wrong in [#""transfer":7,"offset":21"#, #""transfer":6,"offset":20"#] {
      #expect(try ask(#"{"op":"link","id":2,\#(wrong),"text":"age=hello"}"#)["code"] as? String == "INVALID_REQUEST")
    }
  }

  @Test("a console is told what is asked, and answers it")
  func console() throws {
    #expect(
      try result(#"{"op":"link","id":1,"text":"openclaw://agent?message=a"}"#)["state"] as? String == "unconfirmed")
    #expect(try ask(#"{"op":"link-answer","id":1,"yes":true}"#)["code"] as? String == "NO_QUESTION")
    let before = try answeredByName()
    #expect(before != nil)
    clock.advance(Budget.linkQuestionSpacing)
    let asked = try result(#"{"op":"link","id":1,"text":"openclaw://agent?message=hi","confirm":"ask"}"#)
    #expect(asked["state"] as? String == "asked" && asked["message"] as? String == "hi")
    #expect(asked["leftMs"] as? Int == Int(Budget.consentQuestionMilliseconds))
    #expect(try result(#"{"op":"link-question","id":1}"#)["link"] as? String == "openclaw://agent?message=hi")
    // Without a name, with that of the question before, and before anybody can have read it, a yes sends nothing.
    let name = try #require(asked["name"] as? String)
    #expect(try ask(#"{"op":"link-answer","id":1,"yes":true}"#)["code"] as? String == "INVALID_REQUEST")
    #expect(
      try ask(#"{"op":"link-answer","id":1,"yes":true,"name":"\#(before ?? "")"}"#)["code"] as? String == "NO_QUESTION")
    let yes = #"{"op":"link-answer","id":1,"yes":true,"name":"\#(name)"}"#
    #expect(try ask(yes)["code"] as? String == "TOO_SOON")
    #expect(sent.isEmpty)
    clock.advance(Budget.consentArmMilliseconds)
    #expect(try result(yes)["state"] as? String == "sent")
    #expect(string(sent.first, "message") == "hi")
  }

  /// Asks about a link, and refuses it: its name.
  private func answeredByName() throws -> String? {
    let asked = try result(#"{"op":"link","id":1,"text":"openclaw://agent?message=no","confirm":"ask"}"#)
    #expect(try result(#"{"op":"link-answer","id":1,"yes":false}"#)["state"] as? String == "refused")
    return asked["name"] as? String
  }

  @Test("what is shown of a long link ends at a character")
  func preview() throws {
    let message = String(repeating: "\u{1F600}", count: 120)
    #expect(open("openclaw://agent?message=" + message) == "asked")
    let question = try #require(desk.question)
    let isWhole = UTF8Validator.isValid(question.message.span)
    let isPreviewWhole = UTF8Validator.isValid(question.preview.span)
    #expect(isWhole && question.message.count == 480)
    #expect(isPreviewWhole && question.preview.count <= Budget.linkPreviewBytes)
  }
}
