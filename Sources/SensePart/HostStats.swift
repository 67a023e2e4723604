import Codec
import Device
import Gateway
import Node
import Runtime

/// `node.host.stats`: processors, load, memory and flash of the board, after connecting, and then every minute if the
/// gateway reports that it handles them (gateway reference 9.5). Older gateways get it once.
final class HostStats: RequestDelegate, DeviceSnapshotDelegate {
  /// Milliseconds between two reports (gateway reference 9.5).
  static let period: Int64 = 60_000

  private let device: DeviceService
  private let clock: any Clock
  private let text = FixedBuffer(capacity: 512)
  private var channel: (any RequestChannel)?
  private var tag = 0
  private var due: Int64?

  /// Gets its readings from `device`.
  init(device: DeviceService, clock: any Clock) {
    self.device = device
    self.clock = clock
  }

  /// After `hello-ok`.
  func online(_ channel: any RequestChannel) {
    self.channel = channel
    read()
  }

  /// The connection is lost.
  func offline() {
    channel = nil
    due = nil
  }

  /// When `advance` is to be called.
  var nextDeadline: Int64? { due }

  func advance(to now: Int64) {
    guard let due, now >= due else { return }
    read()
  }

  private func read() {
    due = device.read(for: self) ? nil : clock.monotonic + Self.period
  }

  func deviceRead(_ snapshot: borrowing DeviceSnapshot) {
    guard let channel, let count = write(snapshot) else { return }
    tag &+= 1
    let name: StaticString = "node.host.stats"
    let payload = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(text.bytes)[..<count])
    if NodeEvent.send(name.bytes, payload, over: channel, delegate: self, tag: tag) { return }
    due = clock.monotonic + Self.period
  }

  /// The payload, or nil without the readings that the gateway requires.
  private func write(_ snapshot: borrowing DeviceSnapshot) -> Int? {
    guard let memory = snapshot.memory, (1...4096).contains(snapshot.processors) else { return nil }
    var writer = JSONWriter(into: text.bytes)
    writer.beginObject()
    writer.key("cpuCount")
    writer.int(Int64(snapshot.processors))
    if let load = snapshot.load {
      writer.key("loadAverage")
      writer.beginArray()
      for index in load.indices { writer.decimal(load[index], fractionDigits: 2) }
      writer.endArray()
    }
    writer.key("memoryTotalBytes")
    writer.uint(memory.totalBytes)
    // The gateway refuses free memory or disk beyond the total (newer-gateways 1.5).
    writer.key("memoryFreeBytes")
    writer.uint(min(memory.availableBytes, memory.totalBytes))
    if let storage = snapshot.storage {
      writer.key("diskTotalBytes")
      writer.uint(storage.totalBytes)
      writer.key("diskAvailableBytes")
      writer.uint(min(storage.freeBytes, storage.totalBytes))
    }
    writer.endObject()
    return writer.isComplete ? writer.count : nil
  }

  // MARK: Answers

  func requestSucceeded(_ tag: Int, _ payload: borrowing JSONView) {
    guard tag == self.tag, channel != nil else { return }
    if payload.member("handled")?.bool == true { due = clock.monotonic + Self.period }
  }

  /// A timed-out event is sent again; a refused one is not.
  func requestFailed(_ tag: Int, _ failure: RequestFailure) {
    guard tag == self.tag, channel != nil, failure.kind == .timedOut else { return }
    due = clock.monotonic + Self.period
  }
}
