import Device
import Fetch
import Metrics
import Runtime

/// What metrics have to know of the rest of the agent.
public protocol MetricsHost: AnyObject {
  /// Has the board read for this delegate, once; false when no worker is free.
  func readBoard(for delegate: any DeviceSnapshotDelegate) -> Bool
  /// Adds what the agent counts.
  func fill(_ values: inout MetricValues, positions: Bool)
  /// The texts of labels.
  var metricTexts: MetricTexts { get }
}

/// What metrics need of the board.
public struct MetricsBoard {
  public var transport: any FetchTransport
  /// The store of the samples that wait. It must not be shared, because a worker writes there.
  public var store: any RecordStore

  /// What the board has; see the properties.
  public init(transport: any FetchTransport, store: any RecordStore) {
    (self.transport, self.store) = (transport, store)
  }
}

/// What the part works with.
public struct MetricsSurroundings {
  let board: MetricsBoard
  let runner: any JobRunner
  let clock: any Clock
  let random: any RandomSource
  let log: Log

  /// The board, and what all parts share.
  public init(
    _ board: MetricsBoard, runner: any JobRunner, clock: any Clock, random: any RandomSource, log: Log
  ) {
    (self.board, self.runner, self.clock, self.random, self.log) = (board, runner, clock, random, log)
  }
}
