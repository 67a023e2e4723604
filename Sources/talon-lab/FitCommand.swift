import ArgumentParser
import Board
import Camera
import Foundation
import Pictures
import Runtime

/// How well photos are made to fit a limit, beside both phones' ways.
struct FitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "jpegfit",
    abstract: "Fits photos into a limit of bytes as Talon and as both phone apps do, and compares the results.",
    discussion: """
      Without files it makes pictures of many kinds itself, and the same again from JPEGs of quality 80. Without \
      --budget each is fitted into several parts of what it takes at the quality asked; without both the exit code is \
      1 when Talon's photos miss a bar. Build with -c release.
      """)

  @Argument(help: "JPEG files.")
  var files: [String] = []

  @Option(help: "The limit in bytes.")
  var budget: Int?

  @Option(help: "The highest quality in percent.")
  var quality = 90

  @Option(help: "Pixels across of the pictures made here; they are three quarters of that high.")
  var width = 1600

  private static let shares = [1.02, 0.97, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.15, 0.1, 0.05]

  func validate() throws {
    guard (1...100).contains(quality) else { throw ValidationError("--quality must be from 1 to 100") }
    guard (256...3840).contains(width) else { throw ValidationError("--width must be from 256 to 3840") }
    if let budget, budget < 1 { throw ValidationError("--budget must be at least 1") }
  }

  func run() throws {
    let bench = try Workbench(codec: try TurboJPEG())
    var tallies = FitTallies()
    for file in files {
      guard let data = FileManager.default.contents(atPath: file) else { throw ValidationError("cannot read \(file)") }
      try fit(URL(fileURLWithPath: file).lastPathComponent, try read([UInt8](data), bench, file), bench, &tallies)
    }
    if files.isEmpty { try fitMade(bench, &tallies) }
    tallies.report()
    guard files.isEmpty, budget == nil else { return }
    var verdict = Verdict()
    verdict.show(tallies.figures(of: "talon"))
    try verdict.finish()
  }

  private func read(_ bytes: [UInt8], _ bench: Workbench, _ file: String) throws -> PlanarImage {
    do { return try bench.read(bytes) } catch { throw ValidationError("\(file) is no JPEG that can be read") }
  }

  private func fitMade(_ bench: Workbench, _ tallies: inout FitTallies) throws {
    for picture in MadePicture.allCases {
      let image = try bench.draw(picture, width: width, height: width * 3 / 4)
      try fit(picture.rawValue, image, bench, &tallies)
      let again = try bench.encode(try bench.draw(picture, width: width, height: width * 3 / 4), quality: 80)
      try fit(picture.rawValue + ", again", try bench.read(again), bench, &tallies)
    }
  }

  private func fit(
    _ name: String, _ image: PlanarImage, _ bench: Workbench, _ tallies: inout FitTallies
  ) throws {
    let whole = try bench.encode(image, quality: quality).count
    print("\(name): \(image.width) x \(image.height), \(whole) bytes at quality \(quality)")
    let budgets = budget.map { [$0] } ?? Self.shares.map { Int(Double(whole) * $0) }
    for budget in budgets {
      print("  \(budget) bytes")
      var row = try ours(image, bench, budget)
      tallies.add(row, to: "talon", budget)
      print(row.line("talon"))
      for phone in PhoneLimiter.allCases {
        row = try theirs(image, bench, budget, phone)
        tallies.add(row, to: phone.rawValue, budget)
        print(row.line(phone.rawValue))
      }
    }
  }

  private func ours(_ image: PlanarImage, _ bench: Workbench, _ budget: Int) throws -> FitRow {
    let photo: FittedPhoto, jpeg: [UInt8]
    do throws(CameraError) {
      (photo, jpeg) = try bench.fit(image, quality: quality, PhotoLimits(bytes: budget))
    } catch {
      guard case .tooLarge(let bytes, _) = error else { throw ValidationError("not encoded: \(error)") }
      return FitRow(bytes: bytes, fits: false)
    }
    var row = FitRow(
      bytes: photo.count, fits: true, quality: photo.quality,
      scale: Double(photo.width) / Double(image.width), encodings: photo.encodings,
      coding: photo.coding, likeness: try bench.likeness(of: jpeg, to: image),
      isBound: photo.quality < quality || photo.width < image.width)
    if photo.width == image.width, photo.quality < quality {
      let next = try bench.encode(image, quality: photo.quality + 1, coding: photo.coding)
      row.isStep = next.count > budget
    }
    return row
  }

  private func theirs(
    _ image: PlanarImage, _ bench: Workbench, _ budget: Int, _ phone: PhoneLimiter
  ) throws -> FitRow {
    let (outcome, jpeg) = try bench.fit(image, like: phone, quality: quality, budget: budget)
    guard let last = outcome.steps.last else { return FitRow(bytes: 0, fits: false) }
    return FitRow(
      bytes: outcome.bytes, fits: outcome.fits, quality: Int((last.quality * 100).rounded()),
      scale: Double(last.width) / Double(image.width), encodings: outcome.steps.count,
      likeness: try bench.likeness(of: jpeg, to: image), isBound: outcome.steps.count > 1)
  }
}

/// What came of one picture and one limit.
struct FitRow {
  var bytes: Int
  var fits: Bool
  var quality = 0
  var scale = 0.0
  var encodings = 0
  var coding = JPEGCoding.standard
  var likeness = 0.0
  /// True when the limit cost quality or size.
  var isBound = false
  /// True when the next quality in percent would be above the limit.
  var isStep = false

  func line(_ name: String) -> String {
    let name = name.padding(toLength: 8, withPad: " ", startingAt: 0)
    guard fits else { return "    \(name) too large, \(bytes) bytes" }
    let figures = String(
      format: "%9d bytes  quality %3d  scale %.2f  encodings %2d  %5.1f dB", bytes, quality, scale, encodings,
      likeness)
    return "    " + name + figures + (coding == .standard ? "" : "  \(coding)")
  }
}

/// What came of all of them.
struct FitTallies {
  private struct Tally {
    var encodings: [Int] = []
    var under: [Double] = []
    var likeness = 0.0
    var refused = 0, above = 0, steps = 0
  }

  private var names: [String] = []
  private var tallies: [String: Tally] = [:]

  mutating func add(_ row: FitRow, to name: String, _ budget: Int) {
    if tallies[name] == nil { names.append(name) }
    var tally = tallies[name] ?? Tally()
    defer { tallies[name] = tally }
    guard row.fits else { return tally.refused += 1 }
    tally.encodings.append(row.encodings)
    tally.likeness += row.likeness
    if row.bytes > budget { tally.above += 1 }
    guard row.isBound else { return }
    let under = 100 - 100 * Double(row.bytes) / Double(budget)
    tally.under.append(under)
    if under > 8, row.isStep { tally.steps += 1 }
  }

  /// Of the photos of one who fits them; `nan` where there are none.
  func figures(of name: String) -> [Measurement] {
    let tally = tallies[name] ?? Tally()
    func row(_ what: String, _ value: Double, _ unit: String, _ bar: Bar) -> Measurement {
      Measurement(name: what, value: value, unit: unit, bar: bar)
    }
    let (count, bound) = (Double(tally.encodings.count), Double(tally.under.count))
    return [
      row("encodings, mean", Double(tally.encodings.reduce(0, +)) / count, "", .fitEncodings),
      row("encodings, most", tally.encodings.max().map { Double($0) } ?? .nan, "", .fitMost),
      row("share of the limit that is used, where it binds", 100 - tally.under.reduce(0, +) / bound, "%", .fitUsed),
      row("photos above the limit", Double(tally.above), "", .fitAbove),
    ]
  }

  func report() {
    for name in names {
      guard let tally = tallies[name], !tally.encodings.isEmpty else { continue }
      let (encodings, under) = (tally.encodings.sorted(), tally.under.sorted())
      let mean = Double(encodings.reduce(0, +)) / Double(encodings.count)
      let rare = encodings[(encodings.count * 99 + 99) / 100 - 1]
      let near = under.filter { $0 <= 8 }.count
      print(
        String(
          format: """
            %@: %d fitted, %d too large, %d above the limit; encodings: mean %.2f, 99th percentile %d, most %d; \

            """,
          name.padding(toLength: 8, withPad: " ", startingAt: 0), encodings.count, tally.refused, tally.above, mean,
          rare, encodings.last ?? 0)
          + String(
            format: """
              under the limit where it binds: mean %.1f %%, within 8 %%: %d of %d, \
              and %d more whose next quality does not fit; mean %.1f dB
              """,
            under.reduce(0, +) / Double(max(under.count, 1)), near, under.count, tally.steps,
            tally.likeness / Double(encodings.count)))
    }
  }
}
