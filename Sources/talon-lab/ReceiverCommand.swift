import ArgumentParser
import Codec
import Foundation
import Location
import Runtime

/// Reads a recording of a receiver's line; both names read every protocol that may be on it.
struct ReadNMEACommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "nmea",
    abstract: "Reads a GPS receiver's recording from standard input, NMEA or UBX, and prints its fixes as JSON lines.",
    discussion: ReceiverOptions.discussion)

  @OptionGroup var options: ReceiverOptions

  func run() throws { try options.run() }
}

struct ReadUBXCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ubx",
    abstract: "Does the same as `nmea`: a recording may hold both.", discussion: ReceiverOptions.discussion)

  @OptionGroup var options: ReceiverOptions

  func run() throws { try options.run() }
}

struct ReceiverOptions: ParsableArguments {
  static let discussion = """
    One line for each epoch with a fix, when all of it was read: time, lat, lon, alt (m), speed (m/s), heading \
    (degrees), accuracy (m), mode, satellites, hdop; null is what was not reported lately. At the end, counts \
    of what was on the line go to standard error. The output depends on the bytes alone: neither on how they are cut \
    nor on the day.
    """

  @Option(help: "Bytes that are read at once.")
  var chunk = 4096

  @Option(
    help: """
      The day on which the board's clock stands, as 2026-07-31: for recordings without a date, and dates before the \
      last rollover of the GPS week are not believed. Without it a fix needs the recording's date, which may be any.
      """)
  var date: Day?

  func validate() throws {
    guard (1...1 << 20).contains(chunk) else { throw ValidationError("--chunk must be from 1 to 1048576") }
  }

  func run() throws {
    var reading = RecordingReader(wall: date?.noon)
    let input = FileHandle.standardInput
    while let block = try input.read(upToCount: 1 << 20), !block.isEmpty {
      let bytes = [UInt8](block)
      for start in stride(from: 0, to: bytes.count, by: chunk) {
        reading.read(bytes.span.extracting(start..<min(start + chunk, bytes.count)))
      }
      try LabOutput.write(reading.takeOutput())
    }
    reading.finish()
    try LabOutput.write(reading.takeOutput())
    try LabOutput.write(reading.counts(), to: .standardError)
  }
}

/// A day on the command line.
struct Day: ExpressibleByArgument {
  /// Milliseconds since the Unix epoch.
  let noon: Int64

  init?(argument: String) {
    let fields = argument.split(separator: "-", omittingEmptySubsequences: false)
    guard fields.count == 3, let year = Int32(fields[0]), let month = UInt8(fields[1]), let day = UInt8(fields[2]),
      let date = CivilDate(year: year, month: month, day: day)
    else { return nil }
    noon = date.daysSinceEpoch * 86_400_000 + 43_200_000
  }
}

/// Makes lines of a recording.
struct RecordingReader: ~Copyable {
  private let wall: Int64
  private var reader = GNSSReader()
  private var tracker: FixTracker
  private let line = FixedBuffer(capacity: 1024)
  private var output = Data()
  private var fixes: UInt64 = 0

  /// - Parameter wall: what the board's clock says; nil for an archive, which tells its own dates.
  init(wall: Int64?) {
    self.wall = wall ?? 0
    tracker = FixTracker(isArchive: wall == nil)
  }

  mutating func read(_ bytes: Span<UInt8>) {
    var index = 0
    while let message = reader.next(bytes, at: &index) { accept(message) }
  }

  /// The recording ends here.
  mutating func finish() {
    while let message = reader.finish() { accept(message) }
    let before = tracker.epochs
    _ = tracker.beginHeld(wall: wall)
    if tracker.epochs != before { printFinished() }
    _ = tracker.finish(wall: wall)
    printFinished()
  }

  /// The lines so far.
  mutating func takeOutput() -> Data {
    defer { output.removeAll(keepingCapacity: true) }
    return output
  }

  private mutating func accept(_ message: GNSSMessage) {
    let before = tracker.epochs
    _ = tracker.accept(message, at: 0, wall: wall)
    if tracker.epochs != before { printFinished() }
  }

  private mutating func printFinished() {
    guard let fix = tracker.finished else { return }
    fixes += 1
    var writer = JSONWriter(into: line.bytes)
    fix.writeRecord(to: &writer)
    output.append(contentsOf: line.bytes[..<writer.count])
    output.append(UInt8(ascii: "\n"))
  }

  /// What was on the line, as a line of JSON.
  func counts() -> Data {
    let counters = reader.counters
    var writer = JSONWriter(into: line.bytes)
    writer.beginObject()
    writer.key("bytes")
    writer.uint(counters.bytes)
    writer.key("fixes")
    writer.uint(fixes)
    counters.nmea.write("nmea", to: &writer)
    counters.ubx.write("ubx", to: &writer)
    counters.rtcm.write("rtcm", to: &writer)
    writer.endObject()
    return Data(line.bytes[..<writer.count]) + Data("\n".utf8)
  }
}

extension GNSSCounters.Frames {
  fileprivate func write(_ name: StaticString, to writer: inout JSONWriter) {
    writer.key(name)
    writer.beginObject()
    let rows: [(StaticString, UInt64)] = [
      ("good", good), ("badChecksum", badChecksum), ("overlong", overlong), ("broken", broken),
      ("malformed", malformed), ("unknown", unknown), ("ignored", ignored),
    ]
    for (name, count) in rows {
      writer.key(name)
      writer.uint(count)
    }
    writer.endObject()
  }
}

extension Fix {
  /// All of it, for other programs to compare.
  func writeRecord(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("time")
    writer.string(ISO8601(unixMilliseconds: instant).text)
    let values: [(StaticString, Double?, Int)] = [
      ("lat", latitude, 9), ("lon", longitude, 9), ("alt", altitude, 3), ("speed", speed, 3), ("heading", heading, 2),
      ("accuracy", accuracy, 2),
    ]
    for (name, value, digits) in values { Self.write(name, value, digits, to: &writer) }
    writer.key("mode")
    writer.string(mode.name)
    writer.key("satellites")
    if let satellites { writer.uint(UInt64(satellites)) } else { writer.null() }
    Self.write("hdop", hdop, 2, to: &writer)
    writer.endObject()
  }

  private static func write(_ name: StaticString, _ value: Double?, _ digits: Int, to writer: inout JSONWriter) {
    writer.key(name)
    if let value { writer.decimal(value, fractionDigits: digits) } else { writer.null() }
  }
}

extension Fix.Mode {
  fileprivate var name: StaticString {
    switch self {
    case .none: "none"
    case .twoDimensions: "2D"
    case .threeDimensions: "3D"
    case .combined: "combined"
    case .deadReckoning: "deadReckoning"
    case .manual: "manual"
    case .simulated: "simulated"
    }
  }
}
