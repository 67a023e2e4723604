import ArgumentParser
import Enrolment
import Foundation
import Runtime
import Voice

/// Makes the vectors of phrases.
struct EnrolCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "enrol",
    abstract: "Makes the vectors by which the agent detects wake phrases, from synthetic voices.",
    discussion: """
      Speaks each phrase with the voices of flite and espeak-ng (Debian's packages of these names), beside recordings \
      of it by better ones (`board/voices`) or by people, in rooms with noise, and fits a vector that \
      tells it from real speech (built in, or made by `bank`), from words that sound like it, and from its own parts. \
      Several phrases make one file, which may be built in.
      """)

  @Option(help: "A bank of real speech, made by `bank`, instead of the one that is built in.")
  var bank: String?

  @Option(
    help:
      "A list of words, one a line, of which those that sound like the phrase are taken (Debian: wamerican-small)."
  )
  var words = "/usr/share/dict/american-english-small"

  @Option(help: "A folder with recordings: a phrase that has a folder in it is learned from these too.")
  var voices: String?

  @Option(help: "How often each phrase is spoken.")
  var utterances = 300

  @Option(help: "In how many rooms each utterance is heard.")
  var rooms = 2

  @Option(help: "How many words that sound like it are taken, and how often each is spoken.")
  var near = 60

  @Option(help: "What makes the voices and rooms of one run differ from those of another.")
  var seed: UInt64 = 1

  @Option(name: .shortAndLong, help: "The file to make.")
  var output: String

  @Option(help: "A file of more phrases, one a line; what begins with # is a comment.")
  var list: String?

  @Flag(help: "Go on with a file that was begun: what is in it stays.")
  var resume = false

  @Flag(help: "Leave out phrases that would seldom be heard, or too often when nobody says them.")
  var leaveOut = false

  @Flag(help: "Learn each phrase as a board does that somebody types it to, whatever else is said here.")
  var typed = false

  @Flag(help: "With --typed: as a board without espeak-ng.")
  var fliteAlone = false

  @Argument(help: "The phrases.")
  var phrases: [String] = []

  func validate() throws {
    guard 10...5000 ~= utterances, 1...20 ~= rooms, 0...500 ~= near else {
      throw ValidationError("--utterances must be 10 to 5000, --rooms 1 to 20, --near 0 to 500")
    }
    guard typed || !fliteAlone else { throw ValidationError("--flite-alone belongs to --typed") }
  }

  func run() throws {
    let all = try phrases.map { try Self.checked($0, "the phrase") } + (list.map(Self.phrases(of:)) ?? [])
    guard !all.isEmpty else { throw ValidationError("say which phrases, or --list a file of them") }
    guard let model = VoiceModel.builtIn else { throw ValidationError("the built-in model is broken") }
    let bank = try speech()
    let enrol =
      typed
      ? TypedEnroller(bank: bank, model: model, isFliteAlone: fliteAlone, seed: seed).enrol
      : try enroller(bank, model).enrol
    var data = resume ? FileManager.default.contents(atPath: output) ?? Data() : Data()
    let known = Self.phrases(in: data)
    for phrase in all where !known.contains(phrase) {
      let result = try enrol(phrase)
      let isLeftOut = leaveOut && result.isPoor
      if !isLeftOut { data.append(result.file) }
      // Each phrase takes some seconds to a minute: what is done is kept, and told at once.
      try data.write(to: URL(fileURLWithPath: output))
      try LabOutput.write(Data((result.report + (isLeftOut ? "; left out\n" : "\n")).utf8))
    }
  }

  private func enroller(_ bank: SpeechBank, _ model: VoiceModel) throws -> Enroller {
    let (plain, synthesizers) = (try Self.lines(of: words).filter(Self.isPlain), try Synthesizers())
    return Enroller(
      bank: bank, model: model, words: try NearWords(near > 0 ? plain : []),
      utterances: utterances, rooms: rooms, near: near, seed: seed, synthesizers: synthesizers,
      voices: try voices.map(RecordedWords.init),
      talk: try Enroller.talk(of: plain, synthesizers, seed: seed))
  }

  private static func phrases(in data: Data) -> Set<String> {
    var phrases: Set<String> = []
    data.withUnsafeBytes { bytes in
      PhraseBank(bytes).forEach { file in
        phrases.insert(String(decoding: file.text, as: UTF8.self))
        return true
      }
    }
    return phrases
  }

  /// The bank, in memory that lasts as long as the program.
  private func speech() throws -> SpeechBank {
    guard let bank else {
      guard let builtIn = SpeechBank.builtIn else { throw ValidationError("the built-in bank of speech is broken") }
      return builtIn
    }
    guard let data = FileManager.default.contents(atPath: bank) else { throw ValidationError("\(bank) cannot be read") }
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: data.count, alignment: 64)
    data.copyBytes(to: memory)
    do throws(SpeechBankError) {
      return try SpeechBank(UnsafeRawBufferPointer(memory))
    } catch {
      throw ValidationError("\(bank) \(error.text)")
    }
  }

  /// True of a word of 4 to 10 letters that is no name and has no ending: there are enough of these.
  private static func isPlain(_ word: String) -> Bool {
    4...10 ~= word.utf8.count && word.utf8.allSatisfy { 0x61...0x7A ~= $0 }
      && !["s", "ed", "ing", "ly"].contains(where: word.hasSuffix)
  }

  /// The phrases of a list.
  static func phrases(of path: String) throws -> [String] {
    guard let data = FileManager.default.contents(atPath: path) else { throw ValidationError("\(path) cannot be read") }
    guard let text = String(data: data, encoding: .utf8) else { throw ValidationError("\(path) is no text in UTF-8") }
    var phrases: [String] = []
    for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let line = line.trimmingCharacters(in: .whitespaces)
      if line.isEmpty || line.hasPrefix("#") { continue }
      phrases.append(try checked(line, "\(path), line \(number + 1)"))
    }
    guard !phrases.isEmpty else { throw ValidationError("\(path) has no phrase in it") }
    return phrases
  }

  /// A phrase that can be spoken: words of letters. Anything else takes minutes, and nobody hears it.
  private static func checked(_ phrase: String, _ place: String) throws -> String {
    let isSpoken = phrase.allSatisfy { $0.isLetter || $0 == " " || $0 == "-" || $0 == "'" || $0 == "\u{2019}" }
    guard isSpoken, phrase.contains(where: \.isLetter), phrase.utf8.count <= 64 else {
      throw ValidationError(
        "\(place): a phrase has words of letters, 64 bytes in all; found \(phrase.prefix(40).debugDescription)")
    }
    return phrase
  }

  /// The lines of a file that are not empty.
  private static func lines(of path: String) throws -> [String] {
    guard let text = FileManager.default.contents(atPath: path) else {
      throw ValidationError("\(path) cannot be read")
    }
    return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
