import Codec
import Runtime

/// The web addresses that somebody has named, which are those that may be fetched.
///
/// A model that has read a page may be led to send what it knows to another server, as part of an address that it
/// makes up. So only two kinds of addresses are fetched: those that stand letter by letter in the words of a person, a
/// page or a search result, which were written before there was anything to steal; and, until words of others have
/// come in, all those of hosts that a person has named.
///
/// Kept as digests (`ByteHash`): whoever made an address that has the digest of another would have to know the words
/// that it is to carry away.
struct AddressBook: ~Copyable {
  private struct Digest: Equatable {
    var first: UInt64 = 0
    var second: UInt64 = 0

    init() {}
    init(_ text: Span<UInt8>) { (first, second) = ByteHash.pair(text) }
  }

  private let known: UnsafeMutableBufferPointer<Digest>
  private var count = 0
  /// Where the next one goes: the oldest is forgotten first.
  private var next = 0

  init() {
    known = .allocate(capacity: Budget.agentAddresses)
    known.initialize(repeating: Digest())
  }

  deinit {
    known.deinitialize()
    known.deallocate()
  }

  /// Forgets all of them.
  mutating func removeAll() { (count, next) = (0, 0) }

  /// Learns from what a person said: whole addresses, and the hosts of them and of words such as `example.org`.
  mutating func hear(_ text: Span<UInt8>) {
    Self.forEachWord(of: text) { word in
      if let start = Self.addressStart(in: word) {
        let address = Self.trimmed(word.extracting(start..<word.count))
        learn(address)
        learn(Self.host(of: address))
      } else if Self.isHost(Self.trimmed(word)) {
        learn(Self.trimmed(word))
      }
    }
  }

  /// Learns the whole addresses of a page or of search results.
  mutating func read(_ text: Span<UInt8>) {
    Self.forEachWord(of: text) { word in
      if let start = Self.addressStart(in: word) { learn(Self.trimmed(word.extracting(start..<word.count))) }
    }
  }

  /// True for an address that may be fetched. `isTainted`: the model has read words of others, which may come from the
  /// very host that the person has named, so only whole addresses count.
  func allows(_ address: Span<UInt8>, isTainted: Bool) -> Bool {
    let whole = Self.sent(address)
    return knows(whole) || !isTainted && knows(Self.host(of: whole))
  }

  private mutating func learn(_ text: Span<UInt8>) {
    guard !text.isEmpty, text.count <= Budget.fetchURLBytes, !knows(text) else { return }
    known[next] = Self.digest(text)
    next = (next + 1) % known.count
    count = min(count + 1, known.count)
  }

  private func knows(_ text: Span<UInt8>) -> Bool {
    guard !text.isEmpty, text.count <= Budget.fetchURLBytes else { return false }
    let digest = Self.digest(text)
    for index in 0..<count where known[index] == digest { return true }
    return false
  }

  /// Scheme and host count in any case; in a path the case matters, for it could carry a message.
  private static func digest(_ text: Span<UInt8>) -> Digest {
    let end = hostStart(of: text) + host(of: text).count
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: max(text.count, 1)) { room in
      for index in 0..<text.count { room[index] = index < end ? text[index].asciiLowercased : text[index] }
      return Digest(UnsafeBufferPointer(rebasing: UnsafeBufferPointer(room)[..<text.count]).span)
    }
  }

  // MARK: Words

  /// Calls `body` with what stands between white space, quotation marks and brackets.
  private static func forEachWord(of text: Span<UInt8>, _ body: (Span<UInt8>) -> Void) {
    var start = 0
    for index in 0...text.count where index == text.count || endsWord(text[index]) {
      if index > start { body(text.extracting(start..<index)) }
      start = index + 1
    }
  }

  private static func endsWord(_ byte: UInt8) -> Bool {
    switch byte {
    case 0...0x20, UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "("), UInt8(ascii: ")"),
      UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "`"):
      true
    default: false
    }
  }

  /// Where `http://` or `https://` begins in a word.
  private static func addressStart(in word: Span<UInt8>) -> Int? {
    guard word.count > 8 else { return nil }
    for start in 0..<(word.count - 8) {
      let rest = word.extracting(start..<word.count)
      if rest.hasPrefix(lowercased: "http://") || rest.hasPrefix(lowercased: "https://") { return start }
    }
    return nil
  }

  /// What of an address goes to a server: without its fragment, and without a slash at its end.
  @_lifetime(copy text)
  private static func sent(_ text: Span<UInt8>) -> Span<UInt8> {
    var end = 0
    while end < text.count, text[end] != UInt8(ascii: "#") { end += 1 }
    if end > 0, text[end - 1] == UInt8(ascii: "/") { end -= 1 }
    return text.extracting(0..<end)
  }

  /// The same without the marks that end a sentence.
  @_lifetime(copy text)
  private static func trimmed(_ text: Span<UInt8>) -> Span<UInt8> {
    var end = sent(text).count
    while end > 0 {
      switch text[end - 1] {
      case UInt8(ascii: "."), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: ":"), UInt8(ascii: "!"),
        UInt8(ascii: "?"), UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "/"):
        end -= 1
        continue
      default: break
      }
      break
    }
    return text.extracting(0..<end)
  }

  /// The host of an address, without its port; empty without one.
  @_lifetime(copy address)
  private static func host(of address: Span<UInt8>) -> Span<UInt8> {
    let start = hostStart(of: address)
    var end = start
    while end < address.count, isHostByte(address[end]) { end += 1 }
    // A user name before the host, or another host after a backslash, would be read differently by others.
    if end < address.count, address[end] == UInt8(ascii: "@") || address[end] == UInt8(ascii: "\\") {
      return address.extracting(0..<0)
    }
    return address.extracting(start..<end)
  }

  private static func hostStart(of address: Span<UInt8>) -> Int {
    if address.hasPrefix(lowercased: "https://") { return 8 }
    return address.hasPrefix(lowercased: "http://") ? 7 : 0
  }

  /// `example.org`: letters of a top-level domain after the last dot.
  private static func isHost(_ word: Span<UInt8>) -> Bool {
    guard (4...253).contains(word.count) else { return false }
    var dot: Int?
    for index in 0..<word.count {
      guard isHostByte(word[index]) else { return false }
      if word[index] == UInt8(ascii: ".") { dot = index }
    }
    guard let dot, dot > 0, word.count - dot > 2 else { return false }
    for index in (dot + 1)..<word.count {
      guard (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(word[index].asciiLowercased) else { return false }
    }
    return true
  }

  private static func isHostByte(_ byte: UInt8) -> Bool {
    byte.isDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte.asciiLowercased)
  }
}
