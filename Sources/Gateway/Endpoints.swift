import Runtime

/// The addresses of one gateway. A round tries each of them once, in order: the one that worked last first.
struct Endpoints {
  private struct Entry {
    let url: GatewayURL
    /// The last wrong certificate there.
    var stranger: Fingerprint?
    /// It was tried in this round, and is of no use in it.
    var isSpent = false
    /// What answers there wants to be left alone until this monotonic instant.
    var earliest: Int64 = 0
    /// What answered there in this round wants a person to sign in.
    var needsPerson = false
  }

  private var entries: [Entry] = []
  private var index = 0

  init(_ urls: [GatewayURL]) {
    entries.reserveCapacity(Budget.gatewayURLs + 1)
    for url in urls { add(url) }
  }

  var isEmpty: Bool { entries.isEmpty }
  var count: Int { entries.count }

  /// The address in use, or the one to try next. After a start in panic none was tried yet.
  var current: GatewayURL { entries[index].url }

  /// The current address was tried since, and not given up: its failure is not that of the next one to try.
  private(set) var isInUse = false

  /// Appends an address; the last one is replaced when there are too many. False when it is known already.
  @discardableResult
  mutating func add(_ url: GatewayURL) -> Bool {
    if place(of: url) != nil { return false }
    if entries.count == Budget.gatewayURLs + 1 { entries.removeLast() }
    entries.append(Entry(url: url))
    index = min(index, entries.count - 1)
    return true
  }

  /// Puts an address before the others. The one in use stays in use.
  mutating func prefer(_ url: GatewayURL) {
    if let first = entries.first, first.url.text == url.text { return }
    let used = entries.isEmpty ? url : current
    var entry = Entry(url: url)
    if let place = place(of: url) { entry = entries.remove(at: place) }
    if entries.count == Budget.gatewayURLs + 1 { entries.removeLast() }
    entries.insert(entry, at: 0)
    index = place(of: used) ?? 0
  }

  /// Puts the address that worked last before the others, if it is one of them.
  mutating func preferKnown(_ text: String) {
    for entry in entries where entry.url.text == text { return prefer(entry.url) }
  }

  /// Begins a round, without the addresses that want to be left alone now. With all of them where all do: then
  /// something else, a change of the network, has begun it.
  mutating func rewind(at now: Int64) {
    isInUse = false
    let isEachLater = entries.allSatisfy { $0.earliest > now }
    for place in entries.indices {
      entries[place].isSpent = !isEachLater && entries[place].earliest > now
      entries[place].needsPerson = false
    }
    index = entries.firstIndex { !$0.isSpent } ?? 0
  }

  /// What answers at an address wants to be left alone until then.
  mutating func postpone(_ url: GatewayURL, until instant: Int64) {
    if let place = place(of: url) { entries[place].earliest = instant }
  }

  /// Each address may be asked again at once: the network has changed, and what answered was perhaps of the other one.
  mutating func clearPostponements() {
    for place in entries.indices { entries[place].earliest = 0 }
  }

  /// What answered at an address in this round wants a person to sign in; true when each address has.
  mutating func recordForbidden(_ url: GatewayURL) -> Bool {
    if let place = place(of: url) { entries[place].needsPerson = true }
    return entries.allSatisfy { $0.needsPerson }
  }

  /// The monotonic instant from which on an address may be asked again; 0 when one may always.
  var earliest: Int64 {
    var earliest = Int64.max
    for entry in entries { earliest = min(earliest, entry.earliest) }
    return entries.isEmpty ? 0 : earliest
  }

  /// The addresses that this round has not tried, in order.
  var untried: [GatewayURL] {
    var urls: [GatewayURL] = []
    for entry in entries where !entry.isSpent { urls.append(entry.url) }
    return urls
  }

  var hasUntried: Bool { entries.contains { !$0.isSpent } }

  /// An address was tried in this round, in vain. The next one to try is the current one.
  mutating func spend(_ url: GatewayURL) {
    if let place = place(of: url) { entries[place].isSpent = true }
    if let next = entries.firstIndex(where: { !$0.isSpent }) { index = next }
    isInUse = false
  }

  /// An address is in use. False when it is none of these.
  @discardableResult
  mutating func use(_ url: GatewayURL) -> Bool {
    guard let place = place(of: url) else { return false }
    index = place
    isInUse = true
    return true
  }

  private func place(of url: GatewayURL) -> Int? {
    for place in entries.indices where entries[place].url.text == url.text { return place }
    return nil
  }

  /// Remembers the wrong certificate that the current address showed, or nil: the right one. True when that changed, so
  /// that an address which another machine has taken over is logged once.
  @discardableResult
  mutating func noteWrongCertificate(_ seen: Fingerprint?) -> Bool {
    defer { entries[index].stranger = seen }
    return entries[index].stranger != seen
  }
}
