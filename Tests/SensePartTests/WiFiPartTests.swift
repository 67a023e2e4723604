import Codec
import Device
import Runtime
import Simulated
import Testing

@testable import SensePart

/// A board that shows what the test says, and notes what is asked of root's side.
private final class CodeBoard: WiFiBoard {
  var sight = WiFiSight.nothing
  var text = "WIFI:T:WPA;S:Barn;P:long enough;;"
  var answer = "state = waiting\n"
  var failure: Errno?
  var requests: [String] = []
  private(set) var looks: [Int64] = []
  private(set) var wasCancelled = false

  func look(
    for milliseconds: Int64, into text: UnsafeMutableBufferPointer<UInt8>, cancellation: Cancellation
  ) -> WiFiSight {
    looks.append(milliseconds)
    wasCancelled = cancellation.isRequested
    for (index, byte) in self.text.utf8.enumerated() where index < text.count { text[index] = byte }
    return sight
  }

  func show() { sight = .code(text.utf8.count) }

  func send(_ request: UnsafeBufferPointer<UInt8>) throws(Errno) {
    if let failure { throw failure }
    requests.append(String(decoding: request, as: UTF8.self))
  }

  func readAnswer(into text: UnsafeMutableBufferPointer<UInt8>) throws(Errno) -> Int {
    for (index, byte) in answer.utf8.enumerated() { text[index] = byte }
    return answer.utf8.count
  }
}

@Suite("Wi-Fi by a code as a part of the agent")
struct WiFiPartTests {
  private let board = CodeBoard()
  private let clock = VirtualClock(monotonic: 0)
  private let runner = DeferredRunner()
  private let log = Log(level: .debug, output: nil)
  private final class Network { var isThere = false }
  private let network = Network()

  private func part() -> WiFiPart {
    let network = network
    return WiFiPart(board, runner: runner, clock: clock, log: log) { network.isThere }
  }

  /// Lets the part do what is due until this time, in seconds.
  private func run(_ part: WiFiPart, until seconds: Int64) {
    while clock.monotonic < seconds * 1000 {
      clock.advance(500)
      part.advance(to: clock.monotonic)
      runner.runAll()
    }
  }

  private func status(_ part: WiFiPart) -> String {
    var bytes = [UInt8](repeating: 0, count: 512)
    let count = bytes.withUnsafeMutableBufferPointer { buffer in
      var writer = JSONWriter(into: buffer)
      writer.beginObject()
      part.writeStatus(to: &writer)
      writer.endObject()
      return writer.count
    }
    return String(decoding: bytes[..<count], as: UTF8.self)
  }

  private func lines() -> String {
    var text = ""
    log.forEachLine { text += String(decoding: $0, as: UTF8.self) + "\n" }
    return text
  }

  @Test("a network is joined, and neither its name nor its passphrase is in log and status")
  func joins() {
    let part = part()
    part.start()
    run(part, until: 59)
    #expect(board.looks.isEmpty && part.wanted == nil)
    run(part, until: 61)
    #expect(board.looks.first == Budget.wifiLook)
    #expect(part.wanted != nil && status(part) == #"{"wifi":{"state":"looking"}}"#)
    board.show()
    run(part, until: 65)
    #expect(board.requests.count == 1)
    #expect(board.requests.first?.contains("\nssid = 4261726e\npassphrase = 6c6f6e6720656e6f756768\n") == true)
    #expect(part.wanted == nil && status(part) == #"{"wifi":{"state":"joining"}}"#)
    let id = board.requests[0].prefix { $0 != "\n" }
    board.answer = "\(id)\nstate = working\n"
    run(part, until: 80)
    board.answer = "\(id)\nstate = joined\n"
    run(part, until: 84)
    #expect(status(part) == #"{"wifi":{"state":"joined"}}"#)
    for secret in ["long enough", "6c6f6e67", "Barn", "4261726e"] {
      #expect(!lines().contains(secret) && !status(part).contains(secret))
    }
    #expect(part.nextDeadline == nil && part.isStopped)
  }

  @Test("the camera is in use as long as a look is under way, and people see that")
  func live() {
    let part = part()
    part.start()
    clock.advance(60_000)
    part.advance(to: clock.monotonic)
    #expect(part.live == .camera && !part.isStopped)
    runner.runAll()
    #expect(part.live.isEmpty && part.isStopped)
  }

  @Test("a person who holds the board, a network and the agent's end close the camera", arguments: [0, 1, 2])
  func closed(by way: Int) {
    let part = part()
    part.start()
    clock.advance(60_000)
    part.advance(to: clock.monotonic)
    switch way {
    case 0: part.hold()
    case 1: part.stop()
    default:
      network.isThere = true
      part.advance(to: clock.monotonic)
    }
    board.show()
    runner.runAll()
    #expect(board.wasCancelled && board.requests.isEmpty && part.isStopped)
    network.isThere = false
    part.letGo()
    run(part, until: 700)
    #expect(board.looks.count == 1 && status(part) == #"{"wifi":{"state":"closed"}}"#)
  }

  @Test("a board that was held before it started does not look")
  func heldBefore() {
    let part = part()
    part.hold()
    part.start()
    part.letGo()
    run(part, until: 100)
    #expect(board.looks.isEmpty)
  }

  @Test("a code of no use, a network that is not joined and a camera in trouble are told")
  func trouble() {
    let part = part()
    part.start()
    board.text = "WIFI:T:WEP;S:Barn;P:12345;;"
    board.show()
    run(part, until: 62)
    #expect(status(part).contains("WEP") && !status(part).contains("12345"))
    board.sight = .trouble(InlineText(cutting: "the camera: it is in use"))
    run(part, until: 100)
    #expect(status(part).contains(#""trouble":"the camera: it is in use""#))
    #expect(lines().count(of: "the camera: it is in use") == 1)
    board.text = "WIFI:S:Barn;;"
    board.show()
    run(part, until: 120)
    let id = board.requests[0].prefix { $0 != "\n" }
    board.answer = "\(id)\nstate = failed\nreason = no address\n"
    run(part, until: 124)
    #expect(status(part).contains(#""failure":"no address""#))
  }

  @Test("a text that is longer than a code may be is none")
  func long() {
    let part = part()
    part.start()
    board.text = "WIFI:S:a;X:" + String(repeating: "x", count: 2 * Budget.wifiCodeBytes)
    board.sight = .code(Budget.wifiCodeBytes + 1)
    run(part, until: 62)
    #expect(status(part).contains("longer than 512 bytes"))
  }

  @Test("full workers and a request that cannot be written are tried again")
  func again() {
    let part = part()
    part.start()
    runner.isFull = true
    run(part, until: 70)
    #expect(board.looks.isEmpty)
    runner.isFull = false
    board.show()
    board.failure = .noSpace
    run(part, until: 72)
    #expect(board.requests.isEmpty)
    board.failure = nil
    run(part, until: 90)
    #expect(board.requests.count == 1)
  }

  @Test("after eleven minutes the search is over, and nothing is due any more")
  func over() {
    let part = part()
    part.start()
    run(part, until: 662)
    let looks = board.looks.count
    #expect(looks > 100 && part.nextDeadline == nil)
    run(part, until: 800)
    #expect(board.looks.count == looks)
  }
}

extension String {
  /// How often a text stands in it.
  fileprivate func count(of text: String) -> Int {
    var (count, rest) = (0, self[...])
    while let range = rest.firstRange(of: text) {
      count += 1
      rest = rest[range.upperBound...]
    }
    return count
  }
}
