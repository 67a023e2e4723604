import Runtime

/// The addresses of one gateway, tried in order.
struct Endpoints {
  private struct Entry {
    let url: GatewayURL
    /// What was shown there last, where that was not the gateway's certificate.
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

  /// The address in use, or the one to try next. A board that is held from its start has not tried any.
  var current: GatewayURL { entries[max(index, 0)].url }

  /// Adds an address behind the others, where `advance` finds it; the last one gives way when there are too many. False
  /// when it was there already.
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
    for place in entries.indices.reversed() where entries[place].url.text == url.text { entry = entries.remove(at: place) }
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

  /// The current address showed a certificate that is not the gateway's, or nil: it showed the right one. True when that
  /// is news, so that an address which another machine has for good is told of once.
  @discardableResult
  mutating func noteStranger(_ seen: Fingerprint?) -> Bool {
    defer { entries[index].stranger = seen }
    return entries[index].stranger != seen
  }
}
