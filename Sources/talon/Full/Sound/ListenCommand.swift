import Board
import Codec
import Runtime
import Sound

/// `talon listen`: the level of the running agent's microphone; the list of microphones; a recording.
enum ListenCommand {
  static func run(_ options: Options) throws(Failure) -> ExitCode {
    if let espeak = options.value("--serve") { return serve(espeak, options.value("--model") ?? "") }
    if let phrase = options.value("--enrol") {
      return try options.has("--typed") ? SpellingCommand.run(options, phrase) : EnrolCommand.run(options, phrase)
    }
    if let phrase = options.value("--forget") { return try EnrolCommand.forget(options, phrase) }
    switch options.words.first {
    case nil:
      let view = LiveView(
        operation: "listen", configuration: try ConfigCommand.read(options.configurationPath), draw: lines)
      return try view.run(isOnce: options.has("--once"), isJSON: options.has("--json"))
    case "list": return SoundRun.list(captures: true)
    case "record": return try Recording.run(options)
    default: throw Failure(.usage, "expected: talon listen, talon listen list or talon listen record")
    }
  }

  /// Runs as the process that learns phrases for the agent.
  private static func serve(_ espeak: String, _ folder: String) -> ExitCode {
    do throws(Failure) {
      let model = try LanguageModel.configured(folder)
      SpellingServer.run(espeak: espeak, model.language, model.speech)
    } catch {
      SpellingServer.refuse(error.text)
    }
    return .ok
  }

  /// A report as lines of text.
  static func lines(_ report: borrowing JSONView, _ before: borrowing JSONView, _ room: Int) -> [String] {
    var state = report.text("state")
    if report.member("detail") != nil { state += ": \(report.text("detail"))" }
    var lines = ["microphone  \(state)"]
    if report.member("card") != nil {
      lines.append(
        "card        \(report.text("card")), device \(report.number("device")): \(report.text("format")), "
          + "\(report.number("channels")) channels, \(report.number("rate")) Hz")
    }
    guard report.member("level") != nil else { return lines }
    let (level, peak, floor) = (figure(report, "level"), figure(report, "peak"), figure(report, "floor"))
    lines.append(
      "level       \(bar(level))  \(Decibels.text(level))\(report.member("isSpeech")?.bool == true ? "  speech" : "")"
    )
    lines.append("peak        \(Decibels.text(peak))")
    lines.append("floor       \(Decibels.text(floor))")
    lines.append("gain        \(Decibels.text(figure(report, "gain")))")
    lines.append(
      "heard       \(report.number("blocks")) blocks; "
        + "\(report.number("gaps")) gaps, \(report.number("failures")) failures")
    if let words = report.member("words") { lines.append("words       \(said(words))") }
    if let wake = report.member("wake") { lines += scores(wake) }
    return lines
  }

  /// Bytes shown of an utterance, or of the reason why there is none, so that the line fits a terminal.
  private static let shownBytes = 40

  /// The recognizer's words.
  private static func said(_ words: borrowing JSONView) -> String {
    switch words.text("state") {
    case "yields": return "somebody talks with the board"
    case "hears": return "speech is heard"
    case "understands": return "speech is being understood"
    default: break
    }
    guard words.member("age") != nil else { return "none" }
    if words.member("failure") != nil { return "not understood: \(words.text("failure"))" }
    guard words.member("confidence") != nil else { return "none in what was heard" }
    let (text, percent) = (words.text("text"), Int(clamping: (1000 * figure(words, "confidence")).rounded()) / 10)
    let isCut = text.utf8.count > shownBytes
    let shown = isCut ? IdentityCommand.string(InlineText<40>(cutting: text.utf8.span).span) + "..." : text
    return "\"\(shown)\" (\(percent) %\(words.member("isEnough")?.bool == true ? "" : ": too little"))"
  }

  /// How near each phrase came to detection.
  private static func scores(_ wake: borrowing JSONView) -> [String] {
    var lines = ["phrases     " + (wake.member("isAwake")?.bool == true ? "listens" : "too quiet to listen")]
    guard let phrases = wake.member("phrases"), phrases.kind == .array else { return lines }
    var elements = phrases.elements()
    while let phrase = elements.next() {
      let name = "  \(phrase.text("phrase")): "
      guard phrase.member("threshold") != nil else {
        if phrase.member("isLearnt") != nil {
          lines.append(name + "is being learned from its spelling")
          continue
        }
        lines.append(name + "cannot be detected, because it has no vector")
        continue
      }
      let needed = figure(phrase, "threshold")
      guard phrase.member("score") != nil else {
        lines.append(name + "-, needs \(tenths(needed))")
        continue
      }
      let score = figure(phrase, "score")
      lines.append(name + "\(tenths(score)), needs \(tenths(needed))" + (score > needed ? "  heard" : ""))
    }
    return lines
  }

  private static func tenths(_ number: Double) -> String {
    let tenths = Int(clamping: (number.bounded(-1e6, 1e6) * 10).rounded())
    return "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
  }

  private static func figure(_ report: borrowing JSONView, _ name: StaticString) -> Double {
    guard let value = report.member(name), value.kind == .number else { return 0 }
    return value.double ?? 0
  }

  /// A column for every 2 dB from -60 dB on.
  private static func bar(_ level: Double) -> String {
    var (count, part) = (0, 1e-3)
    while count < 30, part < level { (count, part) = (count + 1, part * 1.2589) }
    return String(repeating: "#", count: count) + String(repeating: "-", count: 30 - count)
  }
}

/// Writes the microphone's sound, as the agent would get it, to a WAV file.
private final class Recording: SoundDeviceDelegate, SoundListener {
  private let capture: any SoundCapture
  private let intake: SoundIntake
  private let run: SoundRun
  private let file: Descriptor
  private let bytes = FixedBuffer(capacity: Budget.soundReadBytes)
  private var facts: SoundFacts?
  private var samples = 0
  private let limit: Int
  private var (gaps, peak): (Int, Float) = (0, 0)
  private var failure: String?

  static func run(_ options: Options) throws(Failure) -> ExitCode {
    guard let name = options.value("--out") else {
      throw Failure(.usage, "talon listen record needs --out FILE")
    }
    let seconds = try SoundRun.number(options, "--seconds", 1...3600) ?? 5
    // The file is written as the caller: with the configuration root becomes the agent's user.
    let file: Descriptor
    do throws(Errno) {
      file = try Syscall.open(try Path(name), [.write, .create, .truncate], permissions: 0o644)
    } catch {
      throw Failure(.cannotCreate, "\(name) cannot be written: \(String(error.text))")
    }
    defer { file.close() }
    let configuration = try SoundRun.configuration(options)
    guard configuration.microphone.isEnabled else { throw Failure(.unavailable, SoundRun.text(.disabled)) }
    let run = try SoundRun()
    let wiring = SoundWiring(configuration: configuration, loop: run.loop, clock: run.clock)
    let recording = Recording(
      try SoundRun.made { () throws(Errno) in try wiring.capture() },
      try SoundRun.made { () throws(Errno) in try wiring.intake() },
      run, file, seconds: Int(seconds))
    return try recording.record(configuration.microphone.opening)
  }

  private init(
    _ capture: any SoundCapture, _ intake: SoundIntake, _ run: SoundRun, _ file: Descriptor, seconds: Int
  ) {
    self.capture = capture
    self.intake = intake
    self.run = run
    self.file = file
    limit = seconds * Budget.soundRate
  }

  private func record(_ order: SoundOrder) throws(Failure) -> ExitCode {
    let facts = try SoundRun.told { () throws(SoundError) in try capture.open(order) }
    defer { capture.close() }
    if let trouble = facts.mixerTrouble { Console.err("talon: \(SoundRun.text(trouble))") }
    if facts.isMuted { Console.err("talon: the mixer's switch is off: nothing can be heard") }
    self.facts = facts
    try SoundRun.told { () throws(SoundError) in try intake.begin(facts) }
    try SoundRun.told { () throws(SoundError) in try capture.start(self) }
    // A card with a slow clock gets a little more time.
    let milliseconds = Int64(limit / Budget.soundRate) * 1050 + 2 * Budget.soundSilenceMilliseconds
    try run.run(milliseconds: milliseconds, advance: { _ in }, deadline: { nil })
    capture.stop()
    do throws(Errno) {
      try SoundRun.writeHeader(to: file, rate: UInt32(Budget.soundRate), samples: samples)
    } catch {
      failure = String(error.text)
    }
    if let failure { throw Failure(.unavailable, failure) }
    Console.out(SoundRun.text(facts, intake))
    let meter = intake.meter
    Console.out(
      "\(samples / (Budget.soundRate / 1000)) ms, \(gaps) gaps, peak \(Decibels.text(Double(peak))), floor "
        + "\(Decibels.text(Double(meter.floor))), \(String(meter.verdict.word))")
    if let trouble = meter.verdict.trouble { Console.err("talon: \(String(trouble))") }
    return samples >= limit ? .ok : .unavailable
  }

  func soundReady() {
    guard let facts else { return }
    do throws(SoundError) {
      for _ in 0..<Budget.soundReadsPerTurn {
        switch try capture.read(into: UnsafeMutableRawBufferPointer(bytes.bytes)) {
        case .nothing: return
        case .gap:
          gaps += 1
          intake.interrupt()
        case .frames(let count):
          intake.take(
            UnsafeRawBufferPointer(
              rebasing: UnsafeRawBufferPointer(bytes.bytes)[..<(count * facts.frameBytes)]), self)
        }
        if samples >= limit { return run.stop() }
      }
    } catch {
      failure = SoundRun.text(error)
      run.stop()
    }
  }

  func heard(_ block: UnsafeBufferPointer<Int16>) {
    guard samples < limit else { return }
    peak = max(peak, intake.meter.peak)
    do throws(Errno) {
      // All targets are little-endian, as WAV is.
      try Syscall.writeAll(file, UnsafeRawBufferPointer(block), at: Int64(WAVHeader.writtenBytes + 2 * samples))
      samples += block.count
    } catch {
      failure = String(error.text)
      run.stop()
    }
  }
}
