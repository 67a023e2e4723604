/// The kernel's event when a device appears, disappears or changes (kernel: `lib/kobject_uevent.c`): `ACTION@DEVPATH`,
/// then `KEY=VALUE` again and again, each ended by a zero byte.
public struct Uevent: ~Escapable {
  /// What happened to the device.
  public enum Action: Sendable {
    case added, removed, changed
    /// Bound to a driver, renamed, moved: not used here.
    case other
  }

  /// What happened to the device.
  public let action: Action
  private let fields: Span<UInt8>

  /// Checks a whole datagram; throws where its form is not as above.
  @_lifetime(copy datagram)
  public init(_ datagram: Span<UInt8>) throws(NetlinkError) {
    let header = try Self.text(datagram, from: 0)
    guard let at = Self.place(of: UInt8(ascii: "@"), in: header), at > 0 else { throw NetlinkError(offset: 0) }
    action = Self.action(header.extracting(..<at))
    fields = datagram.extracting((header.count + 1)...)
    var start = header.count + 1
    while start < datagram.count {
      let field = try Self.text(datagram, from: start)
      guard let equals = Self.place(of: UInt8(ascii: "="), in: field), equals > 0 else {
        throw NetlinkError(offset: start)
      }
      start += field.count + 1
    }
  }

  /// True when the kernel's class of the device ("video4linux", "net") is this one.
  public func isOf(subsystem: StaticString) -> Bool {
    let key: StaticString = "SUBSYSTEM="
    var start = 0
    while start < fields.count {
      let end = Self.end(fields, from: start)
      let field = fields.extracting(start..<end)
      start = end + 1
      guard field.count >= key.utf8CodeUnitCount,
        field.extracting(..<key.utf8CodeUnitCount).matches(key)
      else { continue }
      return field.extracting(key.utf8CodeUnitCount...).matches(subsystem)
    }
    return false
  }

  private static func action(_ word: Span<UInt8>) -> Action {
    if word.matches("add") { return .added }
    if word.matches("remove") { return .removed }
    return word.matches("change") ? .changed : .other
  }

  /// The text at `start`, without its terminating zero byte, which must be there.
  @_lifetime(copy datagram)
  private static func text(_ datagram: Span<UInt8>, from start: Int) throws(NetlinkError) -> Span<UInt8> {
    let end = end(datagram, from: start)
    guard end < datagram.count else { throw NetlinkError(offset: start) }
    return datagram.extracting(start..<end)
  }

  private static func end(_ bytes: Span<UInt8>, from start: Int) -> Int {
    var end = start
    while end < bytes.count, bytes[end] != 0 { end += 1 }
    return end
  }

  private static func place(of byte: UInt8, in text: Span<UInt8>) -> Int? {
    for index in 0..<text.count where text[index] == byte { return index }
    return nil
  }
}
