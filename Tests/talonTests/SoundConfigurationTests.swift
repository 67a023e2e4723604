import Runtime
import Sound
import Testing

@testable import talon

/// `[microphone]` and `[speaker]`.
@Suite struct SoundConfigurationTests {
  private func sound(_ text: String) throws -> SoundConfiguration {
    try ConfigurationFile.parse(Array("[microphone]\n\(text)".utf8), file: "f").sound
  }

  private func complaint(_ text: String) -> String? {
    do throws(ConfigurationError) {
      _ = try ConfigurationFile.checked(Array("[gateway]\nurl = wss://a\n\(text)".utf8), file: "f")
      return nil
    } catch {
      return (error.key ?? "") + ": " + error.reason
    }
  }

  @Test func `Without a word there is neither microphone nor speaker`() throws {
    let sound = try sound("enabled = yes")
    #expect(sound.microphoneDriver == .none)
    #expect(sound.speakerDriver == .none)
  }

  @Test func `A card has a name, and auto is any`() throws {
    #expect(
      try sound("card = USB PnP Sound Device").microphone.order.card
        == SoundName(cutting: "USB PnP Sound Device"))
    #expect(try sound("card = auto").microphone.order.card.isEmpty)
    #expect(try sound("device = 1").microphone.order.device == 1)
    #expect(complaint("[microphone]\ncard = \(String(repeating: "a", count: 96))") != nil)
  }

  @Test(arguments: [
    ("80", MixerLevel.percent(80)), ("0%", .percent(0)), ("-6 dB", .decibels(-600)), ("3dB", .decibels(300)),
  ]) func `A level is a percentage or decibels`(text: String, level: MixerLevel) throws {
    #expect(try sound("level = \(text)").microphone.order.level == level)
  }

  @Test(arguments: ["101", "-1", "dB", "loud", "-101 dB", "6.5 dB"]) func `Any other level is told`(
    text: String
  ) {
    #expect(complaint("[microphone]\nlevel = \(text)")?.hasPrefix("[microphone] level: must be") == true)
  }

  @Test func `Gain is automatic, or decibels; channels count from one`() throws {
    #expect(try sound("gain = auto").microphone.gain == .automatic)
    #expect(try sound("gain = -20").microphone.gain == .fixed(-20))
    #expect(try sound("channel = 2").microphone.channel == .one(1))
    #expect(complaint("[microphone]\ngain = 41") != nil)
    #expect(complaint("[microphone]\nchannel = 0") != nil)
  }

  @Test func `What only makes sense together is told`() {
    #expect(complaint("[microphone]\ndriver = simulated")?.hasPrefix("[microphone] file") == true)
    #expect(complaint("[speaker]\ndriver = simulated")?.hasPrefix("[speaker] file") == true)
    #expect(complaint("[microphone]\nindicator = required")?.hasPrefix("[microphone] indicator_led") == true)
    #expect(complaint("[camera]\nindicator_led = a\n[microphone]\nindicator_led = a") != nil)
    #expect(complaint("[microphone]\nindicator_led = ../a") != nil)
  }
}
