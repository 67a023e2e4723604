// MetricsPart: the part of the agent that samples what `Metrics` names, once an interval, and pushes it to a server
// that takes Prometheus' remote write. It knows neither the agent that counts (`MetricsHost`) nor a socket.

import Codec
import Device
import Fetch
import Gateway
import Metrics
import Node
import Runtime

/// Samples the board and pushes the samples; see the head of this file.
public final class MetricsPart: Part {
  let settings: MetricsSettings
  private let world: MetricsSurroundings
  private let labels: BoardLabels
  var clock: any Clock { world.clock }
  let ring: SampleRing
  let keeper: SampleKeeper
  private(set) var sender: SampleSender! = nil
  /// Tells what only the whole agent knows. Lives as long as the part.
  public unowned(unsafe) var host: (any MetricsHost)?
  var date = SampleDate()
  private var isRunning = false
  private var isReading = false
  /// When the next interval ends.
  private var dueAt: Int64 = 0

  /// A part that does nothing before `start`. `board` and `instance`: the board's name, and what tells it apart from
  /// others of that name; `place` and `tags`: where it is and its groups, both empty where the owner has not said;
  /// `version` is Talon's own.
  @export(interface)
  public init(
    _ settings: MetricsSettings, board: InlineText<64>, instance: InlineText<64>,
    place: InlineText<64>, tags: InlineText<64>, version: InlineText<64>,
    surroundings: MetricsSurroundings
  ) throws(Errno) {
    self.settings = settings
    world = surroundings
    var labels = settings.labels
    labels.addDefault("board", board.span)
    labels.addDefault("instance", instance.span)
    labels.addDefault("job", ("talon" as StaticString).utf8Bytes)
    labels.addDefault("place", place.span)
    labels.addDefault("tags", tags.span)
    self.labels = labels
    ring = try SampleRing()
    keeper = SampleKeeper(ring, store: world.board.store, runner: world.runner, clock: world.clock, log: world.log)
    super.init()
    sender = try SampleSender(self, version: version, surroundings)
    for secret in [settings.token, settings.password, settings.authorization] {
      secret.withBytes { if !$0.isEmpty { world.log.hide($0) } }
    }
  }

  /// A server has taken samples since the start: what only the first connection needs is done with.
  public var hasPushed: Bool { sender.acceptedAt != nil }

  private var interval: Int64 { settings.interval * 1000 }

  /// The message for what is in a batch.
  var request: WriteRequest { WriteRequest(labels, host?.metricTexts ?? MetricTexts()) }

  // MARK: Life

  public override func start() {
    isRunning = true
    keeper.load()
    // Somewhere in the interval, so that boards that get their power back together do not push together.
    dueAt = clock.monotonic + Int64(randomNumber(below: UInt32(clamping: interval), world.random))
  }

  public override func stop() {
    isRunning = false
    sender.stop()
  }

  public override func flush() { keeper.flush() }

  public override var isStopped: Bool { keeper.isSettled && !isReading }

  public override func hold() {
    isRunning = false
    sender.stop()
  }

  public override func letGo() {
    isRunning = true
    dueAt = clock.monotonic
  }

  public override func writeStatus(to writer: inout JSONWriter) {
    writer.key("metrics")
    writeObject(to: &writer)
  }

  // MARK: Time

  public override var nextDeadline: Int64? {
    let next = earliest(keeper.nextDeadline, sender.nextDeadline)
    return isRunning && !isReading ? earliest(next, dueAt) : next
  }

  public override func advance(to now: Int64) {
    keeper.advance(to: now)
    sender.advance(to: now)
    // A little early where something else woke the agent in any case.
    guard isRunning, !isReading, now >= dueAt - interval / Budget.metricSlack else { return }
    dueAt = max(dueAt + interval, now + interval / 2)
    isReading = host?.readBoard(for: self) == true
    if !isReading { take(MetricValues(), nil) }
  }

  // MARK: Samples

  private func take(_ readings: MetricValues, _ clockReading: ClockReading?) {
    let now = clock.monotonic
    var values = readings
    host?.fill(&values, positions: settings.hasPositions)
    values.set(.samplesWaiting, UInt64(ring.count))
    values.set(.samplesDropped, ring.dropped)
    values.set(.samplesRefused, sender.refused)
    date.read(clockReading, wall: clock.wall, now: now)
    giveDates()
    ring.append(values, at: date.date(of: now) ?? now, isDated: date.offset != nil)
    sender.intervalEnded(at: now)
  }

  /// The date has become known, perhaps: what waits for it gets its own.
  func giveDates() {
    if let offset = date.offset { ring.date(offset: offset) }
  }
}

extension MetricsPart: DeviceSnapshotDelegate {
  @export(interface)
  public func deviceRead(_ snapshot: borrowing DeviceSnapshot) {
    isReading = false
    guard isRunning else { return }
    var values = MetricValues()
    values.fill(snapshot)
    take(values, snapshot.clock)
  }
}
