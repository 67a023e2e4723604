import Runtime
import Testing

@testable import Sound

/// Which channels of a card are heard.
@Suite struct ChannelTests {
  /// The channels that reach the ear: each in turn has a tone, and all others are silent.
  private func heard(_ facts: SoundFacts, _ channel: SoundChannel = .mix) throws -> [Int] {
    let tone = sine(1000, count: Budget.soundBlock)
    var result: [Int] = []
    for sounding in 0..<facts.channels {
      let intake = intake(channel: channel)
      try intake.begin(facts)
      let bytes = frames(
        tone.map { value in (0..<facts.channels).map { $0 == sounding ? value : 0 } }, facts.format)
      let ear = Ear()
      bytes.withUnsafeBytes { intake.take($0, ear) }
      if ear.samples.contains(where: { abs(Int($0)) > 64 }) { result.append(sounding) }
    }
    return result
  }

  private func sentence(_ facts: SoundFacts, _ channel: SoundChannel) throws -> String {
    let intake = intake(channel: channel)
    try intake.begin(facts)
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = bytes.withUnsafeMutableBufferPointer { buffer in
      var line = LogLine(buffer)
      intake.writeMixed(to: &line)
      return line.count
    }
    return String(decoding: bytes[..<count], as: UTF8.self)
  }

  @Test(arguments: [
    ("ArrayUAC10", "ReSpeaker 4 Mic Array (UAC1.0)", 6, [0]),
    ("ArrayUAC10_1", "ReSpeaker 4 Mic Array (UAC1.0)", 6, [0]),
    ("ArrayUAC10", "Loopback", 6, [0]),
    ("Device", "RESPEAKER 4 MIC ARRAY (UAC1.0)", 6, [0]),
    ("ArrayUAC10", "ReSpeaker 4 Mic Array (UAC1.0)", 1, [0]),
    ("Array", "reSpeaker XVF3800 4-Mic Array", 6, [0]),
    ("Array", "reSpeaker XVF3800 4-Mic Array", 2, [0]),
    ("seeed8micvoicec", "seeed-8mic-voicecard", 8, [0, 1, 2, 3, 4, 5]),
    ("seeed8micvoicec", "seeed-8mic-voicecard", 4, [0, 1, 2, 3]),
    ("seeed8micvoicec", "seeed-8mic-voicecard", 1, [0]),
    ("seeed4micvoicec", "seeed-4mic-voicecard", 4, [0, 1, 2, 3]),
    ("seeed2micvoicec", "seeed-2mic-voicecard", 2, [0, 1]),
    ("Device", "USB PnP Sound Device", 6, [0, 1, 2, 3, 4, 5]),
    ("ArrayUAC1", "ReSpeaker 4 Mic Arra", 2, [0, 1]),
    ("", "", 3, [0, 1, 2]),
  ])
  func `Of a known array what the board plays is not heard, and of any other card all channels are`(
    card: String, name: String, channels: Int, expected: [Int]
  ) throws {
    #expect(try heard(facts(channels: channels, card: card, name: name)) == expected)
  }

  @Test func `Channels that are chosen are heard and no others, of known arrays as well`() throws {
    let array = facts(channels: 6, card: "ArrayUAC10", name: "ReSpeaker 4 Mic Array (UAC1.0)")
    #expect(try heard(array, .only(ChannelSet(1..<5))) == [1, 2, 3, 4])
    #expect(try heard(array, .only(ChannelSet(0..<6))) == [0, 1, 2, 3, 4, 5])
    #expect(try heard(array, .one(5)) == [5])
    var outer = ChannelSet()
    outer.insert(0)
    outer.insert(63)
    #expect(try heard(facts(channels: Budget.soundChannels), .only(outer)) == [0, 63])
  }

  @Test func `The mean of the chosen channels is as loud as one of them`() throws {
    let tone = sine(1000, count: 3200)
    let intake = intake(channel: .only(ChannelSet(1..<3)))
    try intake.begin(facts(channels: 4))
    let ear = Ear()
    frames(tone.map { [1, $0, $0, -1] }, .s16).withUnsafeBytes { intake.take($0, ear) }
    for index in 1600..<3200 { #expect(abs(Float(ear.samples[index]) / 32768 - tone[index]) < 0.02) }
  }

  @Test func `A card with fewer channels than are chosen is refused with the first number that it must have`() {
    #expect { try intake(channel: .only(ChannelSet(1..<5))).begin(facts(channels: 4)) } throws: {
      if case .noChannel(5) = $0 as? SoundError { true } else { false }
    }
  }

  @Test func `A card that is plugged in instead is heard by its own channels`() throws {
    let intake = intake()
    try intake.begin(facts(channels: 6, card: "ArrayUAC10"))
    #expect(intake.mixed == ChannelSet(0..<1))
    try intake.begin(facts(channels: 6))
    #expect(intake.mixed == ChannelSet(0..<6))
  }

  @Test func `The log says which channels are heard, unless all are`() throws {
    let array = facts(channels: 6, card: "ArrayUAC10")
    #expect(try sentence(array, .mix) == ", of which 1 is heard")
    #expect(try sentence(array, .only(ChannelSet(1..<4))) == ", of which 2, 3, 4 are heard")
    #expect(try sentence(facts(channels: 6), .mix) == "")
    #expect(try sentence(facts(channels: 1), .mix) == "")
  }
}
