import Codec
import Enrolment
import Runtime
import Voice

/// The protocol of the process that learns a phrase, on two pipes. Its input: the phrase in its spoken form, then the
/// end. Its output: lines.
///
///     part PERMILLE                         progress
///     taught HEARD CHECKED ESPEAK BASE64    the phrase file in base64; of CHECKED voices kept for checking
///                                           it detects HEARD; how often espeak-ng spoke it
///     failed WHY                            it cannot be learned
///
/// Any other line is a diagnostic.
enum SpellingSpeech {
  static let part: StaticString = "part "
  static let taught: StaticString = "taught "
}

/// The process that learns one phrase from its spelling: runs at the lowest priority, and frees all memory by ending.
public enum SpellingServer {
  /// The path of espeak-ng: "auto" searches PATH, "none" uses no such program.
  public static func espeak(_ choice: String) -> EspeakPhraseVoice? {
    guard choice != "none", let program = choice == "auto" ? Process.find("espeak-ng") : choice else { return nil }
    return EspeakPhraseVoice(program: program)
  }

  /// Learns the phrase of the input in a language, as opposed to other speech, and writes the result.
  public static func run(
    espeak choice: String, _ language: Language, _ bank: SpeechBank, input: Descriptor = Descriptor(0),
    output: Descriptor = Descriptor(1)
  ) {
    Process.preferOutOfMemoryKill()
    Process.lowerPriority()
    do throws(Errno) {
      let text = try read(input)
      guard isSpoken(text, language) else {
        return try say(output, "failed \(language.name) has no voice that pronounces it\n")
      }
      try teach(text, language, bank, espeak(choice), output)
    } catch {
      // The agent has ended.
    }
  }

  /// Reports that nothing can be learned; the reason is a sentence without its full stop.
  public static func refuse(_ reason: String, output: Descriptor = Descriptor(1)) {
    do throws(Errno) { try say(output, "failed \(reason)\n") } catch { return }
  }

  private static func isSpoken(_ text: [UInt8], _ language: Language) -> Bool {
    text.withUnsafeBufferPointer { text in
      guard let phrase = PhraseText(text, keepsAccents: true) else { return false }
      return Spelling(phrase, language).verdict != .foreign
    }
  }

  private static func read(_ input: Descriptor) throws(Errno) -> [UInt8] {
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: Budget.wakePhraseBytes, alignment: 1)
    defer { bytes.deallocate() }
    let count = try Syscall.readAll(input, into: bytes)
    return Array(bytes[..<count])
  }

  private static func teach(
    _ text: [UInt8], _ language: Language, _ bank: SpeechBank, _ espeak: EspeakPhraseVoice?, _ output: Descriptor
  ) throws(Errno) {
    guard let model = VoiceModel.builtIn else { return try say(output, "failed the built-in network is broken\n") }
    let flite = language == .english ? FlitePhraseVoice() : nil
    if flite == nil, espeak == nil {
      return try say(output, "failed \(language.name) is spoken by espeak-ng, which is not there\n")
    }
    let enroller = SpellingEnroller(bank, model, language, flite: flite, espeak: espeak)
    let target = UnsafeMutableRawBufferPointer.allocate(byteCount: Budget.wakeFileBytes, alignment: 8)
    defer { target.deallocate() }
    var last = 0
    let result = learn(text, enroller, into: target) { part in
      let permille = Int(clamping: part * 1000)
      guard permille >= last + 10 else { return true }
      last = permille
      do throws(Errno) {
        try say(output, "part \(permille)\n")
        return true
      } catch {
        return false
      }
    }
    if let complaint = espeak?.complaint { try say(output, "espeak-ng: \(complaint)\n") }
    guard let result else { return try say(output, "failed the voices say next to nothing\n") }
    let fitted = result.fitted
    let file = base64(UnsafeRawBufferPointer(rebasing: target[..<fitted.size]))
    try say(output, "taught \(fitted.heard) \(fitted.checked) \(result.espeak) \(file)\n")
  }

  private static func learn(
    _ text: [UInt8], _ enroller: SpellingEnroller, into target: UnsafeMutableRawBufferPointer,
    _ progress: (Double) -> Bool
  ) -> SpellingEnroller.Outcome? {
    text.withUnsafeBufferPointer { text in
      do throws(SpellingEnroller.Failure) { return try enroller.learn(text, into: target, progress) } catch {
        return nil
      }
    }
  }

  private static func base64(_ bytes: UnsafeRawBufferPointer) -> String {
    let text = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: Base64.standard.encodedLength(of: bytes.count))
    defer { text.deallocate() }
    let count = Base64.standard.encode(Span(_unsafeElements: bytes.bindMemory(to: UInt8.self)), into: text)
    return String(decoding: text[..<count], as: UTF8.self)
  }

  private static func say(_ output: Descriptor, _ line: String) throws(Errno) {
    let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: line.utf8.count)
    defer { bytes.deallocate() }
    _ = bytes.initialize(from: line.utf8)
    try Syscall.writeAll(output, UnsafeRawBufferPointer(bytes))
  }
}
