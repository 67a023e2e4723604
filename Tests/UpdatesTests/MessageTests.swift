import Codec
import Foundation
import Runtime
import Testing
@testable import Updates

@Suite("Messages of update servers")
struct MessageTests {
  /// As gooseBit 0.2.12 and hawkBit send it.
  private static let deployment = """
    {"id":"12","deployment":{"download":"forced","update":"attempt","maintenanceWindow":"available","chunks":[
    {"part":"os","version":"0.5.0","name":"talon","artifacts":[{"filename":"talon-arm64.raucb",
    "hashes":{"sha1":"da39a3ee5e6b4b0d3255bfef95601890afd80709","md5":"d41d8cd98f00b204e9800998ecf8427e",
    "sha256":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},"size":73400320,
    "_links":{"download":{"href":"https://h/a"},"download-http":{"href":"http://h/a"},
    "md5sum":{"href":"https://h/m"}}}]}]},
    "actionHistory":{"status":"RUNNING","messages":["x"]}}
    """

  @Test("the base resource tells when to ask again and what there is to do")
  func base() throws {
    let text = """
      {"config":{"polling":{"sleep":"00:05:30"}},"_links":{"deploymentBase":{"href":"https://h/d?c=-1"},
      "configData":{"href":"https://h/c"},"confirmationBase":{"href":"https://h/x"}}}
      """
    let base = try DDIBase(text.utf8.span)
    #expect(base.sleepSeconds == 330)
    #expect(base.deployment?.string == "https://h/d?c=-1")
    #expect(base.configData != nil && base.cancel == nil)
    #expect(try DDIBase("{}".utf8.span).sleepSeconds == nil)
  }

  @Test(
    "what is not an answer of an update server is refused by name",
    arguments: [
      ("<html>", UpdateMessageError.notJSON), ("[1]", .notJSON),
      (#"{"config":{"polling":{"sleep":"5 minutes"}}}"#, .member(StaticText("sleep"))),
      (#"{"config":{"polling":{"sleep":300}}}"#, .member(StaticText("sleep"))),
      (#"{"_links":{"deploymentBase":{}}}"#, .member(StaticText("deploymentBase"))),
    ])
  func wrongBase(text: String, error: UpdateMessageError) {
    #expect(throws: error) { try DDIBase(text.utf8.span) }
  }

  @Test("a deployment names one bundle, and how it is to be handled")
  func action() throws {
    let action = try DDIDeployment(Self.deployment.utf8.span)
    #expect(action.id.string == "12")
    #expect(action.download == .forced && action.update == .attempt)
    #expect(action.release.version.string == "0.5.0")
    #expect(action.release.size == 73_400_320)
    #expect(action.release.url.string == "https://h/a")
    #expect(action.release.digest.kind == .sha256)
  }

  @Test("a window that the server keeps closed allows no installation")
  func window() throws {
    let text = Self.deployment.replacingOccurrences(of: #""available""#, with: #""unavailable""#)
    #expect(try DDIDeployment(text.utf8.span).update == .skip)
  }

  @Test(
    "a deployment that cannot be right is refused by name",
    arguments: [
      (#""size":73400320"#, #""size":0"#, UpdateMessageError.size),
      (#""size":73400320"#, #""size":-5"#, .size),
      (#""size":73400320"#, #""size":99999999999999"#, .size),
      (#""sha256":"e3"#, #""sha256":"zz"#, .noDigest),
      (#""id":"12""#, #""id":"../12""#, .member(StaticText("id"))),
      (#""id":"12""#, #""id":12"#, .member(StaticText("id"))),
      (#""forced""#, #""maybe""#, .member(StaticText("download"))),
      (
        #""artifacts":["#,
        #""artifacts":[{"filename":"other.raucb","hashes":{"sha1":"da39a3ee5e6b4b0d3255bfef95601890afd80709"},"size":1,"_links":{"download":{"href":"https://h"}}},"#,
        .severalBundles
      ),
      (#"talon-arm64.raucb"#, "", .member(StaticText("filename"))),
      (#""_links""#, #""links""#, .member(StaticText("download link"))),
    ])
  func wrongAction(part: String, by other: String, error: UpdateMessageError) {
    let text = Self.deployment.replacingOccurrences(of: part, with: other)
    #expect(throws: error) { try DDIDeployment(text.utf8.span) }
  }

  @Test("an address that is longer than 1024 bytes is refused")
  func longLink() {
    let text = Self.deployment.replacingOccurrences(
      of: "https://h/a", with: "https://h/" + String(repeating: "a", count: 1020))
    #expect(throws: UpdateMessageError.member(StaticText("download"))) { try DDIDeployment(text.utf8.span) }
  }

  @Test("a request to cancel names itself and the action")
  func cancel() throws {
    let cancel = try DDICancel(#"{"id":"13","cancelAction":{"stopId":"12"}}"#.utf8.span)
    #expect(cancel.id.string == "13" && cancel.action.string == "12")
    #expect(throws: UpdateMessageError.member(StaticText("stopId"))) {
      try DDICancel(#"{"id":"13","cancelAction":{}}"#.utf8.span)
    }
  }

  @Test("a report has the words of the protocol, progress and the last lines of the log")
  func feedback() throws {
    var feedback = DDIFeedback(.closed, .failure, percent: 40)
    feedback.sentence = UpdateText(cutting: "it \"failed\"")
    var buffer = [UInt8](repeating: 0, count: 1024)
    let count = buffer.withUnsafeMutableBufferPointer { bytes in
      var writer = JSONWriter(into: bytes)
      feedback.write(id: "12".utf8.span, lines: "one\ntwo\n".utf8.span, to: &writer)
      return writer.count
    }
    let root = try JSONSerialization.jsonObject(with: Data(buffer[..<count])) as? [String: Any]
    let status = root?["status"] as? [String: Any]
    #expect(root?["id"] as? String == "12")
    #expect(status?["execution"] as? String == "closed")
    let result = status?["result"] as? [String: Any]
    #expect(result?["finished"] as? String == "failure")
    #expect((result?["progress"] as? [String: Int]) == ["cnt": 40, "of": 100])
    #expect(status?["details"] as? [String] == ["it \"failed\"", "one", "two"])
  }

  @Test("attributes name the board as servers know it, and leave out what is not known")
  func attributes() throws {
    var attributes = BoardAttributes()
    attributes.board = InlineText(cutting: "arm64")
    attributes.version = InlineText(cutting: "1.0")
    attributes.slot = UInt8(ascii: "b")
    var buffer = [UInt8](repeating: 0, count: 1024)
    let count = buffer.withUnsafeMutableBufferPointer { bytes in
      var writer = JSONWriter(into: bytes)
      attributes.write(to: &writer)
      return writer.count
    }
    let root = try JSONSerialization.jsonObject(with: Data(buffer[..<count])) as? [String: Any]
    #expect(root?["mode"] as? String == "merge")
    #expect(
      root?["data"] as? [String: String]
        == ["hw_boardname": "talon-arm64", "hw_revision": "default", "sw_version": "1.0", "slot": "b"])
  }
}

@Suite("Files of root's side")
struct RootSideTests {
  @Test("the report of the slots is read, and unknown lines are skipped")
  func slots() {
    let text = """
      slot = b
      state = trial
      version = 0.5.0+20261201
      board = talon-arm64
      other_state = good
      other_version = 0.4.0
      starts_left = 2
      trial_seconds = 600
      last_result = left
      last_version = 0.5.0
      last_reason = asked the gateway could not be reached
      nonsense
      colour = red
      """
    let report = SlotReport(text.utf8.span)
    #expect(report?.letter.description == "b")
    #expect(report?.state == .trial)
    #expect(report?.otherState == .good)
    #expect(report?.board.string == "arm64")
    #expect(report?.otherVersion.string == "0.4.0")
    #expect(report?.trialSeconds == 600)
    #expect(report?.startsLeft == 2)
    #expect(report?.wasLeft == true)
    #expect(report?.lastReason.string == "asked the gateway could not be reached")
  }

  @Test(
    "a report without slot, state or version is none",
    arguments: [
      "", "slot = c\nstate = good\nversion = 1\n", "slot = a\nversion = 1\n", "slot = a\nstate = good\n",
      "slot = a\nstate = bad\nversion = 1\n", "slot = a\nstate = good\nversion = 1 2\n",
    ])
  func noReport(text: String) { #expect(SlotReport(text.utf8.span) == nil) }

  @Test("an answer has a number and a state; a percentage is at most 100")
  func answer() {
    let answer = RootAnswer("id = 17\nstate = working\npercent = 400\n".utf8.span)
    #expect(answer?.id == 17 && answer?.state == .working && answer?.percent == 100)
    #expect(RootAnswer("id = 17\nstate = dancing\n".utf8.span) == nil)
    #expect(RootAnswer("state = done\n".utf8.span) == nil)
    #expect(RootAnswer("id = 99999999999\nstate = done\n".utf8.span) == nil)
  }

  @Test("a request holds what the contract names, and no text begins a line of its own")
  func request() {
    var request = RootRequest(17, .install)
    request.bundle = InlineText(cutting: "/x\ndo = rollback")
    var bytes = [UInt8](repeating: 0, count: Budget.updateRequestBytes)
    let count = bytes.withUnsafeMutableBufferPointer { request.encode(into: $0) }
    #expect(
      String(decoding: bytes[..<count], as: UTF8.self)
        == "id = 17\ndo = install\nbundle = /x?do = rollback\n")
  }

  @Test("the largest request fits what root's side reads")
  func largest() {
    var request = RootRequest(999_999_999, .install)
    request.bundle = InlineText(cutting: String(repeating: "b", count: 2000))
    request.reason = InlineText(cutting: String(repeating: "r", count: 2000))
    var bytes = [UInt8](repeating: 0, count: Budget.updateRequestBytes)
    #expect(bytes.withUnsafeMutableBufferPointer { request.encode(into: $0) } < Budget.updateRequestBytes)
  }
}

@Suite("The record of an update")
struct RecordTests {
  private func bytes(_ record: UpdateRecord) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Budget.updateRecordBytes)
    let count = bytes.withUnsafeMutableBufferPointer { record.encode(into: $0) }
    return Array(bytes[..<count])
  }

  @Test("a record means the same after it was read")
  func roundTrip() {
    var record = UpdateRecord()
    record.state = .open
    record.origin = .server
    record.action = InlineText(cutting: "12")
    record.release = FakeBoard.action("12").release
    (record.isForced, record.mayInstall, record.hasPassed, record.hasReached) = (true, false, true, true)
    (record.trials, record.attempts, record.baseline, record.fromSlot) = (2, 1, 127, UInt8(ascii: "b"))
    record.lines = InlineText(cutting: "one\n\"two\"\n")
    (record.request, record.listNumber) = (99, 7)
    record.refusedVersion = InlineText(cutting: "0.5")
    let again = UpdateRecord(bytes(record).span)
    #expect(again.map { bytes($0) } == bytes(record))
    #expect(again?.release.digest == record.release.digest)
  }

  @Test("members of a newer release are skipped, and those of an older one have their defaults")
  func others() {
    let newer = #"{"format":2,"state":99,"colour":"red","request":5,"nested":{"a":[1]}}"#
    let record = UpdateRecord(newer.utf8.span)
    #expect(record?.state == .idle && record?.request == 5)
    #expect(UpdateRecord(#"{"format":1}"#.utf8.span)?.state == .idle)
  }

  @Test("what is not a record is none", arguments: ["", "{", "{}", "[]", #"{"format":0}"#])
  func noRecord(text: String) { #expect(UpdateRecord(text.utf8.span) == nil) }

  @Test("the largest record fits, with every byte escaped")
  func largest() {
    var record = UpdateRecord()
    let text = String(repeating: "\u{1}", count: 2000)
    record.action = InlineText(cutting: text)
    record.release.version = InlineText(cutting: text)
    record.release.url = InlineText(cutting: String(repeating: "\u{1}", count: 1024))
    record.etag = InlineText(cutting: text)
    record.lines = InlineText(cutting: text)
    record.reason = InlineText(cutting: text)
    (record.closedAction, record.refusedVersion) = (InlineText(cutting: text), InlineText(cutting: text))
    #expect(bytes(record).count <= Budget.updateRecordBytes)
  }
}
