import Codec
import Fetch
import Gateway
import Runtime
import Simulated
import Testing

@testable import Agent
@testable import Canvas

@Suite("Pictures of documents")
struct PicturesTests {
  /// Draws a page that shows some addresses.
  private final class Page: PicturesOwner {
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
      pictures.owner = self
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
    bench.agent.agent.canvas.offline()
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

@Suite("Going to addresses")
struct NavigationTests {
  private final class Owner: NavigationOwner {
    var outcomes: [String] = []

    func arrived(_ token: InvokeToken, _ arrived: ArrivedPage) { outcomes.append("\(token.number) arrived") }
    func failed(_ token: InvokeToken, _ error: ContentError) { outcomes.append("\(token.number) " + "\(error)".prefix(8)) }
    func arrivedAgain(_ page: any ScreenPage) { outcomes.append("again") }
    func failedAgain(_ error: ContentError) { outcomes.append("again " + "\(error)".prefix(8)) }
  }

  private let bench: ContentBench
  private let owner = Owner()
  private let navigation: Navigation

  init() throws {
    bench = try ContentBench(hello: ContentBench.plugin)
    let other = try ContentLoader(ScriptedWeb(), host: bench.host, codec: bench.codec, runner: bench.runner, clock: bench.agent.clock)
    let pictures = Pictures(TablePainter(), other, host: bench.host, clock: bench.agent.clock, log: bench.agent.log)
    navigation = try Navigation(bench.loader, pictures, measurer: GridMeasurer(), clock: bench.agent.clock)
    navigation.owner = owner
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
    #expect(owner.outcomes.isEmpty)
  }

  @Test("a picture arrives as a page, anything else is refused")
  func arriving() throws {
    #expect(try go(1, " https://a/x "))
    bench.web.answer("GIF8 10x10")
    settle()
    #expect(try go(2, "https://a/y"))
    bench.web.answer("%PDF-")
    settle()
    #expect(owner.outcomes == ["1 arrived", "2 unsuppor"])
  }

  @Test("a newer one takes the place of an older, also while a worker has that")
  func replacing() throws {
    #expect(try go(1, "https://a/x"))
    #expect(try go(2, "data:,x"))
    #expect(owner.outcomes == ["1 replaced"])
    navigation.advance(to: bench.agent.clock.monotonic)
    #expect(try go(3, "https://a/y"))
    #expect(owner.outcomes == ["1 replaced", "2 replaced"])
    #expect(!bench.web.isOpen)
    settle()
    #expect(bench.web.isOpen)
    bench.web.answer("GIF8 10x10")
    settle()
    #expect(owner.outcomes == ["1 replaced", "2 replaced", "3 arrived"])
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
    #expect(owner.outcomes == ["1 replaced", "2 replaced", "3 arrived"])
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
    #expect(owner.outcomes == ["1 arrived", "2 arrived", "again", "again fetch(Fe"])
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
    #expect(owner.outcomes == ["1 arrived", "2 arrived"])
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
    #expect(owner.outcomes.isEmpty)
  }

  @Test("it says why before the invoke's time is up")
  func deadline() throws {
    #expect(try go(2, "https://a/x"))
    bench.agent.clock.advance(Budget.fetchIdleMilliseconds)
    settle()
    #expect(owner.outcomes.last == "2 fetch(Fe")
  }
}
