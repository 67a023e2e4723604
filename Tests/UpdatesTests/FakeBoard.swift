import Codec
import Runtime
@testable import Updates

/// A board with two slots, the root side of the contract, a gateway and a server; the power can be cut after any
/// record.
final class FakeBoard {
  struct Slot {
    var version: String
    var state: String
  }

  var slots = ["a": Slot(version: "1.0", state: "good"), "b": Slot(version: "0.9", state: "good")]
  var running = "a"
  /// Seconds since the test began, and milliseconds since this system's power-on.
  var seconds: Int64 = 0
  var now: Int64 = 15_000
  var course: UpdateCourse
  var flash: [UInt8] = []
  private(set) var writes = 0
  /// The power is cut right after this record, before anything follows from it.
  var cutAfter: Int?
  var starts = 0
  // What the versions are like.
  var reaches: (String, Int64) -> Bool = { _, _ in true }
  var connects: (String, Int64) -> Bool = { _, _ in true }
  var passes: (String) -> Bool = { _ in true }
  var crashes: (String) -> Bool = { _ in false }
  var hangs: (String) -> Bool = { _ in false }
  var isBusy = false
  var isWindowOpen = true
  var refusal: [RootOrder: String] = [:]
  var proof: UpdateProof
  // The server.
  var isServerThere = true
  var offer: String?
  private(set) var told: [String] = []
  private var toldNumber: Int64 = -1
  private(set) var requests: [RootRequest] = []
  private var answer: (text: String, at: Int64)?
  private var isOnline = false
  private var lastReason = ""
  private(set) var downloads = 0
  private(set) var discards = 0

  init(proof: UpdateProof = .gateway) {
    self.proof = proof
    course = UpdateCourse(UpdateRecord(), slots: nil, proof: proof, at: 0)
    start()
  }

  private var other: String { running == "a" ? "b" : "a" }
  var version: String { slots[running]!.version }
  var isTrial: Bool { slots[running]!.state == "trial" }

  var report: SlotReport? {
    var text = "slot = \(running)\nstate = \(slots[running]!.state)\nversion = \(version)\nboard = arm64\n"
    text += "other_state = \(slots[other]!.state)\nother_version = \(slots[other]!.version)\n"
    if isTrial { text += "starts_left = 2\ntrial_seconds = 600\n" }
    if !lastReason.isEmpty { text += "last_result = left\nlast_reason = \(lastReason)\n" }
    return SlotReport(text.utf8.span)
  }

  /// The board gets its power.
  func start() {
    starts += 1
    now = 15_000
    (isOnline, answer, toldNumber) = (false, nil, -1)
    if isTrial, crashes(version) {
      // Three starts, none of which gets far enough to be confirmed.
      return leave("starts")
    }
    let record = flash.isEmpty ? UpdateRecord() : UpdateRecord(flash.span)!
    course = UpdateCourse(record, slots: report, proof: proof, at: now)
    keep()
  }

  private func leave(_ reason: String) {
    lastReason = reason
    slots[running]!.state = "bad"
    running = other
    start()
  }

  /// Keeps the record; true when the power is cut thereafter.
  @discardableResult
  private func keep() -> Bool {
    guard course.isChanged else { return false }
    var bytes = [UInt8](repeating: 0, count: Budget.updateRecordBytes)
    let count = bytes.withUnsafeMutableBufferPointer { course.record.encode(into: $0) }
    flash = Array(bytes[..<count])
    course.kept()
    writes += 1
    guard writes == cutAfter else { return false }
    start()
    return true
  }

  /// Lets so many seconds pass.
  func run(_ count: Int64) { for _ in 0..<count { second() } }

  private func second() {
    seconds += 1
    now += 1000
    if isTrial, now >= 600_000 { return leave("time") }
    if isTrial, hangs(version) { return }
    connect()
    if let answer, now >= answer.at, let heard = RootAnswer(answer.text.utf8.span) {
      self.answer = nil
      course.slotsChanged(report)
      course.answered(heard, at: now)
    }
    course.expire(at: now)
    if let offer, isServerThere { course.offered(Self.action(offer), at: now) }
    let effect = course.next(UpdateScene(now: now, isBusy: isBusy, isWindowOpen: isWindowOpen))
    if keep() { return }
    if let effect { perform(effect) }
    tell()
  }

  private func connect() {
    let connects = connects(version, seconds)
    if connects { course.gatewayReached() }
    let isThere = connects && reaches(version, seconds)
    if isThere, !isOnline { course.gatewayOpened(at: now) }
    if !isThere, isOnline { course.gatewayLost() }
    isOnline = isThere
  }

  private func perform(_ effect: UpdateEffect) {
    switch effect {
    case .download:
      downloads += 1
      course.downloaded()
    case .test: course.tested(passed: passes(version) ? 7 : 3, failed: "camera: no frame".utf8.span, at: now)
    case .discard: discards += 1
    case .request:
      guard let request = course.request(bundlePath: "/b".utf8.span) else { return }
      requests.append(request)
      obey(request)
    }
  }

  private func obey(_ request: RootRequest) {
    if let reason = refusal[request.order] {
      answer = ("id = \(request.id)\nstate = failed\nreason = \(reason)\n", now + 1000)
      return
    }
    switch request.order {
    case .install: slots[other] = Slot(version: "2.0", state: "installed")
    case .trial:
      slots[other]!.state = "trial"
      running = other
      return start()
    case .confirm: slots[running]!.state = "good"
    case .leave:
      let reason = request.reason.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
      return leave("asked " + reason)
    case .rollback:
      running = other
      return start()
    case .cancel: break
    }
    answer = ("id = \(request.id)\nstate = done\n", now + 2000)
  }

  private func tell() {
    guard isServerThere, let report = course.report, course.reportNumber != toldNumber else { return }
    toldNumber = course.reportNumber
    let text = report.sentence.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    told.append("\(report.execution) \(report.finished): \(text)")
    guard course.record.state == .closed else { return }
    course.told()
    toldNumber = -1
  }

  /// The end that the server was told, if it was.
  var end: String? { told.last { $0.hasPrefix("closed") } }
  var ends: Int { told.filter { $0.hasPrefix("closed") }.count }

  static func action(_ id: String, download: String = "forced", update: String = "forced") -> DDIDeployment {
    let text = """
      {"id":"\(id)","deployment":{"download":"\(download)","update":"\(update)","chunks":[{"part":"os","version":"2.0",\
      "name":"x","artifacts":[{"filename":"x.raucb","hashes":{"sha256":"\(String(repeating: "ab", count: 32))"},\
      "size":1000,"_links":{"download":{"href":"https://h/x"}}}]}]}}
      """
    return try! DDIDeployment(text.utf8.span)
  }
}

extension InlineText {
  var string: String { span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) } }
}
