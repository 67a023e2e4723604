import Codec
import Runtime

/// A line for the session of the gateway's agent, like the notification of a phone: the only event that reaches it
/// without starting a run. Texts are valid during the call that passes them.
public struct Notice {
  /// What it is about, after "talon.": two words, of which the second may be a name of the owner's.
  public var topic: StaticString
  public var name: UnsafeBufferPointer<UInt8>
  public var title: UnsafeBufferPointer<UInt8>
  /// Empty for none.
  public var text: UnsafeBufferPointer<UInt8>
  /// When it happened, a monotonic instant in milliseconds.
  public var instant: Int64

  /// A notice; see the properties.
  public init(
    _ topic: StaticString, _ name: UnsafeBufferPointer<UInt8>, title: UnsafeBufferPointer<UInt8>,
    text: UnsafeBufferPointer<UInt8>, at instant: Int64
  ) {
    self.topic = topic
    self.name = name
    self.title = title
    self.text = text
    self.instant = instant
  }
}

extension Outbox {
  /// Milliseconds after which a notice is of no use: a day.
  public static let noticeAge: Int64 = 86_400_000

  /// Posts a notice.
  public func post(_ notice: Notice) {
    let happened = clock.wall - (clock.monotonic - notice.instant)
    _ = post("notifications.changed", ageLimit: Self.noticeAge, hasID: false) { writer in
      writer.key("change")
      writer.string("posted")
      writer.key("key")
      writer.beginString()
      writer.stringPiece(("talon." as StaticString).utf8Bytes)
      writer.stringPiece(notice.topic.utf8Bytes)
      writer.stringPiece(("." as StaticString).utf8Bytes)
      writer.stringPiece(Span(_unsafeElements: notice.name))
      writer.endString()
      writer.key("packageName")
      writer.string("talon")
      writer.key("postTimeMs")
      writer.int(happened)
      writer.key("isOngoing")
      writer.bool(false)
      writer.key("isClearable")
      writer.bool(true)
      writer.key("title")
      writer.string(Span(_unsafeElements: notice.title))
      if notice.text.isEmpty { return }
      writer.key("text")
      writer.string(Span(_unsafeElements: notice.text))
    }
  }
}
