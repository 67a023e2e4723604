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

@Suite("Pictures of documents")
struct PicturesTests {
  /// Draws a page that shows some addresses.
  private final class Page: PicturesDelegate {
    let bench: ContentBench
    let painter = TablePainter()
    let pictures: Pictures
    var urls: [String] = []
    var wanted = Size(100, 100)
    private(set) var sizes: [Int32] = []
    var changes = 0

    init(_ bench: ContentBench) {
      self.bench = bench
      pictures = Pictures(painter, bench.loader, host: bench.host, clock: bench.agent.clock, log: bench.agent.log)
      pictures.delegate = self
    }

    func picturesChanged() {
      changes += 1
      draw()
    }

    /// The widths of what is shown; 0 for what is not there.
    func draw() {
      pictures.beginDrawing()
      sizes = urls.map { pictures.picture($0.utf8.span, wanted)?.size.width ?? 0 }
    }

    func show(_ urls: String...) { show(urls) }

    func show(_ urls: [String]) {
      self.urls = urls
      draw()
      advance()
    }

    func advance() {
      for _ in 0..<4 {
        pictures.advance(to: bench.agent.clock.monotonic)
        bench.runner.runAll()
      }
    }

    func answer(_ width: Int, _ height: Int) {
      bench.web.answer(WordCodec.picture(width, height))
      advance()
    }

    func pass(_ milliseconds: Int64) {
      bench.agent.clock.advance(milliseconds)
      advance()
    }
  }

  private let bench: ContentBench
  private let page: Page

  init() throws {
    bench = try ContentBench(hello: ContentBench.plugin)
    page = Page(bench)
  }

  @Test("they are fetched one after the other, once, and are there from then on")
  func order() {
    page.show("https://a/1", "https://a/2", "https://a/1")
    #expect(page.sizes == [0, 0, 0])
    #expect(page.pictures.size("https://a/1".utf8.span) == nil)
    #expect(bench.web.visits == ["a/1"])
    page.answer(120, 90)
    #expect(page.sizes == [120, 0, 120])
    #expect(page.pictures.size("https://a/1".utf8.span) == Size(120, 90))
    #expect(bench.web.visits == ["a/1", "a/2"])
    page.answer(100, 100)
    #expect(page.sizes == [120, 100, 120])
    page.show("https://a/2", "https://a/1")
    #expect(page.sizes == [100, 120])
    #expect(bench.web.visits.count == 2)
    #expect(page.pictures.nextDeadline == nil)
  }

  @Test("one that was made small is fetched again where it is shown much larger")
  func larger() {
    page.show("https://a/1")
    page.answer(1000, 1000)
    #expect(page.sizes == [100])
    page.wanted = Size(150, 150)
    page.show("https://a/1")
    #expect(bench.web.visits.count == 1)
    page.wanted = Size(500, 500)
    page.show("https://a/1")
    #expect(page.sizes == [100])
    page.answer(1000, 1000)
    #expect(page.sizes == [500])
    #expect(page.painter.dropped == 1)
  }

  @Test("what cannot be had is tried again later, and later each time, while it is shown")
  func retries() {
    page.show("https://a/1")
    bench.web.fail(TransportFailure(.connect))
    page.advance()
    var wait = Budget.pictureRetryMilliseconds.lowerBound
    for count in 2...9 {
      page.pass(wait - 1)
      #expect(bench.web.visits.count == count - 1)
      page.pass(1)
      #expect(bench.web.visits.count == count)
      bench.web.fail(TransportFailure(.connect))
      page.advance()
      wait = min(2 * wait, Budget.pictureRetryMilliseconds.upperBound)
    }
    page.show("https://a/2")
    page.answer(1, 1)
    page.pass(10 * wait)
    #expect(bench.web.visits.filter { $0 == "a/1" }.count == 9)
  }

  @Test("what will hardly ever be one is asked for rarely")
  func hopeless() {
    page.show("https://a/1")
    bench.web.answer("<html>", type: "text/html")
    page.advance()
    page.pass(Budget.pictureRetryMilliseconds.upperBound - 1)
    #expect(bench.web.visits.count == 1)
    page.pass(1)
    #expect(bench.web.visits.count == 2)
  }

  @Test("a failure is the next one's turn")
  func turns() {
    page.show("https://10.0.0.1/1", "https://a/2", "/3")
    #expect(bench.web.visits == ["10.0.0.1/1", "a/2"])
    page.answer(5, 5)
    #expect(page.sizes == [0, 5, 0])
    page.answer(7, 7)
    #expect(page.sizes == [0, 5, 7])
    #expect(bench.web.visits.last == "127.0.0.1/__openclaw__/cap/first/3")
  }

  @Test("as many as there is room for; those not seen for longest make room")
  func bounds() {
    for index in 0..<Budget.pictures + 10 {
      page.show("https://a/\(index)")
      page.answer(4, 4)
      #expect(page.sizes == [4])
    }
    #expect(page.painter.dropped == 10)
    page.show("https://a/\(Budget.pictures + 9)", "https://a/10")
    #expect(page.sizes == [4, 4])
    let visits = bench.web.visits.count
    page.show("https://a/9")
    #expect(page.sizes == [0])
    #expect(bench.web.visits.count == visits + 1)
    #expect(page.pictures.size("https://a/9".utf8.span) == Size(4, 4))
  }

  @Test("bytes are bounded too, and what is seen is not given up for what is not")
  func bytes() {
    // 8 MB each: three fit.
    page.wanted = Size(9_999, 9_999)
    let urls = (0..<5).map { "https://a/\($0)" }
    page.show(urls)
    for _ in urls { page.answer(2_000, 1_000) }
    #expect(page.sizes == [2_000, 2_000, 2_000, 2_000, 0])
    #expect(page.painter.table.bytes <= Budget.pictureBytes)
    #expect(page.painter.dropped == 0)
    let visits = bench.web.visits.count
    page.pass(60_000)
    #expect(bench.web.visits.count == visits)
    page.show("https://a/4")
    page.pass(Budget.pictureRetryMilliseconds.upperBound)
    page.answer(2_000, 1_000)
    #expect(page.sizes == [2_000])
  }

  @Test("more addresses than are remembered")
  func addresses() {
    for index in 0..<Budget.pictureAddresses + 50 { page.show("https://10.0.0.1/\(index)") }
    #expect(bench.web.visits.count == Budget.pictureAddresses + 50)
    page.show("https://10.0.0.1/\(Budget.pictureAddresses + 49)")
    #expect(bench.web.visits.count == Budget.pictureAddresses + 50)
    page.show("https://10.0.0.1/0")
    #expect(bench.web.visits.count == Budget.pictureAddresses + 51)
  }

  @Test("more addresses on one page than are remembered are not fetched in turn for ever")
  func crowd() {
    page.show((0..<Budget.pictureAddresses + 50).map { "https://10.0.0.1/\($0)" })
    for _ in 0..<100 { page.advance() }
    #expect(bench.web.visits.count == Budget.pictureAddresses)
  }

  @Test("when the gateway is back, what was wanted of it is tried at once")
  func gatewayBack() throws {
    let bench = try ContentBench()
    let page = Page(bench)
    page.show("/1")
    #expect(bench.web.visits.isEmpty)
    bench.agent.agent.surface.offline()
    page.advance()
    #expect(page.changes > 1)
  }

  @Test("nothing of it stays when all is cleared")
  func clearing() {
    page.show("https://a/1", "https://a/2")
    page.answer(5, 5)
    page.pictures.clear()
    #expect(!bench.web.isOpen)
    page.show()
    #expect(page.painter.table.bytes == 0)
    #expect(page.pictures.nextDeadline == nil)
  }

  @Test("a page's own picture makes room for itself, and goes with the page")
  func pages() throws {
    page.wanted = Size(9_999, 9_999)
    page.show((0..<4).map { "https://a/\($0)" })
    for _ in 0..<4 { page.answer(2_000, 1_000) }
    let decoded = try DecodedPicture(Size(2_000, 1_000), original: Size(2_000, 1_000))
    var shown: PicturePage? = PicturePage(decoded, page.pictures)
    shown?.fit(Size(100, 100), Theme())
    let list = DisplayList()
    page.pictures.beginDrawing()
    shown?.draw(into: list)
    #expect(list.count == 2)
    #expect(list[0] == .fill(Rect(0, 0, 100, 100), radius: 0, .solid(.black)))
    guard case .picture(_, Rect(0, 0, 2_000, 1_000), Rect(0, 25, 100, 50), 0, 255) = list[1] else {
      Issue.record("no picture in the middle")
      return
    }
    #expect(page.painter.dropped == 1)
    let bytes = page.painter.table.bytes
    shown = nil
    page.pictures.beginDrawing()
    #expect(page.painter.table.bytes == bytes - 8_000_000)
  }
}
