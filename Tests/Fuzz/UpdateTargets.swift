import Codec
import Runtime
import Updates

/// Signatures that are right whatever they are of: what comes after them is looked at.
private final class Believer: SignatureVerifier {
  func verifies(_ signature: Span<UInt8>, of message: Span<UInt8>, key: Span<UInt8>) -> Bool { true }
}

nonisolated(unsafe) private let believer = Believer()
private let signature = Array((String(repeating: "A", count: 86) + "==\n").utf8)

/// Answers of update servers and lists of releases: what is taken of them is within its bounds.
func checkUpdate(_ bytes: [UInt8]) {
  if let base = try? DDIBase(bytes.span) {
    expect(base.sleepSeconds.map { $0 >= 0 && $0 <= 99 * 3600 + 99 * 60 + 99 } ?? true, "\(base)")
  }
  if let action = try? DDIDeployment(bytes.span) {
    expect(action.id.isWord, "an id that breaks an address")
    expect(action.release.version.isWord, "a version that breaks a line")
    expect((1...Budget.updateBundleBytes).contains(action.release.size), "\(action.release.size)")
    expect(action.release.digest.kind != .none && !action.release.url.isEmpty, "nothing to compare, or nowhere")
    var course = UpdateCourse(UpdateRecord(), slots: nil, proof: .gateway, at: 0)
    course.offered(action, at: 0)
    checkRoundTrip(course.record)
  }
  if let cancel = try? DDICancel(bytes.span) { expect(cancel.id.isWord, "an id that breaks an address") }
  var query = ReleaseQuery()
  query.board = InlineText(cutting: "arm64")
  query.channel = InlineText(cutting: "stable")
  query.version = InlineText(cutting: "1.0")
  query.wall = 1_800_000_000_000
  let whole = signature + bytes
  guard let list = try? ReleaseList(whole.span, query, believer) else { return }
  expect(list.number > 0, "\(list.number)")
  guard let release = list.newest else { return }
  expect(ReleaseVersion.compare(release.version.span, query.version.span) > 0, "not newer")
  expect(release.digest.kind == .sha256, "no digest")
}

/// Records of updates and files of root's side.
func checkUpdateFiles(_ bytes: [UInt8]) {
  if let record = UpdateRecord(bytes.span) { checkRoundTrip(record) }
  if let answer = RootAnswer(bytes.span) {
    expect(answer.id >= 0 && answer.percent.map { (0...100).contains($0) } ?? true, "\(answer)")
  }
  guard let slots = SlotReport(bytes.span) else { return }
  expect(slots.version.isWord, "a version that breaks a line")
  // A board in whatever state goes on, and asks for nothing that root's side could misread.
  for record in [UpdateRecord(), UpdateRecord(bytes.span) ?? UpdateRecord()] {
    var course = UpdateCourse(record, slots: slots, proof: .gateway, at: 0)
    for step in 0..<20 {
      let now = Int64(step) * 100_000
      _ = course.next(UpdateScene(now: now, isBusy: false, isWindowOpen: true))
      course.tested(passed: 0, failed: "camera: no frame".utf8.span, at: now)
      course.downloaded()
      if let answer = RootAnswer(bytes.span) { course.answered(answer, at: now) }
      course.expire(at: now)
      checkRequest(course)
    }
    checkRoundTrip(course.record)
  }
}

private func checkRequest(_ course: UpdateCourse) {
  guard let request = course.request(bundlePath: "/a\nb".utf8.span) else { return }
  var bytes = [UInt8](repeating: 0, count: Budget.updateRequestBytes)
  let count = bytes.withUnsafeMutableBufferPointer { request.encode(into: $0) }
  let lines = bytes[..<count].split(separator: UInt8(ascii: "\n"))
  expect(lines.count <= 5 && lines.allSatisfy { $0.contains(UInt8(ascii: "=")) }, "a line of its own")
}

/// A record means the same when it is read again.
private func checkRoundTrip(_ record: UpdateRecord) {
  var first = [UInt8](repeating: 0, count: Budget.updateRecordBytes)
  let count = first.withUnsafeMutableBufferPointer { record.encode(into: $0) }
  let text = Array(first[..<count])
  guard let again = UpdateRecord(text.span) else { return expect(false, "a record that cannot be read") }
  var second = [UInt8](repeating: 0, count: Budget.updateRecordBytes)
  let length = second.withUnsafeMutableBufferPointer { again.encode(into: $0) }
  expect(text == Array(second[..<length]), "read again it differs")
}
