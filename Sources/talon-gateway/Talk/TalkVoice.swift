import Foundation

/// `talk.speak` (protocol reference, section 9.10): a tone, longer for a longer text.
enum TalkVoice {
  /// Why there is no speech.
  enum Silence: String, CaseIterable, Sendable {
    case unconfigured = "talk_unconfigured"
    case unsupported = "talk_provider_unsupported"
    case unavailable = "method_unavailable"
    case failed = "synthesis_failed"
    case invalid = "invalid_audio_result"

    /// Whether the client may speak by itself: not where a provider is there, and failed.
    var isFallbackEligible: Bool { self != .failed && self != .invalid }

    func error(_ message: String) -> GatewayError {
      .unavailable(
        message, details: ["reason": .string(rawValue), "fallbackEligible": .bool(isFallbackEligible)])
    }
  }

  private static let millisecondsPerCharacter = 40.0
  private static let millisecondsMin = 200.0
  private static let millisecondsMax = 10_000.0
  /// Words a minute at speed 1.
  private static let normalRate = 175.0

  static func milliseconds(of text: String, speed: Double) -> Int {
    Int(min(max(Double(text.count) * millisecondsPerCharacter / speed, millisecondsMin), millisecondsMax))
  }

  /// Speed wins over the rate; a rate that is none leaves no speed.
  private static func speed(_ params: JSON) throws(GatewayError) -> Double {
    if let speed = params["speed"]?.number { return speed }
    guard let rate = params["rateWpm"]?.number else { return 1 }
    let speed = rate / normalRate
    guard speed > 0.5, speed < 2 else {
      throw .invalidRequest("invalid talk.speak params: rateWpm must resolve to speed between 0.5 and 2.0")
    }
    return speed
  }

  static func speak(_ call: MethodCall) throws(GatewayError) -> JSON {
    let text = call.params["text"]?.string?.trimmed ?? ""
    guard !text.isEmpty else { throw .invalidRequest("talk.speak requires text") }
    let speed = try speed(call.params)
    if let silence = call.core.talk.silence { throw silence.error("talk speech is not available") }
    let length = milliseconds(of: text, speed: speed)
    let wanted = call.params["outputFormat"]?.string
    let format = wanted.map(TalkFormat.init(name:)) ?? .studio
    guard let format else { throw Silence.failed.error("this gateway makes no \(wanted ?? "")") }
    call.core.talk.noteSpoken([
      "text": .string(text), "outputFormat": .string(wanted ?? "wav"),
      "milliseconds": .integer(Int64(length)),
      "params": call.params,
    ])
    let samples = Tone.samples(milliseconds: length, rate: format.rate)
    let data = wanted == nil ? Tone.wav(samples, rate: format.rate) : Data(format.bytes(of: samples))
    return [
      "audioBase64": .string(data.base64EncodedString()), "provider": .string(TalkDesk.provider),
      "outputFormat": .string(wanted ?? "wav"),
      "mimeType": .string(wanted == nil ? "audio/wav" : format.mimeType),
      "fileExtension": .string(wanted == nil ? ".wav" : format.fileExtension), "voiceCompatible": false,
    ]
  }
}
