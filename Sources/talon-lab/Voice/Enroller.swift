import Foundation
import Runtime
import Voice

/// What makes a vector of a phrase.
struct Enroller {
  let speech: SpeechBank
  let covariance: WakeCovariance
  let words: NearWords
  let utterances: Int
  let rooms: Int
  let near: Int
  let seed: UInt64
  let synthesizers: Synthesizers
  let embedder: Embedder

  /// Samples behind a word's end in which a window of it may end, and every how many recordings one is kept to find the threshold.
  private static let late = 3_200, held = 4
  /// Of how many utterances one is kept to see how many are heard, and in how many voices each near word is spoken.
  private static let checked = 7, nearVoices = 6
  /// A word that is cut off behind this part of it must not wake anybody.
  private static let parts = [0.45, 0.6]

  /// The phrase's file, and a line about it.
  func enrol(_ phrase: String) throws -> (file: Data, report: String) {
    var random = LabRandom(seed: seed)
    var (positives, negatives, checks) = (WakeExamples(), WakeExamples(), WakeExamples())
    for index in 0..<utterances {
      let word = try synthesizers.speak(phrase, voice: index, &random)
      guard word.count > 1600 else { continue }
      for room in 0..<rooms {
        let heard = hear(word, first: word.count / 2, &random)
        let whole = heard.filter { $0.late >= 0 && $0.late <= Self.late }
        if index % Self.checked == 0 { checks.add(whole) } else { positives.add(whole) }
        // Not yet said, which is the same as cut off until silence follows; that is heard for one cut in three.
        negatives.add(heard.filter { $0.late < -word.count / 3 })
        if room == 0, index % 3 == 0 { try addParts(of: word, part: index / 3, to: &negatives, &random) }
      }
    }
    guard positives.count > utterances / 2 else {
      throw SoundFile.Failure(description: "\(phrase): the synthesizers say next to nothing")
    }
    for word in try words.find(phrase, count: near) + NearWords.parts(of: phrase) {
      for _ in 0..<Self.nearVoices {
        let spoken = try synthesizers.speak(word, voice: Int(random.next() % 150), &random)
        negatives.add(hear(spoken, first: spoken.count / 2, &random))
      }
    }
    return try fit(phrase, positives, negatives, checks)
  }

  /// The beginning of a word, or its second half, and silence.
  private func addParts(
    of word: [Float], part: Int, to negatives: inout WakeExamples, _ random: inout LabRandom
  ) throws {
    let pieces =
      Self.parts.map { Array(word.prefix(Int(Double(word.count) * $0))) } + [
        Array(word.suffix(word.count / 2))
      ]
    negatives.add(hear(pieces[part % pieces.count], first: 0, &random))
  }

  /// The windows of a word in some room that end `first` samples before it does, or later.
  private func hear(_ word: [Float], first: Int, _ random: inout LabRandom) -> [WakeWindow] {
    let (samples, end) = Room.place(word, first: first, &random)
    let vectors = embedder.vectors(of: samples)
    let steps = vectors.map { speech.project($0.vector) }
    return vectors.indices.filter {
      $0 + 1 >= Budget.wakeVectors && vectors[$0].end >= end - first && vectors[$0].end <= end + Self.late
    }.map {
      WakeWindow(
        late: vectors[$0].end - end, floats: Array(steps[($0 + 1 - Budget.wakeVectors)...$0].joined()))
    }
  }

  private func fit(
    _ phrase: String, _ positives: WakeExamples, _ negatives: WakeExamples, _ checks: WakeExamples
  ) throws -> (file: Data, report: String) {
    let usable = speech.sequences.filter { !Self.contains($0.transcript, phrase) }.map {
      speech.floats(of: $0)
    }
    let kept = usable.enumerated().filter { $0.offset % Self.held == 0 }.map(\.element)
    let rest = usable.enumerated().filter { $0.offset % Self.held != 0 }.map(\.element)
    let weights = WakeFit(positives: positives, negatives: negatives, speech: rest, covariance: covariance)
      .run()
    let loudest = kept.map { WakeFit.scores($0, weights).max() ?? -.infinity }.sorted(by: >)
    let heard = (0..<checks.count).map { index in
      WakeFit.scores(
        Array(checks.floats[(index * WakeExamples.width)..<((index + 1) * WakeExamples.width)]), weights)[0]
    }.sorted()
    // Above all real speech that was kept aside, but not so that more than every fifth of the synthetic voices that were is missed:
    // that speech may well have the phrase in it.
    let threshold = max(0, min((loudest.first ?? 0) + 0.1, heard[heard.count / 5]))
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
