import Codec
import Completion
import Runtime

/// What the memory is asked for.
enum MemoryRequest {
  /// Remember the slot's texts, with its vector where it has one.
  case remember(MemoryEntry)
  /// Give an entry the slot's vector.
  case attach(Int64)
  /// Look for the slot's text, and its vector where it has one.
  case search(limit: Int)
  case list(MemorySelection, limit: Int)
  case forgetWords
  case forgetEntry(Int64)
  case forgetAll
  case trim(Int64)
  case write(any MarkdownSink)
  case read(any MarkdownSource, now: Int64)
}

/// A request that waits, with its texts and its vector in memory of the desk's.
struct MemorySlot {
  static let vectorBytes = Budget.embeddingDimensions * 4
  static let bytes = vectorBytes + Budget.memorySubjectBytes + Budget.memoryEntryBytes

  let ticket: UInt32
  let request: MemoryRequest
  let memory: UnsafeMutableBufferPointer<UInt8>
  private(set) var subjectBytes = 0
  private(set) var textBytes = 0
  /// The text was longer than an entry may be.
  private(set) var isCut = false
  /// Numbers of the vector; 0 when there is none.
  private(set) var dimensions = 0

  init(_ ticket: UInt32, _ request: MemoryRequest, _ memory: UnsafeMutableBufferPointer<UInt8>) {
    self.ticket = ticket
    self.request = request
    self.memory = memory
  }

  private func part(_ start: Int, _ count: Int) -> UnsafeMutableBufferPointer<UInt8> {
    UnsafeMutableBufferPointer(rebasing: memory[start..<(start + count)])
  }

  /// The vector, four bytes a number, at the start, where they are aligned.
  var vector: UnsafeMutableBufferPointer<Float> {
    UnsafeMutableBufferPointer(
      start: memory.baseAddress.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: Float.self) },
      count: dimensions)
  }
  var subject: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(part(Self.vectorBytes, subjectBytes)) }
  var text: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(part(Self.vectorBytes + Budget.memorySubjectBytes, textBytes))
  }

  mutating func setText(_ text: UnsafeBufferPointer<UInt8>) {
    let room = part(Self.vectorBytes + Budget.memorySubjectBytes, Budget.memoryEntryBytes)
    (textBytes, isCut) = MemoryText.clean(text, into: room)
  }

  mutating func setSubject(_ text: UnsafeBufferPointer<UInt8>) {
    let room = part(Self.vectorBytes, Budget.memorySubjectBytes)
    var (start, end) = (0, text.count)
    while start < end, text[start] <= 0x20 { start += 1 }
    while end > start, text[end - 1] <= 0x20 { end -= 1 }
    subjectBytes = MemoryText.clean(UnsafeBufferPointer(rebasing: text[start..<end]), into: room, isLine: true).count
  }

  /// Takes a vector and gives it the length 1; false when it is none. None at all is none of these.
  mutating func setVector(_ vector: UnsafeBufferPointer<Float>) -> Bool {
    guard vector.count <= Budget.embeddingDimensions else { return false }
    dimensions = vector.count
    let room = self.vector
    for index in 0..<dimensions { room[index] = vector[index] }
    return dimensions == 0 || Embedding.normalize(room)
  }
}

/// How a request ended.
public enum MemoryOutcome: Sendable {
  /// It has this number. `isCut`: only its first `Budget.memoryEntryBytes` are kept.
  case stored(id: Int64, isCut: Bool)
  /// The entry has its vector; false when it is no longer there.
  case attached(Bool)
  /// What was asked for is in the results.
  case listed
  /// So many entries are gone, and nothing of them is left in the file.
  case forgotten(Int)
  /// So many entries were removed to make room.
  case trimmed(Int)
  /// So many entries were written as Markdown.
  case written(Int)
  case read(MemoryImport)
  case failed(MemoryFault)
}
