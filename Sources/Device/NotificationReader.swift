import Codec
import Runtime

/// Reads the parameters of `system.notify` (node-commands 4.6) into buffers of its own.
public final class NotificationReader {
  private static let silences: InlineArray<5, StaticString> = ["none", "silent", "off", "false", "0"]

  private let title = FixedBuffer(capacity: Budget.notificationTitleBytes)
  private let body = FixedBuffer(capacity: Budget.notificationBodyBytes)
  /// Room for the longest known word, and one byte more.
  private let word = FixedBuffer(capacity: 16)

  /// Allocates its buffers.
  @export(interface)
  public init() {}

  /// Reads the parameters. A key that is absent or null takes its default; unknown keys are ignored, and so is
  /// `delivery`, which is for macOS.
  public func read(_ parameters: JSONView) throws(NotificationError) -> Notification {
    if parameters.isNull { throw .empty }
    guard parameters.kind == .object else { throw .notAnObject }
    let title = try text("title", of: parameters, title, "a string of at most 1024 bytes")
    let body = try text("body", of: parameters, body, "a string of at most 4096 bytes")
    let hasSound = try sound(parameters)
    let priority = try priority(parameters)
    let attention = try attention(parameters)
    if title.isEmpty, body.isEmpty { throw .empty }
    return Notification(
      title: title, body: body, hasSound: hasSound, priority: priority ?? .active,
      attention: attention ?? Self.attention(priority))
  }

  private func text(
    _ key: StaticString, of parameters: JSONView, _ buffer: FixedBuffer, _ wanted: StaticString
  ) throws(NotificationError) -> UnsafeBufferPointer<UInt8> {
    guard let value = parameters.member(key), !value.isNull else {
      return UnsafeBufferPointer(rebasing: buffer.bytes[..<0])
    }
    guard let count = value.copyString(into: buffer.bytes) else { throw .invalid(key: key, wanted: wanted) }
    var start = 0
    var end = count
    while start < end, buffer.bytes[start].isBlank { start += 1 }
    while start < end, buffer.bytes[end - 1].isBlank { end -= 1 }
    return UnsafeBufferPointer(rebasing: buffer.bytes[start..<end])
  }

  private func priority(_ parameters: JSONView) throws(NotificationError) -> NotificationPriority? {
    guard let value = parameters.member("priority"), !value.isNull else { return nil }
    if value.equals("passive") { return .passive }
    if value.equals("active") { return .active }
    if value.equals("timeSensitive") { return .timeSensitive }
    throw .invalid(key: "priority", wanted: "passive, active or timeSensitive")
  }

  /// An addition of Talon: a light has more levels than the three priorities of a phone.
  private func attention(_ parameters: JSONView) throws(NotificationError) -> AttentionLevel? {
    guard let value = parameters.member("attention"), !value.isNull else { return nil }
    for level in AttentionLevel.allCases where value.equals(level.word) { return level }
    throw .invalid(key: "attention", wanted: "passive, notify, active, interrupt or urgent")
  }

  /// The level when only a priority is given, or nothing.
  private static func attention(_ priority: NotificationPriority?) -> AttentionLevel {
    switch priority {
    case nil: .notify
    case .passive: .passive
    case .active: .active
    case .timeSensitive: .urgent
    }
  }

  /// Words for silence are case-insensitive; every other string means the single sound.
  private func sound(_ parameters: JSONView) throws(NotificationError) -> Bool {
    guard let value = parameters.member("sound"), !value.isNull else { return true }
    guard value.kind == .string else { throw .invalid(key: "sound", wanted: "a string") }
    // A word that does not fit is longer than all words for silence.
    guard let count = value.copyString(into: word.bytes) else { return true }
    for index in 0..<count where (0x41...0x5A).contains(word.bytes[index]) { word.bytes[index] |= 0x20 }
    let text = Span(_unsafeElements: UnsafeBufferPointer(rebasing: word.bytes[..<count])).trimmed
    for index in Self.silences.indices where text.matches(Self.silences[index]) { return false }
    return true
  }
}

extension UInt8 {
  /// White space of ASCII.
  fileprivate var isBlank: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
}
