// Metrics: what a board counts and measures, as series of Prometheus: their names, the values of one instant, the queue
// in which they wait, and the message that carries them (remote write 1.0: protocol buffers, compressed with snappy).
// It knows no socket, no file, and not where a value comes from.

import Runtime

/// One series: its place in `MetricCatalogue.rows`.
public enum Metric: Int, Sendable {
  case info, systemInfo, uptime, boardUptime
  case stateOnline, stateConnecting, stateWaiting, stateApproval, statePaused, stateUntrusted
  case onlineSeconds, connections, lostNetwork, lostClosed, lostSilent, lostProtocol, roundTrip
  case succeeded, failed, repeated, running, blocked
  case eventsWaiting, eventsDelivered, eventsDropped, eventsRefused
  case cameraUp, receiverUp, motionUp, microphoneUp, lightUp, buttonUp, screenUp
  case fix, satellites, receiverErrors, latitude, longitude
  case resident, memoryLimit, memorySize, memoryAvailable, memoryStall
  case turn5ms, turn10ms, turn50ms, turn100ms, turn500ms, turn1s, turnAll, turnSum, turnCount, wakeups
  case processorTime, load, flashWritten
  case storageSize, storageFree, storageReadOnly, storageWritten, storageLife, storageErrors
  case temperature, underVoltage, frequencyCapped, throttled, softLimit
  case charge, voltage, external
  case linkSignal, linkSpeed
  case clockRight
  case updateBusy, updateFailed
  case samplesWaiting, samplesDropped, samplesRefused
}

/// A label that a series has beside those of its board.
public struct MetricLabel: Sendable {
  /// A value that is the same for ever, or one of `MetricTexts`.
  public enum Value: Sendable {
    case literal(StaticString)
    case version, system, slot
  }

  public let name: StaticString
  public let value: Value

  /// A label with a fixed value.
  init(_ name: StaticString, _ value: StaticString) { (self.name, self.value) = (name, .literal(value)) }
  /// A label whose value the board knows.
  init(_ name: StaticString, of value: Value) { (self.name, self.value) = (name, value) }
}

/// Values of labels that only the running board knows.
public struct MetricTexts: Sendable {
  /// Talon's version.
  public var version = InlineText<64>()
  /// The version of the running image, and the letter of its slot; empty where the board has one system only.
  public var system = InlineText<64>()
  public var slot = InlineText<8>()

  /// Nothing known.
  public init() {}
}

/// What a series is.
public struct MetricRow: Sendable {
  /// The types of Prometheus' exposition formats.
  public enum Kind: Sendable { case gauge, counter, histogram }

  public let metric: Metric
  public let name: StaticString
  public let kind: Kind
  /// The family: the series without its labels, and without the suffix of a histogram.
  public let help: StaticString
  public let labels: [MetricLabel]

  init(_ metric: Metric, _ name: StaticString, _ kind: Kind, _ labels: [MetricLabel], _ help: StaticString) {
    (self.metric, self.name, self.kind, self.labels, self.help) = (metric, name, kind, labels, help)
  }

  init(_ metric: Metric, _ name: StaticString, _ kind: Kind, _ help: StaticString) {
    self.init(metric, name, kind, [], help)
  }
}
