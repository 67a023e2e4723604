import Codec
import Runtime

/// A voice directive: how a reply is to be spoken, from a JSON object in its first line (node-commands 7.2). Values
/// outside of their range are ignored.
public struct VoiceDirective: Sendable {
  /// Names of voices and models.
  public typealias Name = InlineText<128>
  /// "auto", "on" or "off".
  public enum Normalization: Sendable { case auto, on, off }

  public var voice: Name?
  public var model: Name?
  /// Between 0.5 and 2, both excluded; a rate in words a minute becomes `rate / 175`, and has priority.
  public var speed: Double?
  /// 0 to 1.
  public var stability: Double?
  public var similarity: Double?
  public var style: Double?
  public var hasSpeakerBoost: Bool?
  public var seed: UInt32?
  public var normalization: Normalization?
  /// Two lower-case letters.
  public var language: InlineText<2>?
  public var outputFormat: InlineText<32>?
  /// 0 to 4.
  public var latencyTier: Int64?
  /// For this reply only; otherwise voice and model are kept.
  public var isOnce: Bool?
  /// Unknown keys, as many as fit.
  public private(set) var unknownKeys = InlineList<4, InlineText<32>>()
  private var rate: Double?

  /// An empty directive.
  public init() {}

  /// Words a minute at speed 1.
  static let wordsPerMinute = 175.0
  private static let speeds = 0.5...2.0

  /// Reads a line; nil when it is not a directive: not an object, or without any known key with a valid value.
  public static func read(_ line: Span<UInt8>) -> VoiceDirective? {
    let line = line.withoutSpace
    guard line.count >= 2, line.count <= Budget.directiveBytes, line[0] == UInt8(ascii: "{"),
      line[line.count - 1] == UInt8(ascii: "}")
    else { return nil }
    do throws(JSONError) { try JSONValidator.check(line, depthLimit: 8) } catch { return nil }
    var directive = VoiceDirective()
    var isUsed = false
    var members = JSONView(line).members()
    while let member = members.next() {
      switch directive.take(member) {
      case .used: isUsed = true
      case .ignored: break
      case .unknown: directive.note(member.name)
      }
    }
    if let rate = directive.rate { directive.speed = rate / wordsPerMinute }
    return isUsed ? directive : nil
  }

  private enum Use { case used, ignored, unknown }

  private mutating func take(_ member: borrowing JSONMember) -> Use {
    let name = member.name
    let value = member.value
    if name.isOne(of: ["voice", "voice_id", "voiceId"]) { return set(&voice, value.name()) }
    if name.isOne(of: ["model", "model_id", "modelId"]) { return set(&model, value.name()) }
    if name.equals("speed") { return set(&speed, value.number(where: Self.isSpeed)) }
    if name.isOne(of: ["rate", "wpm"]) {
      return set(&rate, value.number { $0 > 0 && $0 == $0.rounded() && Self.isSpeed($0 / Self.wordsPerMinute) })
    }
    if name.equals("stability") { return set(&stability, value.number(where: Self.isShare)) }
    if name.isOne(of: ["similarity", "similarity_boost", "similarityBoost"]) {
      return set(&similarity, value.number(where: Self.isShare))
    }
    if name.equals("style") { return set(&style, value.number(where: Self.isShare)) }
    return takeRest(name, value)
  }

  private mutating func takeRest(_ name: borrowing JSONView, _ value: borrowing JSONView) -> Use {
    if name.isOne(of: ["speaker_boost", "speakerBoost"]) { return set(&hasSpeakerBoost, value.boolean) }
    if name.isOne(of: ["no_speaker_boost", "noSpeakerBoost"]) {
      return set(&hasSpeakerBoost, value.boolean.map { !$0 })
    }
    if name.equals("seed") {
      return set(
        &seed, value.number { $0 >= 0 && $0 <= 4_294_967_295 && $0 == $0.rounded() }.map { UInt32(clamping: $0) })
    }
    if name.isOne(of: ["normalize", "apply_text_normalization"]) { return set(&normalization, value.normalization) }
    if name.isOne(of: ["lang", "language_code", "language"]) { return set(&language, value.language) }
    if name.isOne(of: ["output_format", "format"]) { return set(&outputFormat, value.name()) }
    if name.isOne(of: ["latency", "latency_tier", "latencyTier"]) {
      return set(&latencyTier, value.number { $0 >= 0 && $0 <= 4 && $0 == $0.rounded() }.map { Int64(clamping: $0) })
    }
    if name.equals("once") { return set(&isOnce, value.boolean) }
    return .unknown
  }

  private func set<Value>(_ place: inout Value?, _ value: Value?) -> Use {
    guard let value else { return .ignored }
    place = value
    return .used
  }

  private mutating func note(_ name: borrowing JSONView) {
    var text = InlineText<32>()
    if text.fill({ name.copyString(into: $0) }) { unknownKeys.append(text) }
  }

  private static func isSpeed(_ value: Double) -> Bool { value > speeds.lowerBound && value < speeds.upperBound }
  private static func isShare(_ value: Double) -> Bool { value >= 0 && value <= 1 }

  /// Writes the members of `talk.speak` (node-commands 7.3), without those of the sound's encoding, which the board
  /// chooses.
  public func writeMembers(to writer: inout JSONWriter) {
    write("voiceId", voice, to: &writer)
    write("modelId", model, to: &writer)
    write("speed", speed, to: &writer)
    write("stability", stability, to: &writer)
    write("similarity", similarity, to: &writer)
    write("style", style, to: &writer)
    if let hasSpeakerBoost {
      writer.key("speakerBoost")
      writer.bool(hasSpeakerBoost)
    }
    if let seed {
      writer.key("seed")
      writer.uint(UInt64(seed))
    }
    if let normalization {
      writer.key("normalize")
      writer.string(normalization == .auto ? "auto" : normalization == .on ? "on" : "off")
    }
    write("language", language, to: &writer)
    if let latencyTier {
      writer.key("latencyTier")
      writer.int(latencyTier)
    }
  }

  private func write(_ key: StaticString, _ value: Double?, to writer: inout JSONWriter) {
    guard let value else { return }
    writer.key(key)
    writer.double(value)
  }

  private func write<let capacity: Int>(
    _ key: StaticString, _ value: InlineText<capacity>?, to writer: inout JSONWriter
  ) {
    guard let value else { return }
    writer.key(key)
    writer.string(value.span)
  }
}

/// The current voice and model, until a directive changes them.
public struct VoiceChoice: Sendable {
  private var voice: VoiceDirective.Name?
  private var model: VoiceDirective.Name?

  /// The gateway's default.
  public init() {}

  /// Applies a reply's directive, if any, and returns how the reply is spoken.
  public mutating func take(_ directive: VoiceDirective?) -> VoiceDirective {
    var result = directive ?? VoiceDirective()
    if let directive, directive.isOnce != true {
      voice = directive.voice ?? voice
      model = directive.model ?? model
    }
    result.voice = result.voice ?? voice
    result.model = result.model ?? model
    return result
  }
}

extension JSONView {
  fileprivate func isOne<let count: Int>(of names: InlineArray<count, StaticString>) -> Bool {
    for index in 0..<count where equals(names[index]) { return true }
    return false
  }

  /// A non-blank text.
  fileprivate func name<let capacity: Int>() -> InlineText<capacity>? {
    var text = InlineText<capacity>()
    guard text.fill({ copyString(into: $0) }) else { return nil }
    let range = text.span.spaceless
    guard !range.isEmpty else { return nil }
    var trimmed = InlineText<capacity>()
    trimmed.set(text.span.extracting(range))
    return trimmed
  }

  /// A number, also as text, for which `test` holds.
  fileprivate func number(where test: (Double) -> Bool) -> Double? {
    var value = double
    if kind == .string {
      var text = InlineText<32>()
      guard text.fill({ copyString(into: $0) }) else { return nil }
      let digits = text.span.extracting(text.span.spaceless)
      do throws(JSONError) { try JSONValidator.check(digits, depthLimit: 1) } catch { return nil }
      value = JSONView(digits).double
    }
    guard let value, test(value) else { return nil }
    return value
  }

  /// A boolean, also as yes, no, 1 and 0, in words or numbers.
  fileprivate var boolean: Bool? {
    if let bool { return bool }
    if let int64 { return int64 == 1 ? true : int64 == 0 ? false : nil }
    if isOne(of: ["true", "yes", "1"]) { return true }
    return isOne(of: ["false", "no", "0"]) ? false : nil
  }

  fileprivate var normalization: VoiceDirective.Normalization? {
    equals("auto") ? .auto : equals("on") ? .on : equals("off") ? .off : nil
  }

  /// Two letters in lower case.
  fileprivate var language: InlineText<2>? {
    var text = InlineText<16>()
    guard text.fill({ copyString(into: $0) }) else { return nil }
    let range = text.span.spaceless
    guard range.count == 2 else { return nil }
    var letters = InlineArray<2, UInt8>(repeating: 0)
    for index in 0..<2 {
      letters[index] = text.span[range.lowerBound + index] | 0x20
      guard letters[index] >= UInt8(ascii: "a"), letters[index] <= UInt8(ascii: "z"),
        text.span[range.lowerBound + index] >= 0x41
      else { return nil }
    }
    var result = InlineText<2>()
    result.set(letters.span)
    return result
  }
}

extension Span where Element == UInt8 {
  /// The range without surrounding white space.
  var spaceless: Range<Int> {
    var (start, end) = (0, count)
    while start < end, self[start] <= 0x20 { start += 1 }
    while end > start, self[end - 1] <= 0x20 { end -= 1 }
    return start..<end
  }

  var withoutSpace: Span<UInt8> {
    @_lifetime(copy self) get { extracting(spaceless) }
  }
}
