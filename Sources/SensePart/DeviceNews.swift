import Codec
import Device
import Node
import Runtime

/// Tells the gateway's agent when a device comes, goes or fails, so that it hears of a dead camera without asking.
public final class DeviceNews: Part {
  /// What is known of one device.
  private struct Known {
    let name: StaticString
    /// The state that the agent knows of.
    var told = HardwareState.State.ok
    /// Another state, and since when it lasts.
    var seen: HardwareState.State?
    var since: Int64 = 0
    /// News in the current hour, and when that began.
    var (count, hour): (Int, Int64) = (0, 0)

    init(_ name: StaticString) { self.name = name }
  }

  private var known = InlineArray<5, Known> { Known(DeviceNews.names[$0]) }
  private static let names: InlineArray<5, StaticString> = [
    "camera", "receiver", "motion sensor", "microphone", "screen",
  ]
  /// All parts, for their hardware reports. The table owns this part and outlives it.
  private unowned(unsafe) let parts: PartTable
  private let outbox: Outbox
  private let log: Log
  private let clock: any Clock
  private var startedAt: Int64 = 0
  private var lookedAt = Int64.min
  private var isHeld = false

  /// A part that tells nothing before `start`.
  @export(interface)
  public init(parts: PartTable, outbox: Outbox, clock: any Clock, log: Log) {
    self.parts = parts
    self.outbox = outbox
    self.clock = clock
    self.log = log
  }

  // MARK: Part

  public override func start() { startedAt = clock.monotonic }

  /// Held devices are switched off, which is no news.
  public override func hold() { isHeld = true }

  public override func letGo() {
    isHeld = false
    startedAt = clock.monotonic
  }

  public override var nextDeadline: Int64? {
    var next: Int64?
    for index in 0..<known.count where known[index].seen != nil {
      next = earliest(next, known[index].since + Budget.deviceNewsPatience)
    }
    return next
  }

  public override func advance(to now: Int64) {
    // Each message wakes the agent, and a report asks every part.
    let isDue = nextDeadline.map { now >= $0 } ?? false
    if isHeld || !isDue && now < lookedAt.adding(clamping: Budget.deviceNewsLook) { return }
    lookedAt = now
    let report = parts.report
    look(0, report.camera, now)
    look(1, report.location, now)
    look(2, report.motion, now)
    look(3, report.microphone, now)
    look(4, report.canvas, now)
  }

  private func look(_ index: Int, _ state: HardwareState, _ now: Int64) {
    // What is not configured, or is not allowed, does not come or go.
    guard state.isPermitted else { return known[index].seen = nil }
    guard now - startedAt >= Budget.deviceNewsGrace else {
      known[index].seen = nil
      return known[index].told = state.state
    }
    if state.state == known[index].told { return known[index].seen = nil }
    if state.state != known[index].seen {
      known[index].seen = state.state
      known[index].since = now
    }
    guard now - known[index].since >= Budget.deviceNewsPatience else { return }
    tell(index, state, now)
  }

  private func tell(_ index: Int, _ state: HardwareState, _ now: Int64) {
    known[index].told = state.state
    known[index].seen = nil
    if now - known[index].hour >= 3_600_000 { (known[index].count, known[index].hour) = (0, now) }
    known[index].count += 1
    let name = known[index].name
    guard known[index].count <= Budget.deviceNewsPerHour else {
      guard known[index].count == Budget.deviceNewsPerHour + 1 else { return }
      return log.write(.notice, "device") { line in
        line.add(name)
        line.add(": it comes and goes; the agent is not told of it for an hour")
      }
    }
    var title = InlineText<64>()
    title.fill { buffer in
      var line = ByteWriter(into: buffer)
      line.text("The ")
      line.text(name)
      line.text(Self.words(state.state))
      return min(line.count, buffer.count)
    }
    let text = (state.state == .ok ? nil : state.detail) ?? ""
    title.span.withUnsafeBufferPointer { title in
      outbox.post(Notice("device", name.bytes, title: title, text: text.bytes, at: now))
    }
  }

  private static func words(_ state: HardwareState.State) -> StaticString {
    switch state {
    case .ok: " works again"
    case .absent: " is not there any more"
    case .error: " fails"
    }
  }
}
