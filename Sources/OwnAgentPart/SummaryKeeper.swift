import Codec
import Node
import Runtime

/// Is told that a summary was taken.
protocol SummaryDelegate: AnyObject {
  /// The summary with this number is on its way to the gateway for good: the agent may forget it.
  func summaryTaken(_ serial: UInt64)
}

/// Takes each summary of the board's own agent once, as an event of the node.
///
/// Two stores have to agree, the outbox with the event and the record "own-agent" with the last number, and the power
/// may go between any two writes. The order is this:
///
/// 1. The event is put into the outbox, with a key that is made of the number, and is held there: it is not sent yet.
/// 2. When the outbox has it on flash, the number is written to the record.
/// 3. When the record is on flash, the event may be sent, and the agent is told that the summary was taken.
///
/// A cut before the end of 1: neither store knows the summary, and the agent, which was told nothing, sends it again.
/// Between 1 and 2 or 3: at the next start the event is found in the outbox by its key, is held before there is a
/// connection, and its number goes to the record; so when the agent sends the summary again, it is known. After 3: the
/// record knows the number, whether or not the event has left the outbox. An event that was sent, and whose removal had
/// not reached the flash, is sent again by the outbox under the same key, by which gateways drop it.
///
/// Only the last number can come again, because the agent makes no other before it was told of that one. A lower number
/// is that of an agent that has begun anew, and is taken.
final class SummaryKeeper: RecordDelegate {
  private static let name: StaticString = "own-agent"
  private static let event: StaticString = "agent.request"
  private static let prefix: StaticString = "own-agent-"
  private static let opening: StaticString = """
    For your information; nothing is to be answered or done. While this gateway was away, the board's own agent \
    answered at the board.


    """

  private enum Step {
    /// Nothing is being taken.
    case idle
    /// The outbox is to have the event with this number on flash; the record is to be there.
    case storing(UInt64), recording
  }

  private let memory = FixedBuffer(capacity: Budget.ownAgentRecordBytes)
  private let kept: Kept
  private let outbox: Outbox
  private let clock: any Clock
  private let log: Log
  private let instance: InlineText<64>
  private let session: () -> SessionKey
  /// Lives as long as this.
  unowned(unsafe) var delegate: (any SummaryDelegate)?
  /// The last number that flash has; nil: none was taken.
  private(set) var taken: UInt64?
  private var step = Step.idle
  /// The number that is being taken.
  private var serial: UInt64 = 0
  private var isWritten = true
  /// When the event is sent although the record could not be written.
  private var holdUntil: Int64?

  /// `instance`: a name of this board that no other has. `session`: the conversation that gets the summaries.
  init(
    store: any RecordStore, outbox: Outbox, runner: any JobRunner, clock: any Clock, log: Log,
    instance: InlineText<64>, session: @escaping () -> SessionKey
  ) {
    self.outbox = outbox
    self.clock = clock
    self.log = log
    self.instance = instance
    self.session = session
    kept = Kept(
      in: memory.bytes, store: store, runner: runner, clock: clock, log: log,
      "agent", "which summary was taken")
    kept.delegate = self
  }

  deinit { kept.delegate = nil }

  /// Reads what the last run left. Blocks: at start only, after the outbox has read its events.
  func load() {
    do throws(StoreError) {
      if let (count, _) = try kept.load(Self.name) {
        let text = Span(_unsafeElements: kept.prefix(count))
        guard (try? JSONValidator.check(text, depthLimit: 2)) != nil,
          let number = JSONView(text).member("taken")?.uint64
        else { throw .torn }
        taken = number
      }
    } catch {
      log.write(.warning, "agent", "which summary was taken last cannot be read: it may come twice")
    }
    findUnrecorded()
  }

  /// An event that the outbox has on flash, and whose number the record lacks.
  private func findUnrecorded() {
    var found: UInt64?
    let sequence = outbox.last(Self.event) { payload in
      guard let key = payload.member("key"), let number = self.number(in: key) else { return false }
      found = number
      return true
    }
    guard let sequence, let found, found != taken else { return }
    hold(found, sequence, isHeld: false)
  }

  /// The number in the key of a summary's event; nil in other keys.
  private func number(in key: borrowing JSONView) -> UInt64? {
    var text = InlineText<96>()
    guard key.kind == .string, text.fill({ key.copyString(into: $0) }) else { return nil }
    let bytes = text.span
    let prefix = Self.prefix.utf8Bytes
    guard bytes.count > prefix.count else { return nil }
    for index in 0..<prefix.count where bytes[index] != prefix[index] { return nil }
    var start = bytes.count
    while start > prefix.count, bytes[start - 1] != UInt8(ascii: "-") { start -= 1 }
    guard start < bytes.count, bytes.count - start <= 19 else { return nil }
    var number: UInt64 = 0
    for index in start..<bytes.count {
      guard bytes[index] >= 0x30, bytes[index] <= 0x39 else { return nil }
      number = number * 10 + UInt64(bytes[index] - 0x30)
    }
    return number
  }

  private func hold(_ serial: UInt64, _ sequence: UInt64, isHeld: Bool) {
    if !isHeld { outbox.hold(sequence) }
    self.serial = serial
    step = .storing(sequence)
    holdUntil = clock.monotonic + Budget.summaryHoldMilliseconds
  }

  // MARK: A summary

  /// The agent has sent a summary, Markdown in UTF-8. The delegate is told when it was taken, possibly within this
  /// call.
  func take(_ serial: UInt64, _ text: UnsafeBufferPointer<UInt8>) {
    if taken == serial {
      delegate?.summaryTaken(serial)
      return
    }
    // The agent sends the one that waits, or another one, again when it connects.
    guard case .idle = step else { return }
    guard let sequence = post(serial, text) else {
      log.write(.error, "agent", "a summary of the board's own agent does not fit an event, and is dropped")
      return
    }
    hold(serial, sequence, isHeld: true)
    log.write(.info, "agent", "the gateway gets a summary of what the board's own agent has answered")
  }

  /// Puts the event into the outbox. What does not fit goes without its conversation's key, then with a shorter text.
  private func post(_ serial: UInt64, _ text: UnsafeBufferPointer<UInt8>) -> UInt64? {
    var length = text.count
    var hasSession = true
    while true {
      let piece = UnsafeBufferPointer(rebasing: text[..<length])
      if case .accepted(let sequence) = post(serial, piece, isWhole: length == text.count, hasSession) {
        return sequence
      }
      if hasSession {
        hasSession = false
        continue
      }
      guard length > 0 else { return nil }
      length = length * 3 / 4
      while length > 0, text[length] & 0xC0 == 0x80 { length -= 1 }
    }
  }

  private func post(
    _ serial: UInt64, _ text: UnsafeBufferPointer<UInt8>, isWhole: Bool, _ hasSession: Bool
  ) -> Outbox.Post {
    // Of the events that reach the gateway's agent with more than 120 characters, this one is not delivered to a
    // channel; it starts a run, and so it says that nothing is to be done (gateway reference 9.5).
    outbox.post(Self.event, ageLimit: Budget.outboxAge, hasID: false, isHeld: true) { writer in
      writer.key("message")
      writer.beginString()
      writer.stringPiece(Self.opening.utf8Bytes)
      writer.stringPiece(Span(_unsafeElements: text))
      if !isWhole { writer.stringPiece(("\u{2026}" as StaticString).utf8Bytes) }
      writer.endString()
      if hasSession {
        let key = self.session()
        writer.key("sessionKey")
        writer.string(key.span)
      }
      writer.key("thinking")
      writer.string("low")
      writer.key("deliver")
      writer.bool(false)
      writer.key("key")
      self.writeKey(serial, to: &writer)
    }
  }

  private func writeKey(_ serial: UInt64, to writer: inout JSONWriter) {
    var text = InlineText<96>()
    text.fill { buffer in
      var key = ByteWriter(into: buffer)
      key.bytes(Self.prefix.utf8Bytes)
      key.bytes(self.instance.span)
      key.text("-")
      key.decimal(serial)
      return min(key.count, buffer.count)
    }
    writer.string(text.span)
  }

  // MARK: Time

  var isSettled: Bool { kept.isSettled }
  func flush() { kept.flush() }

  var nextDeadline: Int64? { earliest(kept.nextDeadline, holdUntil) }

  func advance(to now: Int64) {
    kept.advance(to: now)
    if let until = holdUntil, now >= until {
      holdUntil = nil
      outbox.release()
    }
    guard case .storing(let sequence) = step, outbox.durableSequence >= sequence else { return }
    step = .recording
    isWritten = false
    kept.changed()
  }

  // MARK: RecordDelegate

  func nextRecord(into bytes: UnsafeMutableBufferPointer<UInt8>) -> RecordOrder? {
    guard !isWritten else { return nil }
    var writer = JSONWriter(into: bytes)
    writer.beginObject()
    writer.key("taken")
    writer.uint(serial)
    writer.endObject()
    isWritten = true
    return RecordOrder(Self.name.bytes, writer.count)
  }

  func recordKept(_ failure: StoreError?) {
    guard failure == nil else { return isWritten = false }
    guard case .recording = step else { return }
    (step, taken, holdUntil) = (.idle, serial, nil)
    outbox.release()
    delegate?.summaryTaken(serial)
  }
}
