import Codec
import Runtime

/// A deep link (node-commands 10): `openclaw://agent?message=…` for the gateway's agent, `openclaw://gateway?host=…`
/// and `oc-pair://CODE` to connect the board. Reads one link after the other into memory of its own, which is reserved
/// once.
public final class DeepLink {
  /// What a link is for.
  public enum Kind: Sendable {
    case agent, gateway, pairing
  }

  /// The keys that count; others are passed over.
  public enum Key: Int, CaseIterable, Sendable {
    case message, sessionKey, thinking, deliver, to, channel, timeoutSeconds, key
    case host, port, tls, token, password

    /// Its name in a link.
    public var word: StaticString {
      switch self {
      case .message: "message"
      case .sessionKey: "sessionKey"
      case .thinking: "thinking"
      case .deliver: "deliver"
      case .to: "to"
      case .channel: "channel"
      case .timeoutSeconds: "timeoutSeconds"
      case .key: "key"
      case .host: "host"
      case .port: "port"
      case .tls: "tls"
      case .token: "token"
      case .password: "password"
      }
    }

    /// Bytes of its value; what counts in characters is checked apart.
    var limit: Int {
      switch self {
      case .message: Budget.linkBytes
      case .sessionKey, .to: Budget.linkNameBytes
      // What is longer is no number, and is passed over as such.
      case .timeoutSeconds: Budget.linkBytes
      case .thinking, .deliver, .channel, .key, .port, .tls: Budget.linkWordBytes
      case .host: 253
      case .token, .password: Budget.tokenBytes
      }
    }
  }

  private struct Value {
    var start = 0
    var count = 0
    /// Where it begins in the link; -1: it is not there.
    var place = -1
  }

  public private(set) var kind = Kind.agent
  private let memory: ReservedBuffer
  private var used = 0
  private var values: [Value]
  /// The code of a pairing link, and its place in the memory.
  private var code = Value()

  @export(interface)
  public init() throws(Errno) {
    memory = try ReservedBuffer(capacity: Budget.linkBytes)
    values = Array(repeating: Value(), count: Key.allCases.count)
  }

  /// True for a text that can only be meant as one of these links.
  public static func isMeant(by text: Span<UInt8>) -> Bool {
    let text = text.trimmed
    return text.hasPrefix(lowercased: "openclaw:") || text.hasPrefix(lowercased: "oc-pair:")
  }

  /// The value of a key, decoded; nil when it is not there. Valid until the next `read`.
  public subscript(key: Key) -> UnsafeBufferPointer<UInt8>? {
    let value = values[key.rawValue]
    return value.place < 0 ? nil : UnsafeBufferPointer(memory.bytes).extracting(value.start..<value.start + value.count)
  }

  /// The code of a pairing link, as it stands there, for `SetupCode`.
  public var pairingCode: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(memory.bytes).extracting(code.start..<code.start + code.count)
  }

  /// The place of a key's value in the link.
  func place(_ key: Key) -> Int { max(values[key.rawValue].place, 0) }

  /// Forgets the link, and gives its memory back.
  public func clear() {
    used = 0
    for index in 0..<values.count { values[index] = Value() }
    code = Value()
    memory.release()
  }

  // MARK: Reading

  /// Reads a link, white space around it allowed. Of a key given twice the last counts.
  public func read(_ text: Span<UInt8>) throws(LinkError) {
    clear()
    do throws(LinkError) {
      try readWhole(text)
    } catch {
      clear()
      throw error
    }
  }

  private func readWhole(_ text: Span<UInt8>) throws(LinkError) {
    guard text.count <= Budget.linkBytes else { throw LinkError(.tooLong, limit: Budget.linkBytes) }
    var (start, end) = (0, text.count)
    while start < end, text[start] <= 0x20 { start += 1 }
    while start < end, text[end - 1] <= 0x20 { end -= 1 }
    guard start < end else { throw LinkError(.empty) }
    let link = text.extracting(start..<end)
    for index in 0..<link.count where link[index] < 0x20 || link[index] == 0x7F {
      throw LinkError(.control, at: start + index)
    }
    if link.hasPrefix(lowercased: "oc-pair://") { return try readCode(link, 10, start) }
    guard link.hasPrefix(lowercased: "openclaw://") else { throw LinkError(.scheme, at: start) }
    var place = 11
    while place < link.count, !Self.endsName(link[place]) { place += 1 }
    let name = link.extracting(11..<place)
    if name.hasPrefix(lowercased: "agent"), name.count == 5 {
      kind = .agent
    } else if name.hasPrefix(lowercased: "gateway"), name.count == 7 {
      kind = .gateway
    } else {
      throw LinkError(.target, at: start + 11)
    }
    // A slash after the name is harmless; a longer path is another link.
    if place < link.count, link[place] == UInt8(ascii: "/") { place += 1 }
    if place < link.count, link[place] == UInt8(ascii: "?") {
      try readQuery(link, place + 1, start)
    } else if place < link.count, link[place] != UInt8(ascii: "#") {
      throw LinkError(.target, at: start + place)
    }
    try check()
  }

  private static func endsName(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
  }

  private func readCode(_ link: Span<UInt8>, _ begin: Int, _ offset: Int) throws(LinkError) {
    kind = .pairing
    guard link.count > begin else { throw LinkError(.empty, at: offset + begin) }
    guard link.count - begin <= Budget.setupCodeBytes else {
      throw LinkError(.tooLong, at: offset + begin, limit: Budget.setupCodeBytes)
    }
    for index in begin..<link.count { memory.bytes[index - begin] = link[index] }
    code = Value(start: 0, count: link.count - begin, place: offset + begin)
  }

  private func readQuery(_ link: Span<UInt8>, _ begin: Int, _ offset: Int) throws(LinkError) {
    var place = begin
    while place < link.count, link[place] != UInt8(ascii: "#") {
      var end = place
      while end < link.count, link[end] != UInt8(ascii: "&"), link[end] != UInt8(ascii: "#") { end += 1 }
      var equals = place
      while equals < end, link[equals] != UInt8(ascii: "=") { equals += 1 }
      if let key = Self.key(link.extracting(place..<equals)) {
        let first = min(equals + 1, end)
        try take(key, link, first..<end, offset)
      }
      place = end < link.count && link[end] == UInt8(ascii: "&") ? end + 1 : end
    }
  }

  private static func key(_ name: Span<UInt8>) -> Key? {
    var number = 0
    while let key = Key(rawValue: number) {
      if name.matches(key.word) { return key }
      number += 1
    }
    return nil
  }

  /// Decodes a value, and checks what every value has to be. A plus sign is one: these links are no forms.
  private func take(_ key: Key, _ link: Span<UInt8>, _ range: Range<Int>, _ offset: Int) throws(LinkError) {
    let start = used
    var index = range.lowerBound
    while index < range.upperBound {
      var byte = link[index]
      let place = offset + index
      index += 1
      if byte == UInt8(ascii: "%") {
        guard let decoded = link.extracting(..<range.upperBound).percentDecoded(at: index - 1) else {
          throw LinkError(.percent, at: place, key)
        }
        byte = decoded
        index += 2
      }
      if byte < 0x20 && !(key == .message && (byte == 0x0A || byte == 0x0D || byte == 0x09)) || byte == 0x7F {
        throw LinkError(.control, at: place, key)
      }
      // Decoded it is no longer than it stood there, so there is room.
      memory.bytes[used] = byte
      used += 1
      guard used - start <= key.limit else { throw LinkError(.large, at: place, key, limit: key.limit) }
    }
    let bytes = UnsafeBufferPointer(memory.bytes).extracting(start..<used)
    guard UTF8Validator.isValid(Span(_unsafeElements: bytes)) else {
      throw LinkError(.utf8, at: offset + range.lowerBound, key)
    }
    values[key.rawValue] = Value(start: start, count: used - start, place: offset + range.lowerBound)
  }

  // MARK: Checking

  private func check() throws(LinkError) {
    switch kind {
    case .pairing: return
    case .agent:
      trimMessage()
      guard let message = self[.message], !message.isEmpty else { throw LinkError(.missing, .message) }
      guard messageCharacters <= Budget.linkMessageCharacters else {
        throw LinkError(.large, at: place(.message), .message, limit: Budget.linkMessageCharacters)
      }
    case .gateway: _ = try gateway()
    }
  }

  private func trimMessage() {
    var value = values[Key.message.rawValue]
    while value.count > 0, memory.bytes[value.start + value.count - 1] <= 0x20 { value.count -= 1 }
    while value.count > 0, memory.bytes[value.start] <= 0x20 {
      value.start += 1
      value.count -= 1
    }
    values[Key.message.rawValue] = value
  }

  /// The length of the message in UTF-16 units, as gateways count characters.
  public var messageCharacters: Int {
    guard let message = self[.message] else { return 0 }
    var count = 0
    // Each scalar has one byte that continues none; those from F0 on begin one of two units.
    for byte in message { count += byte & 0xC0 == 0x80 ? 0 : byte >= 0xF0 ? 2 : 1 }
    return count
  }
}

extension LinkError {
  init(_ reason: Reason, _ key: DeepLink.Key) { self.init(reason, at: 0, key) }
}
