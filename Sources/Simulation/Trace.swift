import Codec

/// What happened in a run: its last lines, for whoever looks for a cause, and a checksum of everything, which tells
/// whether two runs were the same.
struct Trace {
  private struct Line {
    var time: Int64 = 0
    var what: StaticString = ""
    var first: Int64 = 0
    var second: Int64 = 0
    var text: String?
  }

  /// Lines that are kept.
  static let kept = 400

  private var lines = [Line](repeating: Line(), count: Trace.kept)
  private var next = 0
  private var hash = FNV1a()
  /// Lines noted.
  private(set) var count: UInt64 = 0
  /// Called for each line; nil: no live output.
  var reader: ((String) -> Void)?

  /// Notes what happened at `time`, with up to two numbers.
  mutating func note(_ time: Int64, _ what: StaticString, _ first: Int64 = 0, _ second: Int64 = 0) {
    mix(time)
    mix(Int64(what.utf8CodeUnitCount) << 8 | Int64(what.utf8Start[0]))
    mix(first)
    mix(second)
    keep(Line(time: time, what: what, first: first, second: second))
  }

  /// Notes a line of the board's log.
  mutating func note(_ time: Int64, log line: UnsafeBufferPointer<UInt8>) {
    mix(time)
    for byte in line { mix(Int64(byte)) }
    keep(Line(time: time, what: "log", text: String(decoding: line, as: UTF8.self)))
  }

  /// A hash of all that was noted.
  var checksum: UInt64 { hash.value }

  private mutating func mix(_ word: Int64) {
    hash.add(UInt64(bitPattern: word))
  }

  private mutating func keep(_ line: Line) {
    lines[next] = line
    next = next + 1 == Self.kept ? 0 : next + 1
    count += 1
    if let reader { reader(Self.text(line)) }
  }

  /// The last lines, oldest first.
  func last(_ wanted: Int) -> [String] {
    let there = min(wanted, Int(min(count, UInt64(Self.kept))))
    return (0..<there).map { Self.text(lines[(next - there + $0 + Self.kept) % Self.kept]) }
  }

  private static func text(_ line: Line) -> String {
    if let text = line.text { return "\(instant(line.time))   \(text)" }
    return "\(instant(line.time)) \(line.what) \(line.first) \(line.second)"
  }

  /// "1d 02:03:04.567" since the start.
  static func instant(_ time: Int64) -> String {
    func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let milliseconds = String(1000 + time % 1000).dropFirst()
    let days = time / 86_400_000
    return "\(days)d \(two(time / 3_600_000 % 24)):\(two(time / 60_000 % 60)):\(two(time / 1000 % 60)).\(milliseconds)"
  }
}
