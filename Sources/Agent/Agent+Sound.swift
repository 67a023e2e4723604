import Device
import Runtime
import Sound

// The microphone in the life of the agent; nothing in a build without sound.
extension Agent {
  #if TALON_SOUND
    func startSound() { microphone?.start() }
    func stopSound() { microphone?.stop() }
    var isSoundStopped: Bool { microphone?.isStopped ?? true }
    var soundDeadline: Int64? { microphone?.nextDeadline }
    func advanceSound(to now: Int64) { microphone?.advance(to: now) }
    func holdSound() { microphone?.hold() }
    func letGoSound() { microphone?.letGo() }

    /// A sound card was plugged in or pulled out.
    public func soundCardsChanged() { microphone?.cardsChanged() }

    /// Nil where none is configured.
    var microphoneHardware: HardwareState? { microphone?.hardware }
  #else
    func startSound() {}
    func stopSound() {}
    var isSoundStopped: Bool { true }
    var soundDeadline: Int64? { nil }
    func advanceSound(to now: Int64) {}
    func holdSound() {}
    func letGoSound() {}

    /// There is no sound.
    public func soundCardsChanged() {}

    var microphoneHardware: HardwareState? { nil }
  #endif
}
