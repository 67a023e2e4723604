import Runtime

/// The addresses of one gateway, tried in order.
struct Endpoints {
  private struct Entry {
    let url: GatewayURL
    /// The last wrong certificate there.
    var stranger: Fingerprint?
  }

  private var entries: [Entry] = []
  /// -1 before the first address, when there is none.
  private var index = 0

  init(_ urls: [GatewayURL]) {
    entries.reserveCapacity(Budget.gatewayURLs + 1)
    for url in urls { add(url) }
  }

  var isEmpty: Bool { entries.isEmpty }
  var count: Int { entries.count }

  /// The address in use, or the one to try next. After a start in panic none was tried yet.
  var current: GatewayURL { entries[max(index, 0)].url }

  /// Appends an address; the last one is replaced when there are too many. False when it is known already.
  @discardableResult
  mutating func add(_ url: GatewayURL) -> Bool {
    for entry in entries where entry.url.text == url.text { return false }
    if entries.count == Budget.gatewayURLs + 1 { entries.removeLast() }
    entries.append(Entry(url: url))
    index = min(index, entries.count - 2)
    return true
  }

  /// Puts an address before the others. The one in use stays in use.
  mutating func prefer(_ url: GatewayURL) {
    if let first = entries.first, first.url.text == url.text { return }
    let used = index >= 0 && index < entries.count ? entries[index].url.text : url.text
    var entry = Entry(url: url)
    for place in entries.indices.reversed() where entries[place].url.text == url.text {
      entry = entries.remove(at: place)
    }
    if entries.count == Budget.gatewayURLs + 1 { entries.removeLast() }
    entries.insert(entry, at: 0)
    index = 0
    for place in entries.indices where entries[place].url.text == used { index = place }
  }

  /// Begins a round.
  mutating func rewind() { index = 0 }

  /// Goes on to the next address of this round; false when it was the last.
  mutating func advance() -> Bool {
    guard index + 1 < entries.count else { return false }
    index += 1
    return true
  }

  /// Notes the wrong certificate that the current address showed, or nil: the right one. True when that changed, so
  /// that an address which another machine has taken over is logged once.
  @discardableResult
  mutating func noteWrongCertificate(_ seen: Fingerprint?) -> Bool {
    defer { entries[index].stranger = seen }
    return entries[index].stranger != seen
  }
}
