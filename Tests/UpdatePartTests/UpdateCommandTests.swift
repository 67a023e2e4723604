import Benches
import Codec
import Device
import Foundation
import Gateway
import Node
import Runtime
import Testing
import Updates
@testable import UpdatePart

/// Invokes commands of a part, and keeps what is answered.
private final class Calls: ReplyChannel {
  let router: Router
  private(set) var results: [[String: Any]] = []
  private(set) var errors: [String] = []

  init(_ bench: UpdateBench) {
    router = bench.router
    router.replies = self
    bench.part.addCommands(to: router)
  }

  func start(_ params: String? = nil) {
    let params = params.map { #","params":\#($0)"# } ?? ""
    let number = results.count + errors.count
    router.receiveInvoke(
      #"{"id":"\#(number)","nodeId":"\#(String(repeating: "a", count: 64))","command":"update.start"\#(params)}"#
    )
  }

  func reply(to id: Span<UInt8>, _ build: (inout JSONWriter) -> Void) -> Bool {
    let buffer = FixedBuffer(capacity: 4096)
    var writer = JSONWriter(into: buffer.bytes)
    build(&writer)
    let data = Data(buffer.bytes[..<writer.count])
    results.append((try? JSONSerialization.jsonObject(with: data) as? [String: Any]) ?? [:])
    return true
  }

  func reply(to id: Span<UInt8>, blob: OutboundBlob, _ build: (inout JSONWriter) -> Int) -> Bool { false }

  func replyError(to id: Span<UInt8>, code: StaticString, message: Span<UInt8>) {
    errors.append(message.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) })
  }

  func replied() {}
}

@Suite("update.start")
struct UpdateCommandTests {
  private static let installed =
    "slot = a\nstate = good\nversion = 1.0\nboard = arm64\nother_state = installed\nother_version = 2.0\n"

  private func bench(_ change: (inout UpdateSettings) -> Void = { _ in }, slot: String? = nil) throws -> UpdateBench {
    try UpdateBench(
      {
        $0.hasCommand = true
        change(&$0)
      }, slot: slot)
  }

  @Test("the command exists only where the configuration has it")
  func granted() throws {
    let without = try UpdateBench()
    without.part.addCommands(to: without.router)
    #expect(without.router.names.isEmpty)
    let with = try bench()
    with.part.addCommands(to: with.router)
    #expect(with.router.names == ["update.start"])
  }

  @Test("what is installed and waits for its window is tried at once, and the server's next poll changes nothing")
  func hurries() throws {
    let fleet = FakeFleet()
    fleet.update = "attempt"
    let bench = try bench { $0.window = DayWindow("02:00-03:00".utf8.span) }
    fleet.install(in: bench)
    let calls = Calls(bench)
    bench.pass(30_000)
    bench.answer("done", slot: Self.installed)
    bench.pass(600_000)
    #expect(bench.state == .installed)
    bench.isBusy = true
    calls.start()
    #expect(calls.results.first?["state"] as? String == "installed")
    #expect(calls.results.first?["version"] as? String == "2.0")
    // A conversation may end, over several polls.
    bench.pass(590_000)
    #expect(bench.state == .installed)
    bench.isBusy = false
    bench.pass(10_000)
    #expect(bench.files.requests.last?.contains("do = try\n") == true)
    calls.start()
    #expect(calls.errors == ["UNAVAILABLE: a new release is being tried; talon update status shows it"])
  }

  @Test("a download that waits for its next attempt begins now, and one that runs is left alone")
  func downloads() throws {
    let fleet = FakeFleet()
    let bench = try bench()
    fleet.install(in: bench)
    let calls = Calls(bench)
    fleet.file = { _ in Array("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n".utf8) }
    bench.pass(60_000)
    #expect(bench.state == .offered)
    fleet.file = nil
    let before = fleet.downloads.count
    calls.start()
    #expect(calls.results.last?["state"] as? String == "downloading")
    calls.start()
    #expect(calls.results.count == 2)
    bench.settle()
    #expect(fleet.downloads.count == before + 1)
    #expect(bench.files.requests.last?.contains("do = install") == true)
    calls.start()
    #expect(calls.errors == ["UNAVAILABLE: an update is under way; talon update status shows it"])
  }

  @Test("where nothing is offered the server is asked, and no more often than it may be")
  func nothingOffered() throws {
    let fleet = FakeFleet()
    fleet.action = nil
    let bench = try bench()
    fleet.install(in: bench)
    let calls = Calls(bench)
    bench.pass(40_000)
    let before = fleet.requests.count
    for _ in 0..<20 {
      calls.start()
      bench.pass(1_000)
    }
    #expect(
      Set(calls.errors)
        == ["UNAVAILABLE: no release is offered; the server is asked now, so try again in a minute"])
    #expect(fleet.requests.count - before <= 1)
    fleet.action = "7"
    bench.pass(60_000)
    #expect(bench.state != .idle)
  }

  @Test("a board without a server, and one without slots, say so")
  func nobody() throws {
    let alone = try bench { $0.server = "" }
    let calls = Calls(alone)
    calls.start()
    #expect(calls.errors == ["UNAVAILABLE: no release is offered to this board"])
    let package = try bench(slot: " ")
    let others = Calls(package)
    others.start()
    others.start(#"{"url":"https://example.org/x.raucb"}"#)
    #expect(
      Set(others.errors)
        == ["UNAVAILABLE: this board has one system only, which its package manager updates: apt upgrade"])
  }

  @Test("a bundle at an address is taken, and only with TLS")
  func address() throws {
    let bench = try bench { $0.server = "" }
    let calls = Calls(bench)
    for params in [#"{"url":"http://example.org/x"}"#, #"{"url":"/etc/passwd"}"#, #"{"url":7}"#, #"{"url":""}"#] {
      calls.start(params)
    }
    #expect(
      Set(calls.errors) == ["INVALID_REQUEST: url must be an address that begins with https://"]
        && calls.errors.count == 4)
    calls.start("[]")
    #expect(calls.errors.last == "INVALID_REQUEST: parameters must be an object")
    calls.start(#"{"url":"https://example.org/x.raucb"}"#)
    #expect(calls.results.last?["state"] as? String == "downloading")
  }

  @Test("device.info and device.health get the release, its slot, what is pending and why the last one failed")
  func report() throws {
    let bench = try bench { $0.server = "" }
    var report = HardwareReport()
    bench.part.report(to: &report)
    #expect(report.update?.version == InlineText(cutting: "1.0"))
    #expect(report.update?.slot.map { "\($0)" } == "a")
    #expect(report.update?.pending.isEmpty == true && report.update?.failure.isEmpty == true)
    bench.part.course.offered(Self.action, at: 0)
    bench.part.report(to: &report)
    #expect(report.update?.pending == InlineText(cutting: "2.0"))
    bench.part.course.failed(UpdateText(cutting: "no room"), at: 0)
    bench.part.course.told()
    bench.part.report(to: &report)
    #expect(report.update?.failure == InlineText(cutting: "no room"))
  }

  private static let action = try! DDIDeployment(
    """
    {"id":"1","deployment":{"download":"forced","update":"forced","chunks":[{"part":"os","version":"2.0","name":"x",\
    "artifacts":[{"filename":"x.raucb","hashes":{"sha256":"\(String(repeating: "ab", count: 32))"},"size":1000,\
    "_links":{"download":{"href":"https://h/x"}}}]}]}}
    """.utf8.span)
}
