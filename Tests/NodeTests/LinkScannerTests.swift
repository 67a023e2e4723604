import Codec
import Gateway
import Runtime
import Simulated
import Testing

@testable import Agent
@testable import Benches
@testable import Node

private final class FakeScanner: CodeScanner {
  weak var delegate: (any CodeScannerDelegate)?
  func start(_ delegate: any CodeScannerDelegate) { self.delegate = delegate }
  func stop() { delegate = nil }
}

@Suite("Links that are scanned")
final class LinkScannerTests {
  private let clock = VirtualClock()
  private let runner = DeferredRunner()
  private let channel = FakeChannel()
  private let scanner = FakeScanner()
  private let log = Log(level: .info, output: nil)
  private let outbox: Outbox
  private let desk: LinkDesk
  private let part: LinkScanner

  init() throws {
    let random = SeededRandom(seed: 3)
    outbox = try Outbox(store: MemoryStore(), runner: runner, clock: clock, random: random, log: log)
    desk = try LinkDesk(
      store: MemoryStore(), outbox: outbox, runner: runner, clock: clock, random: random, log: log)
    part = LinkScanner(scanner, desk: desk, clock: clock, log: log)
    desk.start()
    part.start()
    outbox.online(channel)
    desk.connected(channel)
  }

  private func scan(_ text: String) {
    clock.advance(Budget.scannerSpacing)
    scanner.delegate?.scanned(text.utf8.span)
  }

  private var sent: Int { channel.asked.filter { $0.event == "agent.request" }.count }
  private var lines: [String] {
    var lines: [String] = []
    log.forEachLine { lines.append(String(decoding: $0, as: UTF8.self)) }
    return lines
  }

  @Test("about a link the board asks, and says that it was scanned")
  func asks() throws {
    scan("openclaw://agent?message=Water%20me\r")
    let question = try #require(desk.question)
    #expect(question.origin == .scanner && question.message == InlineText(cutting: "Water me"))
    #expect(sent == 0)
    desk.answer(true, to: question.number, by: .button)
    #expect(sent == 1)
  }

  @Test("a link with the board's own key asks nobody")
  func ownKey() throws {
    let keeper = try #require(desk.keeper)
    keeper.renew()
    runner.runAll()
    let key = keeper.key.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    scan("openclaw://agent?message=Water%20me&key=\(key)")
    #expect(desk.question == nil && sent == 1)
  }

  @Test("what is no link is told, without its text; a link that connects the board is not taken")
  func refuses() {
    scan("4006381333931")
    scan("openclaw://gateway?host=evil.example&tls=1")
    clock.advance(Budget.scannerSpacing)
    scanner.delegate?.scanFailed(.tooLong)
    clock.advance(Budget.scannerSpacing)
    scanner.delegate?.scanFailed(.lost)
    #expect(desk.question == nil && sent == 0)
    #expect(lines.contains { $0.contains("begins with neither openclaw:// nor oc-pair://") })
    #expect(lines.contains { $0.contains("only talon open takes such a link") })
    #expect(lines.contains { $0.contains("is longer than 4296 bytes") })
    #expect(lines.contains { $0.contains("did not arrive whole") })
    #expect(!lines.contains { $0.contains("4006381333931") || $0.contains("evil.example") })
  }

  @Test("a code that is read again and again counts once in a second")
  func spacing() {
    scan("one")
    let before = lines.count
    clock.advance(Budget.scannerSpacing - 1)
    scanner.delegate?.scanned("openclaw://agent?message=a".utf8.span)
    scanner.delegate?.scanFailed(.tooLong)
    #expect(lines.count == before && desk.question == nil)
    clock.advance(1)
    scanner.delegate?.scanned("openclaw://agent?message=a".utf8.span)
    #expect(desk.question != nil)
  }

  @Test("after its end nothing is read")
  func stops() {
    part.stop()
    scan("openclaw://agent?message=a")
    #expect(desk.question == nil)
  }
}
