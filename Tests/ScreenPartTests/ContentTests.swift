import Fetch
import Gateway
import Runtime
import Simulated
import Testing
@testable import Agent
@testable import Benches
@testable import CameraPart
@testable import Graphics
@testable import Node
@testable import ScreenPart
@testable import SensePart
@testable import VoicePart

@Suite("What addresses mean")
struct CanvasHostTests {
  private func address(_ text: String, _ bench: ContentBench) -> String {
    do throws(ContentError) {
      let url = try bench.host.address(text.utf8.span)
      return "\(url.isSecure ? "https" : "http")://\(url.host):\(url.port)\(url.target)"
    } catch {
      return "\(error.wire.code)"
    }
  }

  /// What stands for the canvas host's address with the capability.
  private static let cases: [(String, String)] = [
    ("https://example.org/a", "https://example.org:443/a"), ("//example.org/a", "https://example.org:443/a"),
    ("/images/x.png", "BASE/images/x.png"), ("images/x.png?y", "BASE/images/x.png?y"),
    ("/__openclaw__/canvas/x.png", "BASE/__openclaw__/canvas/x.png"), ("../../etc/x", "BASE/etc/x"),
    ("/__openclaw__/cap/older/__openclaw__/canvas/x.png", "BASE/__openclaw__/canvas/x.png"),
    ("/__openclaw__/cap/older", "BASE"),
    ("http://127.0.0.1:18793/__openclaw__/canvas/x.png", "BASE/__openclaw__/canvas/x.png"),
    ("http://localhost:18789/__openclaw__/a", "BASE/__openclaw__/a"),
    ("http://localhost:18789/other", "http://localhost:18789/other"),
    ("https://evil.org/__openclaw__/canvas/x", "https://evil.org:443/__openclaw__/canvas/x"),
    ("javascript:x", "INVALID_REQUEST"), ("https://u@h/", "INVALID_REQUEST"),
  ]

  @Test("without a host they are of the gateway's canvas host, with the capability of today", arguments: cases)
  func addresses(text: String, expected: String) throws {
    let bench = try ContentBench(hello: ContentBench.plugin)
    let base = "http://127.0.0.1:18789/__openclaw__/cap/first"
    #expect(address(text, bench) == (expected.hasPrefix("BASE") ? base + expected.dropFirst(4) : expected))
  }

  @Test("without a canvas host they have none")
  func noHost() throws {
    let bench = try ContentBench()
    #expect(address("/x.png", bench) == "CANVAS_UNAVAILABLE")
    #expect(address("https://a/x", bench) == "https://a:443/x")
  }
}

@Suite("Loading")
struct ContentLoaderTests {
  /// Keeps how a load ended.
  private final class Owner: ContentDelegate {
    var outcome = ""

    func loaded(_ loader: ContentLoader) {
      outcome = loader.picture.map { "\($0.size.width)x\($0.size.height) of \($0.original.width)" } ?? "\(loader.kind)"
      loader.release()
    }

    func loadFailed(_ loader: ContentLoader, _ error: ContentError) {
      outcome = "\(error.wire.code)"
      loader.release()
    }
  }

  private let bench: ContentBench
  private let delegate = Owner()

  init() throws {
    bench = try ContentBench(hello: ContentBench.plugin)
    bench.loader.delegate = delegate
  }

  private func load(_ text: String) throws {
    delegate.outcome = ""
    try bench.loader.load(text.utf8.span, wanted: Size(100, 100), deadline: .max)
    advance()
  }

  private func advance() {
    for _ in 0..<4 {
      bench.loader.advance(to: bench.agent.clock.monotonic)
      bench.runner.runAll()
    }
  }

  private func answer(_ body: String, status: Int = 200, type: String = "image/png") {
    bench.web.answer(body, status: status, type: type)
    advance()
  }

  @Test("a picture is fetched and made as small as it is shown")
  func picture() throws {
    try load("https://a/b.png")
    answer("GIF8 400x200")
    #expect(delegate.outcome == "200x100 of 400")
    try load("https://a/b.png")
    answer("GIF8 broken")
    #expect(delegate.outcome == "CANVAS_UNAVAILABLE")
  }

  @Test("what it is follows from its bytes, then from its type")
  func kinds() throws {
    for (body, type, kind) in [
      ("%PDF-1.4", "image/png", "pdf"), ("<!doctype html><p>", "", "html"),
      ("<?xml version='1.0'?><!-- x -->\n<svg/>", "text/plain", "svg"),
      ("plain", "text/html", "html"), ("plain", "", "text"), ("{}", "", "json"), ("<rss/>", "application/xml", "text"),
      ("\u{0}\u{1}", "", "unknown"), ("<P>x</P>", "", "html"), ("<path/>", "image/svg+xml", "svg"),
    ] {
      try load("https://a/b")
      answer(body, type: type)
      #expect(delegate.outcome == kind)
    }
  }

  @Test("an address that has run out is refreshed once")
  func refresh() throws {
    try load("/x.png")
    answer("", status: 401)
    #expect(delegate.outcome == "")
    let first = try #require(try bench.requests("node.pluginSurface.refresh").first)
    bench.refreshed(first, "second")
    advance()
    #expect(bench.web.visits == ["127.0.0.1/__openclaw__/cap/first/x.png", "127.0.0.1/__openclaw__/cap/second/x.png"])
    answer("", status: 404)
    #expect(delegate.outcome == "CANVAS_UNAVAILABLE")
    #expect(try bench.requests("node.pluginSurface.refresh").isEmpty)
  }

  @Test("a gateway that does not refresh it is not waited for for ever")
  func refreshTimeout() throws {
    try load("/x.png")
    answer("", status: 403)
    bench.agent.clock.advance(Budget.canvasRefreshMilliseconds)
    advance()
    #expect(delegate.outcome == "CANVAS_UNAVAILABLE")
  }

  @Test("other servers' refusals are refusals")
  func foreign() throws {
    try load("https://a/x.png")
    answer("", status: 401)
    #expect(delegate.outcome == "CANVAS_UNAVAILABLE")
    #expect(try bench.requests("node.pluginSurface.refresh").isEmpty)
  }

  @Test("what stands in the address is not fetched")
  func data() throws {
    try load("data:text/html,<p>x")
    #expect(delegate.outcome == "html")
    try load("data:image/png;base64,!")
    #expect(delegate.outcome == "INVALID_REQUEST")
    #expect(bench.web.visits.isEmpty)
  }

  @Test("as long as an address may be, and longer")
  func bounds() throws {
    let long = "data:," + String(repeating: "x", count: Budget.dataURLBytes)
    try load(long)
    #expect(delegate.outcome == "text")
    try load(long + "x")
    #expect(delegate.outcome == "INVALID_REQUEST")
    for text in [
      "data:," + String(repeating: "%41", count: Budget.dataURLBytes + 400),
      "https://a/" + String(repeating: "x", count: Budget.fetchURLBytes),
    ] {
      var isRefused = false
      do throws(ContentError) {
        try bench.loader.load(text.utf8.span, wanted: Size(1, 1), deadline: .max)
      } catch {
        isRefused = true
      }
      #expect(isRefused)
      #expect(bench.loader.isFree)
    }
  }

  @Test("dropped while a worker has it, it is free when the worker is done")
  func dropping() throws {
    try bench.loader.load("data:,x".utf8.span, wanted: Size(1, 1), deadline: .max)
    bench.loader.advance(to: 0)
    bench.loader.drop()
    #expect(!bench.loader.isFree)
    bench.runner.runAll()
    #expect(bench.loader.isFree)
    #expect(delegate.outcome == "")
  }
}
