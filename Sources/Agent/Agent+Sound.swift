import Codec
import Device
import Runtime
import Sound

// The microphone and the speaker in the life of the agent; nothing in a build without sound.
extension Agent {
  #if TALON_SOUND
    func startSound() {
      microphone?.start()
      wake?.start()
    }
    func stopSound() {
      wake?.stop()
      microphone?.stop()
      speaker?.stopForGood()
    }
    var isSoundStopped: Bool {
      microphone?.isStopped ?? true && speaker?.isStopped ?? true && wake?.isStopped ?? true && talk?.isStopped ?? true
    }
    var soundDeadline: Int64? {
      let earliest = min(microphone?.nextDeadline ?? .max, speaker?.nextDeadline ?? .max, wake?.nextDeadline ?? .max)
      return earliest == .max ? nil : earliest
    }
    func advanceSound(to now: Int64) {
      microphone?.advance(to: now)
      speaker?.advance(to: now)
      wake?.advance(to: now)
    }
    func holdSound() {
      microphone?.hold()
      speaker?.hold()
    }
    func letGoSound() {
      microphone?.letGo()
      speaker?.letGo()
    }

    /// A sound card was plugged in or pulled out.
    public func soundCardsChanged() { microphone?.cardsChanged() }

    var isMicrophoneOpen: Bool { microphone?.isOpen ?? false }

    /// Nil where none is configured.
    var microphoneHardware: HardwareState? { microphone?.hardware }

    /// Nil where nobody waits for a phrase.
    var wakeHardware: HardwareState? { wake?.hardware }

    /// What is listened for, as a member of the status.
    func writeWake(to writer: inout JSONWriter) {
      guard let wake else { return }
      writer.key("wake")
      wake.writeStatus(to: &writer)
    }
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

    var isMicrophoneOpen: Bool { false }
    var microphoneHardware: HardwareState? { nil }
    var wakeHardware: HardwareState? { nil }
    func writeWake(to writer: inout JSONWriter) {}
  #endif
}
