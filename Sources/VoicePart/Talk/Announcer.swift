import Codec
import Node
import Runtime
import Talk

/// Gets the end of an announcement.
protocol AnnouncerDelegate: AnyObject {
  /// It was played to its end (nil), or failed.
  func announced(_ tag: Int, _ failure: DeskFailure?)
}

/// Speaks texts for people and programs at the board with the board's own voice, whatever the gateway offers. One text
/// at a time, and none during a conversation, which ends it.
final class Announcer: Part, ReplyVoiceDelegate, CommandHandler, AnnouncerDelegate {
  private static let rows = [CommandRow("tool.say", limit: 1)]

  private let speaker: Speaker
  private let hasCommands: Bool
  private var voice: ReplyVoice! = nil
  private let words = SpokenText()
  private let text = FixedBuffer(capacity: Budget.chatMessageBytes)
  /// The caller that waits, and its number for the text.
  private var delegate: (any AnnouncerDelegate)?
  private var tag = 0
  /// Answers the calls of the tool; nil before the commands were added.
  private unowned(unsafe) var router: Router?

  /// `hasCommands`: the gateway has commands for it, too.
  init(speaker: Speaker, local: any LocalVoice, hasCommands: Bool = false) throws(Errno) {
    self.speaker = speaker
    self.hasCommands = hasCommands
    super.init()
    voice = try ReplyVoice(speaker: speaker, local: local, delegate: self)
  }

  /// The talk service, whose conversations take precedence. Lives as long as this.
  unowned(unsafe) var talk: TalkService?

  // MARK: Part

  override var operations: [ControlRow] { [ControlRow("say") { self.say($0, $1, $2) }] }

  override func forget(_ control: Control, _ call: Int) { forget(call, control) }

  override func addCommands(to router: Router) {
    self.router = router
    router.add(forTools: Self.rows, self)
    guard hasCommands else { return }
    router.add(SpeakingCommands.rows, capability: "tts", SpeakingCommands(self, router: router))
  }

  /// The operation `say`, `{text, speed?}`: speaks a text with the board's own voice; answered when it was played to
  /// its end.
  private func say(_ control: Control, _ call: Int, _ request: borrowing JSONView) {
    if let failure = say(request, call, control) { control.fail(call, failure) }
  }

  /// The tool's call takes the same, and is answered at the same time.
  func begin(_ command: Int, _ token: InvokeToken, _ parameters: borrowing JSONView, deadline: Int64) {
    if let failure = say(parameters, token.number, self) { announced(token.number, failure) }
  }

  func cancel(_ token: InvokeToken) { forget(token.number, self) }

  func announced(_ tag: Int, _ failure: DeskFailure?) {
    guard let failure else {
      router?.succeed(InvokeToken(tag)) { writer in
        writer.beginObject()
        writer.key("ok")
        writer.bool(true)
        writer.endObject()
      }
      return
    }
    router?.fail(InvokeToken(tag), code: "UNAVAILABLE") { $0.bytes(failure.sentence.span) }
  }

  /// Speaks the text of `{text, speed?}`; returns the failure when it cannot be spoken now.
  func say(_ request: borrowing JSONView, _ tag: Int, _ delegate: any AnnouncerDelegate) -> DeskFailure? {
    guard let text = request.member("text"), let length = text.stringLength, length > 0,
      length <= Budget.chatMessageBytes
    else { return DeskFailure("INVALID_REQUEST", "\"text\" has 1 to 6144 bytes") }
    var speed = 1.0
    if let member = request.member("speed") {
      guard let value = member.double, value >= 0.5, value <= 2 else {
        return DeskFailure("INVALID_REQUEST", "\"speed\" is a number from 0.5 to 2")
      }
      speed = value
    }
    if talk?.isIdle == false { return DeskFailure("BUSY", "the board is in a conversation") }
    return say(text, speed: speed, tag, delegate)
  }

  // MARK: Speaking

  /// Speaks a text; `speed` is a factor of the voice's own speed. Markdown is spoken as it is read. Returns the failure
  /// when it cannot be spoken now.
  func say(_ content: borrowing JSONView, speed: Double, _ tag: Int, _ delegate: any AnnouncerDelegate) -> DeskFailure?
  {
    guard self.delegate == nil, !speaker.isBusy else { return DeskFailure("BUSY", "the board speaks already") }
    guard let count = content.copyString(into: text.bytes) else {
      return DeskFailure("TOO_LARGE", "the text is longer than a message")
    }
    var directive = VoiceDirective()
    directive.speed = speed
    voice.begin(directive)
    (self.delegate, self.tag) = (delegate, tag)
    var isWhole = true
    words.reset()
    let say: (Span<UInt8>) -> Void = { sentence in if !self.voice.say(sentence) { isWhole = false } }
    words.add(Span(_unsafeElements: UnsafeBufferPointer(rebasing: UnsafeBufferPointer(text.bytes)[..<count])), say)
    words.finish(say)
    guard self.delegate != nil else {
      // It has already failed, and the delegate was told.
      voice.stop()
      return nil
    }
    guard isWhole else {
      giveUp()
      return DeskFailure("TOO_LARGE", "the text has more than 64 sentences")
    }
    voice.finish()
    return nil
  }

  /// The caller is gone: stops speaking.
  func forget(_ tag: Int, _ caller: any AnnouncerDelegate) {
    if let delegate, delegate === caller, self.tag == tag { giveUp() }
  }

  /// Ends what is spoken for this caller, which is told so; what others say goes on.
  func interrupt(_ caller: any AnnouncerDelegate) {
    guard let delegate, delegate === caller else { return }
    voice.stop()
    end(DeskFailure("UNAVAILABLE", "another text is spoken instead"))
  }

  /// Milliseconds of the last text that were played.
  var playedMilliseconds: Int64 { voice.heardMilliseconds }

  /// The board begins to listen, and must neither talk over the person nor hear itself.
  func cancel() {
    guard delegate != nil else { return }
    voice.stop()
    end(DeskFailure("UNAVAILABLE", "a conversation has begun"))
  }

  private func giveUp() {
    delegate = nil
    voice.stop()
  }

  private func end(_ failure: DeskFailure?) {
    let delegate = self.delegate
    self.delegate = nil
    delegate?.announced(tag, failure)
  }

  // MARK: ReplyVoiceDelegate

  func voiceBegan() {}
  func voiceIsOwn(_ reason: InlineText<256>) {}
  func voiceEnded() { end(nil) }
  func voiceFailed(_ reason: InlineText<256>) { end(DeskFailure("UNAVAILABLE") { $0.add(reason.span) }) }
}

extension Control: AnnouncerDelegate {
  func announced(_ tag: Int, _ failure: DeskFailure?) {
    if let failure { return fail(tag, failure) }
    finishEmpty(tag)
  }
}
