import Agent
import Board
import Enrolment
import Runtime
import Simulated
import Sound
import Voice
import VoicePart

/// Builds the microphone and the speaker of a configuration, for the agent and for `talon listen` and `talon
/// speaker`.
struct SoundWiring {
  let configuration: SoundConfiguration
  let loop: Loop
  let clock: any Clock

  /// The configured microphone; nil without one.
  func microphone(_ runner: any JobRunner, _ log: Log) throws(Errno) -> Microphone? {
    guard configuration.microphoneDriver != .none else { return nil }
    return Microphone(
      capture: try capture(), intake: try intake(), settings: configuration.microphone,
      indicator: try indicator(),
      runner: runner, clock: clock, log: log)
  }

  /// The configured speaker; nil without one.
  func speaker(_ runner: any JobRunner, _ log: Log, hearing microphone: Microphone?) throws(Errno) -> Speaker? {
    guard configuration.speakerDriver != .none else { return nil }
    return Speaker(
      playback: try playback(), resampler: SpeexResampler(), settings: configuration.speaker, microphone: microphone,
      runner: runner, clock: clock, log: log)
  }

  /// All sound devices of the agent.
  func connect(_ devices: inout VoiceDevices, _ runner: any JobRunner, _ log: Log) throws(Errno) {
    let microphone = try microphone(runner, log)
    let speaker = try speaker(runner, log, hearing: microphone)
    (devices.microphone, devices.speaker) = (microphone, speaker)
    if speaker != nil { devices.voice = try FliteVoice(runner: runner) }
    guard let microphone else { return }
    devices.clipSound = try ClipSoundBuffer(microphone, encoder: OpusEncoder(), clock: clock)
    devices.talk = TalkParts(
      microphone: TalkMicrophoneAdapter(microphone), speaker: speaker,
      voice: speaker == nil ? nil : try FliteVoice(runner: runner))
  }

  /// The wake service's parts, on `runner`; nil when it is disabled. Throws what is wrong with the file of phrases.
  static func wake(_ configuration: WakeConfiguration, _ runner: (any JobRunner)?, state: String) throws(Failure)
    -> WakeParts?
  {
    guard configuration.isEnabled, let runner else { return nil }
    let model = try network()
    var settings = WakeParts.Settings()
    settings.caution = Float(configuration.caution) / 10
    for caution in configuration.cautions {
      if let caution = PhraseCaution(caution.phrase.utf8.map { $0 }, caution: Float(caution.tenths) / 10) {
        settings.cautions.append(caution)
      }
    }
    settings.phrases = configuration.phrases.utf8.map { $0 == UInt8(ascii: ",") ? UInt8(ascii: "\n") : $0 }
    var banks = [PhraseBank.builtIn]
    if !configuration.file.isEmpty { banks.insert(try bank(configuration.file), at: 0) }
    let store = try StateFolder.open(state, recordBytes: Budget.wakeRecordBytes)
    var parts = WakeParts(settings: settings, model: model, banks: banks, runner: runner, store: store)
    parts.enrolled = try learned(state)
    do throws(Failure) {
      let model = try LanguageModel.configured(configuration.model, learns: false)
      parts.language = model.language
      if let phrases = model.phrases { parts.banks.insert(phrases, at: parts.banks.count - 1) }
    } catch {
      // It may be installed later; known phrases are detected meanwhile.
      parts.modelTrouble = error.text
    }
    return parts
  }

  /// The built-in network.
  static func network() throws(Failure) -> VoiceModel {
    guard let model = VoiceModel.builtIn else {
      throw Failure(.system, "the built-in network for wake phrases has not the format that this version reads")
    }
    return model
  }

  /// The phrases learned on this board; nothing is read yet.
  static func learned(_ state: String) throws(Failure) -> EnrolledPhrases {
    let store = try StateFolder.open(state, recordBytes: Budget.wakeBankBytes)
    do throws(Errno) {
      return EnrolledPhrases(store, lock: try FileLock("\(state)/enrolled.lock"))
    } catch {
      throw Failure(.cannotCreate, "the state folder \(state) cannot be used: \(String(error.text))")
    }
  }

  /// A file of phrases, in memory that is never released.
  private static func bank(_ path: String) throws(Failure) -> PhraseBank {
    do throws(Errno) {
      let bytes = try TextFile.read(path, limit: Budget.wakeBankBytes)
      let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 64)
      for index in 0..<bytes.count { memory[index] = bytes[index] }
      return PhraseBank(UnsafeRawBufferPointer(memory))
    } catch {
      throw Failure(.configuration, "[wake] file: \(path): \(String(error.text))")
    }
  }

  /// Converts captured sound to blocks.
  func intake() throws(Errno) -> SoundIntake {
    var denoiser: (any Denoiser)?
    if configuration.microphone.denoises {
      do throws(SoundError) { denoiser = try SpeexDenoiser() } catch { throw .outOfMemory }
    }
    return SoundIntake(
      resampler: SpeexResampler(), denoiser: denoiser, gain: configuration.microphone.gain,
      channel: configuration.microphone.channel)
  }

  /// The microphone's device; ALSA's when none is configured.
  func capture() throws(Errno) -> any SoundCapture {
    guard configuration.microphoneDriver == .simulated else { return ALSACapture(loop: loop) }
    return try WAVCapture(path: configuration.microphoneFile, clock: clock, loop: loop)
  }

  /// The speaker's device; ALSA's when none is configured.
  func playback() throws(Errno) -> any SoundPlayback {
    guard configuration.speakerDriver == .simulated else { return ALSAPlayback(loop: loop) }
    return try WAVPlayback(path: configuration.speakerFile, clock: clock, loop: loop)
  }

  private func indicator() throws(Errno) -> (any Indicator)? {
    configuration.indicatorLED.isEmpty ? nil : try LEDIndicator(name: configuration.indicatorLED)
  }
}
