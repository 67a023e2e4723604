import ArgumentParser
import Foundation
import Runtime
import Voice

/// Listens for phrases in recordings.
struct WakeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "wake",
    abstract: "Detects wake phrases in recordings as the agent does, and prints one JSON object for each.",
    discussion: """
      A phrase is one that is built in, or the vector in a file that `enrol` made. Recordings are WAV, or whatever \
      ffmpeg reads. Each object has the file, its seconds, what was heard and when, and the best score of each phrase.
      """)

  @Option(name: .long, help: "A phrase, or a file with its vector; may be given many times.")
  var phrase: [String] = []

  @Option(help: "What is added to every phrase's threshold.")
  var caution: Float = 0

  @Flag(help: "Listen always, without the energy gate.")
  var ungated = false

  @Flag(help: "Say instead at which threshold how often each phrase is heard in all files together.")
  var calibrate = false

  @Flag(help: "List the phrases that are built in, and end.")
  var list = false

  @Argument(help: "Recordings, or folders of them.")
  var files: [String] = []

  func validate() throws {
    if list { return }
    guard !phrase.isEmpty, phrase.count <= Budget.wakePhrases else {
      throw ValidationError("--phrase must be given 1 to \(Budget.wakePhrases) times")
    }
    guard !files.isEmpty else { throw ValidationError("say which recordings") }
  }

  func run() throws {
    guard !list else { return listPhrases() }
    let vectors = try PhraseSet(phrase)
    var calibration = Calibration(phrases: vectors.names)
    for file in try SoundFile.files(in: files) {
      let samples = SoundFile.integers(try SoundFile.read(file))
      let outcome = try vectors.listen(
        samples, caution: calibrate ? -1000 : caution, isGated: !ungated, record: calibrate)
      if calibrate {
        calibration.add(outcome, seconds: Double(samples.count) / Double(Budget.voiceRate))
      } else {
        report(file, samples.count, outcome, vectors)
      }
    }
    if calibrate { calibration.report() }
  }

  private func listPhrases() {
    PhraseBank.builtIn.forEach { file in
      print(String(decoding: file.text, as: UTF8.self))
      return true
    }
  }

  private func report(_ file: String, _ samples: Int, _ outcome: WakeOutcome, _ vectors: PhraseSet) {
    let rate = Double(Budget.voiceRate)
    var object: [String: Any] = [
      "file": file, "seconds": rounded(Double(samples) / rate), "heardSeconds": rounded(outcome.heard),
    ]
    object["detections"] = outcome.detections.map {
      [
        "phrase": vectors.names[$0.phrase], "seconds": rounded(Double($0.sample) / rate),
        "score": rounded(Double($0.score)),
      ]
    }
    object["best"] = Dictionary(
      uniqueKeysWithValues: zip(vectors.names, outcome.best.map { $0.isFinite ? rounded(Double($0)) : -999 }))
    guard
      let data = try? JSONSerialization.data(
        withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes])
    else { return }
    print(String(decoding: data, as: UTF8.self))
  }

  private func rounded(_ number: Double) -> Double { (number * 1000).rounded() / 1000 }
}

/// What was heard in a recording.
struct WakeOutcome {
  var detections: [WakeDetection] = []
  /// The best score of each phrase.
  var best: [Float]
  /// Each phrase's score of each window, where that was asked for.
  var scores: [[Float]]
  /// Seconds that went through the network.
  var heard = 0.0
}

/// The vectors of the phrases that were asked for.
struct PhraseSet {
  private(set) var names: [String] = []
  private var files: [Data] = []

  /// Names of phrases that are built in, or of files.
  init(_ phrases: [String]) throws {
    for phrase in phrases {
      if let data = FileManager.default.contents(atPath: phrase) {
        try add(data, phrase)
      } else {
        try add(try Self.builtIn(phrase), phrase)
      }
    }
  }

  /// Adds all phrases of a file.
  private mutating func add(_ data: Data, _ name: String) throws {
    var rest = data
    repeat {
      let (text, size) = try rest.withUnsafeBytes { bytes in
        do throws(PhraseFileError) {
          let file = try PhraseFile(bytes)
          return (String(decoding: file.text, as: UTF8.self), file.size)
        } catch {
          throw SoundFile.Failure(description: "\(name) \(error.text)")
        }
      }
      guard !names.contains(text) else {
        throw SoundFile.Failure(description: "\(name): \(text) is given twice")
      }
      names.append(text)
      files.append(Data(rest.prefix(size)))
      rest = Data(rest.dropFirst(size))
    } while !rest.isEmpty
  }

  /// The threshold of each.
  func thresholds() throws -> [Float] { try files.map { try $0.withUnsafeBytes { try PhraseFile($0).threshold } } }

  /// Some of them.
  func part(_ range: Range<Int>) -> PhraseSet {
    var part = self
    (part.names, part.files) = (Array(names[range]), Array(files[range]))
    return part
  }

  private static func builtIn(_ phrase: String) throws -> Data {
    let bytes = Array(phrase.utf8)
    let found = bytes.withUnsafeBufferPointer { buffer -> Data? in
      guard let text = PhraseText(buffer), let file = PhraseBank.builtIn.find(text) else { return nil }
      return Data(UnsafeRawBufferPointer(start: file.bytes.baseAddress, count: file.size))
    }
    guard let found else {
      throw SoundFile.Failure(
        description: "\(phrase): neither a file nor built in; `talon-lab enrol` makes its vector")
    }
    return found
  }

  /// Listens as the agent does, in blocks of 20 ms.
  func listen(_ samples: [Int16], caution: Float, isGated: Bool, record: Bool = false) throws -> WakeOutcome {
    guard let model = VoiceModel.builtIn else {
      throw SoundFile.Failure(description: "the built-in model is broken")
    }
    let listener = WakeListener(model)
    for file in files { try file.withUnsafeBytes { _ = listener.detector.add(try PhraseFile($0)) } }
    listener.detector.caution = caution
    listener.isGated = isGated
    var outcome = WakeOutcome(best: names.map { _ in -.infinity }, scores: names.map { _ in [] })
    samples.withUnsafeBufferPointer { buffer in
      for start in stride(from: 0, to: buffer.count, by: 160) {
        listener.hear(UnsafeBufferPointer(rebasing: buffer[start..<min(start + 160, buffer.count)]))
        while let detection = listener.next() { outcome.detections.append(detection) }
        for index in names.indices {
          let score = listener.detector.score(of: index)
          outcome.best[index] = max(outcome.best[index], score)
          if record, start / 160 % 8 == 0 { outcome.scores[index].append(score) }
        }
      }
    }
    outcome.heard = Double(listener.hopsHeard) / 100
    return outcome
  }
}

/// How often phrases are heard at which threshold.
struct Calibration {
  private static let thresholds = stride(from: Float(-3), through: 8, by: 0.5)
  let phrases: [String]
  private var counts: [[Int]]
  private var recordings: [[Int]]
  private var files = 0
  private var seconds = 0.0

  init(phrases: [String]) {
    self.phrases = phrases
    counts = phrases.map { _ in Self.thresholds.map { _ in 0 } }
    recordings = counts
  }

  mutating func add(_ outcome: WakeOutcome, seconds: Double) {
    files += 1
    self.seconds += seconds
    let quiet = Budget.wakeRefractoryMilliseconds / 80
    for phrase in phrases.indices {
      for (index, threshold) in Self.thresholds.enumerated() {
        var (found, last) = (0, -quiet - 1)
        for (place, score) in outcome.scores[phrase].enumerated()
        where score > threshold && place - last > quiet {
          (found, last) = (found + 1, place)
        }
        counts[phrase][index] += found
        recordings[phrase][index] += found > 0 ? 1 : 0
      }
    }
  }

  func report() {
    print("\(files) recordings, \(String(format: "%.2f", seconds / 3600)) hours")
    for phrase in phrases.indices {
      print("\(phrases[phrase]): threshold, times heard, recordings in which it was")
      for (index, threshold) in Self.thresholds.enumerated() {
        print(String(format: "%6.1f %6d %6d", threshold, counts[phrase][index], recordings[phrase][index]))
      }
    }
  }
}
