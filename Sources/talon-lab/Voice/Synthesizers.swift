import Enrolment
import Foundation

/// Speaks with the voices of flite and espeak-ng: two families, of which either alone teaches its own manners.
struct Synthesizers {
  private static let flite = ["slt", "rms", "awb", "kal16", "kal"]
  private static let accents = [
    "en-us", "en-gb", "en-gb-x-rp", "en-gb-scotland", "en-us-nyc", "en-029", "en-gb-x-gbclan",
  ]
  private static let variants = [
    "", "+m1", "+m2", "+m3", "+m4", "+m5", "+m6", "+m7", "+f1", "+f2", "+f3", "+f4", "+f5", "+klatt2",
    "+klatt4",
  ]

  /// The accents that this machine's espeak-ng has.
  private let accents: [String]

  /// Throws when a synthesizer is missing.
  init() throws {
    _ = try HostProgram.run("flite", ["-lv"])
    accents = Self.accents.filter { (try? HostProgram.run("espeak-ng", ["-q", "-v", $0, "a"])) != nil }
    guard !accents.isEmpty else {
      throw SoundFile.Failure(description: "espeak-ng: no English voice; install Debian's espeak-ng")
    }
  }

  /// A text in the voice of this number: even numbers are espeak-ng's, odd ones flite's. Silence at the ends is cut
  /// off.
  func speak(_ text: String, voice: Int, _ random: inout SeededRandom) throws -> [Float] {
    let samples = voice % 2 == 0 ? try espeak(text, voice / 2, &random) : try flite(text, voice / 2, &random)
    // A little slower or faster than it was spoken makes another throat, much faster a child's.
    let speed = voice / 2 % 4 != 3 ? random.number(0.92...1.1) : random.number(0.8...1.35)
    return Self.trim(SoundFile.resample(samples, from: speed, to: 1))
  }

  private func espeak(_ text: String, _ number: Int, _ random: inout SeededRandom) throws -> [Float] {
    let voice =
      accents[Int(random.next() % UInt64(accents.count))] + Self.variants[number % Self.variants.count]
    let speed = Int(random.number(120...290)), pitch = Int(random.number(20...80))
    let data = try HostProgram.run(
      "espeak-ng", ["-v", voice, "-s", "\(speed)", "-p", "\(pitch)", "--stdout", text])
    return try SoundFile.wave(data, "what espeak-ng said")
  }

  private func flite(_ text: String, _ number: Int, _ random: inout SeededRandom) throws -> [Float] {
    let voice = Self.flite[number % Self.flite.count]
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("talon-\(UUID().uuidString).wav")
      .path
    defer { try? FileManager.default.removeItem(atPath: file) }
    let stretch = String(format: "%.2f", random.number(0.55...1.25)),
      pitch = String(format: "%.0f", random.number(85...210))
    _ = try HostProgram.run(
      "flite",
      [
        "-voice", voice, "--setf", "duration_stretch=\(stretch)", "--setf", "int_f0_target_mean=\(pitch)",
        "-t", text, "-o", file,
      ])
    return try SoundFile.read(file)
  }

  /// From the first to the last sample that is not far below the loudest.
  static func trim(_ samples: [Float]) -> [Float] {
    let level = 0.03 * (samples.map(abs).max() ?? 0)
    guard level > 0, let first = samples.firstIndex(where: { abs($0) > level }),
      let last = samples.lastIndex(where: { abs($0) > level })
    else { return [] }
    return Array(samples[first...last])
  }
}
