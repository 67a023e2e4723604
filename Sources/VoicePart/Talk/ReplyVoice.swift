import Codec
import Gateway
import Node
import Runtime
import Talk

/// Gets the progress of a spoken reply.
protocol ReplyVoiceDelegate: AnyObject {
  /// The first sound is played.
  func voiceBegan()
  /// All sentences were played.
  func voiceEnded()
  /// The gateway has no voice for this reply, for this reason: the board's own voice speaks.
  func voiceIsOwn(_ reason: InlineText<256>)
  /// Nothing can be spoken, for this reason.
  func voiceFailed(_ reason: InlineText<256>)
}

/// Speaks the sentences of a reply, one after the other: the gateway, or the board's own voice when the gateway has
/// none, synthesizes one while the one before is played. A gateway has a voice in Talk (`talk.speak`), or at least one
/// that makes clips (`tts.speak`), in an encoding of its choice.
final class ReplyVoice: DeskDelegate, TalkSound, LocalVoiceDelegate {
  private enum Place: Equatable { case empty, asked, ready }
  /// Who synthesizes; each where the one before it has no voice.
  private enum Source: Equatable { case talk, clips, own }

  /// The requested sample rates: that of most voices, and half of a studio's.
  private static let rate = 24_000

  /// The desk through which the gateway synthesizes; nil without one.
  var desk: OperatorDesk?
  private let speaker: any TalkSpeaker
  private let local: (any LocalVoice)?
  private unowned(unsafe) let delegate: any ReplyVoiceDelegate
  private let texts = FixedBuffer(capacity: Budget.sentences * Budget.sentenceBytes)
  private var lengths = InlineArray<64, Int16>(repeating: 0)
  private var head = 0
  private(set) var count = 0
  /// One clip is played while the other is made.
  private let clips: (SpeechClip, SpeechClip)
  private var places = (Place.empty, Place.empty)
  /// The clip that is made next, and the one that is played next.
  private var makes = 0
  private var plays = 0
  private var isPlaying = false
  private var position = 0
  private var hasBegun = false
  /// True when no more sentences come.
  private var isWhole = false
  /// Number of the request, so that responses to abandoned ones are ignored.
  private var tag = 0
  private var directive = VoiceDirective()
  /// Who synthesizes until the next reply.
  private var source = Source.talk
  /// True while the board's own voice makes a sentence.
  private var isMaking = false
  /// Milliseconds of this reply that were played.
  private(set) var heardMilliseconds: Int64 = 0

  init(speaker: any TalkSpeaker, local: (any LocalVoice)?, delegate: any ReplyVoiceDelegate) throws(Errno) {
    self.speaker = speaker
    self.local = local
    self.delegate = delegate
    clips = (try SpeechClip(), try SpeechClip())
  }

  // MARK: Sentences

  /// Begins another reply, spoken as `directive` says.
  func begin(_ directive: VoiceDirective) {
    stop()
    self.directive = directive
    (hasBegun, isWhole, heardMilliseconds) = (false, false, 0)
    source = desk == nil ? .own : .talk
  }

  /// Adds a sentence; false when the queue is full.
  func say(_ sentence: Span<UInt8>) -> Bool {
    guard count < Budget.sentences, sentence.count <= Budget.sentenceBytes else { return false }
    let index = (head + count) % Budget.sentences
    for place in 0..<sentence.count { texts.bytes[index * Budget.sentenceBytes + place] = sentence[place] }
    lengths[index] = Int16(sentence.count)
    count += 1
    make()
    return true
  }

  /// Drops the waiting sentences: the reply was replaced.
  func forgetWaiting() { count = 0 }

  /// The reply is complete.
  func finish() {
    isWhole = true
    endIfDone()
  }

  /// Stops at once.
  func stop() {
    if isPlaying { speaker.stopPlaying() }
    desk?.forget(self, tag)
    if isMaking { local?.cancel() }
    tag += 1
    (count, isPlaying, isMaking, position) = (0, false, false, 0)
    (places, makes, plays) = ((.empty, .empty), 0, 0)
    clips.0.clear()
    clips.1.clear()
  }

  /// True while a sentence is played or waits.
  var isBusy: Bool { isPlaying || count > 0 || places.0 != .empty || places.1 != .empty }

  private func endIfDone() {
    if isWhole, !isBusy {
      isWhole = false
      delegate.voiceEnded()
    }
  }

  // MARK: Synthesis

  private func place(_ index: Int) -> Place { index == 0 ? places.0 : places.1 }
  private func set(_ index: Int, _ place: Place) { if index == 0 { places.0 = place } else { places.1 = place } }
  private func clip(_ index: Int) -> SpeechClip { index == 0 ? clips.0 : clips.1 }

  private var next: UnsafeBufferPointer<UInt8> {
    let start = head * Budget.sentenceBytes
    return UnsafeBufferPointer(rebasing: UnsafeBufferPointer(texts.bytes)[start..<(start + Int(lengths[head]))])
  }

  private func make() {
    guard count > 0, places.0 != .asked, places.1 != .asked, place(makes) == .empty else { return }
    set(makes, .asked)
    if source == .own { return makeHere() }
    tag += 1
    let sentence = next
    if source == .clips { return makeClip(of: sentence) }
    let directive = self.directive
    desk?.ask("talk.speak", timeout: OperatorDesk.speechTimeout, self, tag) { writer in
      writer.key("text")
      writer.string(Span(_unsafeElements: sentence))
      writer.key("outputFormat")
      writer.string("pcm_24000")
      directive.writeMembers(to: &writer)
    }
  }

  /// `tts.speak` has no other parameters: voice and encoding are the gateway's.
  private func makeClip(of sentence: UnsafeBufferPointer<UInt8>) {
    desk?.ask("tts.speak", timeout: OperatorDesk.speechTimeout, self, tag) { writer in
      writer.key("text")
      writer.string(Span(_unsafeElements: sentence))
    }
  }

  private func makeHere() {
    isMaking = true
    if let local, local.speak(next, speed: directive.speed ?? 1, self) { return }
    isMaking = false
    fail("this board has no voice of its own")
  }

  /// The sentence is synthesized.
  private func made() {
    head = (head + 1) % Budget.sentences
    count -= 1
    set(makes, .ready)
    makes = 1 - makes
    play()
    make()
  }

  func deskAnswered(_ tag: Int, _ payload: borrowing JSONView) {
    guard tag == self.tag, place(makes) == .asked else { return }
    do throws(SoundFormError) {
      try clip(makes).read(payload, asked: Self.rate)
      made()
    } catch {
      var reason = InlineText<256>()
      reason.fill { buffer in
        var writer = ByteWriter(into: buffer)
        error.writeMessage(to: &writer)
        return min(writer.count, buffer.count)
      }
      speakHere(instead: reason)
    }
  }

  func deskFailed(_ tag: Int, _ failure: DeskFailure) {
    guard tag == self.tag, place(makes) == .asked else { return }
    let reason = InlineText<256>(cutting: failure.sentence.span)
    if source == .talk, failure.isFallbackEligible, desk?.session.hello.features.hasSpokenClips == true {
      source = .clips
      self.tag += 1
      return makeClip(of: next)
    }
    // The gateway leaves it to the board, or cannot be reached.
    speakHere(instead: reason)
  }

  private func speakHere(instead reason: InlineText<256>) {
    guard local != nil else { return fail(reason) }
    source = .own
    delegate.voiceIsOwn(reason)
    makeHere()
  }

  func spoken(_ samples: UnsafeBufferPointer<Int16>, rate: Int) {
    guard isMaking else { return }
    isMaking = false
    clip(makes).take(samples, rate: rate)
    made()
  }

  func speechFailed() {
    guard isMaking else { return }
    isMaking = false
    fail("the board's own voice failed")
  }

  private func fail(_ reason: StaticString) { fail(InlineText(cutting: reason)) }

  private func fail(_ reason: InlineText<256>) {
    stop()
    isWhole = false
    delegate.voiceFailed(reason)
  }

  // MARK: Playback

  private func play() {
    guard !isPlaying, place(plays) == .ready else { return }
    (isPlaying, position) = (true, 0)
    guard speaker.play(rate: clip(plays).rate, self) else { return fail("the speaker does not play") }
    if hasBegun { return }
    hasBegun = true
    delegate.voiceBegan()
  }

  func speakerNeedsSamples(_ block: UnsafeMutableBufferPointer<Int16>) -> Int {
    guard isPlaying else { return 0 }
    let samples = clip(plays).samples
    let length = min(block.count, samples.count - position)
    for index in 0..<length { block[index] = samples[position + index] }
    position += length
    return length
  }

  func speakerEnded(_ isWhole: Bool) {
    guard isPlaying else { return }
    guard isWhole else { return fail("the speaker broke off") }
    let clip = clip(plays)
    heardMilliseconds += Int64(clip.count) * 1000 / Int64(max(clip.rate, 1))
    clip.clear()
    isPlaying = false
    set(plays, .empty)
    plays = 1 - plays
    play()
    make()
    endIfDone()
  }

  func speakerReplaced() {
    guard isPlaying else { return }
    isPlaying = false
    fail("something else is spoken")
  }

  /// Milliseconds of the reply that were played, with the current sentence.
  var heard: Int64 {
    isPlaying ? heardMilliseconds + Int64(position) * 1000 / Int64(max(clip(plays).rate, 1)) : heardMilliseconds
  }

  func chatTextReceived(_ tag: Int, _ text: Span<UInt8>, isReplacement: Bool) {}
  func chatCut(_ tag: Int) {}
  func chatStep(_ tag: Int, _ step: ChatStep) {}

  func chatEnded(_ tag: Int, isAborted: Bool) {}
}
