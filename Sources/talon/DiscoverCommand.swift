import Board
import Codec
import Gateway
import Runtime

/// `talon discover`: lists the gateways that advertise themselves. Needs no configuration and no running agent.
enum DiscoverCommand {
  /// The options of the command line.
  struct Options {
    let isJSON: Bool
    private(set) var seconds: Int64 = 5
    private(set) var domain = DNSName("local")

    init(_ words: talon.Options) throws(Failure) {
      isJSON = words.has("--json")
      if let seconds = words.value("--seconds") { try setSeconds(seconds) }
      if let domain = words.value("--domain") { try setDomain(domain) }
    }

    private mutating func setSeconds(_ word: String) throws(Failure) {
      guard let number = Int64(word), (1...60).contains(number) else {
        throw Failure(.usage, "--seconds needs a number from 1 to 60")
      }
      seconds = number
    }

    private mutating func setDomain(_ word: String) throws(Failure) {
      if word.isEmpty { throw Failure(.usage, "--domain needs a name") }
      do throws(DNSError) {
        domain = try DNSName(text: word.utf8.span)
      } catch {
        throw Failure(.usage, "--domain \(String(error.text))")
      }
      if domain.isRoot { throw Failure(.usage, "--domain needs a name") }
    }
  }

  /// Searches until the time is over, and prints the result.
  static func run(_ words: talon.Options) throws(Failure) -> ExitCode {
    let options = try Options(words)
    return try report(try search(options.domain, seconds: options.seconds), options)
  }

  /// Searches until the time is over.
  static func search(_ domain: DNSName, seconds: Int64) throws(Failure) -> GatewaySearch {
    let clock = SystemClock()
    let loop = try told { () throws(Errno) in try Loop(clock: clock) }
    let search = GatewaySearch(loop: loop, clock: clock)
    do throws(DNSError) {
      try search.start(domain, milliseconds: seconds * 1_000, EndOfSearch(loop))
    } catch {
      throw Failure(.usage, "--domain \(String(error.text))")
    }
    try told { () throws(Errno) in try loop.run() }
    return search
  }

  private static func told<Result>(_ body: () throws(Errno) -> Result) throws(Failure) -> Result {
    do throws(Errno) {
      return try body()
    } catch {
      throw Failure(.system, "the event loop cannot be used: \(String(error.text))")
    }
  }

  /// Prints what was found, or why nothing may have been found.
  private static func report(_ search: GatewaySearch, _ options: Options) throws(Failure) -> ExitCode {
    var found = 0
    search.browser?.forEach { gateway in
      found += 1
      if !options.isJSON { show(gateway, isFirst: found == 1) }
    }
    if options.isJSON, let browser = search.browser { Console.out(GatewayListing.json(browser)) }
    if found > 0 { return .ok }
    throw Failure(.unavailable, reason(search, options))
  }

  private static func show(_ gateway: DiscoveredGateway, isFirst: Bool) {
    let url = gateway.url(requiresTLS: false)?.text ?? "-"
    if !isFirst { Console.out("") }
    Console.show(IdentityCommand.string(gateway.displayName.span))
    Console.show("  address      \(url)")
    Console.show("               \(GatewayListing.addresses(gateway))")
    Console.show("  TLS          \(gateway.isSecure ? "yes" : "no")")
    if let hint = gateway.fingerprintHint {
      let digits = hint.hex
      Console.show("  certificate  \(IdentityCommand.string(digits.span))")
      Console.out("               (a hint: said by the network, not proven; compare it at the gateway)")
    }
    Console.show("  instance     \(IdentityCommand.string(gateway.instance.span))")
    Console.show("  id           \(gateway.id.text)")
    Console.show("  to use it    url = \(url)")
    if !gateway.isSecure {
      Console.out("               allow_plaintext = yes   (everybody on the way can listen)")
    }
  }

  private static func reason(_ search: GatewaySearch, _ options: Options) -> String {
    guard search.browser?.isMulticast == true else {
      if let failure = search.nameServerFailure {
        return "the name servers gave no answer: \(String(cString: failure))"
      }
      return "the name servers know no gateway in this domain"
    }
    if search.interfaces == 0 {
      return "no network to ask on: no interface is up, has an address and multicast"
    }
    return """
      no gateway answered within \(options.seconds) s on \(search.interfaces) interface(s). Many gateways on \
      Linux do not advertise themselves, and some networks keep multicast from passing: write the gateway's host into \
      the configuration, as in url = wss://HOST:18789
      """
  }
}

/// Stops the loop when the search has ended.
private final class EndOfSearch: GatewaySearchDelegate {
  private let loop: Loop

  init(_ loop: Loop) { self.loop = loop }

  func gatewaysChanged(_ search: GatewaySearch) {}

  func searchEnded(_ search: GatewaySearch) { loop.stop() }
}
