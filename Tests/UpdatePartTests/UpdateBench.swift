import Board
import CAllocationCounter
import Codec
import Fetch
import Foundation
import Gateway
import Node
import Runtime
import Simulated
import Updates
@testable import UpdatePart

/// One request as a server got it.
struct WebRequest {
  var text: String
  var line: String { text.components(separatedBy: "\r\n")[0] }
  var body: String { text.components(separatedBy: "\r\n\r\n").dropFirst().joined(separator: "\r\n\r\n") }
  func has(_ field: String) -> Bool { text.contains("\r\n" + field + "\r\n") }
}

/// Servers in memory: `answer` gets a request and gives the bytes of the answer; nil cuts the connection.
final class FakeWeb: FetchTransport {
  var answer: (String, WebRequest) -> [UInt8]? = { _, _ in nil }
  /// The connection ends after so many bytes of an answer; nil: after all.
  var cutAfter: Int?
  private var delegate: (any TransportDelegate)?
  private var host = ""
  private var incoming = ""
  private var outgoing: [UInt8] = []
  private var sent = 0

  func open(_ url: GatewayURL, trust: FetchTrust, judge: any AddressPolicy, _ delegate: any TransportDelegate) {
    (host, incoming, outgoing, sent) = (url.host, "", [], 0)
    self.delegate = delegate
  }

  func write(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    incoming += String(decoding: bytes, as: UTF8.self)
    return bytes.count
  }

  func resumeReading() {}
  func close() { delegate = nil }

  /// Moves what can be moved; true when something was.
  func pump() -> Bool {
    guard let delegate else { return false }
    if incoming.isEmpty {
      delegate.transportSecured(certificate: nil)
      guard self.delegate != nil, !incoming.isEmpty else { return true }
      guard let bytes = answer(host, WebRequest(text: incoming)) else {
        self.delegate = nil
        delegate.transportFailed(TransportFailure(.connect, reason: .connectionRefused))
        return true
      }
      outgoing = bytes
      return true
    }
    let end = min(outgoing.count, cutAfter ?? .max)
    if sent < end {
      let piece = Array(outgoing[sent..<min(sent + 20_000, end)])
      let taken = delegate.transportReceived(piece.span)
      sent += taken
      return taken > 0
    }
    self.delegate = nil
    delegate.transportFailed(TransportFailure(sent == outgoing.count ? .closedByPeer : .broken))
    return true
  }
}

/// The files of updates in memory.
final class MemoryFiles: UpdateFiles {
  var slot = ""
  var answer = ""
  private(set) var requests: [String] = []
  private(set) var bundle: [UInt8]?
  var others: [String: [UInt8]] = [:]
  var freeBytes: Int64 = 1 << 40
  private var place = 0
  private var copied: (path: String, place: Int)?
  private var kind = BundleDigest.Kind.none
  private var digested: [UInt8] = []

  func read(_ file: RootFile, into bytes: UnsafeMutableBufferPointer<UInt8>) throws(Errno) -> Int? {
    let text = Array((file == .slot ? slot : answer).utf8)
    if text.isEmpty { return nil }
    for (index, byte) in text.enumerated() { bytes[index] = byte }
    return text.count
  }

  func write(request: UnsafeBufferPointer<UInt8>) throws(Errno) {
    requests.append(String(decoding: request, as: UTF8.self))
  }

  func open(isContinued: Bool, _ kind: BundleDigest.Kind) throws(Errno) -> Int64 {
    if !isContinued || bundle == nil { bundle = [] }
    (place, digested, self.kind, copied) = (0, [], kind, nil)
    return Int64(bundle?.count ?? 0)
  }

  func digestNext(_ piece: UnsafeMutableBufferPointer<UInt8>) throws(Errno) -> Bool {
    let all = bundle ?? []
    let end = min(place + piece.count, all.count)
    digested += all[place..<end]
    place = end
    return place < all.count
  }

  func append(_ bytes: UnsafeBufferPointer<UInt8>) throws(Errno) {
    bundle?.append(contentsOf: bytes)
    digested.append(contentsOf: bytes)
  }

  func copyNext(
    of path: UnsafePointer<CChar>, _ piece: UnsafeMutableBufferPointer<UInt8>
  ) throws(Errno) -> Int {
    let name = String(cString: path)
    guard let all = others[name] else { throw .noSuchFile }
    let start = copied?.place ?? 0
    let end = min(start + piece.count, all.count)
    copied = (name, end)
    bundle?.append(contentsOf: all[start..<end])
    return end - start
  }

  func seal() throws(Errno) -> InlineArray<32, UInt8> {
    let cryptography = OpenSSLCryptography()
    let bytes = digested
    if kind != .sha1 { return cryptography.sha256(bytes.span) }
    let short = cryptography.sha1(bytes.span)
    var whole = InlineArray<32, UInt8>(repeating: 0)
    for index in 0..<20 { whole[index] = short[index] }
    return whole
  }

  func close() {}
  func discard() { bundle = nil }
  func room() throws(Errno) -> Int64 { freeBytes + Int64(bundle?.count ?? 0) }
}

/// A part with a server, a root side and a host that the test plays.
final class UpdateBench: UpdateHost {
  let clock: VirtualClock
  let runner = DeferredRunner()
  let files: MemoryFiles
  let store: MemoryStore
  let messages = FakeWeb()
  let bundles = FakeWeb()
  let log = Log(level: .info, output: nil)
  let router: Router
  private(set) var part: UpdatePart! = nil
  var isBusy = false
  var hasReachedGateway = false
  var gatewaySentence = Explanation(cutting: "waiting: no route")
  var isGood = true
  private var testDue = false

  static let trial =
    "slot = b\nstate = trial\nversion = 2.0\nboard = arm64\nother_state = good\nother_version = 1.0\ntrial_seconds = 5000\n"

  init(
    _ change: (inout UpdateSettings) -> Void = { _ in }, files: MemoryFiles = MemoryFiles(),
    store: MemoryStore = MemoryStore(), slot: String? = nil
  ) throws {
    clock = VirtualClock(monotonic: 1_000_000, wall: 1_800_000_000_000)
    (self.files, self.store) = (files, store)
    files.answer = ""
    files.slot =
      slot ?? "slot = a\nstate = good\nversion = 1.0\nboard = arm64\nother_state = good\nother_version = 0.9\n"
    router = try Router(nodeID: InlineArray(repeating: 97), clock: clock, log: log)
    var settings = UpdateSettings()
    (settings.server, settings.name, settings.token) = ("https://fleet/T", "board-1", "S3cret")
    change(&settings)
    let board = UpdateBoard(
      files: files, bundlePath: "/state/update/bundle.raucb", messages: messages, bundles: bundles,
      verifier: OpenSSLCryptography(), store: store, serial: "0042", localOffset: { _ in 0 })
    part = try UpdatePart(
      settings, version: InlineText(cutting: "0.4.0"),
      surroundings: UpdateSurroundings(
        board, router: router, runner: runner, clock: clock, random: SeededRandom(seed: 4), log: log))
    part.host = self
    part.start()
  }

  func testBoard(for part: UpdatePart) -> Bool {
    testDue = true
    return true
  }

  /// Lets everything happen that needs no time.
  func settle() {
    for _ in 0..<10_000 {
      var hasMoved = runner.runAll() > 0
      if testDue {
        testDue = false
        part.boardTested(passed: isGood ? 7 : 3, failed: "camera: no frame".utf8.span)
        hasMoved = true
      }
      if messages.pump() || bundles.pump() { hasMoved = true }
      part.advance(to: clock.monotonic)
      if !hasMoved, (part.nextDeadline ?? .max) > clock.monotonic { return }
    }
  }

  func pass(_ milliseconds: Int64) {
    let end = clock.monotonic + milliseconds
    settle()
    while let due = part.nextDeadline, due <= end {
      clock.advance(max(due - clock.monotonic, 1))
      settle()
    }
    clock.advance(max(end - clock.monotonic, 0))
    settle()
  }

  /// Root's side answers the last request.
  func answer(_ state: String, slot: String? = nil) {
    let id = files.requests.last.map { $0.split(separator: "\n")[0].replacingOccurrences(of: "id = ", with: "") } ?? "0"
    files.answer = "id = \(id)\nstate = \(state)\n"
    if let slot { files.slot = slot }
    pass(2_500)
  }

  var state: UpdateState { part.course.record.state }
  var lines: [String] {
    var lines: [String] = []
    log.forEachEntry(last: 50, upTo: .debug) { lines.append(String(decoding: $0.text, as: UTF8.self)) }
    return lines
  }
}

/// A DDI server with one action, and what it heard.
final class FakeFleet {
  let bundle = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
  var action: String? = "7"
  var sleep = "00:05:00"
  var update = "forced"
  var isThere = true
  private(set) var requests: [WebRequest] = []
  private(set) var reports: [(execution: String, finished: String, text: String)] = []
  private let cryptography = OpenSSLCryptography()

  func install(in bench: UpdateBench) {
    bench.messages.answer = { [unowned self] in self.answer($0, $1) }
    bench.bundles.answer = { [unowned self] in self.give($0, $1) }
  }

  static func response(_ body: String, status: String = "200 OK") -> [UInt8] {
    Array(
      "HTTP/1.1 \(status)\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8)
  }

  private func answer(_ host: String, _ request: WebRequest) -> [UInt8]? {
    requests.append(request)
    guard isThere else { return nil }
    if request.line.hasPrefix("POST") {
      let root = try? JSONSerialization.jsonObject(with: Data(request.body.utf8)) as? [String: Any]
      let status = root?["status"] as? [String: Any]
      let result = status?["result"] as? [String: Any]
      let details = status?["details"] as? [String] ?? []
      reports.append(
        (
          status?["execution"] as? String ?? "", result?["finished"] as? String ?? "", details.joined(separator: "|")
        ))
      return Self.response("{}")
    }
    if request.line.hasPrefix("PUT") { return Self.response("{}") }
    if request.line.contains("/deploymentBase/") { return Self.response(deployment) }
    let link = action.map {
      #""deploymentBase":{"href":"http://inner:8080/T/controller/v1/board-1/deploymentBase/\#($0)?c=1"}"#
    }
    return Self.response(#"{"config":{"polling":{"sleep":"\#(sleep)"}},"_links":{\#(link ?? "")}}"#)
  }

  var size: Int?
  private var deployment: String {
    let whole = bundle
    let digest = cryptography.sha256(whole.span)
    let hex = (0..<32).map { String(format: "%02x", digest[$0]) }.joined()
    return """
      {"id":"\(action ?? "")","deployment":{"download":"forced","update":"\(update)","chunks":[\
      {"part":"os","version":"2.0","name":"x","artifacts":[{"filename":"x.raucb","hashes":{"sha256":"\(hex)"},\
      "size":\(size ?? bundle.count),\
      "_links":{"download":{"href":"https://fleet/files/x.raucb"}}}]}]}}
      """
  }

  private(set) var downloads: [WebRequest] = []
  var file: ((WebRequest) -> [UInt8])?

  private func give(_ host: String, _ request: WebRequest) -> [UInt8]? {
    downloads.append(request)
    if let file { return file(request) }
    var start = 0
    if let range = request.text.range(of: "Range: bytes=") {
      start = Int(request.text[range.upperBound...].prefix { $0 != "-" }) ?? 0
    }
    let status = start > 0 ? "206 Partial Content" : "200 OK"
    let range = start > 0 ? "Content-Range: bytes \(start)-\(bundle.count - 1)/\(bundle.count)\r\n" : ""
    let head = "HTTP/1.1 \(status)\r\nETag: \"one\"\r\n\(range)Content-Length: \(bundle.count - start)\r\n\r\n"
    return Array(head.utf8) + bundle[start...]
  }
}
