import ArgumentParser
import Foundation
import Runtime
import Voice

/// Makes the vectors of phrases.
struct EnrolCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "enrol",
    abstract: "Makes the vectors by which the agent hears phrases, from synthetic voices.",
    discussion: """
      Speaks each phrase with the voices of flite and espeak-ng (Debian's packages of these names), in rooms with noise, and fits a \
      vector that tells it from real speech (`bank`), from words that sound like it, and from its own parts. Several phrases make one \
      file, which may be built in.
      """)

  @Option(help: "A bank of real speech, made by `bank`.")
  var bank: String

  @Option(
    help:
      "A list of words, one a line, of which those that sound like the phrase are taken (Debian: wamerican-small)."
  )
  var words = "/usr/share/dict/american-english-small"

  @Option(help: "How often each phrase is spoken.")
  var utterances = 300

  @Option(help: "In how many rooms each utterance is heard.")
  var rooms = 3

  @Option(help: "How many words that sound like it are taken, and how often each is spoken.")
  var near = 60

  @Option(help: "What makes the voices and rooms of one run differ from those of another.")
  var seed: UInt64 = 1

  @Option(name: .shortAndLong, help: "The file to make.")
  var output: String

  @Argument(help: "The phrases.")
  var phrases: [String]

  func validate() throws {
    guard 10...5000 ~= utterances, 1...20 ~= rooms, 0...500 ~= near else {
      throw ValidationError("--utterances must be 10 to 5000, --rooms 1 to 20, --near 0 to 500")
    }
  }

  func run() throws {
    let speech = try SpeechBank(contentsOf: bank)
    guard let text = FileManager.default.contents(atPath: words) else {
      throw ValidationError("\(words) cannot be read")
    }
    let list = String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init).filter {
      $0.allSatisfy(\.isLetter)
    }
    let enroller = Enroller(
      speech: speech, words: list, utterances: utterances, rooms: rooms, near: near, seed: seed,
      synthesizers: try Synthesizers(),
      embedder: try Embedder())
    var data = Data()
    for phrase in phrases {
      let (file, report) = try enroller.enrol(phrase)
      data.append(file)
      print(report)
    }
    try data.write(to: URL(fileURLWithPath: output))
  }
}

/// What makes a vector of a phrase.
struct Enroller {
  let speech: SpeechBank
  let words: [String]
  let utterances: Int
  let rooms: Int
  let near: Int
  let seed: UInt64
  let synthesizers: Synthesizers
  let embedder: Embedder

  /// Samples behind a word's end in which a window of it may end, and every how many recordings one is kept to find the threshold.
  private static let late = 3_200, held = 4
  /// A word that is cut off behind this part of it must not wake anybody.
  private static let parts = [0.45, 0.6]

  /// The phrase's file, and a line about it.
  func enrol(_ phrase: String) throws -> (file: Data, report: String) {
    var random = LabRandom(seed: seed)
    let spoken = try (0..<utterances).map { try synthesizers.speak(phrase, voice: $0, &random) }.filter {
      $0.count > 1600
    }
    guard spoken.count > utterances / 2 else {
      throw SoundFile.Failure(description: "\(phrase): the synthesizers say next to nothing")
    }
    var (positives, negatives, checks) = (WakeExamples(), WakeExamples(), WakeExamples())
    for (index, word) in spoken.enumerated() {
      for _ in 0..<rooms {
        let windows = ends(of: word, &random)
        if index % 8 == 7 { add(windows, to: &checks) } else { add(windows, to: &positives) }
      }
      for part in Self.parts {
        add(all(of: Array(word.prefix(Int(Double(word.count) * part))), &random), to: &negatives)
      }
      if index % 2 == 0 { add(ends(of: Array(word.suffix(word.count / 2)), &random), to: &negatives) }
    }
    let others = try NearWords.find(phrase, in: words, count: near) + NearWords.parts(of: phrase)
    for word in others {
      for _ in 0..<8 {
        add(
          all(of: try synthesizers.speak(word, voice: Int(random.next() % 150), &random), &random),
          to: &negatives)
      }
    }
    return try fit(phrase, positives, negatives, checks)
  }

  private func add(_ windows: [[Float]], to examples: inout WakeExamples) {
    for window in windows { examples.add(window) }
  }

  /// The windows that end with a word or a little later.
  private func ends(of word: [Float], _ random: inout LabRandom) -> [[Float]] {
    let (samples, end) = Room.place(word, &random)
    return windows(of: samples) { $0 >= end && $0 <= end + Self.late }
  }

  /// The windows from the middle of a word to behind it.
  private func all(of word: [Float], _ random: inout LabRandom) -> [[Float]] {
    let (samples, end) = Room.place(word, &random)
    return windows(of: samples) { $0 >= end - word.count / 2 && $0 <= end + Self.late }
  }

  private func windows(of samples: [Int16], where isWanted: (Int) -> Bool) -> [[Float]] {
    let vectors = embedder.vectors(of: samples)
    let projected = vectors.map { speech.project($0.vector) }
    return vectors.indices.filter { $0 + 1 >= Budget.wakeVectors && isWanted(vectors[$0].end) }
      .map { Array(projected[($0 + 1 - Budget.wakeVectors)...$0].joined()) }
  }

  private func fit(
    _ phrase: String, _ positives: WakeExamples, _ negatives: WakeExamples, _ checks: WakeExamples
  ) throws -> (file: Data, report: String) {
    let usable = speech.sequences.filter { !Self.contains($0.transcript, phrase) }.map {
      speech.floats(of: $0)
    }
    let kept = usable.enumerated().filter { $0.offset % Self.held == 0 }.map(\.element)
    let rest = usable.enumerated().filter { $0.offset % Self.held != 0 }.map(\.element)
    let weights = WakeFit(positives: positives, negatives: negatives, speech: rest).run()
    let loudest = kept.map { WakeFit.scores($0, weights).max() ?? -.infinity }.sorted(by: >)
    let heard = (0..<checks.count).map { index in
      WakeFit.scores(
        Array(checks.floats[(index * WakeExamples.width)..<((index + 1) * WakeExamples.width)]), weights)[0]
    }.sorted()
    // What real speech that was kept aside reaches, but not more than nine of ten synthetic voices that were.
    let threshold = max(0, min((loudest.first ?? 0) + 0.3, heard[heard.count / 10]))
    let (expanded, bias) = speech.expand(Array(weights.dropLast()), bias: weights.last ?? 0)
    let part = Double(heard.filter { $0 > threshold }.count) / Double(max(1, heard.count))
    let report = String(
      format:
        "%@: threshold %.2f; %.1f %% of %d windows of voices kept aside; best scores of speech kept aside %.2f %.2f %.2f",
      phrase,
      threshold, 100 * part, heard.count, loudest.first ?? 0, loudest.dropFirst().first ?? 0,
      loudest.dropFirst(2).first ?? 0)
    return (try Self.file(phrase, threshold, bias, expanded), report)
  }

  /// True when a transcript has the phrase's words in it.
  private static func contains(_ transcript: String, _ phrase: String) -> Bool {
    let plain = { (text: String) in
      " " + text.lowercased().split { !$0.isLetter && !$0.isNumber }.joined(separator: " ") + " "
    }
    return plain(transcript).contains(plain(phrase))
  }

  private static func file(_ phrase: String, _ threshold: Float, _ bias: Float, _ weights: [Float]) throws
    -> Data
  {
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: Budget.wakeFileBytes, alignment: 8)
    defer { bytes.deallocate() }
    let size = Array(phrase.utf8).withUnsafeBufferPointer { buffer -> Int? in
      guard let text = PhraseText(buffer) else { return nil }
      return weights.withUnsafeBufferPointer {
        PhraseFile.write(text, threshold: threshold, bias: bias, weights: $0.baseAddress!, into: bytes)
      }
    }
    guard let size else {
      throw SoundFile.Failure(
        description: "\(phrase): no phrase of 1 to \(Budget.wakePhraseUnits) characters")
    }
    return Data(bytes[..<size])
  }
}
