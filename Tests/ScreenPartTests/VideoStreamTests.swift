import Fetch
import Gateway
import Runtime
import Simulated
import Testing

@testable import Agent
@testable import Benches
@testable import Canvas
@testable import Graphics
@testable import ScreenPart

@Suite("The video of a drawing")
struct VideoStreamTests {
  private final class Shown: VideoStreamDelegate {
    var changes = 0

    func videoChanged() { changes += 1 }
  }

  private let bench: ContentBench
  private let pictures: Pictures
  private let painter = TablePainter()
  private let stream: VideoStream
  private let shown = Shown()

  init() throws {
    bench = try ContentBench(hello: ContentBench.plugin)
    pictures = Pictures(painter, bench.loader, host: bench.host, clock: bench.agent.clock, log: bench.agent.log)
    stream = try VideoStream(
      bench.web, host: bench.host, codec: bench.codec, keeper: pictures, runner: bench.runner, clock: bench.agent.clock,
      log: bench.agent.log)
    stream.delegate = shown
  }

  private func show(_ address: String?) {
    stream.show(address.map { (InlineText(cutting: $0), Size(320, 240)) })
    stream.advance(to: bench.agent.clock.monotonic)
  }

  private func part(_ width: Int) -> String {
    let picture = WordCodec.picture(width, 240)
    return "--frame\r\nContent-Type: image/jpeg\r\nContent-Length: \(picture.utf8.count)\r\n\r\n\(picture)\r\n"
  }

  /// The stream's header, and bytes until the memory of a piece is full, so that the sink has them.
  private func begin(type: String = "multipart/x-mixed-replace; boundary=frame") { bench.web.begin(type: type) }

  private func send(_ text: String) {
    bench.web.send(text + String(repeating: " ", count: Budget.videoPieceBytes) + "\r\n")
    bench.runner.runAll()
  }

  private var width: Int32? {
    pictures.beginDrawing()
    return stream.frame?.size.width
  }

  @Test("its pictures are shown as they come, the newest, and no faster than a board decodes them")
  func shows() {
    show("https://camera/")
    #expect(bench.web.visits == ["camera/"])
    begin()
    #expect(width == nil)
    send(part(100) + part(200))
    #expect(shown.changes == 1 && width == 100)
    send(part(300))
    #expect(shown.changes == 1)
    bench.agent.clock.advance(Budget.videoFrameMilliseconds)
    send(part(310))
    #expect(shown.changes == 2 && width == 310)
    #expect(painter.kept == 2)
    pictures.beginDrawing()
    #expect(painter.dropped == 1)
  }

  @Test("it is connected only while somebody sees it; another address is another stream")
  func ends() {
    show("https://camera/")
    begin()
    send(part(100))
    #expect(width == 100)
    show(nil)
    #expect(!bench.web.isOpen && width == 100)
    bench.agent.clock.advance(1_000_000)
    stream.advance(to: bench.agent.clock.monotonic)
    #expect(stream.nextDeadline == nil)
    show("https://camera/")
    #expect(bench.web.visits.count == 2)
    show("https://other/")
    #expect(bench.web.visits == ["camera/", "camera/", "other/"] && width == nil)
  }

  @Test("what is no stream, ends or falls silent is asked for again, after pauses that grow", arguments: 0..<5)
  func fails(way: Int) {
    show("https://camera/")
    switch way {
    case 0: begin(type: "image/jpeg")
    case 1: bench.web.fail(TransportFailure(.connect))
    case 2:
      begin()
      send("--frame\r\nContent-Length: x\r\n\r\n")
    case 3:
      begin()
      send("--frame\r\nContent-Length: 4\r\n\r\njunk\r\n")
    default:
      begin()
      bench.agent.clock.advance(Budget.videoIdleMilliseconds)
    }
    stream.advance(to: bench.agent.clock.monotonic)
    #expect(!bench.web.isOpen && shown.changes == 0)
    for expected in [1, 2, 4, 8, 16, 30, 30] as [Int64] {
      let pause = min(expected * Budget.videoRetryMilliseconds.lowerBound, Budget.videoRetryMilliseconds.upperBound)
      let now = bench.agent.clock.monotonic
      #expect(stream.nextDeadline == now + pause, "after \(expected)")
      bench.agent.clock.advance(pause)
      stream.advance(to: bench.agent.clock.monotonic)
      bench.web.fail(TransportFailure(.connect))
      stream.advance(to: bench.agent.clock.monotonic)
    }
  }

  @Test("a picture that was being decoded when nobody saw it any more is no fault of the next stream")
  func givenUp() {
    show("https://camera/")
    begin()
    bench.web.send(part(100) + String(repeating: " ", count: Budget.videoPieceBytes) + "\r\n")
    show(nil)
    show("https://camera/")
    begin()
    bench.runner.runAll()
    #expect(bench.web.isOpen && shown.changes == 0)
    bench.agent.clock.advance(Budget.videoFrameMilliseconds)
    send(part(200))
    #expect(shown.changes == 1 && width == 200)
  }

  @Test("pictures that are too large are left out, which is said once; the next one is shown")
  func large() {
    show("https://camera/")
    begin()
    let size = Budget.videoFrameBytes + 1
    let large = "--frame\r\nContent-Length: \(size)\r\n\r\n" + String(repeating: "x", count: size) + "\r\n"
    send(large + large + part(100))
    #expect(width == 100)
    var lines: [String] = []
    bench.agent.log.forEachLine { lines.append(String(decoding: $0, as: UTF8.self)) }
    #expect(lines.filter { $0.contains("pictures of a video are left out") }.count == 1)
  }

  @Test("of a stream that sends without end, so many bytes are taken in a second, whatever they are")
  func floods() {
    show("https://camera/")
    begin()
    let flood = String(repeating: part(100), count: 2000)
    let start = bench.agent.clock.monotonic
    var (taken, rest) = (0, flood)
    while bench.agent.clock.monotonic - start < 1_000 {
      for _ in 0..<100 {
        let left = bench.web.send(rest)
        taken += rest.utf8.count - left
        rest = left > 0 ? String(rest.suffix(left)) : flood
        if left > 0 { break }
      }
      bench.agent.clock.advance(25)
      stream.advance(to: bench.agent.clock.monotonic)
    }
    #expect(taken <= 2 * Budget.videoBytesPerSecond + Budget.videoPieceBytes)
    #expect(taken >= Budget.videoBytesPerSecond && bench.web.isOpen)
  }

  @Test("addresses of the board's own network are refused, as for pictures")
  func refuses() {
    show("https://192.168.1.9/")
    stream.advance(to: bench.agent.clock.monotonic)
    #expect(!bench.web.isOpen && stream.nextDeadline != nil)
  }
}
