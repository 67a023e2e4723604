import Enrolment
import Runtime
import Voice

/// A language that is installed in a folder (`[wake] model`): `model.conf`, its description, and optionally
/// `speech.bin`, other speech of the language, and `phrases.bin`, known phrases. What is missing is built in, in
/// English: the network's vectors are of sounds, not of a language.
struct LanguageModel {
  let language: Language
  /// The speech from which phrases are told apart.
  let speech: SpeechBank
  /// Nil when the language has none.
  let phrases: PhraseBank?

  /// English, which is built in.
  static func builtIn() throws(Failure) -> LanguageModel {
    guard let speech = SpeechBank.builtIn else {
      throw Failure(.system, "the built-in speech for wake phrases has not the format that this version reads")
    }
    return LanguageModel(language: .english, speech: speech, phrases: nil)
  }

  /// The configured language: of this folder, or the built-in one for an empty name. What it reads stays in memory for
  /// as long as the program runs, except the speech when this process does not learn: that is only checked. Throws what
  /// is wrong with which file.
  static func configured(_ folder: String, learns: Bool = true) throws(Failure) -> LanguageModel {
    let builtIn = try builtIn()
    guard !folder.isEmpty else { return builtIn }
    let file = "\(folder)/model.conf"
    guard let bytes = try read(file, limit: Budget.languageFileBytes) else {
      throw Failure(.configuration, "\(file): no such file")
    }
    let language: Language
    do throws(ConfigurationError) {
      language = try LanguageFile.parse(Array(bytes), file: file)
    } catch {
      throw Failure(.configuration, error.text)
    }
    return LanguageModel(
      language: language, speech: try speech(folder, isKept: learns) ?? builtIn.speech, phrases: try phrases(folder))
  }

  private static func speech(_ folder: String, isKept: Bool) throws(Failure) -> SpeechBank? {
    let file = "\(folder)/speech.bin"
    guard let bytes = try read(file, limit: Budget.speechBankBytes) else { return nil }
    defer { if !isKept { bytes.deallocate() } }
    do throws(SpeechBankError) {
      let bank = try SpeechBank(bytes)
      return isKept ? bank : nil
    } catch {
      throw Failure(.configuration, "\(file) \(String(error.text))")
    }
  }

  private static func phrases(_ folder: String) throws(Failure) -> PhraseBank? {
    let file = "\(folder)/phrases.bin"
    guard let bytes = try read(file, limit: Budget.wakeBankBytes) else { return nil }
    var (count, place) = (0, 0)
    while place < bytes.count {
      count += 1
      do throws(PhraseFileError) {
        place += try PhraseFile(UnsafeRawBufferPointer(rebasing: bytes[place...])).size
      } catch {
        throw Failure(.configuration, "\(file): phrase \(count) \(String(error.text))")
      }
    }
    return PhraseBank(bytes)
  }

  /// A file in memory that is never released; nil when it does not exist.
  private static func read(_ path: String, limit: Int) throws(Failure) -> UnsafeRawBufferPointer? {
    do throws(Errno) {
      let bytes = try TextFile.read(path, limit: limit)
      let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, bytes.count), alignment: 64)
      for index in bytes.indices { memory[index] = bytes[index] }
      return UnsafeRawBufferPointer(rebasing: memory[..<bytes.count])
    } catch {
      if error == .noSuchFile { return nil }
      throw Failure(.configuration, "\(path): \(String(error.text))")
    }
  }
}
