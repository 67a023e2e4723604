import Codec
import Runtime

@testable import Location

/// A receiver at the other end of a line that is no u-blox: it speaks and hears at one speed, in its maker's language.
final class FakeVendorReceiver: ReceiverLine {
  static let questions = ["PMTK605", "PCAS06,1", "PQTMVERNO"]
  static let speedSettings = ["PMTK251,115200", "PCAS01,5", "PAIR864,0,0,115200", "PQTMCFGUART,W,115200"]

  /// The speed at which it speaks.
  var speed: UInt32
  /// Its language; nil: one that knows none.
  let family: VendorFamily?
  /// It sends nothing until its sentences are set.
  var isMute = false
  /// It does not report what it is.
  var isSecretive = false
  /// It stays at its speed.
  var keepsSpeed = false
  /// Beginnings of settings that it refuses.
  var refuses: [String] = []
  /// Sentences that it does not hear, so many of them.
  var deafness = 0

  private(set) var lineSpeed: UInt32 = 0
  /// What arrived: the text between `$` and `*`.
  private(set) var commands: [String] = []
  private var answers = ""

  init(_ family: VendorFamily?, speed: UInt32 = 9600) {
    self.family = family
    self.speed = speed
  }

  /// What arrived and is no question.
  var settings: [String] { commands.filter { !Self.questions.contains($0) } }

  func setSpeed(_ baud: UInt32) {
    lineSpeed = baud
    answers = ""
  }

  func send(_ bytes: Span<UInt8>) {
    guard lineSpeed == speed, bytes.count > 5, bytes[0] == UInt8(ascii: "$") else { return }
    let text = String(decoding: (0..<bytes.count).map { bytes[$0] }, as: UTF8.self)
    let body = String(text.dropFirst().prefix { $0 != "*" })
    precondition(Receiver.sentence(body) == text)
    if deafness > 0 {
      deafness -= 1
      return
    }
    commands.append(body)
    guard let family else { return }
    if Self.questions.contains(body) { return answer(body, family) }
    let isTaken = !refuses.contains { body.hasPrefix($0) }
    switch family {
    case .mediatek: say("PMTK001,\(body.dropFirst(4).prefix(3)),\(isTaken ? 3 : 1)")
    case .airoha: say("PAIR001,\(body.dropFirst(4).prefix(3)),\(isTaken ? 0 : 4)")
    case .quectel: say("\(body.prefix { $0 != "," }),\(isTaken ? "OK" : "ERROR,1")")
    case .casic: break
    }
    guard isTaken else { return }
    isMute = false
    if Self.speedSettings.contains(body), !keepsSpeed {
      speed = 115_200
      answers = ""
    }
  }

  private func answer(_ question: String, _ family: VendorFamily) {
    if isSecretive { return }
    switch (family, question) {
    case (.mediatek, "PMTK605"): say("PMTK705,AXN_5.1.7_3333_19020118,0027,PA1010D,1.0")
    case (.casic, "PCAS06,1"): say("GPTXT,01,01,02,HW=ATGM336H,0004090746370")
    case (.airoha, "PQTMVERNO"): say("PQTMVERNO,LC29HDANR11A03S_RSA,2022/08/31,15:22:36")
    case (.quectel, "PQTMVERNO"): say("PQTMVERNO,LG290P03AANR01A03S,2024/04/30,10:57:43")
    default: break
    }
  }

  private func say(_ body: String) { answers += Receiver.sentence(body) }

  /// What it has answered since it was last asked here.
  func answersNow() -> [UInt8] {
    defer { answers = "" }
    return Array(answers.utf8)
  }

  /// What comes out of the line in the second that begins now.
  func second(_ number: Int) -> [UInt8] {
    if isMute { return [] }
    let time = "1235" + (number % 60 < 10 ? "0" : "") + "\(number % 60)"
    let bytes = Array((Receiver.gga(time) + Receiver.rmc(time)).utf8)
    if lineSpeed == speed { return bytes }
    return bytes.map { $0 | 0x80 }.filter { $0 != 0xB5 && $0 != 0xD3 }
  }
}
