import Codec
import Runtime
import Talk

/// Encodes sound of 16 kHz for a session of the gateway (gateway reference 9.10): at its rate, in its encoding, as
/// base64.
final class RelayEncoder {
  private var form = SoundForm(.ulaw, rate: 8_000)
  /// For 8 and 24 kHz.
  private var converter: RateConverter?
  private let samples: UnsafeMutableBufferPointer<Int16>
  private let bytes: FixedBuffer
  private let base64: FixedBuffer

  /// Allocates for the largest piece.
  init() {
    // At 24 kHz there are half as many samples again.
    samples = .allocate(capacity: Budget.appendSamples * 3 / 2 + 2)
    bytes = FixedBuffer(capacity: 2 * samples.count)
    base64 = FixedBuffer(capacity: Base64.standard.encodedLength(of: bytes.bytes.count))
  }

  deinit { samples.deallocate() }

  /// Sets the form that the gateway expects: `audio {inputEncoding, inputSampleRateHz}`, or `usual` when it does not
  /// say. False when it is not supported here.
  func take(_ answer: borrowing JSONView, usual: SoundForm) -> Bool {
    var wanted = usual
    if let audio = answer.member("audio") {
      if let name = audio.member("inputEncoding") {
        guard let code = SoundForm.Code(relay: name) else { return false }
        wanted.code = code
      }
      if let rate = audio.member("inputSampleRateHz") { wanted.rate = Int(clamping: rate.int64 ?? 0) }
    }
    guard wanted.rate == 8_000 || wanted.rate == 16_000 || wanted.rate == 24_000 else { return false }
    if wanted.rate == Budget.talkRate {
      converter = nil
    } else if converter == nil || wanted.rate != form.rate {
      converter = RateConverter(from: Budget.talkRate, to: wanted.rate)
    } else {
      converter?.reset()
    }
    form = wanted
    return true
  }

  /// The base64 of at most `Budget.appendSamples` samples, which continue the earlier ones; valid until the next call.
  func encode(_ block: UnsafeBufferPointer<Int16>) -> UnsafeBufferPointer<UInt8> {
    var source = block
    if let converter {
      let count = converter.convert(block, into: samples)
      source = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(samples)[..<count])
    }
    let output = bytes.bytes
    var count = 0
    for sample in source {
      if form.code == .ulaw {
        output[count] = G711.muLaw(encoding: sample)
        count += 1
      } else {
        output[count] = UInt8(truncatingIfNeeded: sample)
        output[count + 1] = UInt8(truncatingIfNeeded: sample >> 8)
        count += 2
      }
    }
    let whole = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(output)[..<count])
    let length = Base64.standard.encode(Span(_unsafeElements: whole), into: base64.bytes)
    return UnsafeBufferPointer(rebasing: UnsafeBufferPointer(base64.bytes)[..<length])
  }
}

extension SoundForm.Code {
  /// The encoding's name in the protocol.
  init?(relay name: borrowing JSONView) {
    if name.equals("pcm16") {
      self = .pcm16
    } else if name.equals("g711_ulaw") {
      self = .ulaw
    } else {
      return nil
    }
  }
}
