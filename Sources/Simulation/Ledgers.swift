import Agent
import Codec
import Node
import Runtime

/// The invokes that the gateway sent: each must be answered once, in time, over the connection that brought it.
final class InvokeLedger: Actor {
  private enum State { case sent, delivered, answered, lost }

  private struct Entry {
    var state = State.sent
    var connection: Int64
    var timeout: Int64
    unowned(unsafe) var link: Connection
  }

  /// Milliseconds beside the invoke's own time: an early one waits for `hello-ok`, and all for the loop.
  private static let tolerance: Int64 = 250

  unowned(unsafe) let life: Life
  private var entries: [Int: Entry] = [:]
  private var last = 0

  init(_ life: Life) { self.life = life }

  /// A new invoke over `connection`, which has `timeout` milliseconds: its number.
  func begin(over connection: Connection, timeout: Int64) -> Int {
    last += 1
    entries[last] = Entry(connection: connection.serial, timeout: timeout, link: connection)
    life.report.invokes += 1
    return last
  }

  /// The board has its last byte.
  func delivered(_ number: Int, over connection: Connection) {
    guard entries[number]?.state == .sent else { return }
    entries[number]!.state = .delivered
    let timeout = entries[number]!.timeout
    // An early one waits for `hello-ok`, and after that for a new token to be on flash, however slow that is.
    let isOnline = connection.peer?.isOnline ?? true && life.board.agent?.session.state == .online
    let wait = isOnline ? timeout : timeout + 30_000
    life.schedule.add(self, 0, Int64(number), at: life.now + wait + Self.tolerance)
  }

  /// Its time is up.
  func act(_ what: Int, _ number: Int64) {
    guard let entry = entries[Int(number)] else { return }
    guard entry.state == .delivered else {
      if entry.state != .sent { entries[Int(number)] = nil }
      return
    }
    // What cannot leave the board was answered there, for all we know.
    if entry.link.isUpHindered { return }
    life.invariants.violated("invoke \(number) was not answered in \(entry.timeout) ms")
  }

  /// The board has answered.
  func answered(_ number: Int, over connection: Connection) {
    guard let entry = entries[number] else {
      return life.invariants.violated("the board answered invoke \(number), which is over or never was")
    }
    if entry.state == .answered { return life.invariants.violated("invoke \(number) was answered twice") }
    if entry.connection != connection.serial {
      return life.invariants.violated("invoke \(number) was answered over another connection")
    }
    entries[number]!.state = .answered
    life.report.answers += 1
  }

  /// The connection is gone: its open requests get no answer.
  func lost(over connection: Connection) {
    guard !entries.isEmpty else { return }
    for number in entries.keys where entries[number]!.connection == connection.serial {
      entries[number] = nil
    }
  }
}

/// The events that the application posted: none may get lost that the outbox called durable, and none may come twice
/// after it was acknowledged.
final class EventLedger: Actor {
  private enum Step: Int { case post }

  private struct Entry {
    let number: Int64
    /// The outbox's number in this run; nil when it came from flash.
    var sequence: UInt64?
    var isDurable = false
    /// Its acknowledgement reached the board in this run, or any.
    var isAcknowledged = false
    var isAcknowledgedInRun = false
    /// It may have been dropped by a bound, which the outbox counted.
    var mayBeDropped = false
    let expiry: Int64
  }

  unowned(unsafe) let life: Life
  private var entries: [Entry] = []
  private var next: Int64 = 0
  private var outbox: Outbox?
  private var dropped: UInt64 = 0
  private var acknowledgements: UInt64 = 0
  private var lastSent: Int64 = 0
  /// Events that stood on flash at the start: those of people who talk are among them.
  private var foundEvents = 0
  /// What the outbox said last: a sum that changes with each of its numbers.
  private var signature: UInt64 = 0

  init(_ life: Life) { self.life = life }

  func begin() { plan() }

  private func plan() {
    guard life.scenario.eventsPerDay > 0 else { return }
    life.schedule.add(
      self, Step.post.rawValue, at: life.now + life.interval(86_400_000 / Int64(life.scenario.eventsPerDay)))
  }

  func act(_ what: Int, _ number: Int64) {
    post(1)
    plan()
  }

  /// The application posts events.
  func post(_ count: Int) {
    guard let agent = life.board.agent, life.board.isServing else { return }
    let numbers = (1...Int64(count)).map { next + $0 }
    next += Int64(count)
    if life.options.plant == .reordersEvents, count > 1 {
      for number in numbers { entries.append(Entry(number: number, sequence: .max, expiry: .max)) }
      for number in numbers.reversed() { _ = post(number, to: agent.outbox, age: Outbox.speechAge) }
      return
    }
    for number in numbers {
      let age: Int64 = life.chance(1, in: 2) ? Outbox.speechAge : 86_400_000
      // It may be on its way before `post` returns.
      entries.append(Entry(number: number, sequence: .max, expiry: life.now + age))
      entries[entries.count - 1].sequence = post(number, to: agent.outbox, age: age)
      check()
    }
  }

  private func post(_ number: Int64, to outbox: Outbox, age: Int64) -> UInt64 {
    let padding = life.chance(1, in: 10) ? Int(life.random(below: 2_000)) : 0
    let result = outbox.post("voice.transcript", ageLimit: age) { writer in
      writer.key("text")
      writer.string("event \(number) " + String(repeating: "x", count: padding))
    }
    guard case .accepted(let sequence) = result else {
      life.invariants.violated("the outbox refused an event")
      return .max
    }
    life.report.events += 1
    return sequence
  }

  // MARK: The board's side

  /// Before the outbox is loaded: what stands on flash must hold every event that was durable.
  func boardStarts(_ store: FlashStore) throws(StoreError) {
    let buffer = FixedBuffer(capacity: Budget.outboxRecordBytes)
    let found = try store.load(("outbox" as StaticString).path, into: buffer.bytes)
    let bytes = found.map { Array(buffer.bytes[..<$0.count]) }
    let flash = life.board.flash
    if life.options.plant != .losesEvents, !flash.isKept("outbox", bytes) {
      return life.invariants.violated("the outbox on flash is not what was stored")
    }
    flash.settled("outbox", bytes)
    let text = bytes ?? []
    for index in entries.indices.reversed() {
      let isThere = place(text, entries[index].number) != nil
      let entry = entries[index]
      if !isThere, entry.isDurable, !entry.isAcknowledged, !entry.mayBeDropped {
        return life.invariants.violated("event \(entry.number) was durable, and is not on flash any more")
      }
      guard isThere else {
        entries.remove(at: index)
        continue
      }
      entries[index].isDurable = true
      entries[index].isAcknowledgedInRun = false
      // Those from flash have the first numbers.
      entries[index].sequence = UInt64(
        Search.count("voice.transcript", in: text[..<place(text, entries[index].number)!]))
    }
    foundEvents = Search.count("voice.transcript", in: text[...])
  }

  /// Where an event stands on flash.
  private func place(_ bytes: [UInt8], _ number: Int64) -> Int? {
    let needle = Array("\"event \(number) ".utf8)
    return bytes.withUnsafeBufferPointer { text in needle.withUnsafeBufferPointer { Search.find($0, in: text) } }
  }

  func boardStarted(_ agent: Agent) {
    outbox = agent.outbox
    dropped = 0
    acknowledgements = 0
    lastSent = 0
    if agent.outbox.count != foundEvents {
      let known = entries.map { String($0.number) }.joined(separator: ", ")
      life.invariants.violated("the outbox loaded \(agent.outbox.count) events, and should have \(known)")
    }
  }

  func boardStopped() { outbox = nil }

  /// Keeps up with what the outbox says.
  func check() {
    guard let outbox, !entries.isEmpty else { return }
    let durable = outbox.durableSequence
    let counters = outbox.counters
    let drops = counters.droppedByAge &+ counters.droppedByCount &+ counters.droppedByBytes &+ counters.refused
    let now = durable &+ drops &* 1_000_003 &+ counters.delivered &* 10_007 &+ counters.writes &* 100_000_007
    guard now != signature else { return }
    signature = now
    if drops != dropped {
      noteDrops(Int(drops - dropped))
      dropped = drops
    }
    if outbox.count > Budget.outboxEvents { life.invariants.violated("the outbox holds more than its bound") }
    for index in entries.indices where entries[index].sequence! <= durable { entries[index].isDurable = true }
    // What was acknowledged, and is not on flash any more, is over. What an older run had acknowledged, and flash
    // brought back, waits again.
    if outbox.isSettled { entries.removeAll { $0.isAcknowledgedInRun } }
  }

  /// Those that are too old, and the oldest: one of them may have been on its way, and another went instead.
  private func noteDrops(_ count: Int) {
    var left = count + 1
    for index in entries.indices {
      if entries[index].expiry <= life.now + 1_000 { entries[index].mayBeDropped = true }
      guard left > 0, !entries[index].mayBeDropped, !entries[index].isAcknowledged else { continue }
      entries[index].mayBeDropped = true
      left -= 1
    }
  }

  /// The board has an acknowledgement.
  func acknowledged(_ number: Int64) {
    guard let outbox else { return }
    // Of somebody's words.
    if number < 0 { return acknowledgements = outbox.counters.delivered }
    guard let index = entries.firstIndex(where: { $0.number == number }) else { return }
    // An answer that came too late is ignored, and the event is sent again.
    guard outbox.counters.delivered != acknowledgements || life.options.plant == .repeatsEvents else { return }
    acknowledgements = outbox.counters.delivered
    entries[index].isAcknowledged = true
    entries[index].isAcknowledgedInRun = true
  }

  /// The board sends an event.
  func sent(_ number: Int64) {
    guard let entry = entries.first(where: { $0.number == number }) else {
      let why = number <= next ? "was sent again after it was over" : "was never posted"
      return life.invariants.violated("event \(number) \(why)")
    }
    if entry.isAcknowledgedInRun {
      life.invariants.violated("event \(number) was sent again after it was acknowledged")
    }
    if number < lastSent { life.invariants.violated("event \(number) was sent after event \(lastSent)") }
    lastSent = number
  }

  /// The gateway got an event.
  func arrived(_ number: Int64) { life.report.delivered += 1 }
}

/// Searching bytes.
enum Search {
  /// Where `needle` begins in `text`, or nil.
  static func find(_ needle: UnsafeBufferPointer<UInt8>, in text: UnsafeBufferPointer<UInt8>) -> Int? {
    guard let first = needle.first, text.count >= needle.count else { return nil }
    var index = 0
    while index <= text.count - needle.count {
      if text[index] == first {
        var length = 1
        while length < needle.count, text[index + length] == needle[length] { length += 1 }
        if length == needle.count { return index }
      }
      index += 1
    }
    return nil
  }

  /// How often `needle` stands in `text`.
  static func count(_ needle: StaticString, in text: ArraySlice<UInt8>) -> Int {
    text.withUnsafeBufferPointer { bytes in
      var (count, rest) = (0, bytes)
      while let place = find(needle.bytes, in: rest) {
        count += 1
        rest = UnsafeBufferPointer(rebasing: rest[(place + needle.utf8CodeUnitCount)...])
      }
      return count
    }
  }

  static func contains(_ needle: String, in text: UnsafeBufferPointer<UInt8>) -> Bool {
    var needle = needle
    return needle.withUTF8 { find($0, in: text) != nil }
  }

  /// The number that stands after `label`, or nil.
  static func number(after label: StaticString, in text: UnsafeBufferPointer<UInt8>) -> Int64? {
    guard let start = find(label.bytes, in: text) else { return nil }
    var index = start + label.utf8CodeUnitCount
    var value: Int64 = 0
    let first = index
    while index < text.count, text[index] >= 0x30, text[index] <= 0x39, index - first < 18 {
      value = value * 10 + Int64(text[index] - 0x30)
      index += 1
    }
    return index > first ? value : nil
  }
}
