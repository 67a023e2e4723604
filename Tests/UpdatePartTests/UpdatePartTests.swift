import Fetch
import Foundation
import Gateway
import Node
import Runtime
import Testing
import Updates
@testable import UpdatePart

@Suite("The part of updates")
struct UpdatePartTests {
  private static let installed =
    "slot = a\nstate = good\nversion = 1.0\nboard = arm64\nother_state = installed\nother_version = 2.0\n"

  @Test("an update goes from the poll to the proof, and success is told last, by the new system")
  func wholePath() throws {
    let fleet = FakeFleet()
    let old = try UpdateBench()
    fleet.install(in: old)
    old.pass(30_000)
    #expect(fleet.requests.first?.line == "GET /T/controller/v1/board-1 HTTP/1.1")
    #expect(fleet.requests.allSatisfy { $0.has("Authorization: TargetToken S3cret") })
    #expect(fleet.requests.contains { $0.line.hasPrefix("PUT /T/controller/v1/board-1/configData ") })
    #expect(fleet.requests.contains { $0.line.hasPrefix("GET /T/controller/v1/board-1/deploymentBase/7?c=1 ") })
    #expect(old.files.bundle == fleet.bundle ? true : false)
    #expect(old.files.requests.last?.contains("do = install\nbundle = /state/update/bundle.raucb\n") == true)
    old.answer("done", slot: Self.installed)
    #expect(old.files.requests.last?.contains("do = try\n") == true)
    #expect(!fleet.reports.contains { $0.execution == "closed" })

    let new = try UpdateBench(files: old.files, store: old.store, slot: UpdateBench.trial)
    fleet.install(in: new)
    new.pass(60_000)
    #expect(new.state == .trial)
    #expect(!fleet.reports.contains { $0.execution == "closed" })
    new.part.course.gatewayOpened(at: new.clock.monotonic)
    new.pass(3_000)
    #expect(new.files.requests.last?.contains("do = confirm\n") == true)
    new.answer("done", slot: UpdateBench.trial.replacingOccurrences(of: "state = trial", with: "state = good"))
    new.pass(20_000)
    #expect(fleet.reports.last?.execution == "closed" && fleet.reports.last?.finished == "success")
    #expect(new.state == .idle)
    #expect(new.files.bundle == nil)
    #expect(!(old.lines + new.lines).contains { $0.contains("S3cret") })
  }

  @Test("a connection that is cut is gone on with, for the same file alone")
  func resume() throws {
    let fleet = FakeFleet()
    let bench = try UpdateBench()
    fleet.install(in: bench)
    bench.bundles.cutAfter = 150_000
    bench.pass(25_000)
    #expect(bench.state == .downloading)
    bench.bundles.cutAfter = nil
    bench.pass(20_000)
    #expect(fleet.downloads.count >= 2)
    #expect(fleet.downloads.last?.has("Range: bytes=131072-") == true)
    #expect(fleet.downloads.last?.has("If-Range: \"one\"") == true)
    #expect(bench.files.bundle == fleet.bundle ? true : false)
  }

  @Test("a restart of the agent goes on where the download stopped, after reading what is there")
  func resumeAfterRestart() throws {
    let fleet = FakeFleet()
    let first = try UpdateBench()
    fleet.install(in: first)
    first.bundles.cutAfter = 150_000
    first.pass(25_000)
    first.part.stop()
    let second = try UpdateBench(files: first.files, store: first.store)
    fleet.install(in: second)
    second.pass(30_000)
    #expect(fleet.downloads.last?.has("Range: bytes=131072-") == true)
    #expect(second.files.bundle == fleet.bundle ? true : false)
  }

  @Test("a server that ignores ranges begins again")
  func noRanges() throws {
    let fleet = FakeFleet()
    let bench = try UpdateBench()
    fleet.install(in: bench)
    let bundle = fleet.bundle
    fleet.file = { _ in Array("HTTP/1.1 200 OK\r\nContent-Length: \(bundle.count)\r\n\r\n".utf8) + bundle }
    bench.bundles.cutAfter = 150_000
    bench.pass(25_000)
    bench.bundles.cutAfter = nil
    bench.pass(20_000)
    #expect(bench.files.bundle == fleet.bundle ? true : false, "\(bench.lines)")
    #expect(bench.files.requests.last?.contains("do = install") == true)
  }

  @Test(
    "what is not what was promised is reported, removed, and tried again in an hour",
    arguments: [
      (
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", "the server promised a bundle of 200000 bytes, and gives 5"
      ),
      ("HTTP/1.1 301 Moved\r\nLocation: /files/x.raucb\r\nContent-Length: 0\r\n\r\n", "redirects too often"),
      ("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", "status 404"),
      ("<html>\r\n\r\n", "not HTTP"),
      ("HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "a", count: 300_000), "more bytes than it promised"),
      ("HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "a", count: 200_000), "its digest is another"),
    ])
  func faults(answer: String, words: String) throws {
    let fleet = FakeFleet()
    let bench = try UpdateBench()
    fleet.install(in: bench)
    fleet.file = { _ in Array(answer.utf8) }
    bench.pass(60_000)
    #expect(bench.state == .offered)
    #expect(bench.files.bundle == nil)
    let count = fleet.downloads.count
    #expect(
      fleet.reports.last.map { $0.execution == "proceeding" && $0.text.contains(words) } == true, "\(fleet.reports)")
    #expect(bench.lines.filter { $0.contains(words) }.count == 1)
    bench.pass(1_800_000)
    #expect(fleet.downloads.count == count)
    bench.pass(9_000_000)
    #expect(fleet.reports.contains { $0.execution == "closed" && $0.finished == "failure" && $0.text.contains(words) })
  }

  @Test("the token goes to the update server alone, also after a redirect")
  func token() throws {
    let fleet = FakeFleet()
    let bench = try UpdateBench()
    fleet.install(in: bench)
    let bundle = fleet.bundle
    var hosts: [String] = []
    bench.bundles.answer = { host, request in
      hosts.append("\(host) \(request.text.contains("TargetToken"))")
      if host == "fleet" {
        return Array("HTTP/1.1 302 Found\r\nLocation: https://cdn/x\r\nContent-Length: 0\r\n\r\n".utf8)
      }
      return Array("HTTP/1.1 200 OK\r\nContent-Length: \(bundle.count)\r\n\r\n".utf8) + bundle
    }
    bench.pass(30_000)
    #expect(hosts == ["fleet true", "cdn false"])
    #expect(bench.files.bundle == bundle ? true : false)
  }

  @Test("a bundle without room here is refused, and the server told")
  func noRoom() throws {
    let fleet = FakeFleet()
    let bench = try UpdateBench()
    fleet.install(in: bench)
    bench.files.freeBytes = 1_000_000
    bench.pass(30_000)
    #expect(bench.files.requests.isEmpty)
    let reason = bench.part.course.record.reason
    let text = reason.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    #expect(text == "there is no room for the bundle on this board")
  }

  @Test("between two polls nothing wakes the board")
  func quiet() throws {
    let fleet = FakeFleet()
    fleet.action = nil
    let bench = try UpdateBench()
    fleet.install(in: bench)
    bench.pass(30_000)
    let next = try #require(bench.part.nextDeadline)
    #expect(next - bench.clock.monotonic > 200_000)
  }

  @Test("a captive portal and a server that is away are logged once, and asked ever less often")
  func away() throws {
    let bench = try UpdateBench()
    bench.messages.answer = { _, _ in Array("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n<html>".utf8) }
    bench.pass(7_200_000)
    #expect(bench.lines.filter { $0.contains("is not JSON") }.count == 1)
    bench.messages.answer = { _, _ in nil }
    bench.pass(7_200_000)
    #expect(bench.lines.filter { $0.contains("does not accept connections") }.count == 1)
    #expect(bench.part.dialog.failures < 20)
  }

  @Test("a file of this board is copied, installed and tried; one that cannot be read is reported")
  func file() throws {
    let bench = try UpdateBench { $0.server = "" }
    bench.files.others["/tmp/x.raucb"] = Array(repeating: 9, count: 150_000)
    try bench.part.want(UpdateLink(cutting: "/tmp/x.raucb"), at: bench.clock.monotonic)
    bench.pass(5_000)
    #expect(bench.files.bundle?.count == 150_000)
    bench.answer("failed\nreason = signature: wrong")
    #expect(bench.state == .idle)
    #expect(bench.part.course.record.outcome == .failure)
    try bench.part.want(UpdateLink(cutting: "/tmp/none"), at: bench.clock.monotonic)
    bench.pass(5_000)
    #expect(bench.lines.contains { $0.contains("cannot read the file: no such file") })
  }

  @Test("a request that is not on flash is not made: the record comes first")
  func recordFirst() throws {
    let fleet = FakeFleet()
    let bench = try UpdateBench()
    fleet.install(in: bench)
    bench.store.failure = .system(.inputOutput)
    bench.pass(60_000)
    #expect(bench.files.requests.isEmpty)
    bench.store.failure = nil
    bench.pass(600_000)
    #expect(bench.files.requests.last?.contains("do = install") == true)
  }

  @Test("another action in the place of one whose bundle is coming gets its own bundle")
  func superseded() throws {
    let fleet = FakeFleet()
    let bench = try UpdateBench()
    fleet.install(in: bench)
    bench.bundles.answer = { _, _ in Array("HTTP/1.1 200 OK\r\nContent-Length: 200000\r\n\r\nbegin".utf8) }
    bench.bundles.cutAfter = 50
    bench.pass(25_000)
    #expect(bench.state == .downloading)
    fleet.action = "8"
    fleet.install(in: bench)
    bench.bundles.cutAfter = nil
    bench.pass(400_000)
    #expect(bench.files.bundle == fleet.bundle ? true : false)
    #expect(bench.part.course.record.action == InlineText(cutting: "8"))
    // The same step of another action is news.
    #expect(fleet.requests.filter { $0.line.contains("/deploymentBase/8/feedback") }.count >= 2)
    fleet.action = nil
    bench.answer("failed\nreason = no")
    bench.pass(400_000)
    #expect(bench.state == .idle)
  }

  @Test("a person who holds the board stops a download, and it goes on when the board is released")
  func held() throws {
    let fleet = FakeFleet()
    let bench = try UpdateBench()
    fleet.install(in: bench)
    bench.part.hold()
    bench.pass(60_000)
    #expect(fleet.requests.isEmpty)
    bench.part.letGo()
    bench.pass(60_000)
    #expect(bench.files.requests.last?.contains("do = install") == true)
  }
}
