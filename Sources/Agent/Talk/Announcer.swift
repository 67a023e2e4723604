import Codec
import Runtime
import Talk

/// Hears how an announcement went.
protocol AnnouncerOwner: AnyObject {
  /// All of it was heard (nil), or why not.
  func announced(_ tag: Int, _ failure: DeskFailure?)
}

/// Says what people and programs at the board want said: with the board's own voice, whatever the gateway has. One text at a time, and none
/// while the board speaks of its own accord, which ends this one.
final class Announcer: ReplyVoiceOwner {
  private let speaker: Speaker
  private var voice: ReplyVoice! = nil
  private let words = SpokenText()
  private let text = FixedBuffer(capacity: Budget.chatMessageBytes)
  /// Who waits, and for which text.
  private var owner: (any AnnouncerOwner)?
  private var tag = 0

  init(speaker: Speaker, local: any LocalVoice) throws(Errno) {
    self.speaker = speaker
    voice = try ReplyVoice(speaker: speaker, local: local, owner: self)
  }

  /// Says a text so many times as fast as the voice speaks by itself; why not, when it cannot now. Of Markdown it says what is read.
  func say(_ content: borrowing JSONView, speed: Double, _ tag: Int, _ owner: any AnnouncerOwner) -> DeskFailure? {
    guard self.owner == nil, !speaker.isBusy else { return DeskFailure("BUSY", "the board speaks already") }
    guard let count = content.copyString(into: text.bytes) else { return DeskFailure("TOO_LARGE", "the text is longer than a message") }
    var directive = VoiceDirective()
    directive.speed = speed
    voice.begin(directive)
    (self.owner, self.tag) = (owner, tag)
    var isWhole = true
    words.reset()
    let say: (Span<UInt8>) -> Void = { sentence in if !self.voice.say(sentence) { isWhole = false } }
    words.add(Span(_unsafeElements: UnsafeBufferPointer(rebasing: UnsafeBufferPointer(text.bytes)[..<count])), say)
    words.finish(say)
    guard self.owner != nil else {
      // It has failed already, and was told.
      voice.stop()
      return nil
    }
    guard isWhole else {
      stop()
      return DeskFailure("TOO_LARGE", "that are more than 64 sentences")
    }
    voice.finish()
    return nil
  }

  /// Nobody wants to hear it any more.
  func forget(_ tag: Int) { if owner != nil, self.tag == tag { stop() } }

  /// Somebody is listened to, who should not be talked over, nor heard as what the board itself says.
  func hush() {
    guard owner != nil else { return }
    voice.stop()
    end(DeskFailure("UNAVAILABLE", "somebody talks with the board"))
  }

  private func stop() {
    owner = nil
    voice.stop()
  }

  private func end(_ failure: DeskFailure?) {
    let owner = self.owner
    self.owner = nil
    owner?.announced(tag, failure)
  }

  // MARK: ReplyVoiceOwner

  func voiceBegan() {}
  func voiceIsOwn(_ reason: InlineText<256>) {}
  func voiceEnded() { end(nil) }
  func voiceFailed(_ reason: InlineText<256>) { end(DeskFailure("UNAVAILABLE") { $0.add(reason.span) }) }
}
