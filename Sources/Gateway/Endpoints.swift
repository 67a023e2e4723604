import Runtime

/// The addresses of one gateway, tried in order. One that showed a certificate which is not trusted is left alone for a
/// while: it may be another machine at the same address, and the gateway behind the next one.
struct Endpoints {
  private struct Entry {
    let url: GatewayURL
    var blockedUntil: Int64 = .min
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

  /// Begins a round: true when there is an address that may be tried.
  mutating func rewind(_ now: Int64) -> Bool { seek(from: 0, now) }

  /// Goes on to the next address of this round; false when it was the last.
  mutating func advance(_ now: Int64) -> Bool { seek(from: index + 1, now) }

  /// Leaves the current address alone until `instant`.
  mutating func block(until instant: Int64) { entries[index].blockedUntil = instant }

  /// True when every address is blocked.
  func areBlocked(_ now: Int64) -> Bool {
    for entry in entries where entry.blockedUntil <= now { return false }
    return true
  }

  private mutating func seek(from start: Int, _ now: Int64) -> Bool {
    var candidate = start
    while candidate < entries.count {
      if entries[candidate].blockedUntil <= now {
        index = candidate
        return true
      }
      candidate += 1
    }
    return false
  }
}
