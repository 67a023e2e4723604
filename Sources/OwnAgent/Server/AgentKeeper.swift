import Codec
import Completion
import Runtime

/// What the agent keeps on flash beside its memory: the summary for the gateway, the reminders, what models have used
/// on this day, and where the bot's messages go on.
public final class AgentKeeper: RecordDelegate {
  /// The records, in the order in which they are written.
  enum Record: Int, CaseIterable {
    case handOver, reminders, usage, telegram

    var name: StaticString {
      switch self {
      case .handOver: "hand-over"
      case .reminders: "reminders"
      case .usage: "usage"
      case .telegram: "telegram"
      }
    }
  }

  private let memory = FixedBuffer(capacity: max(Budget.handOverRecordBytes, Budget.agentRemindersBytes))
  private let kept: Kept
  private let log: Log
  private var dirty = InlineArray<4, Bool>(repeating: false)
  private var writing: Record?
  var handOver = HandOver()
  var reminders = ReminderBook()
  var usage = ModelUsage()
  /// The number of the first update of the bot that was not taken, and the one that flash has.
  var telegramOffset: Int64 = 0
  private(set) var telegramKept: Int64 = 0
  private var telegramWriting: Int64 = 0
  /// Called when flash has one more record as it should be.
  var changed: () -> Void = {}

  /// A keeper of records in `store`, which nothing else writes.
  @export(interface)
  public init(store: any RecordStore, runner: any JobRunner, clock: any Clock, log: Log) {
    precondition(Budget.handOverTextBytes == 200 && Budget.handOverDeedBytes == 96)
    kept = Kept(
      in: memory.bytes, store: store, runner: runner, clock: clock, log: log,
      "agent", "what the agent keeps")
    self.log = log
    kept.delegate = self
  }

  deinit { kept.delegate = nil }

  // MARK: Reading

  /// Reads what the last run left. Blocks: at start only.
  public func load() {
    for record in Record.allCases { load(record) }
  }

  private func load(_ record: Record) {
    do throws(StoreError) {
      guard let (count, _) = try kept.load(record.name) else { return }
      if read(record, Span(_unsafeElements: kept.prefix(count))) { return }
      kept.setAside(record.name, count)
      throw .torn
    } catch {
      log.write(.warning, "agent") { line in
        line.add("the record ")
        line.add(record.name)
        line.add(" cannot be read, and begins anew")
      }
    }
  }

  private func read(_ record: Record, _ text: Span<UInt8>) -> Bool {
    switch record {
    case .handOver: return handOver.readRecord(text)
    case .reminders: return reminders.readRecord(text)
    case .usage: return usage.readRecord(text)
    case .telegram:
      guard (try? JSONValidator.check(text, depthLimit: 2)) != nil, let offset = JSONView(text).member("offset")?.int64
      else { return false }
      (telegramOffset, telegramKept) = (max(offset, 0), max(offset, 0))
      return true
    }
  }

  // MARK: Writing

  /// A record is to be written.
  func keep(_ record: Record) {
    dirty[record.rawValue] = true
    kept.changed()
  }

  /// True when flash has this record as it is.
  func isKept(_ record: Record) -> Bool { !dirty[record.rawValue] && writing != record }

  /// Nothing is on its way to flash.
  public var isSettled: Bool { kept.isSettled }

  /// The program ends: what flash lacks is written without waiting.
  public func flush() { kept.flush() }

  /// When `advance` is to be called.
  public var nextDeadline: Int64? { kept.nextDeadline }

  /// Writes again what could not be written, when that is due.
  public func advance(to now: Int64) { kept.advance(to: now) }

  public func nextRecord(into bytes: UnsafeMutableBufferPointer<UInt8>) -> RecordOrder? {
    for record in Record.allCases where dirty[record.rawValue] {
      var writer = JSONWriter(into: bytes)
      write(record, to: &writer)
      dirty[record.rawValue] = false
      writing = record
      return RecordOrder(record.name.bytes, writer.count)
    }
    return nil
  }

  private func write(_ record: Record, to writer: inout JSONWriter) {
    switch record {
    case .handOver: handOver.writeRecord(to: &writer)
    case .reminders: reminders.writeRecord(to: &writer)
    case .usage: usage.writeRecord(to: &writer)
    case .telegram:
      telegramWriting = telegramOffset
      writer.beginObject()
      writer.key("offset")
      writer.int(telegramOffset)
      writer.endObject()
    }
  }

  public func recordKept(_ failure: StoreError?) {
    guard let record = writing else { return }
    writing = nil
    if failure != nil { return dirty[record.rawValue] = true }
    if record == .telegram { telegramKept = telegramWriting }
    changed()
  }
}

extension ModelUsage {
  /// Writes what was used: JSON, so that later releases may add members.
  func writeRecord(to writer: inout JSONWriter) {
    writer.beginObject()
    for (name, value) in [
      ("day", day), ("turns", turns), ("prompt", promptTokens), ("completion", completionTokens),
      ("milliseconds", milliseconds), ("cost", cost),
    ] as [(StaticString, Int64)] {
      writer.key(name)
      writer.int(value)
    }
    writer.key("isEstimated")
    writer.bool(isEstimated)
    writer.endObject()
  }

  /// Reads what `writeRecord` wrote; false, and nothing changes, for anything else.
  mutating func readRecord(_ text: Span<UInt8>) -> Bool {
    guard (try? JSONValidator.check(text, depthLimit: 2)) != nil else { return false }
    let record = JSONView(text)
    guard let day = record.member("day")?.int64 else { return false }
    self = ModelUsage(
      day: day, turns: record.member("turns")?.int64 ?? 0, prompt: record.member("prompt")?.int64 ?? 0,
      completion: record.member("completion")?.int64 ?? 0, milliseconds: record.member("milliseconds")?.int64 ?? 0,
      cost: record.member("cost")?.int64 ?? 0, isEstimated: record.member("isEstimated")?.bool == true)
    return true
  }
}
