import Board
import Codec
import Enrolment
import Runtime
import Simulated
import Sound
import Voice

/// `talon listen --enrol PHRASE`: learns a phrase from three recordings of it, made here or given as files.
enum EnrolCommand {
  private static let takes = Budget.enrolTakes

  static func run(_ options: Options, _ phrase: String) throws(Failure) -> ExitCode {
    let text = Array(phrase.utf8)
    guard isPhrase(text) else {
      throw Failure(
        .usage, "\"\(phrase)\" is no phrase of 1 to \(Budget.wakePhraseUnits) characters with a letter in it")
    }
    let files = options.all("--wav")
    guard files.isEmpty || files.count == takes else {
      throw Failure(.usage, "\(takes) recordings make a phrase: give --wav FILE \(takes) times, or not at all")
    }
    let configuration = try configuration(options)
    let phrases = try kept(configuration.stateDirectory)
    // Checked before the person has said it three times.
    guard hasRoom(phrases, text) else { throw full() }
    let enroller = PhraseEnroller(
      try LanguageModel.configured(configuration.wake.model).speech, try SoundWiring.network())
    let words = try files.isEmpty ? recorded(phrase, configuration, enroller) : read(files, enroller)
    try put(try learn(text, words, enroller), phrases, as: .recordings)
    printUse(phrase, configuration, phrases)
    return .ok
  }

  static func printUse(_ phrase: String, _ configuration: Configuration, _ phrases: EnrolledPhrases) {
    Console.show("\"\(phrase)\" is learned; \(configuration.stateDirectory) keeps \(phrases.count) phrases.")
    if notifyAgent(phrase, configuration) { return Console.out("The running agent listens for it.") }
    Console.out("To use it, add it to the wake phrases: talon voicewake, or phrases in [wake].")
  }

  /// Tells a running agent that the learned phrases have changed; true when the phrase is one of its wake phrases.
  private static func notifyAgent(_ phrase: String, _ configuration: Configuration) -> Bool {
    do throws(Failure) {
      let client = try ConsoleClient(folder: configuration.runtimeDirectory)
      let line = try BoardCommands.check(
        client.ask("wake-learnt") { writer in
          writer.key("phrase")
          writer.string(phrase)
        })
      return JSONView(line.span).member("result")?.member("wakes")?.bool ?? false
    } catch {
      if error.code == .unavailable { return false }
      Console.err(
        "talon: the running agent cannot be reached, and takes it over when the list of phrases changes: \(error.text)")
      return false
    }
  }

  /// A board without a configuration may learn phrases, too.
  static func configuration(_ options: Options) throws(Failure) -> Configuration {
    let path = options.configurationPath
    do throws(Errno) {
      _ = try Syscall.status(try Path(path))
    } catch {
      if path == ConfigurationFile.defaultPath {
        try ConfigCommand.become(Configuration())
        return Configuration()
      }
    }
    return try ConfigCommand.read(path)
  }

  // MARK: Storage

  static func kept(_ folder: String) throws(Failure) -> EnrolledPhrases {
    let phrases = try SoundWiring.learned(folder)
    do throws(EnrolledError) {
      try phrases.read()
    } catch {
      guard case .store(.torn) = error else { throw failure(error, folder) }
      Console.err("talon: the phrases learned before are damaged, and were dropped")
    }
    return phrases
  }

  static func put(_ file: [UInt8], _ phrases: EnrolledPhrases, as origin: EnrolledPhrases.Origin) throws(Failure) {
    var failure: EnrolledError?
    file.withUnsafeBytes { bytes in
      guard let file = try? PhraseFile(bytes) else { return }
      do throws(EnrolledError) { try phrases.put(file, as: origin) } catch { failure = error }
    }
    if let failure { throw self.failure(failure, "the state folder") }
  }

  static func failure(_ error: EnrolledError, _ folder: String) -> Failure {
    switch error {
    case .full: full()
    case .recorded:
      Failure(.unavailable, "it was learned from recordings, which take precedence: talon listen --forget removes them")
    case .busy: Failure(.temporary, "another talon changes the learned phrases: try again")
    case .store(let error):
      Failure(.cannotCreate, "the learned phrases in \(folder) cannot be kept: \(StateFolder.text(error))")
    }
  }

  static func full() -> Failure {
    Failure(
      .unavailable,
      "\(Budget.enrolledPhrases) phrases are learned, as many as there may be; talon listen --forget PHRASE makes room")
  }

  static func hasRoom(_ phrases: EnrolledPhrases, _ text: [UInt8]) -> Bool {
    text.withUnsafeBufferPointer { buffer in
      guard let phrase = PhraseText(buffer) else { return false }
      return phrases.hasRoom(for: phrase)
    }
  }

  /// `talon listen --forget PHRASE`.
  static func forget(_ options: Options, _ phrase: String) throws(Failure) -> ExitCode {
    let configuration = try configuration(options)
    let folder = configuration.stateDirectory
    let phrases = try kept(folder)
    let text = Array(phrase.utf8)
    var (isKnown, failure): (Bool, EnrolledError?) = (false, nil)
    text.withUnsafeBufferPointer { buffer in
      guard let phrase = PhraseText(buffer) else { return }
      do throws(EnrolledError) { isKnown = try phrases.remove(phrase) } catch { failure = error }
    }
    if let failure { throw self.failure(failure, folder) }
    guard isKnown else { throw Failure(.unavailable, "\"\(phrase)\" was not learned on this board") }
    Console.show("\"\(phrase)\" is forgotten.")
    _ = notifyAgent(phrase, configuration)
    return .ok
  }

  static func isPhrase(_ text: [UInt8]) -> Bool {
    text.withUnsafeBufferPointer { buffer in
      guard PhraseText(buffer) != nil else { return false }
      return true
    }
  }

  // MARK: Recordings

  private static func recorded(
    _ phrase: String, _ configuration: Configuration, _ enroller: PhraseEnroller
  ) throws(Failure) -> [[Float]] {
    let sound = configuration.sound
    guard sound.microphone.isEnabled else { throw Failure(.unavailable, SoundRun.text(.disabled)) }
    // An agent without a microphone cannot lend it.
    let lent = sound.microphoneDriver == .none ? nil : try LentTake.connect(folder: configuration.runtimeDirectory)
    guard let lent else { return try recorded(phrase, try own(sound), enroller) }
    defer { lent.close() }
    Console.out("The running agent lends its microphone, and listens for no phrase meanwhile.")
    return try recorded(phrase, lent, enroller)
  }

  private static func own(_ sound: SoundConfiguration) throws(Failure) -> PhraseTake {
    let run = try SoundRun()
    let wiring = SoundWiring(configuration: sound, loop: run.loop, clock: run.clock)
    return PhraseTake(
      try SoundRun.made { () throws(Errno) in try wiring.capture() },
      try SoundRun.made { () throws(Errno) in try wiring.intake() }, run, sound.microphone.opening)
  }

  private static func recorded(
    _ phrase: String, _ take: any TakeSource, _ enroller: PhraseEnroller
  ) throws(Failure) -> [[Float]] {
    Console.show("Say \"\(phrase)\" \(takes) times, each time after the word \"now\", as you would call the board.")
    var words: [[Float]] = []
    var refused = 0
    while words.count < takes {
      try take.record { Console.show("\(words.count + 1) of \(takes): now") }
      let found = SpokenWord.find(in: take.samples)
      let (level, room) = (Decibels.text(Double(found.level)), Decibels.text(Double(found.floor)))
      Console.show("  \(String(found.verdict.text)) (\(level), room \(room))")
      if found.verdict == .good { words.append(Array(take.samples[found.range])) } else { refused += 1 }
      if words.count == takes, let odd = enroller.oddOne(of: words) {
        Console.show("  recording \(odd + 1) does not sound like the others: once more")
        words.remove(at: odd)
        refused += 1
      }
      guard refused < Budget.enrolRefusals else {
        throw Failure(
          .unavailable, "given up after \(refused) recordings that cannot be learned from: talon listen shows the level"
        )
      }
    }
    return words
  }

  private static func read(_ files: [String], _ enroller: PhraseEnroller) throws(Failure) -> [[Float]] {
    var words: [[Float]] = []
    for file in files {
      let samples = try RecordingFile.read(file)
      let found = SpokenWord.find(in: samples)
      guard found.verdict == .good || found.verdict == .cut else {
        throw Failure(.unavailable, "\(file): \(String(found.verdict.text))")
      }
      words.append(Array(samples[found.range]))
    }
    if let odd = enroller.oddOne(of: words) {
      throw Failure(.unavailable, "\(files[odd]) does not sound like the others")
    }
    return words
  }

  // MARK: Learning

  private static func learn(_ text: [UInt8], _ words: [[Float]], _ enroller: PhraseEnroller) throws(Failure) -> [UInt8]
  {
    Console.out("learning; a small board needs a minute or two")
    for word in words { enroller.add(copiesOf: word, Budget.enrolCopies) }
    let target = UnsafeMutableRawBufferPointer.allocate(byteCount: Budget.wakeFileBytes, alignment: 8)
    defer { target.deallocate() }
    let size = text.withUnsafeBufferPointer { buffer -> Int? in
      guard let phrase = PhraseText(buffer) else { return nil }
      return enroller.fit(phrase, into: target)?.size
    }
    guard let size else {
      throw Failure(.unavailable, "nothing can be learned from these recordings: they are too short")
    }
    return Array(target[..<size])
  }
}
