import Agent
import Board
import Metrics
import MetricsPart
import Runtime

/// What metrics need of this board; nothing where none are configured.
struct MetricsWiring {
  let configuration: Configuration
  let loop: Loop
  let clock: SystemClock

  func board() throws(Failure) -> MetricsBoard? {
    let settings = configuration.metrics
    guard settings.isConfigured else { return nil }
    let certificate =
      settings.certificate.isEmpty ? nil : ClientCertificate(certificate: settings.certificate, key: settings.key)
    let authorities = CertificateAuthorities(path: settings.authorities, certificate: certificate)
    return MetricsBoard(
      transport: FetchLink(loop: loop, clock: clock, authorities: authorities),
      store: try StateFolder.open(configuration.stateDirectory, recordBytes: Budget.metricSegmentBytes))
  }
}

/// What the program counts for metrics.
final class LoopCounters: ProgramCounters {
  private let loop: Loop
  private let turns = TurnTimes()

  /// Begins to count the turns of a loop.
  init(_ loop: Loop) {
    self.loop = loop
    loop.turns = turns
  }

  func fill(_ values: inout MetricValues) {
    for edge in 0..<TurnTimes.edges.count {
      guard let metric = Metric(rawValue: Metric.turn5ms.rawValue + edge) else { return }
      values.set(metric, turns.atMost(edge))
    }
    values.set(.turnAll, turns.count)
    values.set(.turnCount, turns.count)
    values.set(.turnSum, Double(turns.milliseconds) / 1000)
    values.set(.wakeups, loop.wakeups)
    values.set(.processorTime, Process.processorSeconds)
    values.set(.flashWritten, Process.writtenBytes)
  }
}
