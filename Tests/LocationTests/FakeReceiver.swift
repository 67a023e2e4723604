import Codec
import Runtime

@testable import Location

/// A receiver at the other end of a line, as u-blox builds them: it speaks at one speed, and hears at that alone.
final class FakeReceiver: ReceiverLine {
  /// What it sends each second.
  enum Habit { case sentences, nothing, ubxPosition, ubxStatus }

  /// The speed at which it speaks.
  var speed: UInt32
  var habit: Habit
  /// It sleeps until it is woken, and hears nothing.
  var isAsleep = false
  /// "18.00", "27.12" and the like; nil: another maker's, which knows no UBX.
  var protocolVersion: String?
  /// Commands that it does not take: class and identity.
  var refuses: [(UInt8, UInt8)] = []
  /// What its bytes become at another speed; nil: any that are no text.
  var noise: [UInt8]?
  /// Commands that it does not hear, so many of them.
  var deafness = 0

  /// The speed of the line at the other end.
  private(set) var lineSpeed: UInt32 = 0
  /// Every speed that the line was set to.
  private(set) var speeds: [UInt32] = []
  /// Commands that arrived: class, identity, payload.
  private(set) var commands: [(id: (UInt8, UInt8), payload: [UInt8])] = []
  private var answers: [UInt8] = []
  private var isTaught = false

  init(speed: UInt32, habit: Habit = .sentences, protocolVersion: String? = nil) {
    self.speed = speed
    self.habit = habit
    self.protocolVersion = protocolVersion
  }

  func setSpeed(_ baud: UInt32) {
    lineSpeed = baud
    speeds.append(baud)
    answers = []
  }

  func send(_ bytes: Span<UInt8>) {
    guard lineSpeed == speed else { return }
    if isAsleep {
      // The edges of any byte wake it; the byte itself is lost.
      isAsleep = false
      return
    }
    guard let protocolVersion, bytes.count >= 8, bytes[0] == 0xB5, bytes[1] == 0x62 else { return }
    let id = (bytes[2], bytes[3])
    let payload = (6..<(bytes.count - 2)).map { bytes[$0] }
    precondition(payload.count == Int(bytes[4]) | Int(bytes[5]) << 8)
    precondition(FakeReceiver.frame(id.0, id.1, payload) == (0..<bytes.count).map { bytes[$0] })
    if deafness > 0 {
      deafness -= 1
      return
    }
    commands.append((id, payload))
    if id == (0x0A, 0x04) {
      answers += FakeReceiver.frame(0x0A, 0x04, FakeReceiver.versionPayload(protocolVersion))
      return
    }
    let isTaken = !refuses.contains { $0 == id }
    answers += FakeReceiver.frame(0x05, isTaken ? 1 : 0, [id.0, id.1])
    if isTaken, id == (0x06, 0x01) || id == (0x06, 0x8A) { isTaught = true }
  }

  /// What it has answered since it was last asked here.
  func answersNow() -> [UInt8] {
    defer { answers = [] }
    return answers
  }

  /// What comes out of the line in the second that begins now.
  func second(_ number: Int) -> [UInt8] {
    guard !isAsleep else { return [] }
    let time = "1235" + (number % 60 < 10 ? "0" : "") + "\(number % 60)"
    var bytes = answers
    answers = []
    if isTaught {
      bytes += FakeReceiver.position(second: UInt8(number % 60))
    } else {
      switch habit {
      case .nothing: break
      case .sentences: bytes += Array((Receiver.gga(time) + Receiver.rmc(time)).utf8)
      case .ubxPosition: bytes += FakeReceiver.position(second: UInt8(number % 60))
      case .ubxStatus: bytes += FakeReceiver.frame(0x01, 0x03, Array(repeating: 0, count: 16))
      }
    }
    if lineSpeed == speed { return bytes }
    if let noise { return noise }
    // At another speed each byte is torn into some other byte, none of which is printable.
    return bytes.map { $0 | 0x80 }.filter { $0 != 0xB5 && $0 != 0xD3 }
  }

  // MARK: UBX, written from the interface description and not by the code under test

  static func frame(_ kind: UInt8, _ id: UInt8, _ payload: [UInt8]) -> [UInt8] {
    let body = [kind, id, UInt8(payload.count & 255), UInt8(payload.count >> 8)] + payload
    var (first, second): (UInt8, UInt8) = (0, 0)
    for byte in body {
      first = first &+ byte
      second = second &+ first
    }
    return [0xB5, 0x62] + body + [first, second]
  }

  /// What a receiver of this protocol version says of itself, as it is read.
  static func version(_ number: String) -> UBXVersion {
    var reader = GNSSReader()
    var index = 0
    let bytes = frame(0x0A, 0x04, versionPayload(number))
    guard case .ubx(.version(let version))? = reader.next(bytes.span, at: &index) else { preconditionFailure() }
    return version
  }

  private static func versionPayload(_ number: String) -> [UInt8] {
    func field(_ text: String, _ length: Int) -> [UInt8] {
      Array(text.utf8) + Array(repeating: 0, count: length - text.utf8.count)
    }
    return field("EXT CORE 1.00 (abcdef)", 30) + field("00190000", 10) + field("FWVER=SPG 4.04", 30)
      + field("PROTVER=\(number)", 30) + field("MOD=NEO-M9N", 30)
  }

  /// NAV-PVT: 15 July 2026, 12:35, 48.1173 N 11.51667 E.
  static func position(second: UInt8) -> [UInt8] {
    var payload = [UInt8](repeating: 0, count: 92)
    func put(_ value: Int64, _ offset: Int, _ size: Int) {
      for place in 0..<size { payload[offset + place] = UInt8(truncatingIfNeeded: value >> (8 * Int64(place))) }
    }
    put(1000 + 1000 * Int64(second), 0, 4)
    put(2026, 4, 2)
    payload[6] = 7
    payload[7] = 15
    payload[8] = 12
    payload[9] = 35
    payload[10] = second
    payload[11] = 0x07
    payload[20] = 3
    payload[21] = 0x01
    payload[23] = 9
    put(115_166_667, 24, 4)
    put(481_173_000, 28, 4)
    put(545_400, 36, 4)
    put(4_000, 40, 4)
    put(6_000, 44, 4)
    return frame(0x01, 0x07, payload)
  }
}
