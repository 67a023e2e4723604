import ArgumentParser
import Codec
import Foundation
import Motion
import Runtime

/// Counts the steps of an outside recording.
struct StepsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "steps",
    abstract: "Counts the steps in a recording of an accelerometer, looks for hard shakes, and prints one JSON object.",
    discussion: """
      The recording is a table with a sample in each line: columns between commas, semicolons, tabs or spaces, with or
      without a line of names. Of named columns those called x, y and z are taken (ax, acc_x, AccX, "Acceleration x (g)"
      and the like); without names the first three, or the second to fourth after a column of times. Lines in which a
      value is missing are left out, and counted on standard error.
      """)

  enum Units: String, ExpressibleByArgument, CaseIterable {
    case g, mps2

    /// What makes g of it.
    var factor: Float { self == .g ? 1 : 1 / 9.80665 }
  }

  @Argument(help: "The recording; - is standard input.")
  var file: String

  @Option(help: "Samples a second.")
  var rate: Float

  @Option(help: "What the columns say: g, or mps2 for metres per second squared.")
  var units: Units

  @Option(help: "The columns to take, by name or by number from 1, as in ax,ay,az or 2,3,4.")
  var columns: String?

  @Option(help: "Height of who walks, in metres.")
  var height: Float = 1.7

  @Flag(help: "Also list when each step was made, in seconds from the start.")
  var times = false

  func validate() throws {
    guard (5...1000).contains(rate) else { throw ValidationError("--rate must be from 5 to 1000") }
    guard (0.5...2.5).contains(height) else { throw ValidationError("--height must be from 0.5 to 2.5") }
  }

  func run() throws {
    let recording: MotionRecording
    do {
      recording = try MotionRecording(try bytes(), columns: columns, factor: units.factor)
    } catch let error as MotionRecordingError {
      throw complaint(error.description)
    }
    for note in recording.notes { LabOutput.note("\(file): \(note)") }
    let replay = MotionReplay(recording.samples, rate: rate, height: height)
    try LabOutput.write(replay.json(withTimes: times))
  }

  private func bytes() throws -> Data {
    if file == "-" { return FileHandle.standardInput.readDataToEndOfFile() }
    guard let data = FileManager.default.contents(atPath: file) else { throw complaint("cannot be read") }
    return data
  }

  private func complaint(_ text: String) -> ExitCode {
    LabOutput.note("\(file): \(text)")
    return ExitCode(1)
  }
}

/// What the engine makes of a recording.
struct MotionReplay {
  private(set) var steps: [Double] = []
  /// Seconds at which a hard shake was recognized.
  private(set) var shakes: [Double] = []
  private(set) var distance: Float = 0
  private(set) var activities: [(start: Double, end: Double, reading: ActivityReading)] = []
  let samples: Int
  let seconds: Double

  /// Seconds of rest that are put after a recording: steps are known that long after they were made.
  private static let tail: Float = 6

  /// Plays samples into an engine as a board would: in drains of half a second.
  init(_ recording: [Vector3], rate: Float, height: Float) {
    samples = recording.count
    seconds = Double(recording.count) / Double(rate)
    var configuration = MotionConfiguration()
    configuration.height = height
    configuration.shake = ShakeThresholds()
    let facts = MotionFacts(name: InlineText<64>(), rate: rate, hasGyroscope: false, memory: 1000)
    let engine = MotionEngine(facts, configuration)
    let batch = MotionBatch()
    let drain = max(1, Int(rate / 2))
    let all = recording + Self.rest(after: recording, count: Int(rate * Self.tail))
    for start in stride(from: 0, to: all.count, by: drain) {
      let end = min(start + drain, all.count)
      batch.clear()
      for index in start..<end { batch.append(MotionSample(acceleration: all[index])) }
      batch.end = Int64(Double(end - 1) / Double(rate) * 1_000_000)
      take(engine, engine.process(batch, monotonic: batch.end / 1000), until: Double(end) / Double(rate))
    }
  }

  /// The mean of the last second, as if the sensor came to rest.
  private static func rest(after recording: [Vector3], count: Int) -> [Vector3] {
    let last = recording.suffix(max(1, count / 6))
    let mean = last.reduce(0) { $0 + $1.magnitude } / Float(max(1, last.count))
    return Array(repeating: Vector3(0, 0, mean), count: count)
  }

  private mutating func take(_ engine: MotionEngine, _ news: MotionUpdate, until now: Double) {
    if let shake = engine.nextShake() { shakes.append(Double(shake.time) / 1_000_000) }
    engine.forEachStep { steps.append(Double($0) / 1_000_000) }
    distance += news.distance
    let end = min(now, seconds)
    if let last = activities.last, last.reading.activity == news.reading.activity {
      activities[activities.count - 1].end = end
      activities[activities.count - 1].reading.confidence = news.reading.confidence
    } else if (activities.last?.end ?? 0) < seconds {
      activities.append((activities.last?.end ?? 0, end, news.reading))
    }
  }

  /// Steps a minute while somebody walks: by the middle one of the times from step to step.
  var cadence: Double {
    let intervals = zip(steps.dropFirst(), steps).map { $0 - $1 }.sorted()
    return intervals.isEmpty ? 0 : 60 / intervals[intervals.count / 2]
  }

  /// One object and a line's end.
  func json(withTimes: Bool) -> Data {
    var counter = JSONWriter()
    write(to: &counter, withTimes)
    var bytes = [UInt8](repeating: 0, count: counter.count)
    bytes.withUnsafeMutableBufferPointer { buffer in
      var writer = JSONWriter(into: buffer)
      write(to: &writer, withTimes)
    }
    return Data(bytes + [UInt8(ascii: "\n")])
  }

  private func write(to writer: inout JSONWriter, _ withTimes: Bool) {
    writer.beginObject()
    writer.key("samples")
    writer.int(Int64(samples))
    writer.key("seconds")
    writer.decimal(seconds, fractionDigits: 2)
    writer.key("steps")
    writer.int(Int64(steps.count))
    writer.key("distanceMeters")
    writer.decimal(Double(distance), fractionDigits: 1)
    writer.key("cadence")
    writer.decimal(cadence, fractionDigits: 1)
    writer.key("shakes")
    writer.beginArray()
    for time in shakes { writer.decimal(time, fractionDigits: 2) }
    writer.endArray()
    writer.key("activities")
    writer.beginArray()
    for activity in activities {
      writer.beginObject()
      writer.key("start")
      writer.decimal(activity.start, fractionDigits: 1)
      writer.key("end")
      writer.decimal(activity.end, fractionDigits: 1)
      writer.key("activity")
      writer.string("\(activity.reading.activity)")
      writer.key("confidence")
      writer.string(activity.reading.confidence.word)
      writer.endObject()
    }
    writer.endArray()
    if withTimes {
      writer.key("times")
      writer.beginArray()
      for time in steps { writer.decimal(time, fractionDigits: 2) }
      writer.endArray()
    }
    writer.endObject()
  }
}
