import Foundation

/// `tts.speak` (newer-gateways 6): a whole text as one clip, without a provider of Talk.
enum SpokenClip {
  /// What its provider makes.
  enum Form: String, CaseIterable, Sendable {
    /// Nothing: none is configured.
    case none
    case wav
    /// 16-bit samples at 24 kHz.
    case pcm
    /// What most providers make; here its header and silence.
    case mp3
  }

  /// Characters of the longest text (`tts.maxTextLength`).
  static let textMax = 4096

  static let params = Schema.object([.required("text", .text)])

  static func speak(_ call: MethodCall) throws(GatewayError) -> JSON {
    let text = call.params["text"]?.string?.trimmed ?? ""
    guard !text.isEmpty else { throw .invalidRequest("tts.speak requires text") }
    guard text.count <= textMax else { throw .invalidRequest("text is longer than tts.maxTextLength (\(textMax))") }
    let form = call.core.options.clips
    if form == .none { throw .unavailable("TTS conversion failed: no provider is configured") }
    let length = TalkVoice.milliseconds(of: text, speed: 1)
    call.core.talk.noteSpoken([
      "text": .string(text), "outputFormat": .string(form.rawValue), "milliseconds": .integer(Int64(length)),
      "params": call.params, "method": "tts.speak",
    ])
    let rate = TalkFormat.studio.rate
    let samples = Tone.samples(milliseconds: length, rate: rate)
    switch form {
    case .none, .wav: return answer(Tone.wav(samples, rate: rate), "wav", "audio/wav", ".wav")
    case .pcm: return answer(Data(TalkFormat.studio.bytes(of: samples)), "pcm_24000", "audio/pcm", ".pcm")
    case .mp3:
      // ISO/IEC 11172-3, 2.4.1.3: layer III, 128 kbit/s at 44.1 kHz, in frames of 417 bytes.
      let frame = Data([0xFF, 0xFB, 0x90, 0x00]) + Data(count: 413)
      return answer(Data((0..<max(length / 26, 1)).flatMap { _ in frame }), "mp3", "audio/mpeg", ".mp3")
    }
  }

  private static func answer(_ data: Data, _ format: String, _ type: String, _ suffix: String) -> JSON {
    [
      "audioBase64": .string(data.base64EncodedString()), "provider": .string(TalkDesk.provider),
      "outputFormat": .string(format), "mimeType": .string(type), "fileExtension": .string(suffix),
    ]
  }
}
