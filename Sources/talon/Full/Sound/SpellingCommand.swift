import Board
import Codec
import Enrolment
import Runtime
import Voice

/// `talon listen --enrol PHRASE --typed`: learns a phrase from its spelling, as the agent does.
enum SpellingCommand {
  static func run(_ options: Options, _ phrase: String) throws(Failure) -> ExitCode {
    let text = Array(phrase.utf8)
    guard EnrolCommand.isPhrase(text) else {
      throw Failure(
        .usage, "\"\(phrase)\" is no phrase of 1 to \(Budget.wakePhraseUnits) characters with a letter in it")
    }
    guard options.all("--wav").isEmpty else {
      throw Failure(.usage, "--typed needs no recordings: leave out --wav, or --typed")
    }
    let configuration = try EnrolCommand.configuration(options)
    let model = try LanguageModel.configured(configuration.wake.model)
    let phrases = try EnrolCommand.kept(configuration.stateDirectory)
    try check(phrase, text, phrases, model)
    let start = SystemClock.monotonicMicroseconds
    let espeak = SpellingServer.espeak(configuration.wake.espeak)
    let flite = model.language == .english ? FlitePhraseVoice() : nil
    if flite == nil, espeak == nil {
      throw Failure(
        .unavailable,
        "\(model.language.name) is spoken by espeak-ng, which is not there: install it, or leave out --typed")
    }
    let who =
      flite == nil
      ? "espeak-ng says it in \(model.language.name)."
      : espeak == nil
        ? "flite's voice says it; with espeak-ng installed more voices would."
        : "flite's voice says it, and espeak-ng's."
    Console.show("\(who) A small board needs some minutes.")
    let enroller = SpellingEnroller(
      model.speech, try SoundWiring.network(), model.language, flite: flite, espeak: espeak)
    let (file, outcome) = try learn(text, enroller) { espeak?.complaint }
    if let complaint = espeak?.complaint { Console.err("talon: espeak-ng: \(complaint)") }
    try EnrolCommand.put(file, phrases, as: .spelling)
    let (heard, checked) = (outcome.fitted.heard, outcome.fitted.checked)
    Console.out(
      "said \(outcome.flite + outcome.espeak) times, \(outcome.espeak) of them by espeak-ng, in "
        + "\((SystemClock.monotonicMicroseconds - start) / 1_000_000) s; of the voices that were kept aside "
        + "\(heard) of \(checked) words are heard, \(heard * 100 / max(1, checked)) %")
    if outcome.espeak == 0 {
      Console.out(
        "Few people sound like flite's one voice: it will be heard less often. Install espeak-ng, or say it three "
          + "times (without --typed)."
      )
    }
    EnrolCommand.printUse(phrase, configuration, phrases)
    return .ok
  }

  /// Checks before the long part.
  private static func check(_ phrase: String, _ text: [UInt8], _ phrases: EnrolledPhrases, _ model: LanguageModel)
    throws(Failure)
  {
    var (verdict, isRecorded, isBuiltIn) = (Spelling.Verdict.foreign, false, false)
    text.withUnsafeBufferPointer { buffer in
      guard let text = PhraseText(buffer), let spoken = PhraseText(buffer, keepsAccents: true) else { return }
      verdict = Spelling(spoken, model.language).verdict
      isRecorded = phrases.origin(of: text) == .recordings
      isBuiltIn = PhraseBank.builtIn.find(text) != nil || model.phrases?.find(text) != nil
    }
    if isRecorded {
      throw Failure(
        .unavailable, "\"\(phrase)\" is known from recordings, which count more: talon listen --forget takes them away")
    }
    if isBuiltIn { throw Failure(.unavailable, "\"\(phrase)\" is built in, made with more voices than this board has") }
    if verdict == .foreign {
      throw Failure(
        .unavailable,
        "\"\(phrase)\" has letters that no voice of \(model.language.name) pronounces: leave out --typed, and say it")
    }
    if verdict == .short { Console.err("talon: \"\(phrase)\" has one syllable: it may be heard where nobody said it") }
  }

  private static func learn(
    _ text: [UInt8], _ enroller: SpellingEnroller, _ complaint: () -> String?
  ) throws(Failure) -> (file: [UInt8], outcome: SpellingEnroller.Outcome) {
    let target = UnsafeMutableRawBufferPointer.allocate(byteCount: Budget.wakeFileBytes, alignment: 8)
    defer { target.deallocate() }
    var last = 0
    let outcome = text.withUnsafeBufferPointer { buffer -> SpellingEnroller.Outcome? in
      do throws(SpellingEnroller.Failure) {
        return try enroller.learn(buffer, into: target) { part in
          if Int(clamping: part * 10) > last {
            last = Int(clamping: part * 10)
            Console.show("  \(last * 10) %")
          }
          return true
        }
      } catch {
        return nil
      }
    }
    guard let outcome else {
      let reason = complaint().map { "; espeak-ng: \($0)" } ?? ""
      throw Failure(.unavailable, "nothing can be learned from it: the voices say next to nothing\(reason)")
    }
    return (Array(target[..<outcome.fitted.size]), outcome)
  }
}
