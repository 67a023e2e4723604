import Agent
import Panel
import Runtime
import Sound
import Talk
import Voice
import VoicePart

/// What a simulated board hears and speaks with.
extension SimulatedBoard {
  /// The parts of one start; nil: this board has no microphone.
  final class SoundParts {
    let capture: SimulatedCapture
    let button: SimulatedButton
    let detector: SimulatedPhraseDetector?
    /// Listening has a worker of its own.
    let wakeRunner: SimulatedRunner
    let listening: WatchedMicrophone
    var watch: WakeWatch?

    init(_ life: Life, _ capture: SimulatedCapture, _ listening: WatchedMicrophone) {
      self.capture = capture
      self.listening = listening
      button = SimulatedButton(life)
      wakeRunner = SimulatedRunner(life, threads: 1)
      detector = life.scenario.wakes ? SimulatedPhraseDetector(life) : nil
    }
  }

  var capture: SimulatedCapture? { sound?.capture }
  var talkButton: SimulatedButton? { sound?.button }
  var detector: SimulatedPhraseDetector? { sound?.detector }

  /// Gives the board its microphone and its speaker, where it has any.
  func connectSound(_ devices: inout Devices, _ wakeStore: FlashStore) {
    guard life.scenario.hasMicrophone else { return }
    let capture = SimulatedCapture(life, runner)
    var settings = MicrophoneSettings()
    settings.isEnabled = life.scenario.isMicrophoneOn
    settings.light = indicator == nil ? .unlit : life.scenario.requiresLight ? .required : .lit
    let microphone = Microphone(
      capture: capture,
      intake: SoundIntake(resampler: NearestResampler(), denoiser: nil, gain: .fixed(0), channel: .mix),
      settings: settings, indicator: indicator, runner: runner, clock: clock, log: log)
    let parts = SoundParts(life, capture, WatchedMicrophone(life, TalkMicrophoneAdapter(microphone)))
    sound = parts
    devices.voice.microphone = microphone
    if life.scenario.hasSpeaker {
      devices.voice.speaker = Speaker(
        playback: SimulatedPlayback(life, runner), resampler: NearestResampler(), settings: SpeakerSettings(),
        microphone: microphone,
        runner: runner, clock: clock, log: log)
    }
    devices.voice.talk = TalkParts(
      microphone: parts.listening, speaker: devices.voice.speaker,
      recognizer: life.scenario.hasRecognizer ? SimulatedRecognizer(life) : nil,
      voice: life.scenario.hasSpeaker && life.scenario.hasVoice ? SimulatedVoice(life) : nil)
    devices.voice.talk?.button = parts.button
    guard let detector = parts.detector, let model = VoiceModel.builtIn else { return }
    var wake = WakeParts(
      settings: WakeParts.Settings(), model: model, banks: [PhraseBank.builtIn], runner: parts.wakeRunner,
      store: wakeStore)
    wake.detector = detector
    devices.voice.wake = wake
  }

  var talkSettings: TalkSettings {
    var settings = TalkSettings()
    settings.isEnabled = life.scenario.isTalkOn
    settings.converses = life.scenario.converses
    settings.wakeTalks = life.scenario.wakeTalks
    settings.toneVolume = life.scenario.hasTones ? 0.3 : 0
    return settings
  }

  /// Puts an observer between the phrase detector and the talk loop.
  func watchWake() {
    guard let agent, let wake = agent.voice.wake, let talk = agent.voice.talk else { return }
    sound?.watch = WakeWatch(life, talk)
    wake.delegate = sound?.watch
  }

  /// The program is gone.
  func stopSound() {
    sound?.wakeRunner.stop()
    sound?.capture.programGone()
    // What holds each other while sound comes and goes would stay.
    for use in MicrophoneUse.allCases { agent?.voice.microphone?.release(use) }
    sound?.listening.close()
    sound = nil
  }

  /// A card was plugged in or pulled out.
  func cardsChanged() { agent?.boardChanged(.soundCards) }
}
