import Codec
import Runtime

/// The known links, addresses and default routes, to detect what is new: an IPv6 router repeats its advertisement every
/// few minutes, and the kernel reports each one.
struct NetworkFacts: ~Copyable {
  private enum Kind: UInt8 { case link, address, route }

  private struct Fact {
    let kind: Kind
    let interface: UInt32
    /// The address, or the router.
    var bytes = NetworkBytes()
    var isIPv6 = false
    var metric: UInt32 = 0

    func isSame(_ other: Fact) -> Bool {
      kind == other.kind && interface == other.interface && isIPv6 == other.isIPv6 && metric == other.metric
        && bytes == other.bytes
    }
  }

  private let facts: UnsafeMutablePointer<Fact>
  private(set) var count = 0

  init() { facts = .allocate(capacity: Budget.networkFacts) }

  deinit { facts.deallocate() }

  /// True when a working link has an address.
  var hasNetwork: Bool {
    for index in 0..<count where facts[index].kind == .address {
      for other in 0..<count where facts[other].kind == .link && facts[other].interface == facts[index].interface {
        return true
      }
    }
    return false
  }

  /// Forgets everything.
  mutating func removeAll() { count = 0 }

  /// Processes a message; true when it adds a link, address or route that was not known. Removals return false.
  mutating func take(_ message: NetworkMessage) -> Bool {
    switch message {
    case .link(let link):
      let fact = Fact(kind: .link, interface: link.interface)
      if link.isWorking { return insert(fact) }
      remove(fact)
      // The kernel does not report each route that is removed with a link.
      removeRoutes(of: link.interface)
      return false
    case .address(let address, let isPresent):
      let fact = Fact(kind: .address, interface: address.interface, bytes: address.bytes)
      if isPresent { return insert(fact) }
      remove(fact)
      removeRoutes(of: address.interface)
      return false
    case .defaultRoute(let route, let isPresent):
      let fact = Fact(
        kind: .route, interface: route.interface, bytes: route.router, isIPv6: route.isIPv6,
        metric: route.metric)
      if isPresent { return insert(fact) }
      remove(fact)
      return false
    case .done, .refused: return false
    }
  }

  /// True when it was not known. Without room it is not stored, and counts as new each time.
  private mutating func insert(_ fact: Fact) -> Bool {
    for index in 0..<count where facts[index].isSame(fact) { return false }
    guard count < Budget.networkFacts else { return true }
    (facts + count).initialize(to: fact)
    count += 1
    return true
  }

  private mutating func remove(_ fact: Fact) {
    for index in 0..<count where facts[index].isSame(fact) { return remove(at: index) }
  }

  private mutating func removeRoutes(of interface: UInt32) {
    for index in stride(from: count - 1, through: 0, by: -1)
    where facts[index].kind == .route && facts[index].interface == interface { remove(at: index) }
  }

  private mutating func remove(at index: Int) {
    count -= 1
    facts[index] = facts[count]
  }
}
