import Board
import Device
import Gateway
import Runtime

/// Tries an address of the gateway up to its certificate: name, TCP, TLS, pin. Nothing is sent to the gateway itself.
final class GatewayProbe: TransportDelegate, TimerHandler {
  /// The result.
  enum Outcome {
    case failed(TransportFailure)
    /// It did not answer in time.
    case silent
    /// The person pressed Ctrl-C.
    case interrupted
    /// It answers, with this certificate; none with ws://.
    case answers(PeerCertificate?)
  }

  /// Timeout in milliseconds of all of it: a name, a connection and a handshake, on a slow link.
  private static let timeout: Int64 = 15_000

  private let loop: Loop
  private var outcome = Outcome.silent

  private init(_ loop: Loop) { self.loop = loop }

  static func run(_ url: GatewayURL, by route: GatewayRoute = GatewayRoute()) -> Outcome {
    let clock = SystemClock()
    do throws(Errno) {
      let loop = try Loop(clock: clock)
      let probe = GatewayProbe(loop)
      let transport = NetworkTransport(loop: loop, clock: clock, route: route)
      let signals = try Signals(loop: loop) { _ in probe.end(.interrupted) }
      defer { signals.close() }
      loop.setTimer(TimerID(0), of: probe, at: clock.monotonic + timeout)
      transport.open(url, probe)
      // It may have failed at once.
      if case .silent = probe.outcome { try loop.run() }
      transport.close()
      return probe.outcome
    } catch {
      return .failed(TransportFailure(.broken, reason: error))
    }
  }

  private func end(_ outcome: Outcome) {
    self.outcome = outcome
    loop.stop()
  }

  func timerFired(_ id: TimerID) { loop.stop() }
  func transportSecured(certificate: PeerCertificate?) { end(.answers(certificate)) }
  func transportReceived(_ bytes: Span<UInt8>) -> Int { bytes.count }
  func transportWritable() {}
  func transportFailed(_ failure: TransportFailure) { end(.failed(failure)) }
}

extension GatewayProbe.Outcome {
  /// True when the other addresses need not be tried.
  var isEnd: Bool {
    switch self {
    case .answers, .interrupted: true
    case .failed, .silent: false
    }
  }

  /// The finding; `trust` checks a certificate.
  func finding(_ url: GatewayURL, _ trust: (PeerCertificate) -> Trust) -> Finding {
    switch self {
    case .interrupted: return Finding("address", .unknown, "\(url.text) was not tried to the end")
    case .silent:
      return Finding(
        "address", .failure, "\(url.text) does not answer",
        remedy: "check that the gateway runs, and that no firewall stands between")
    case .failed(let failure): return Self.finding(url, failure)
    case .answers(nil): return Finding("address", .good, "\(url.text) takes connections")
    case .answers(let certificate?):
      switch trust(certificate) {
      case .changed(let expected): return Self.changed(url, certificate, expected)
      case .trusted: return Finding("address", .good, "\(url.text) answers with the certificate that is trusted")
      case .renewed: return Finding("address", .good, "\(url.text) answers with a renewed certificate of the same key")
      case .firstUse: return Finding("address", .good, "\(url.text) answers; its certificate will be trusted")
      case .firstVouched:
        return Finding(
          "address", .good, "\(url.text) answers; an authority vouches for it, as one will have to from then on")
      case .unvouched(let objection):
        return Finding(
          "address", .failure, "\(url.text): its certificate \(objection.words)",
          remedy: "\(objection.remedy); or, if it is the gateway's own, talon trust --replace "
            + IdentityCommand.string(certificate.leaf.hex.span))
      }
    }
  }

  private static func changed(_ url: GatewayURL, _ seen: PeerCertificate, _ expected: Fingerprint) -> Finding {
    let (seen, known) = (seen.leaf.hex, expected.hex)
    return Finding(
      "address", .failure,
      "\(url.text) shows another certificate than the one that is trusted "
        + "(\(IdentityCommand.string(known.span).prefix(16))...)",
      remedy:
        "compare it with the gateway's; when it is right: talon trust --replace \(IdentityCommand.string(seen.span))")
  }

  private static func finding(_ url: GatewayURL, _ failure: TransportFailure) -> Finding {
    let reason = words(failure)
    switch failure.kind {
    case .resolve:
      return Finding(
        "address", .failure, "the name \(url.host) has no address",
        remedy: "correct [gateway] url, or the name servers in /etc/resolv.conf")
    case .forbidden, .connect:
      return Finding(
        "address", .failure, "\(url.text): \(reason)",
        remedy:
          "check that the gateway runs at this port and listens beyond its own machine (docs/owners/gateway.md), and "
          + "that no firewall stands between")
    case .proxy:
      return Finding(
        "address", .failure, "\(url.text): \(reason)", remedy: "correct [gateway] proxy, or ask who runs the proxy")
    case .tls:
      return Finding(
        "address", .failure, "\(url.text): \(reason)",
        remedy: "check that this is the gateway's port, and that the gateway speaks TLS there")
    case .closedByPeer, .broken:
      return Finding(
        "address", .failure, "\(url.text): \(reason)", remedy: "look at the gateway's own log, then try again")
    }
  }

  private static func words(_ failure: TransportFailure) -> String {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 256) { buffer in
      var line = LogLine(buffer)
      failure.describe(&line)
      return String(decoding: buffer[..<line.count], as: UTF8.self)
    }
  }
}
