import Codec
import Runtime

@testable import OwnAgent

/// What the node and the process of the board's own agent read of each other, and the agent's records. The first byte
/// chooses.
func checkOwnAgent(_ bytes: [UInt8]) {
  guard let choice = bytes.first else { return }
  let rest = Array(bytes.dropFirst())
  switch choice % 5 {
  case 0: checkAgentFrames(rest)
  case 1: checkHandOver(rest)
  case 2: checkReminders(rest)
  case 3: checkBoardTool(rest)
  default: checkAddresses(rest)
  }
}

/// Frames are the same however they are cut, and their fields never leave their bodies.
private func checkAgentFrames(_ bytes: [UInt8]) {
  let whole = frames(bytes, by: bytes.count)
  let pieces = frames(bytes, by: 3)
  precondition(whole == pieces)
}

private func frames(_ bytes: [UInt8], by size: Int) -> [[UInt8]] {
  var reader = AgentFrameReader()
  var found: [[UInt8]] = []
  var start = 0
  while start < bytes.count, !reader.isBroken {
    let room = reader.room()
    let count = min(max(size, 1), bytes.count - start, room.count)
    for index in 0..<count { room[index] = bytes[start + index] }
    reader.wrote(count)
    start += count
    while let (kind, body) = reader.next() {
      var fields = FrameFields(Span(_unsafeElements: body))
      _ = fields.number(bytes: 4)
      _ = fields.word()
      precondition(fields.rest().count <= body.count)
      found.append([kind.rawValue] + Array(body))
    }
  }
  return found
}

/// A record that is read is written so that it reads the same, and its summary fits an event.
private func checkHandOver(_ bytes: [UInt8]) {
  var handOver = HandOver()
  guard handOver.readRecord(bytes.span) else { return }
  let room = FixedBuffer(capacity: Budget.handOverRecordBytes)
  var record = JSONWriter(into: room.bytes)
  handOver.writeRecord(to: &record)
  precondition(record.isComplete)
  var again = HandOver()
  let isRead = again.readRecord(UnsafeBufferPointer(rebasing: UnsafeBufferPointer(room.bytes)[..<record.count]).span)
  precondition(isRead && again.count == handOver.count && again.serial == handOver.serial)
  _ = handOver.seal()
  let text = FixedBuffer(capacity: 2 * Budget.handOverBytes)
  var summary = ByteWriter(into: text.bytes)
  handOver.writeSummary(to: &summary)
  var json = JSONWriter()
  let written = min(summary.count, text.bytes.count)
  json.string(UnsafeBufferPointer(rebasing: UnsafeBufferPointer(text.bytes)[..<written]).span)
  precondition(summary.isComplete && json.count <= Budget.handOverBytes)
  _ = handOver.taken(handOver.serial)
}

private func checkReminders(_ bytes: [UInt8]) {
  var book = ReminderBook()
  guard book.readRecord(bytes.span) else { return }
  precondition(book.count <= Budget.agentReminders)
  let room = FixedBuffer(capacity: Budget.agentRemindersBytes)
  var record = JSONWriter(into: room.bytes)
  book.writeRecord(to: &record)
  precondition(record.isComplete)
  for wall in [0, Budget.earliestWall, Budget.earliestWall + 86_400_000, Int64.max / 2] {
    var taken = 0
    while book.takeDue(now: wall) != nil, taken < 100 { taken += 1 }
    precondition(taken <= Budget.agentReminders)
  }
}

private func checkBoardTool(_ bytes: [UInt8]) {
  let book = ToolBook([.remind])
  for json in bytes.split(separator: 0x0A) {
    do throws(ToolBook.Refusal) { try book.addBoardTool(Array(json).span) } catch { continue }
  }
  precondition(book.count <= Budget.agentTools && book.tools.list.count == book.count)
}

/// What a page has named is allowed, and nothing with a byte more.
private func checkAddresses(_ bytes: [UInt8]) {
  var book = AddressBook()
  let named = "https://example.org/a?b=c"
  book.read(bytes.span)
  let isKnown = book.allows(named.utf8.span, isTainted: true)
  if isKnown { precondition(String(decoding: bytes, as: UTF8.self).lowercased().contains("example.org/a?b=c")) }
  book.hear(bytes.span)
}
