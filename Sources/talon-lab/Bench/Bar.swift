import ArgumentParser
import Foundation

/// What a figure must keep. docs/developers/FIGURES.md repeats the table, and `board/tests/docs.sh` compares the two.
enum Bar: String, CaseIterable {
  case jsonReading, invokeAllocations, photoMemory
  case photo, photoOfClosedCamera, photoPeak, photoKept, rawPhoto, passedPhoto, clipBytes, clipPeak
  case receiver, receiverAllocations, motion, motionAllocations
  case paintedPage, movingFrame, turn
  case start, idlePSS, idleAnonymous, idleWakeUps, idleCPU
  case sectionAnonymous, sectionPSS, sectionWakeUps, sectionCPU
  case recovery, metricsMinute, metricsLost, fleetBack, pollsAfterReturn, simulatedYears
  case fitEncodings, fitMost, fitUsed, fitAbove

  enum Side { case atMost, atLeast }

  /// A unit that is a ratio: how many times its yardstick a figure is.
  static let times = "x"

  /// The command of talon-lab that prints the figure, the bar, and its unit.
  var row: (command: String, side: Side, limit: Double, unit: String) {
    switch self {
    case .jsonReading: ("bench codecs", .atLeast, 200, "MB/s")
    case .invokeAllocations: ("bench agent", .atMost, 0, "")
    case .photoMemory: ("bench agent", .atMost, 64, "KiB")
    case .photo: ("bench camera", .atMost, 1.25, "x")
    case .photoOfClosedCamera: ("bench camera", .atMost, 1.25, "x")
    case .photoPeak: ("bench camera", .atMost, 12, "MB")
    // A page or two of the C library's own.
    case .photoKept: ("bench camera", .atMost, 0.1, "MB")
    case .rawPhoto: ("bench camera", .atMost, 150, "ms")
    case .passedPhoto: ("bench camera", .atMost, 1, "ms")
    case .clipBytes: ("bench camera", .atMost, 19.6, "MB")
    case .clipPeak: ("bench camera", .atMost, 16, "MB")
    case .receiver: ("bench senses", .atLeast, 36, "MB/s")
    case .receiverAllocations: ("bench senses", .atMost, 0, "")
    case .motion: ("bench senses", .atMost, 0.2, "%")
    case .motionAllocations: ("bench senses", .atMost, 0, "")
    case .paintedPage: ("bench paint", .atMost, 1.3, "x")
    // 16 ms on a core that is 16 times slower.
    case .movingFrame: ("bench paint", .atMost, 1, "ms")
    case .turn: ("bench turns", .atMost, 1, "x")
    case .start: ("firmware", .atMost, 50, "ms")
    case .idlePSS: ("firmware", .atMost, 5, "MB")
    case .idleAnonymous: ("firmware", .atMost, 2.4, "MB")
    case .idleWakeUps: ("firmware", .atMost, 1, "per second")
    case .idleCPU: ("firmware", .atMost, 0.1, "%")
    case .sectionAnonymous: ("firmware --more", .atMost, 100, "KB")
    case .sectionPSS: ("firmware --more", .atMost, 100, "KB")
    case .sectionWakeUps: ("firmware --more", .atMost, 1, "per minute")
    case .sectionCPU: ("firmware --more", .atMost, 0.02, "%")
    case .recovery: ("recovery", .atMost, 45, "s")
    case .metricsMinute: ("metrics", .atMost, 2, "KB")
    case .metricsLost: ("metrics", .atMost, 0, "")
    case .fleetBack: ("fleet --strict", .atMost, 60, "s")
    case .pollsAfterReturn: ("updates", .atMost, 3, "x")
    case .simulatedYears: ("simulate --strict", .atLeast, 1, "years")
    case .fitEncodings: ("jpegfit", .atMost, 1.3, "")
    case .fitMost: ("jpegfit", .atMost, 2, "")
    case .fitUsed: ("jpegfit", .atLeast, 97, "%")
    case .fitAbove: ("jpegfit", .atMost, 0, "")
    }
  }

  /// False also for a figure that is no number: it was not measured.
  func holds(_ value: Double) -> Bool {
    switch row.side {
    case .atMost: value <= row.limit
    case .atLeast: value >= row.limit
    }
  }

  var words: String {
    let number = row.limit == row.limit.rounded() ? String(Int(row.limit)) : String(row.limit)
    let words = "at \(row.side == .atMost ? "most" : "least") \(number) \(row.unit)"
    return words.trimmingCharacters(in: .whitespaces)
  }
}

/// Prints the figures of a command, and remembers which bars they missed.
struct Verdict {
  /// The names of figures that missed their bar.
  private(set) var missed: [String] = []

  mutating func show(_ figure: Measurement) {
    print(figure.line)
    fflush(nil)
    if figure.isMissed { missed.append(figure.name) }
  }

  mutating func show(_ figures: [Measurement]) { for figure in figures { show(figure) } }

  /// Ends the command with exit code 1 when a bar was missed.
  func finish() throws {
    guard !missed.isEmpty else { return }
    print("missed: \(missed.map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "; "))")
    throw ExitCode(1)
  }
}
