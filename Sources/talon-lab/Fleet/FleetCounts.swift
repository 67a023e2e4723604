/// What a gateway's log tells of many boards during one part of a run.
struct FleetCounts {
  /// When each node was online first, in seconds from the beginning of the part.
  private(set) var online: [String: Double] = [:]
  /// How often somebody was turned away, by the gateway's reason.
  private(set) var refusals: [String: Int] = [:]
  /// Attempts in each second: those that succeeded and those that were turned away.
  private var attempts: [Int: Int] = [:]

  /// Reads a line of talon-gateway that came at so many seconds.
  mutating func read(_ line: some StringProtocol, at seconds: Double) {
    // After the time, the level, the program and the module in brackets.
    guard let start = line.range(of: "] ")?.upperBound else { return }
    let words = line[start...].split(separator: " ")
    if words.count > 3, words[0] == "node", words[2] == "online" {
      let node = String(words[1])
      if online[node] == nil { online[node] = seconds }
    } else if words.count > 2, words[0] == "refused" {
      refusals[Self.reason(words[2...].joined(separator: " ")), default: 0] += 1
    } else {
      return
    }
    attempts[Int(seconds), default: 0] += 1
  }

  /// Without what differs between two boards.
  private static func reason(_ text: String) -> String {
    guard let request = text.range(of: " (requestId") else { return text }
    return String(text[..<request.lowerBound])
  }

  /// Attempts in the busiest second.
  var busiest: Int { attempts.values.max() ?? 0 }

  /// The time after which this share of so many boards was online; nil when fewer ever were.
  func time(_ share: Double, of boards: Int) -> Double? {
    let count = Int((share * Double(boards)).rounded(.up))
    guard count > 0, online.count >= count else { return nil }
    return online.values.sorted()[count - 1]
  }
}
