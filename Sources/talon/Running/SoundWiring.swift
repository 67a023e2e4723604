#if TALON_SOUND
  import Agent
  import Board
  import Runtime
  import Simulated
  import Sound

  /// Builds the microphone and the speaker of a configuration, for the agent and for `talon listen` and `talon speaker`.
  struct SoundWiring {
    let configuration: SoundConfiguration
    let loop: Loop
    let clock: any Clock

    /// The one owner of the configured microphone; nil: there is none.
    func microphone(_ runner: any JobRunner, _ log: Log) throws(Errno) -> Microphone? {
      guard configuration.microphoneDriver != .none else { return nil }
      return Microphone(
        capture: try capture(), intake: try intake(), settings: configuration.microphone,
        indicator: try indicator(),
        runner: runner, clock: clock, log: log)
    }

    /// What makes blocks of what it captures.
    func intake() throws(Errno) -> SoundIntake {
      var denoiser: (any Denoiser)?
      if configuration.microphone.denoises {
        do throws(SoundError) { denoiser = try SpeexDenoiser() } catch { throw .outOfMemory }
      }
      return SoundIntake(
        resampler: SpeexResampler(), denoiser: denoiser, gain: configuration.microphone.gain,
        channel: configuration.microphone.channel)
    }

    /// The microphone itself; ALSA's where none is configured.
    func capture() throws(Errno) -> any SoundCapture {
      guard configuration.microphoneDriver == .simulated else { return ALSACapture(loop: loop) }
      return try WAVCapture(path: configuration.microphoneFile, clock: clock, loop: loop)
    }

    /// The speaker itself; ALSA's where none is configured.
    func playback() throws(Errno) -> any SoundPlayback {
      guard configuration.speakerDriver == .simulated else { return ALSAPlayback(loop: loop) }
      return try WAVPlayback(path: configuration.speakerFile, clock: clock, loop: loop)
    }

    private func indicator() throws(Errno) -> (any Indicator)? {
      configuration.indicatorLED.isEmpty ? nil : try LEDIndicator(name: configuration.indicatorLED)
    }
  }
#endif
