import Codec
import Runtime

/// Some channels of a card, from 0.
public struct ChannelSet: Equatable, Sendable {
  // A bit for each of `Budget.soundChannels`, which are 64.
  private var bits: UInt64 = 0

  /// None.
  public init() {}

  /// A range of channels, below `Budget.soundChannels`.
  public init(_ channels: Range<Int>) {
    for channel in channels { insert(channel) }
  }

  /// Adds a channel, below `Budget.soundChannels`.
  public mutating func insert(_ channel: Int) {
    precondition((0..<Budget.soundChannels).contains(channel))
    bits |= 1 << UInt64(channel)
  }

  /// True for the channels in it.
  public func contains(_ channel: Int) -> Bool {
    (0..<Budget.soundChannels).contains(channel) && bits >> UInt64(channel) & 1 == 1
  }

  /// Those below `count`.
  public func prefix(_ count: Int) -> ChannelSet {
    var result = ChannelSet()
    for channel in 0..<min(count, Budget.soundChannels) where contains(channel) { result.insert(channel) }
    return result
  }

  public var isEmpty: Bool { bits == 0 }

  public var count: Int { bits.nonzeroBitCount }

  /// Channels that a card must have to have all of these.
  public var width: Int { UInt64.bitWidth - bits.leadingZeroBitCount }
}

/// The channels of a card that are used.
public enum SoundChannel: Equatable, Sendable {
  /// The mean of the microphones: those of a known array (`MicrophoneArray`), all channels of any other card.
  case mix
  /// The mean of these.
  case only(ChannelSet)

  /// One channel, from 0.
  public static func one(_ index: Int) -> SoundChannel { .only(ChannelSet(index..<index + 1)) }

  /// The channels to use of an opened card; not empty. Throws `.noChannel` if the card lacks one that is wanted.
  func channels(of facts: SoundFacts) throws(SoundError) -> ChannelSet {
    switch self {
    case .mix: return MicrophoneArray.channels(of: facts) ?? ChannelSet(0..<facts.channels)
    case .only(let wanted):
      guard wanted.width <= facts.channels else { throw .noChannel(wanted.width) }
      return wanted
    }
  }
}

/// An array of microphones with channels that nobody should hear with the others: what the board plays, which is there
/// for echo cancellation, and raw microphones beside the sound that the array made of them.
struct MicrophoneArray: Sendable {
  /// ALSA's id of its card, where cards of other makers have another; nil otherwise.
  let id: StaticString?
  /// A part of the name of its card, in lower case.
  let name: StaticString
  /// The channels to mix.
  let channels: ChannelSet

  /// The known arrays. The sources are the maker's pages: github.com/respeaker/usb_4_mic_array (0 is processed, 1 to 4
  /// are raw, 5 is playback; firmware with one channel has only the first), wiki.seeedstudio.com on the XVF3800 (0 and
  /// 1 are processed, 2 to 5 are raw) and on the 6-Mic Circular Array (0 to 5 are microphones, 6 and 7 are playback).
  /// The channels of the 4-Mic HAT (seeed-4mic-voicecard) are all microphones, so it needs no row.
  private static let all: InlineArray<3, MicrophoneArray> = [
    MicrophoneArray(id: "ArrayUAC10", name: "respeaker 4 mic array", channels: ChannelSet(0..<1)),
    MicrophoneArray(id: nil, name: "xvf3800", channels: ChannelSet(0..<1)),
    MicrophoneArray(id: "seeed8micvoicec", name: "seeed-8mic-voicecard", channels: ChannelSet(0..<6)),
  ]

  /// The channels of a known array that are there to be heard; nil for any other card.
  static func channels(of facts: SoundFacts) -> ChannelSet? {
    for index in 0..<all.count where all[index].matches(facts) {
      return all[index].channels.prefix(facts.channels)
    }
    return nil
  }

  private func matches(_ facts: SoundFacts) -> Bool {
    if let id, facts.card.span.matches(id) { return true }
    return Self.contains(facts.name.span, name)
  }

  private static func contains(_ text: Span<UInt8>, _ lowercased: StaticString) -> Bool {
    let last = text.count - lowercased.utf8CodeUnitCount
    guard last >= 0 else { return false }
    for start in 0...last {
      let rest = text.extracting(start..<text.count)
      if rest.hasPrefix(lowercased: lowercased) { return true }
    }
    return false
  }
}
