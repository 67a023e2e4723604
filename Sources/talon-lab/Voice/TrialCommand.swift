import ArgumentParser
import Enrolment
import Foundation
import Runtime
import Voice

/// Tries the built-in phrases, so that a change that makes the ear worse is seen.
struct TrialCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trial",
    abstract: """
      Says built-in wake phrases in many synthetic voices, then an hour of speech without them, and fails when too \
      few or too many are detected.
      """,
    discussion: """
      Prints how often each phrase was heard, how often one was heard that nobody said, and what listening costs \
      beside the multiply-adds of the network alone. Needs flite, espeak-ng and wamerican-small. The voices are those \
      of the synthesizers that the vectors were made with, said anew, in rooms of up to as much noise as 5 dB below \
      them, and what is read are words by chance, so this shows whether something was broken, and not how people fare. \
      The floors stand well below what was measured. In brackets stand the bounds between which the true value lies \
      with 95 % confidence.
      """)

  @Option(
    help:
      "How many of the built-in phrases are tried: from the first to the last, as far from each other as they can be.")
  var phrases = 12

  @Option(help: "How often each phrase is said.")
  var utterances = 40

  @Option(help: "How many minutes are read aloud.")
  var minutes = 60

  @Option(help: "A list of words, one a line, to read.")
  var words = "/usr/share/dict/american-english-small"

  @Option(help: "Percent of all utterances that must be heard.")
  var leastRecall = 40

  @Option(help: "How often an hour any phrase may be heard while nobody says one.")
  var mostFalse = 120

  @Option(help: "What makes the voices, rooms and words of one run differ from those of another.")
  var seed: UInt64 = 7

  func validate() throws {
    guard 1...5000 ~= utterances, 0...6000 ~= minutes, 1...Budget.wakePhrases ~= phrases else {
      throw ValidationError("--utterances must be 1 to 5000, --minutes 0 to 6000, --phrases 1 to \(Budget.wakePhrases)")
    }
  }

  func run() throws {
    let all = try Self.builtIn()
    let phrases = all.count <= self.phrases ? all : (0..<self.phrases).map { all[$0 * all.count / self.phrases] }
    let vectors = try PhraseSet(phrases)
    let voices = try Synthesizers()
    var total = 0
    for (index, phrase) in phrases.enumerated() {
      var random = SeededRandom(seed: seed &+ UInt64(index))
      let heard = try hear(phrase, index, vectors, voices, &random)
      print("\(phrase): \(heard) of \(utterances) heard")
      total += heard
    }
    var isWell = total * 100 >= leastRecall * utterances * phrases.count
    let part = Confidence.part(total, of: utterances * phrases.count)
    print(
      String(
        format: "%d of %d heard, %.1f %% (%.1f to %.1f)", total, utterances * phrases.count,
        100 * Double(total) / Double(utterances * phrases.count), 100 * part.lowerBound, 100 * part.upperBound))
    if minutes > 0, !(try read(vectors, voices)) { isWell = false }
    if !isWell {
      print("worse than the floor: \(leastRecall) % of all, and \(mostFalse) false accepts an hour")
      throw ExitCode.failure
    }
  }

  private static func builtIn() throws -> [String] {
    var phrases: [String] = []
    PhraseBank.builtIn.forEach { file in
      phrases.append(String(decoding: file.text, as: UTF8.self))
      return true
    }
    guard !phrases.isEmpty else { throw SoundFile.Failure(description: "no phrase is built in") }
    return phrases
  }

  // MARK: Saying it

  private func hear(
    _ phrase: String, _ number: Int, _ vectors: PhraseSet, _ voices: Synthesizers, _ random: inout SeededRandom
  ) throws -> Int {
    var heard = 0
    for voice in 0..<utterances {
      let word = try voices.speak(phrase, voice: voice, &random)
      let (samples, _) = Room.place(word, first: 0, &random)
      let outcome = try vectors.listen(samples, caution: 0, isGated: true)
      if outcome.detections.contains(where: { vectors.names[$0.phrase] == vectors.names[number] }) { heard += 1 }
    }
    return heard
  }

  // MARK: Reading

  /// True when it was good enough.
  private func read(_ vectors: PhraseSet, _ voices: Synthesizers) throws -> Bool {
    let list = try SpokenWords(words, without: vectors.names)
    var random = SeededRandom(seed: seed &+ 1000)
    var (found, seconds, heard, work) = (0, 0.0, 0.0, 0.0)
    var voice = 0
    while seconds < Double(minutes) * 60 {
      var minute: [Int16] = []
      while minute.count < 60 * Budget.voiceRate {
        let said = try voices.speak(list.sentence(&random), voice: voice, &random)
        minute += Room.place(said, first: -Room.before, &random).samples
        voice += 1
      }
      var outcome = WakeOutcome(best: [], scores: [])
      work += try Stopwatch.best(of: 1) { outcome = try vectors.listen(minute, caution: 0, isGated: true) }
      for detection in outcome.detections {
        let second = Int(seconds) + Int(detection.sample) / Budget.voiceRate
        print("heard \(vectors.names[detection.phrase]) at \(second) s, score \(detection.score)")
      }
      found += outcome.detections.count
      seconds += Double(minute.count) / Double(Budget.voiceRate)
      heard += outcome.heard
    }
    let mean = Confidence.mean(found)
    print(
      String(
        format: "%d false accepts (%.1f to %.1f) in %.2f hours of speech in %d sentences", found, mean.lowerBound,
        mean.upperBound, seconds / 3600, voice))
    let share = 100 * work / heard
    print(
      String(
        format: "listening takes %.2f %% of a core, %.1f times its multiply-adds alone", share,
        work / heard / MultiplyAdds.secondsOfListening()))
    return Double(found) <= Double(mostFalse) * max(seconds / 3600, 1)
  }
}

/// Sentences of words by chance, without any in which a phrase could be heard rightly.
private struct SpokenWords {
  /// Sounds like Claude.
  private static let alike = ["clawed"]
  private let words: [String]

  init(_ path: String, without phrases: [String]) throws {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw SoundFile.Failure(
        description: "\(path) is not there: install Debian's wamerican-small, or name another list with --words")
    }
    let spoken: [String] = phrases.flatMap { $0.split(separator: " ").map(String.init) }
    let parts: [String] = spoken.filter { $0 != "hey" } + Self.alike
    let lines: [String] = String(decoding: data, as: UTF8.self).split(separator: "\n").map { $0.lowercased() }
    words = lines.filter { word in
      word.allSatisfy { $0.isASCII && $0.isLetter } && !parts.contains { word.contains($0) }
    }
    guard words.count > 100 else { throw SoundFile.Failure(description: "\(path) has too few words") }
  }

  func sentence(_ random: inout SeededRandom) -> String {
    let count = 6 + Int(random.next() % 10)
    return (0..<count).map { _ in words[Int(random.next() % UInt64(words.count))] }.joined(separator: " ") + "."
  }
}

/// What a machine needs for the network's multiply-adds and nothing else: the yardstick of the detector's speed.
private enum MultiplyAdds {
  /// Of one second of sound: 12.5 vectors, as the trial of the design counted them.
  private static let perSecond = 70_000_000

  /// Seconds for those, in vectors of eight that stay in the nearest cache.
  static func secondsOfListening() -> Double {
    let (left, right) = (FloatTable(count: 1024), FloatTable(count: 1024))
    for index in 0..<1024 { (left.floats[index], right.floats[index]) = (Float(index % 7) / 7, Float(index % 11) / 11) }
    let a = UnsafeRawPointer(left.floats).assumingMemoryBound(to: SIMD8<Float>.self)
    let b = UnsafeRawPointer(right.floats).assumingMemoryBound(to: SIMD8<Float>.self)
    var total: Float = 0
    let seconds = Stopwatch.best(of: 5) {
      var sums = (SIMD8<Float>.zero, SIMD8<Float>.zero, SIMD8<Float>.zero, SIMD8<Float>.zero)
      for _ in 0..<(perSecond / 1024) {
        for index in stride(from: 0, to: 128, by: 4) {
          sums.0 += a[index] * b[index]
          sums.1 += a[index + 1] * b[index + 1]
          sums.2 += a[index + 2] * b[index + 2]
          sums.3 += a[index + 3] * b[index + 3]
        }
      }
      total += (sums.0 + sums.1 + sums.2 + sums.3).sum()
    }
    precondition(total > 0)
    return seconds
  }
}
