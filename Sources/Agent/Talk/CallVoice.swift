import Codec
import Runtime
import Talk

/// Told how the sound of a realtime session goes.
protocol CallVoiceOwner: AnyObject {
  /// All of it was heard; or the speaker does not play.
  func callVoiceEnded(_ isWhole: Bool)
}

/// What a realtime session says: sound in pieces, that wait in a jitter buffer for the speaker to pull them (node-commands 7.5).
final class CallVoice: TalkSound {
  private let speaker: any TalkSpeaker
  private unowned(unsafe) let owner: any CallVoiceOwner
  private let jitter: JitterBuffer
  /// Where base64 is decoded in place: its text stands at the end.
  private let storage: ReservedBuffer
  private let chunk = UnsafeMutableBufferPointer<Int16>.allocate(capacity: Budget.soundChunk)
  private var form = SoundForm(.pcm16, rate: 24_000)
  /// The first half of a sample whose second is in the next piece.
  private var half: UInt8?
  /// Samples of silence in a row that the speaker got for want of others, and how many end it.
  private var starved = 0
  private var patience = Budget.callStallMilliseconds
  /// The speaker was told to play, and has not ended.
  private(set) var isSpeaking = false

  init(_ speaker: any TalkSpeaker, owner: any CallVoiceOwner) throws(Errno) {
    self.speaker = speaker
    self.owner = owner
    jitter = try JitterBuffer(capacity: Int(Budget.jitterMilliseconds) * 24)
    storage = try ReservedBuffer(capacity: Budget.callPieceCharacters)
    chunk.initialize(repeating: 0)
  }

  deinit { chunk.deallocate() }

  /// What happened to the sound since the start.
  var counters: JitterBuffer.Counters { jitter.counters }

  /// A session begins, whose answer says `audio {outputEncoding, outputSampleRateHz}`, or nothing: PCM of 24 kHz.
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

  /// Ends it at once, and forgets what waits.
  func stop() {
    if isSpeaking { speaker.stop() }
    jitter.clear()
    storage.release()
    (isSpeaking, half, starved, patience) = (false, nil, 0, Budget.callStallMilliseconds)
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
      count = try Base64Decoder.decode(Span(_unsafeElements: UnsafeBufferPointer(text)), .standard, padding: .optional, into: all)
    } catch {
      throw error.kind == .noRoom ? .tooLarge : .base64(offset: error.offset)
    }
    push(UnsafeBufferPointer(rebasing: UnsafeBufferPointer(all)[..<count]))
    (starved, patience) = (0, Budget.callStallMilliseconds)
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
    starved = 0
    isSpeaking = speaker.play(rate: form.rate, self)
    return isSpeaking
  }

  /// That was all of a turn.
  func finish() { if isSpeaking { jitter.finish() } }

  /// That may have been all of a turn: it is waited for more, but not for long.
  func hurry() { patience = Budget.callPauseMilliseconds }

  func speakerWants(_ block: UnsafeMutableBufferPointer<Int16>) -> Int {
    guard isSpeaking, !jitter.isDone else { return 0 }
    let before = jitter.counters.concealed
    jitter.pull(block)
    starved = jitter.counters.concealed == before ? 0 : starved + block.count
    // A stream that has stalled has ended.
    if starved >= form.rate * Int(patience) / 1000 { jitter.finish() }
    return block.count
  }

  func speakerEnded(_ isWhole: Bool) {
    guard isSpeaking else { return }
    isSpeaking = false
    guard isWhole else {
      stop()
      return owner.callVoiceEnded(false)
    }
    // More has come while the card played its last.
    if jitter.count > 0 {
      if !play() { owner.callVoiceEnded(false) }
      return
    }
    jitter.clear()
    owner.callVoiceEnded(true)
  }
}
