import Codec
import Fetch
import Gateway
import Runtime
import Simulated
import Testing
@testable import Agent
@testable import Benches
@testable import CameraPart
@testable import Canvas
@testable import Graphics
@testable import Node
@testable import ScreenPart
@testable import SensePart
@testable import VoicePart

@Suite("Going to addresses")
struct NavigationTests {
  private final class Owner: NavigationDelegate {
    var outcomes: [String] = []

    func arrived(_ token: InvokeToken, _ arrived: ArrivedPage) { outcomes.append("\(token.number) arrived") }
    func failed(_ token: InvokeToken, _ error: ContentError) {
      outcomes.append("\(token.number) " + "\(error)".prefix(8))
    }
    func pageRefreshed(_ page: any ScreenPage) { outcomes.append("again") }
    func failedAgain(_ error: ContentError) { outcomes.append("again " + "\(error)".prefix(8)) }
  }

  private let bench: ContentBench
  private let delegate = Owner()
  private let navigation: Navigation

  init() throws {
    bench = try ContentBench(hello: ContentBench.plugin)
    let other = try ContentLoader(
      ScriptedWeb(), host: bench.host, codec: bench.codec, runner: bench.runner, clock: bench.agent.clock)
    let pictures = Pictures(TablePainter(), other, host: bench.host, clock: bench.agent.clock, log: bench.agent.log)
    navigation = try Navigation(bench.loader, pictures, measurer: GridMeasurer(), clock: bench.agent.clock)
    navigation.delegate = delegate
  }

  private func go(_ token: Int, _ url: String) throws -> Bool {
    let text = Array("\"\(url)\"".utf8)
    guard try navigation.take(JSONView(text.span)) else { return false }
    try navigation.go(InvokeToken(token), Size(100, 100), deadline: bench.agent.clock.monotonic + 10_000)
    return true
  }

  private func settle() {
    for _ in 0..<4 {
      navigation.advance(to: bench.agent.clock.monotonic)
      bench.runner.runAll()
    }
  }

  @Test("home is where no address leads")
  func home() throws {
    for url in ["", "/", "  ", " / "] { #expect(try !go(1, url)) }
    #expect(delegate.outcomes.isEmpty)
  }

  @Test("a picture arrives as a page, anything else is refused")
  func arriving() throws {
    #expect(try go(1, " https://a/x "))
    bench.web.answer("GIF8 10x10")
    settle()
    #expect(try go(2, "https://a/y"))
    bench.web.answer("%PDF-")
    settle()
    #expect(delegate.outcomes == ["1 arrived", "2 unsuppor"])
  }

  @Test("a newer one takes the place of an older, also while a worker has that")
  func replacing() throws {
    #expect(try go(1, "https://a/x"))
    #expect(try go(2, "data:,x"))
    #expect(delegate.outcomes == ["1 replaced"])
    navigation.advance(to: bench.agent.clock.monotonic)
    #expect(try go(3, "https://a/y"))
    #expect(delegate.outcomes == ["1 replaced", "2 replaced"])
    #expect(!bench.web.isOpen)
    settle()
    #expect(bench.web.isOpen)
    bench.web.answer("GIF8 10x10")
    settle()
    #expect(delegate.outcomes == ["1 replaced", "2 replaced", "3 arrived"])
  }

  @Test("a newer one ends the worker's part of an older, which is begun or not")
  func stopped() throws {
    #expect(try go(1, "https://a/x"))
    bench.web.answer("GIF8 10x10")
    var wasRequested: [Bool] = []
    bench.codec.whileDecoding = { [self] in
      wasRequested.append(bench.codec.cancellation?.isRequested == true)
      _ = try? go(2, "https://a/y")
      wasRequested.append(bench.codec.cancellation?.isRequested == true)
      bench.codec.whileDecoding = {}
    }
    settle()
    #expect(wasRequested == [false, true])
    bench.web.answer("GIF8 10x10")
    // Not begun yet: it is not decoded at all.
    #expect(try go(3, "https://a/z"))
    settle()
    #expect(bench.codec.decoded == 1)
    bench.web.answer("GIF8 10x10")
    settle()
    #expect(bench.codec.decoded == 2)
    #expect(bench.codec.cancellation?.isRequested == false)
    #expect(delegate.outcomes == ["1 replaced", "2 replaced", "3 arrived"])
  }

  @Test("what the gateway hosts can be fetched again, and nothing else")
  func again() throws {
    let page = "/__openclaw__/canvas/x"
    #expect(!navigation.reload(Size(100, 100)))
    #expect(try go(1, "https://a/x"))
    bench.web.answer("GIF8 10x10")
    settle()
    #expect(!navigation.isHosted && !navigation.reload(Size(100, 100)))
    #expect(try go(2, page))
    bench.web.answer("GIF8 10x10")
    settle()
    #expect(navigation.isHosted && navigation.reload(Size(100, 100)))
    #expect(!navigation.reload(Size(100, 100)))
    bench.web.answer("GIF8 10x20")
    settle()
    #expect(navigation.reload(Size(100, 100)))
    bench.web.answer("gone", status: 500)
    settle()
    #expect(delegate.outcomes == ["1 arrived", "2 arrived", "again", "again fetch(Fe"])
    #expect(bench.web.visits.suffix(3).allSatisfy { $0 == "127.0.0.1/__openclaw__/cap/first" + page })
  }

  @Test("a command takes the place of what is fetched again")
  func againReplaced() throws {
    #expect(try go(1, "/__openclaw__/canvas/x"))
    bench.web.answer("GIF8 10x10")
    settle()
    #expect(navigation.reload(Size(100, 100)))
    #expect(try go(2, "data:image/gif,GIF8%2010x10"))
    #expect(!bench.web.isOpen)
    settle()
    #expect(delegate.outcomes == ["1 arrived", "2 arrived"])
    #expect(!navigation.isHosted)
  }

  @Test("cancelled, nothing of it goes on")
  func cancelling() throws {
    #expect(try go(1, "https://a/x"))
    navigation.cancel(InvokeToken(2))
    #expect(bench.web.isOpen)
    navigation.cancel(InvokeToken(1))
    #expect(!bench.web.isOpen)
    #expect(navigation.nextDeadline == nil)
    settle()
    #expect(delegate.outcomes.isEmpty)
  }

  @Test("it says why before the invoke's time is up")
  func deadline() throws {
    #expect(try go(2, "https://a/x"))
    bench.agent.clock.advance(Budget.fetchIdleMilliseconds)
    settle()
    #expect(delegate.outcomes.last == "2 fetch(Fe")
  }

  /// A document that takes dozens of turns.
  private static let long = "data:text/html," + String(repeating: "<p>word</p>", count: 20_000)

  private var isReading: Bool { navigation.nextDeadline == bench.agent.clock.monotonic }

  @Test("a long document is read in turns of the loop, and arrives when it is read")
  func reading() throws {
    #expect(try go(1, Self.long))
    settle()
    var turns = 0
    while isReading, turns < 10_000 {
      #expect(delegate.outcomes.isEmpty && !bench.loader.isFree)
      navigation.advance(to: bench.agent.clock.monotonic)
      turns += 1
    }
    #expect(turns > Self.long.utf8.count / Budget.readBytes)
    #expect(delegate.outcomes == ["1 arrived"] && bench.loader.isFree)
  }

  @Test("a newer address, or a cancel, ends the reading of a document")
  func readingEnds() throws {
    #expect(try go(1, Self.long))
    settle()
    #expect(isReading && delegate.outcomes.isEmpty)
    #expect(try go(2, "data:image/gif,GIF8%2010x10"))
    settle()
    #expect(delegate.outcomes == ["1 replaced", "2 arrived"])
    #expect(try go(3, Self.long))
    settle()
    #expect(isReading)
    navigation.cancel(InvokeToken(3))
    #expect(navigation.nextDeadline == nil && bench.loader.isFree)
    settle()
    #expect(delegate.outcomes == ["1 replaced", "2 arrived"])
  }

  @Test("a script at the end of a long document is why it fails")
  func readingFails() throws {
    #expect(try go(1, Self.long + "<script>x</script>"))
    settle()
    #expect(isReading)
    while isReading { navigation.advance(to: bench.agent.clock.monotonic) }
    #expect(delegate.outcomes == ["1 document"] && bench.loader.isFree)
  }

  @Test("a command takes the place of a document that is fetched again and being read")
  func readingAgain() throws {
    #expect(try go(1, "/__openclaw__/canvas/x"))
    bench.web.answer("<p>word", type: "text/html")
    settle()
    let long = String(repeating: "<p>word", count: 20_000)
    #expect(navigation.reload(Size(100, 100)))
    bench.web.answer(long, type: "text/html")
    settle()
    #expect(isReading && !navigation.reload(Size(100, 100)))
    #expect(try go(2, "data:image/gif,GIF8%2010x10"))
    settle()
    #expect(delegate.outcomes == ["1 arrived", "2 arrived"])
    #expect(try go(3, "/__openclaw__/canvas/x"))
    bench.web.answer("<p>word", type: "text/html")
    settle()
    #expect(navigation.reload(Size(100, 100)))
    bench.web.answer(long, type: "text/html")
    settle()
    while isReading { navigation.advance(to: bench.agent.clock.monotonic) }
    #expect(delegate.outcomes.suffix(2) == ["3 arrived", "again"])
  }
}
