import Codec
import Gateway
import Runtime

/// Gets the progress of a search.
public protocol GatewaySearchDelegate: AnyObject {
  /// `search.browser` has changed. The search may be stopped here.
  func gatewaysChanged(_ search: GatewaySearch)

  /// The time is over, or no more answers can come. The list is kept until the next start.
  func searchEnded(_ search: GatewaySearch)
}

/// Searches for gateways on the loop: by multicast DNS for the domain `local`, by the system's name servers for any
/// other (gateway reference 7).
public final class GatewaySearch: MulticastSocketDelegate, NameServerQueriesDelegate, TimerHandler {
  private enum Timer {
    static let ask = TimerID(0)
    static let end = TimerID(1)
  }

  private let loop: Loop
  private let clock: any Clock
  private let random = SystemRandom()
  private let socket: MulticastSocket
  private let servers: NameServerQueries
  private var delegate: (any GatewaySearchDelegate)?
  private var isNews = false
  private var isSocketOpen = false

  /// The results of the running search or the last one.
  public private(set) var browser: GatewayBrowser?
  /// Number of interfaces on which the last multicast query was sent; 0 when there is no network.
  public private(set) var interfaces = 0
  /// c-ares's reason why no name server answered; a literal of the library.
  public var nameServerFailure: UnsafePointer<CChar>? { servers.failure }

  @export(interface)
  public init(loop: Loop, clock: any Clock) {
    self.loop = loop
    self.clock = clock
    socket = MulticastSocket(loop: loop)
    servers = NameServerQueries(loop: loop, clock: clock)
  }

  deinit { stop() }

  /// Starts a new search. Does not call the delegate from inside this call.
  /// - Parameters:
  ///   - wanted: the only gateway to search for; nil for all.
  ///   - fingerprint: the certificate of that gateway, by which it is found under another name.
  ///   - milliseconds: when the search ends.
  /// - Throws: `nameTooLong` when no service could have a name in `domain`.
  public func start(
    _ domain: DNSName, wanted: GatewayID? = nil, fingerprint: Fingerprint? = nil, milliseconds: Int64,
    _ delegate: any GatewaySearchDelegate
  ) throws(DNSError) {
    stop()
    let id = UInt16(truncatingIfNeeded: randomNumber(below: 65_536, random))
    let browser = try GatewayBrowser(domain: domain, wanted: wanted, fingerprint: fingerprint, queryID: id)
    self.browser = browser
    self.delegate = delegate
    interfaces = 0
    browser.start(at: clock.monotonic)
    loop.setTimer(Timer.ask, of: self, at: clock.monotonic)
    loop.setTimer(Timer.end, of: self, at: clock.monotonic + milliseconds)
  }

  /// Ends the search without calling the delegate.
  public func stop() {
    delegate = nil
    isNews = false
    isSocketOpen = false
    socket.close()
    servers.close()
    loop.cancelTimer(Timer.ask, of: self)
    loop.cancelTimer(Timer.end, of: self)
  }

  // MARK: Asking

  private func ask() {
    guard let browser, delegate != nil else { return }
    if browser.isMulticast { askLinks(browser) } else { askServers(browser) }
    if let deadline = browser.deadline {
      loop.setTimer(Timer.ask, of: self, at: deadline)
    } else {
      loop.cancelTimer(Timer.ask, of: self)
    }
  }

  /// Sends all due questions, as many per packet as fit.
  private func askLinks(_ browser: GatewayBrowser) {
    if !isSocketOpen {
      // Without a network there is no socket; tried again next time.
      do throws(Errno) {
        try socket.open(self)
        isSocketOpen = true
      } catch { interfaces = 0 }
    }
    var left = browser.nextQuestion(at: clock.monotonic)
    while left != nil {
      interfaces = socket.send(id: browser.queryID) { query in
        while let question = left, query.ask(question, wantsUnicast: true) {
          left = browser.nextQuestion(at: self.clock.monotonic)
        }
      }
    }
  }

  private func askServers(_ browser: GatewayBrowser) {
    if !isSocketOpen {
      isSocketOpen = servers.start(self)
      guard isSocketOpen else { return end() }
    }
    while servers.hasRoom, let question = browser.nextQuestion(at: clock.monotonic) { servers.ask(question) }
    // c-ares may have answered during the call; the delegate is called from the loop.
    if servers.open == 0 { loop.setTimer(Timer.end, of: self, at: clock.monotonic) }
  }

  // MARK: Answers

  func received(_ packet: Span<UInt8>, from origin: PacketOrigin) {
    if browser?.take(packet, from: origin, at: clock.monotonic) == true { isNews = true }
  }

  func answered(_ packet: Span<UInt8>) { received(packet, from: .nameServer) }

  func receivedAll() { report() }

  func queriesAdvanced() { report() }

  private func report() {
    guard let delegate else { return }
    ask()
    guard isNews else { return }
    isNews = false
    delegate.gatewaysChanged(self)
  }

  public func timerFired(_ id: TimerID) {
    if id == Timer.ask { return ask() }
    end()
  }

  private func end() {
    if isNews { report() }
    guard let delegate else { return }
    stop()
    delegate.searchEnded(self)
  }
}
