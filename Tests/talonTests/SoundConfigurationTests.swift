import Runtime
import Sound
import Talk
import Testing

@testable import talon

/// `[microphone]` and `[speaker]`.
@Suite struct SoundConfigurationTests {
  /// Rows of the table in `ConfigurationTests`.
  static let refusals: [(key: String, values: [String], says: String)] =
    both("driver", ["oss", "ALSA"], "must be one of alsa, simulated, none")
    + both("enabled", ["1"], "must be one of yes, no, true, false")
    + both("card", [String(repeating: "a", count: 96)], "must have at most 95 bytes")
    + both("device", ["-1", "32", "first"], "must be auto, or a whole number from 0 to 31")
    + both("rate", ["3999", "384001", "48 kHz"], "must be auto, or a whole number from 4000 to 384000")
    + both("channels", ["0", "65"], "must be auto, or a whole number from 1 to 64")
    + both("control", ["a|b"], "must not contain control characters or |")
    + both(
      "level", ["101", "loud", "-101 dB", "6.5 dB"], "must be auto, a percentage such as 80, or decibels such as -6 dB")
    + both("file", ["heard.wav"], "must be an absolute path")
    + [
      (
        "microphone channel", ["0", "65", "left", "1, mix", "5-2", "0-3", "60-65", "1-2-3", "-1", "2-", "-", ","],
        "must be mix, or channels from 1 to 64, as 1, or 2-5, or 1, 3"
      ),
      ("microphone gain", ["-21", "41", "loud"], "must be auto, or whole decibels from -20 to 40"),
      ("microphone denoise", ["yes"], "must be one of on, off"),
      ("microphone indicator", ["yes"], "must be one of none, optional, required"),
      ("microphone indicator_led", ["../x", "a/b", ".."], "must be a name below /sys/class/leds"),
      ("speaker gain", ["-41", "21", "auto"], "must be whole decibels from -40 to 20"),
      ("wake model", ["de", "models/de"], "must be an absolute path"),
      ("talk enabled", ["1"], "must be one of yes, no, true, false"),
      ("talk mode", ["on", "call"], "must be one of turns, realtime"),
      ("talk wake", ["yes"], "must be one of command, talk"),
      ("talk idle", ["4", "3601", "1 min"], "must be a whole number from 5 to 3600"),
      (
        "talk button", [":17", "gpiochip0:"],
        "must be a line, as 17, GPIO17 or pin 11, or a chip and a line of it, as pinctrl-rp1:17"
      ),
      ("talk button", [String(repeating: "a", count: 65) + ":1"], "must have at most 64 bytes"),
      ("talk button_active_low", ["1"], "must be one of yes, no, true, false"),
      ("talk button_bias", ["up"], "must be one of pull-up, pull-down, none, as-is"),
      ("talk chime", ["yes"], "must be one of both, wake, sent, none"),
      ("talk chime_volume", ["-1", "101"], "must be a whole number from 0 to 100"),
      ("talk speak", ["1"], "must be one of yes, no, true, false"),
      ("talk interrupt", ["1"], "must be one of yes, no, true, false"),
      ("talk silence", ["299", "5001", "1 s"], "must be a whole number from 300 to 5000"),
      ("talk request", ["1"], "must be one of yes, no, true, false"),
      ("talk commands", ["1"], "must be one of yes, no, true, false"),
      ("wake enabled", ["1"], "must be one of yes, no, true, false"),
      ("wake phrases", [String(repeating: "a", count: 1025)], "must have at most 1024 bytes"),
      ("talk recogniser", ["en-us"], "must be an absolute path"),
      ("talk confidence", ["-1", "101", "some"], "must be a whole number from 0 to 100"),
      ("wake file", ["phrases.bin"], "must be an absolute path"),
      ("wake learn", ["maybe"], "must be one of yes, no, true, false"),
      ("wake espeak", ["espeak-ng", "yes"], "must be auto, none or an absolute path"),
      ("wake cautions", [Array(repeating: "a 1", count: 33).joined(separator: ",")], "must name at most 32 phrases"),
      ("wake caution", ["101", "-101", "high"], "must be a whole number from -100 to 100"),
    ]

  private static func both(_ key: String, _ values: [String], _ says: String) -> [(
    key: String, values: [String], says: String
  )] {
    [("microphone \(key)", values, says), ("speaker \(key)", values, says)]
  }

  private func sound(_ text: String) throws -> SoundConfiguration {
    try ConfigurationFile.parse(Array("[microphone]\n\(text)".utf8), file: "f").sound
  }

  @Test("the keys of talk say what its service gets: milliseconds, shares of one, and which tones are played")
  func talk() throws {
    func settings(_ text: String) throws -> TalkSettings {
      try ConfigurationFile.parse(Array("[talk]\n\(text)".utf8), file: "f").talk.settings
    }
    let chosen = try settings(
      "enabled = no\nmode = realtime\nwake = talk\nidle = 5\nchime_volume = 25\nspeak = no\ninterrupt = no\n"
        + "silence = 700\nrequest = yes\nconfidence = 75")
    #expect(!chosen.isEnabled && chosen.converses && chosen.wakeTalks && chosen.idle == 5_000)
    #expect(chosen.toneVolume == 0.25 && !chosen.speaksReplies && !chosen.hearsInterruptions)
    #expect(chosen.turnSilence == 700 && chosen.sendsRequests && chosen.leastConfidence == 0.75)
    for (word, listening, sent) in [
      ("both", true, true), ("wake", true, false), ("sent", false, true), ("none", false, false),
    ] {
      let tones = try settings("chime = \(word)")
      #expect(tones.tonesWhenListening == listening && tones.tonesWhenSent == sent, "\(word)")
    }
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

  @Test(arguments: [
    ("1", [0], 1), ("2-5", [1, 2, 3, 4], 5), ("1, 3", [0, 2], 3), ("3 1", [0, 2], 3), ("1-2,2-3,6", [0, 1, 2, 5], 6),
    ("64", [63], 64), ("1-64", Array(0...63), 64),
  ]) func `Channels are numbers and ranges, and the card is opened with as many as they need`(
    text: String, channels: [Int], width: Int
  ) throws {
    let microphone = try sound("channel = \(text)").microphone
    guard case .only(let set) = microphone.channel else {
      Issue.record("mixes all channels")
      return
    }
    #expect((0..<64).filter { set.contains($0) } == channels)
    #expect(microphone.opening.channels == width)
    #expect(try sound("channel = \(text)\nchannels = 8").microphone.opening.channels == 8)
    #expect(try sound("channel = mix").microphone.opening.channels == nil)
  }

  @Test func `Cautions are of phrases, in tenths`() throws {
    let wake = try ConfigurationFile.parse(Array("[wake]\ncautions = hey kitchen -5 ,computer\t10".utf8), file: "f")
      .wake
    #expect(
      wake.cautions == [
        WakeConfiguration.Caution(phrase: "hey kitchen", tenths: -5),
        WakeConfiguration.Caution(phrase: "computer", tenths: 10),
      ])
  }

  @Test(arguments: [
    ("computer 5, claude", "\"claude\" must be a phrase, a blank and a number, as computer -5"),
    ("5", "\"5\" must be a phrase, a blank and a number, as computer -5"),
    ("computer 5,", "\"\" must be a phrase, a blank and a number, as computer -5"),
    ("hey computer 5.5", "\"hey computer 5.5\": 5.5 must be a whole number from -100 to 100"),
    ("a --5", "\"a --5\": --5 must be a whole number from -100 to 100"),
    ("a 101", "\"a 101\": 101 must be a whole number from -100 to 100"),
    ("!? 5", "\"!?\" must be words of at most 64 characters"),
  ]) func `A caution that makes no sense is named`(value: String, says: String) {
    #expect(complaint("[wake]\ncautions = \(value)") == "[wake] cautions: \(says)")
    let long = String(repeating: "a", count: 65)
    #expect(
      complaint("[wake]\ncautions = \(long) 5") == "[wake] cautions: \"\(long)\" must be words of at most 64 characters"
    )
  }

  @Test func `What only makes sense together is told`() {
    #expect(complaint("[microphone]\ndriver = simulated")?.hasPrefix("[microphone] file") == true)
    #expect(complaint("[speaker]\ndriver = simulated")?.hasPrefix("[speaker] file") == true)
    #expect(complaint("[microphone]\nindicator = required")?.hasPrefix("[microphone] indicator_led") == true)
    #expect(complaint("[camera]\nindicator_led = a\n[microphone]\nindicator_led = a") != nil)
    #expect(complaint("[microphone]\nindicator_led = ../a") != nil)
  }
}
