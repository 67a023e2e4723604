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
    let clock = SystemClock()
    do throws(Errno) {
      let loop = try Loop(clock: clock)
      let search = GatewaySearch(loop: loop, clock: clock)
      guard start(search, options, EndOfSearch(loop)) else { return .usage }
      try loop.run()
      return report(search, options)
    } catch {
      throw Failure(.system, "the event loop cannot be used: \(String(error.text))")
    }
  }

  private static func start(_ search: GatewaySearch, _ options: Options, _ ending: EndOfSearch) -> Bool {
    do throws(DNSError) {
      try search.start(options.domain, milliseconds: options.seconds * 1_000, ending)
      return true
    } catch {
      Console.err("talon: --domain \(String(error.text))")
      return false
    }
  }

  /// Prints what was found, or why nothing may have been found.
  private static func report(_ search: GatewaySearch, _ options: Options) -> ExitCode {
    var found = 0
    search.browser?.forEach { gateway in
      found += 1
      if !options.isJSON { show(gateway, isFirst: found == 1) }
    }
    if options.isJSON, let browser = search.browser { Console.out(GatewayListing.json(browser)) }
    if found > 0 { return .ok }
    Console.err(reason(search, options))
    return .unavailable
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
        return "talon: the name servers gave no answer: \(String(cString: failure))"
      }
      return "talon: the name servers know no gateway in this domain"
    }
    if search.interfaces == 0 {
      return "talon: no network to ask on: no interface is up, has an address and multicast"
    }
    return """
      talon: no gateway answered within \(options.seconds) s on \(search.interfaces) interface(s). Many gateways on \
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
