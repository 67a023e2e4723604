import Runtime
import Testing

@testable import Board
@testable import Codec

/// A watcher on a loop of its own.
private final class WatcherProbe: NetworkWatcherDelegate, TimerHandler {
  let loop: Loop
  let clock = SystemClock()
  let watcher: NetworkWatcher
  private(set) var changes = 0

  init() throws {
    loop = try Loop(clock: clock)
    watcher = NetworkWatcher(loop: loop, clock: clock)
    try watcher.start(self)
  }

  /// Runs for so long, or until the next change.
  func run(_ milliseconds: Int64) throws {
    loop.setTimer(TimerID(9), of: self, at: clock.monotonic + milliseconds)
    try loop.run()
    loop.cancelTimer(TimerID(9), of: self)
  }

  func networkChanged() {
    changes += 1
    loop.stop()
  }

  func timerFired(_ id: TimerID) { loop.stop() }
}

@Suite("Watching the network")
struct NetworkWatcherTests {
  private let router = NetworkBytes([192, 0, 2, 1].span)

  private func route(_ interface: UInt32, metric: UInt32 = 0) -> DefaultRoute {
    DefaultRoute(interface: interface, isIPv6: false, router: router, metric: metric)
  }

  @Test("what was not there before is news; what is said again, or goes away, is none")
  func facts() {
    var facts = NetworkFacts()
    let up = NetworkMessage.link(NetworkLink(interface: 2, isWorking: true))
    let down = NetworkMessage.link(NetworkLink(interface: 2, isWorking: false))
    let address = NetworkAddress(interface: 2, bytes: router)
    let messages: [(NetworkMessage, Bool)] = [
      (down, false), (up, true), (up, false),
      (.address(address, isPresent: true), true), (.address(address, isPresent: true), false),
      (.defaultRoute(route(2), isPresent: true), true), (.defaultRoute(route(2), isPresent: true), false),
      (.defaultRoute(route(2, metric: 5), isPresent: true), true),
      (.defaultRoute(route(3), isPresent: true), true),
      (.defaultRoute(route(3), isPresent: false), false), (.defaultRoute(route(3), isPresent: true), true),
      // The kernel does not say that routes went with their link, or with an address.
      (down, false), (up, true), (.defaultRoute(route(2), isPresent: true), true),
      (.address(address, isPresent: false), false), (.defaultRoute(route(2), isPresent: true), true),
      (.defaultRoute(route(3), isPresent: true), false), (.done, false), (.refused(1), false),
    ]
    for (index, (message, expected)) in messages.enumerated() {
      let isNews = facts.take(message)
      #expect(isNews == expected, "message \(index)")
    }
  }

  @Test("as much is remembered as the budget allows; what found no room is news each time")
  func bound() {
    var facts = NetworkFacts()
    func take(_ interface: Int) -> Bool {
      facts.take(.link(NetworkLink(interface: UInt32(interface), isWorking: true)))
    }
    for interface in 1...Budget.networkFacts { #expect(take(interface)) }
    #expect(facts.count == Budget.networkFacts)
    for _ in 0..<2 { #expect(take(Budget.networkFacts + 1)) }
    #expect(facts.count == Budget.networkFacts)
    #expect(!take(1))
    facts.removeAll()
    #expect(take(1))
  }

  @Test("news that does not fit is an error of its own, and gone")
  func tooLarge() throws {
    let news = try Syscall.networkEventSocket()
    defer { news.close() }
    try Syscall.ask(news, for: .links)
    let small = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 64)
    defer { small.deallocate() }
    #expect(throws: Errno.messageTooLong) { try Syscall.receiveNetlink(news, into: small) }
    #expect(Budget.netlinkBytes >= 8 * 1024, "what the kernel sends to those who never asked for more")
  }

  @Test(
    "of the real kernel: what is there is learned in silence, a burst is told once, a repeated or lost address never",
    .enabled(if: NewNetwork.isPermitted, "only root may make a network"))
  func kernel() throws {
    let (changes, waited) = try NewNetwork.run { () -> ([Int], Int64) in
      var changes: [Int] = []
      try #require(
        NewNetwork.shell(
          """
          ip link add board type veth peer name other && ip link set board addrgenmode none \
          && ip link set other addrgenmode none up && ip address add 192.0.2.6/24 dev board
          """))
      let probe = try WatcherProbe()
      try probe.run(100)
      changes.append(probe.changes)
      let start = probe.clock.monotonic
      try #require(
        NewNetwork.shell(
          """
          ip link set board up && ip address add 192.0.2.7/24 dev board \
          && ip route add default via 192.0.2.1
          """))
      try probe.run(3_000)
      let waited = probe.clock.monotonic - start
      changes.append(probe.changes)
      try #require(
        NewNetwork.shell(
          """
          ip address change 192.0.2.7/24 dev board valid_lft 900 preferred_lft 900 \
          && ip address del 192.0.2.6/24 dev board
          """))
      try probe.run(1_200)
      changes.append(probe.changes)
      probe.watcher.stop()
      return (changes, waited)
    }
    #expect(changes == [0, 1, 1])
    #expect(waited >= Budget.networkSettleMilliseconds)
  }
}
