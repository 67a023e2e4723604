import Codec
import Runtime

@testable import OwnAgent

nonisolated(unsafe) private let page = PageText()
nonisolated(unsafe) private let plain = PlainText()
nonisolated(unsafe) private let results = SearchResults(page)
nonisolated(unsafe) private let rooms = [FixedBuffer(capacity: 700), FixedBuffer(capacity: 700)]
nonisolated(unsafe) private let texts = FixedBuffer(capacity: Budget.telegramTextBytes)
nonisolated(unsafe) private let list = FixedBuffer(capacity: 16 * 1024)

/// Any bytes as a page, as plain text, as the answer of a search provider and as one of Telegram: the same in one piece
/// and in many, within the limits, UTF-8, and without characters that are not drawn.
func checkWebPage(_ bytes: [UInt8]) {
  let whole = readPage([bytes[...]], into: rooms[0])
  let inParts = readPage(pieces(bytes).map { bytes[$0] }, into: rooms[1])
  expect(whole == inParts, "in one piece and in many a page differs")
  checkDrawn(whole)
  checkDrawn(readPlain(bytes))
  bytes.withUnsafeBufferPointer { answer in
    for provider in [SearchProvider.searxng, .brave, .tavily] { checkSearch(provider, answer) }
    checkUpdates(answer)
  }
}

private func readPage(_ pieces: [ArraySlice<UInt8>], into room: FixedBuffer) -> [UInt8] {
  "https://e.org/a/b?c".withBytes { page.begin(into: room.bytes, base: $0) }
  for piece in pieces {
    let copy = Array(piece)
    page.take(copy.span)
  }
  let count = page.end()
  expect(count <= room.bytes.count, "\(count) bytes of text")
  expect(page.depth == 0 && page.hiddenCount == 0, "\(page.depth) elements are open, \(page.hiddenCount) hidden")
  expect(page.links <= Budget.pageLinks, "\(page.links) links")
  return Array(room.bytes[..<count])
}

private func readPlain(_ bytes: [UInt8]) -> [UInt8] {
  plain.begin(into: rooms[0].bytes)
  plain.take(bytes.span)
  return Array(rooms[0].bytes[..<plain.end()])
}

/// UTF-8 in which everything is drawn, or is a line feed or a blank.
private func checkDrawn(_ text: [UInt8]) {
  guard let string = String(validating: text, as: UTF8.self) else { return expect(false, "no UTF-8") }
  for scalar in string.unicodeScalars where scalar.value != 0x0A && scalar.value != 0x20 {
    expect(CleanScalar(scalar.value) == .plain, "U+\(String(scalar.value, radix: 16)) is in the text")
  }
}

private func checkSearch(_ provider: SearchProvider, _ answer: UnsafeBufferPointer<UInt8>) {
  guard (try? results.read(provider, answer)) != nil else { return }
  expect(results.count <= Budget.searchResults, "\(results.count) results")
  for index in 0..<results.count {
    expect(results.title(index).count <= Budget.searchTitleBytes, "a title too long")
    expect(results.snippet(index).count <= Budget.searchSnippetBytes, "an excerpt too long")
    checkDrawn(Array(results.title(index)))
    checkDrawn(Array(results.snippet(index)))
    expect(results.address(index).allSatisfy { $0 > 0x20 && $0 < 0x7F }, "an address with odd characters")
  }
  var writer = ByteWriter(into: list.bytes)
  results.write(to: &writer)
  expect(writer.isComplete, "\(writer.count) bytes of results")
}

/// Updates come in order, each once; texts are those of the configured chat.
private func checkUpdates(_ answer: UnsafeBufferPointer<UInt8>) {
  guard TelegramUpdates.isValid(answer) else { return }
  var chats = InlineList<16, Int64>()
  chats.append(42)
  var updates = TelegramUpdates(chats: chats, into: texts.bytes)
  updates.begin()
  var (offset, count): (Int64, Int) = (0, 0)
  while true {
    switch updates.next(in: answer, from: offset) {
    case .message(let message):
      expect(message.chat == 42 && message.update >= offset, "another chat, or an old update")
      expect(!updates.text.isEmpty && updates.text.count <= Budget.telegramTextBytes, "\(updates.text.count) bytes")
      checkPieces(updates.text)
      offset = message.update + 1
    case .skipped(let number):
      expect(number >= offset, "an old update")
      offset = number + 1
    case .end: return expect(count <= Budget.telegramBatch, "\(count) updates")
    }
    count += 1
  }
}

/// A text divides into messages that are not empty and go on.
private func checkPieces(_ text: UnsafeBufferPointer<UInt8>) {
  var start = 0
  while true {
    let rest = TelegramPieces.trimmed(text, start..<text.count)
    guard !rest.isEmpty else { return }
    start = TelegramPieces.end(text, from: rest.lowerBound)
    expect(start > rest.lowerBound && start <= text.count, "a message without text")
  }
}
