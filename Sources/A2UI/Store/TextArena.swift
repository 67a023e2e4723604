import Runtime

/// The position of a text in an arena. Valid until the arena is compacted; then the owner gets the new position.
struct Block {
  var offset: UInt32 = 0
  var count: UInt32 = 0

  var isEmpty: Bool { count == 0 }
}

/// Texts of any length in one reserved buffer. New ones are appended; freed ones are garbage until the arena is
/// compacted. Each text has a header with its length and owner.
final class TextArena {
  /// Owner and count before each text, four bytes each.
  private static let headerBytes = 8
  private static let nobody = UInt32.max
  /// Less garbage than this is not worth a compaction.
  private static let worthwhileGarbage = 64 * 1024

  /// A compaction takes time for all texts: with little garbage (less than this fraction of the memory) it is done at
  /// most this often between two calls of `renewMoves`.
  static let movesForLittle = 4
  private static let littleGarbage = 16

  private let buffer: ReservedBuffer
  /// Bytes in use, garbage and headers included.
  private(set) var end = 0
  private(set) var garbage = 0
  private var movesLeft = movesForLittle
  /// Number of compactions.
  private(set) var moves = 0

  init(capacity: Int) throws(Errno) {
    buffer = try ReservedBuffer(capacity: capacity)
  }

  /// Free bytes after the last text.
  var room: Int { buffer.bytes.count - end }
  var isWorthCompacting: Bool { garbage >= Self.worthwhileGarbage && garbage * 2 > end }
  /// True when only a compaction frees a quarter of the memory, which parsing a JSON string may need.
  var isShort: Bool { garbage >= Self.worthwhileGarbage && room < buffer.bytes.count / 4 }

  private var hasMuchGarbage: Bool { garbage >= buffer.bytes.count / Self.littleGarbage }

  /// Whether `compact` makes room for `count` bytes and is allowed now.
  func canMakeRoom(_ count: Int) -> Bool { room + garbage >= count && (hasMuchGarbage || movesLeft > 0) }

  /// Call it at each message: compactions are allowed again.
  func renewMoves() { movesLeft = Self.movesForLittle }

  /// Bytes that a text takes.
  static func cost(_ count: Int) -> Int { count == 0 ? 0 : headerBytes + (count + 3) & ~3 }

  func bytes(_ block: Block) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: buffer.bytes.baseAddress! + Int(block.offset), count: Int(block.count))
  }

  /// The memory of a text that was just taken, for writing.
  func mutableBytes(_ block: Block) -> UnsafeMutableBufferPointer<UInt8> {
    UnsafeMutableBufferPointer(start: buffer.bytes.baseAddress! + Int(block.offset), count: Int(block.count))
  }

  /// Room for a text; nil when there is none. An empty text takes none.
  func take(_ count: Int, owner: UInt32) -> Block? {
    guard count > 0 else { return Block() }
    let cost = Self.cost(count)
    guard cost <= room else { return nil }
    let offset = end + Self.headerBytes
    setHeader(at: end, count: UInt32(count), owner: owner)
    end += cost
    return Block(offset: UInt32(offset), count: UInt32(count))
  }

  /// Frees a text.
  func free(_ block: Block) {
    guard !block.isEmpty else { return }
    setOwner(block, Self.nobody)
    let cost = Self.cost(Int(block.count))
    if Int(block.offset) - Self.headerBytes + cost == end { end -= cost } else { garbage += cost }
  }

  /// Changes the owner of a text.
  func setOwner(_ block: Block, _ owner: UInt32) {
    guard !block.isEmpty else { return }
    word(at: Int(block.offset) - 4).pointee = owner
  }

  /// Compacts the texts and releases the free memory after them.
  /// - Parameter moved: called with each text's owner and its new offset.
  func compact(_ moved: (_ owner: UInt32, _ offset: UInt32) -> Void) {
    moves += 1
    if !hasMuchGarbage { movesLeft = max(movesLeft - 1, 0) }
    var from = 0
    var to = 0
    while from < end {
      let count = Int(word(at: from).pointee)
      let owner = word(at: from + 4).pointee
      let cost = Self.cost(count)
      if owner != Self.nobody {
        if from != to {
          // `memmove` semantics: the places may overlap.
          (buffer.bytes.baseAddress! + to).update(from: buffer.bytes.baseAddress! + from, count: cost)
          moved(owner, UInt32(to + Self.headerBytes))
        }
        to += cost
      }
      from += cost
    }
    end = to
    garbage = 0
    release()
  }

  /// Removes all texts.
  func clear() {
    end = 0
    garbage = 0
    release()
  }

  private func release() {
    let pageBytes = 64 * 1024
    buffer.release(keeping: (end + pageBytes - 1) / pageBytes * pageBytes)
  }

  private func setHeader(at offset: Int, count: UInt32, owner: UInt32) {
    word(at: offset).pointee = count
    word(at: offset + 4).pointee = owner
  }

  private func word(at offset: Int) -> UnsafeMutablePointer<UInt32> {
    UnsafeMutableRawPointer(buffer.bytes.baseAddress! + offset).assumingMemoryBound(to: UInt32.self)
  }
}
