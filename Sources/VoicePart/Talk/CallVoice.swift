import Codec
import Runtime
import Talk

/// Gets the end of the sound of a realtime session.
protocol CallVoiceDelegate: AnyObject {
  /// It was played to its end, or the speaker failed.
  func callVoiceEnded(_ isWhole: Bool)
}

/// The sound of a realtime session: pieces that wait in a jitter buffer until the speaker needs them (node-commands
/// 7.5).
final class CallVoice: TalkSound {
  private let speaker: any TalkSpeaker
  private unowned(unsafe) let delegate: any CallVoiceDelegate
  private let jitter: JitterBuffer
  /// Base64 is decoded in place: its text is at the end of this buffer.
  private let storage: ReservedBuffer
  private let chunk = UnsafeMutableBufferPointer<Int16>.allocate(capacity: Budget.soundChunk)
  private var form = SoundForm(.pcm16, rate: 24_000)
  /// The first byte of a sample whose second byte is in the next piece.
  private var half: UInt8?
  /// Consecutive samples of silence that the speaker got because none had arrived, and the milliseconds of them that
  /// end the stream.
  private var stalledSamples = 0
  private var stallMilliseconds = Budget.callStallMilliseconds
  /// True while the speaker plays.
  private(set) var isSpeaking = false

  init(_ speaker: any TalkSpeaker, delegate: any CallVoiceDelegate) throws(Errno) {
    self.speaker = speaker
    self.delegate = delegate
    jitter = try JitterBuffer(capacity: Int(Budget.jitterMilliseconds) * 24)
    storage = try ReservedBuffer(capacity: Budget.callPieceCharacters)
    chunk.initialize(repeating: 0)
  }

  deinit { chunk.deallocate() }

  /// Counters of the jitter buffer since start.
  var counters: JitterBuffer.Counters { jitter.counters }

  /// A session begins; its response has `audio {outputEncoding, outputSampleRateHz}`, or nothing for PCM of 24 kHz.
  func begin(_ answer: borrowing JSONView) throws(SoundFormError) {
    stop()
    form = SoundForm(.pcm16, rate: 24_000)
    if let audio = answer.member("audio") {
      if let name = audio.member("outputEncoding") {
        guard let code = SoundForm.Code(relay: name) else {
          var text = InlineText<32>()
          if !text.fill({ name.copyString(into: $0) }) { text = InlineText(cutting: "a long name") }
          throw .unknown(text)
        }
        form.code = code
      }
      if let rate = audio.member("outputSampleRateHz") { form.rate = Int(clamping: rate.int64 ?? 0) }
    }
    _ = try SoundForm.checked(form.rate)
    jitter.begin(start: form.rate * Int(Budget.jitterStartMilliseconds) / 1000)
  }

  /// Stops at once, and drops what waits.
  func stop() {
    if isSpeaking { speaker.stopPlaying() }
    jitter.clear()
    storage.release()
    (isSpeaking, half, stalledSamples, stallMilliseconds) = (false, nil, 0, Budget.callStallMilliseconds)
  }

  /// Takes a piece. False when the speaker does not play.
  func take(_ audio: borrowing JSONView) throws(SoundFormError) -> Bool {
    guard let length = audio.stringLength else { throw .empty }
    guard length <= Budget.callPieceCharacters else { throw .tooLarge }
    let all = storage.bytes
    let text = UnsafeMutableBufferPointer(rebasing: all[(all.count - length)...])
    _ = audio.copyString(into: text)
    let count: Int
    do throws(Base64Error) {
      count = try Base64Decoder.decode(
        Span(_unsafeElements: UnsafeBufferPointer(text)), .standard, padding: .optional, into: all)
    } catch {
      throw error.kind == .noRoom ? .tooLarge : .base64(offset: error.offset)
    }
    push(UnsafeBufferPointer(rebasing: UnsafeBufferPointer(all)[..<count]))
    (stalledSamples, stallMilliseconds) = (0, Budget.callStallMilliseconds)
    return play()
  }

  private func push(_ bytes: UnsafeBufferPointer<UInt8>) {
    var count = 0
    for byte in bytes {
      if form.code == .ulaw {
        chunk[count] = G711.muLaw(byte)
      } else if let low = half {
        chunk[count] = Int16(bitPattern: UInt16(low) | UInt16(byte) << 8)
        half = nil
      } else {
        half = byte
        continue
      }
      count += 1
      guard count == chunk.count else { continue }
      jitter.push(UnsafeBufferPointer(chunk))
      count = 0
    }
    jitter.push(UnsafeBufferPointer(rebasing: chunk[..<count]))
  }

  private func play() -> Bool {
    if isSpeaking || jitter.count == 0 { return true }
    stalledSamples = 0
    isSpeaking = speaker.play(rate: form.rate, self)
    return isSpeaking
  }

  /// The turn is complete.
  func finish() { if isSpeaking { jitter.finish() } }

  /// The turn may be complete: more is awaited, but only for a short time.
  func expectPause() { stallMilliseconds = Budget.callPauseMilliseconds }

  func speakerNeedsSamples(_ block: UnsafeMutableBufferPointer<Int16>) -> Int {
    guard isSpeaking, !jitter.isDone else { return 0 }
    let before = jitter.counters.concealed
    jitter.pull(block)
    stalledSamples = jitter.counters.concealed == before ? 0 : stalledSamples + block.count
    // A stream that has stalled has ended.
    if stalledSamples >= form.rate * Int(stallMilliseconds) / 1000 { jitter.finish() }
    return block.count
  }

  func speakerEnded(_ isWhole: Bool) {
    guard isSpeaking else { return }
    isSpeaking = false
    guard isWhole else {
      stop()
      return delegate.callVoiceEnded(false)
    }
    // More has arrived while the card played its last samples.
    if jitter.count > 0 {
      if !play() { delegate.callVoiceEnded(false) }
      return
    }
    jitter.clear()
    delegate.callVoiceEnded(true)
  }
}
