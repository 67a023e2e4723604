import Codec
import Runtime
import Talk

/// Told how the speaking goes.
protocol ReplyVoiceOwner: AnyObject {
  /// The first sound is heard.
  func voiceBegan()
  /// All that was to be said was heard.
  func voiceEnded()
  /// The gateway has no voice for this reply, for this reason: the board's own speaks.
  func voiceIsOwn(_ reason: InlineText<256>)
  /// Nothing can be spoken, for this reason.
  func voiceFailed(_ reason: InlineText<256>)
}

/// Speaks the sentences of a reply, one after the other: the gateway makes the sound of one while the one before is heard, or the
/// board's own voice does where the gateway has none.
final class ReplyVoice: DeskListener, TalkSound, LocalVoiceOwner {
  private enum Place: Equatable { case empty, asked, ready }

  /// What the gateway is asked for: as most voices have it, and half of what a studio has.
  private static let rate = 24_000

  /// Who has a gateway make the sound; nil: nobody.
  var desk: OperatorDesk?
  private let speaker: any TalkSpeaker
  private let local: (any LocalVoice)?
  private unowned(unsafe) let owner: any ReplyVoiceOwner
  private let texts = FixedBuffer(capacity: Budget.sentences * Budget.sentenceBytes)
  private var lengths = InlineArray<64, Int16>(repeating: 0)
  private var head = 0
  private(set) var count = 0
  /// One is heard while the other is made.
  private let clips: (SpeechClip, SpeechClip)
  private var places = (Place.empty, Place.empty)
  /// Which clip is next to be made, and which to be heard.
  private var makes = 0
  private var plays = 0
  private var isPlaying = false
  private var position = 0
  private var hasBegun = false
  /// No more sentences come.
  private var isWhole = false
  /// Counts what is asked, so that an answer to what was given up is told.
  private var tag = 0
  private var directive = VoiceDirective()
  /// The gateway has no voice for us: the board's own speaks until the next reply.
  private var isLocal = false
  /// The board's own is making a sentence.
  private var isMaking = false
  /// Samples of this reply that were heard, in milliseconds.
  private(set) var heardMilliseconds: Int64 = 0

  init(speaker: any TalkSpeaker, local: (any LocalVoice)?, owner: any ReplyVoiceOwner) throws(Errno) {
    self.speaker = speaker
    self.local = local
    self.owner = owner
    clips = (try SpeechClip(), try SpeechClip())
  }

  // MARK: What is to be said

  /// Another reply begins, spoken in this way.
  func begin(_ directive: VoiceDirective) {
    stop()
    self.directive = directive
    (hasBegun, isWhole, isLocal, heardMilliseconds) = (false, false, desk == nil, 0)
  }

  /// Says a sentence after those before it; false when as many wait as there is room for.
  func say(_ sentence: Span<UInt8>) -> Bool {
    guard count < Budget.sentences, sentence.count <= Budget.sentenceBytes else { return false }
    let index = (head + count) % Budget.sentences
    for place in 0..<sentence.count { texts.bytes[index * Budget.sentenceBytes + place] = sentence[place] }
    lengths[index] = Int16(sentence.count)
    count += 1
    make()
    return true
  }

  /// Forgets the sentences that wait: the reply has become another.
  func forgetWaiting() { count = 0 }

  /// That was all.
  func finish() {
    isWhole = true
    endIfDone()
  }

  /// Ends it at once.
  func stop() {
    if isPlaying { speaker.stop() }
    desk?.forget(self, tag)
    if isMaking { local?.cancel() }
    tag += 1
    (count, isPlaying, isMaking, position) = (0, false, false, 0)
    (places, makes, plays) = ((.empty, .empty), 0, 0)
    clips.0.clear()
    clips.1.clear()
  }

  /// True while something is said, or waits to be.
  var isBusy: Bool { isPlaying || count > 0 || places.0 != .empty || places.1 != .empty }

  private func endIfDone() {
    if isWhole, !isBusy {
      isWhole = false
      owner.voiceEnded()
    }
  }

  // MARK: Making

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
    if isLocal { return makeHere() }
    tag += 1
    let sentence = next
    let directive = self.directive
    desk?.ask("talk.speak", patience: OperatorDesk.speechPatience, self, tag) { writer in
      writer.key("text")
      writer.string(Span(_unsafeElements: sentence))
      writer.key("outputFormat")
      writer.string("pcm_24000")
      directive.writeMembers(to: &writer)
    }
  }

  private func makeHere() {
    isMaking = true
    if let local, local.speak(next, speed: directive.speed ?? 1, self) { return }
    isMaking = false
    fail("this board has no voice of its own")
  }

  /// The sentence has its sound.
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
    // A gateway that says so leaves it to the board; one that cannot be reached has to.
    speakHere(instead: reason)
  }

  private func speakHere(instead reason: InlineText<256>) {
    guard local != nil else { return fail(reason) }
    isLocal = true
    owner.voiceIsOwn(reason)
    makeHere()
  }

  func spoken(_ samples: UnsafeBufferPointer<Int16>, rate: Int) {
    guard isMaking else { return }
    isMaking = false
    clip(makes).take(samples, rate: rate)
    made()
  }

  func notSpoken() {
    guard isMaking else { return }
    isMaking = false
    fail("the board's own voice failed")
  }

  private func fail(_ reason: StaticString) { fail(InlineText(cutting: reason)) }

  private func fail(_ reason: InlineText<256>) {
    stop()
    isWhole = false
    owner.voiceFailed(reason)
  }

  // MARK: Playing

  private func play() {
    guard !isPlaying, place(plays) == .ready else { return }
    (isPlaying, position) = (true, 0)
    guard speaker.play(rate: clip(plays).rate, self) else { return fail("the speaker does not play") }
    if hasBegun { return }
    hasBegun = true
    owner.voiceBegan()
  }

  func speakerWants(_ block: UnsafeMutableBufferPointer<Int16>) -> Int {
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

  func speakerTaken() {
    guard isPlaying else { return }
    isPlaying = false
    fail("something else is spoken")
  }

  /// Milliseconds of the reply that were heard so far, with the sentence that is heard now.
  var heard: Int64 {
    isPlaying ? heardMilliseconds + Int64(position) * 1000 / Int64(max(clip(plays).rate, 1)) : heardMilliseconds
  }

  func chatSaid(_ tag: Int, _ text: Span<UInt8>, isReplacement: Bool) {}
  func chatCut(_ tag: Int) {}
  func chatEnded(_ tag: Int, isAborted: Bool) {}
}
