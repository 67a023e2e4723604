import Codec
import Runtime

/// Reads the vectors of an answer of `/v1/embeddings` as it arrives, and makes them vectors of length 1. Numbers come
/// as JSON numbers, or as base64 of 32-bit floating-point numbers, least significant byte first.
public final class EmbeddingReader {
  /// Base64 of a vector, and what it decodes to.
  private static let textBytes = (4 * Budget.embeddingDimensions + 2) / 3 * 4
  private static let numberBytes = 4 * Budget.embeddingDimensions

  private let memory = FixedBuffer(capacity: Budget.embeddingEntryBytes)
  private let scratch = FixedBuffer(capacity: textBytes + numberBytes)
  private var reader: EntryReader
  private var vectors = UnsafeMutableBufferPointer<Float>(start: nil, count: 0)
  private var wanted = 0
  private var received = 0
  /// Vectors that have come: one bit each.
  private var seen: UInt32 = 0
  private var arrived = 0
  private var fault: ModelFault?
  /// Numbers of each vector; 0 until the first has come, unless it was given.
  public private(set) var dimensions = 0

  /// A reader; takes 76 KiB.
  @export(interface)
  public init() {
    precondition(Budget.embeddingTexts <= 32)
    reader = EntryReader(into: memory.bytes)
  }

  /// Begins with a new answer: `count` vectors of so many dimensions, or of as many as the first one has, one after the
  /// other in `vectors`, which must live until the end.
  public func begin(count: Int, dimensions: Int? = nil, into vectors: UnsafeMutableBufferPointer<Float>) {
    reader = EntryReader(into: memory.bytes)
    self.vectors = vectors
    wanted = min(max(count, 0), Budget.embeddingTexts)
    self.dimensions = min(max(dimensions ?? 0, 0), Budget.embeddingDimensions)
    (received, seen, arrived, fault) = (0, 0, 0, nil)
  }

  /// Takes the next bytes of the body.
  /// - Returns: false when nothing more is needed, because there is a fault.
  @discardableResult
  public func take(_ bytes: Span<UInt8>) -> Bool {
    if fault != nil { return false }
    received = received.adding(clamping: bytes.count)
    guard received <= Budget.embeddingBytes else {
      fail(.tooLarge, "the vectors have more than the 896 KiB that are taken")
      return false
    }
    var index = 0
    do throws(JSONError) {
      while fault == nil, let length = try reader.next(bytes, at: &index) { take(length) }
    } catch {
      fail(.malformed, "the vectors are not JSON")
    }
    return fault == nil
  }

  /// No more bytes come.
  /// - Returns: the numbers of each vector, all of which are there.
  public func finish() throws(ModelFault) -> Int {
    if fault == nil { end() }
    if let fault { throw fault }
    return dimensions
  }

  private func end() {
    do throws(JSONError) {
      try reader.finish()
    } catch {
      return fail(.cut, "the vectors end in the middle")
    }
    if !reader.hasList { return fail(.malformed, "there are no vectors in it") }
    if reader.leftOut > 0 { return fail(.tooLarge, "a vector has more than the 2048 numbers that are taken") }
    if arrived < wanted { fail(.malformed, "there are fewer vectors than texts") }
  }

  // MARK: Vectors

  private func take(_ length: Int) {
    let text = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(memory.bytes)[..<length])
    let entry = JSONView(Span(_unsafeElements: text))
    guard let embedding = entry.member("embedding") else { return fail(.malformed, "an entry has no vector") }
    let place = entry.member("index")?.int64 ?? Int64(arrived)
    guard place >= 0, place < Int64(wanted) else { return fail(.malformed, "there are more vectors than texts") }
    let bit: UInt32 = 1 << UInt32(clamping: place)
    guard seen & bit == 0 else { return fail(.malformed, "a vector comes twice") }
    guard let count = count(embedding) else { return }
    if dimensions == 0 { dimensions = count }
    guard count == dimensions else { return fail(.malformed, "a vector has another number of dimensions") }
    let start = Int(clamping: place) * dimensions
    guard start + count <= vectors.count else { return fail(.tooLarge, "there is no room for the vectors") }
    let vector = UnsafeMutableBufferPointer(rebasing: vectors[start..<(start + count)])
    guard read(embedding, into: vector), Embedding.normalize(vector) else {
      return fail(.malformed, "a vector is all zeros, or has something that is no finite number")
    }
    seen |= bit
    arrived += 1
  }

  /// Numbers of a vector; nil, and a fault, when it is none. The bytes of base64 are in `scratch` afterwards.
  private func count(_ embedding: borrowing JSONView) -> Int? {
    var count = 0
    switch embedding.kind {
    case .array:
      var elements = embedding.elements()
      while elements.next() != nil { count += 1 }
    case .string:
      guard let bytes = decode(embedding), bytes.isMultiple(of: 4) else {
        fail(.malformed, "a vector is no base64 of at most 2048 numbers")
        return nil
      }
      count = bytes / 4
    default: break
    }
    if count > Budget.embeddingDimensions {
      fail(.tooLarge, "a vector has more than the 2048 numbers that are taken")
      return nil
    }
    if count == 0 { fail(.malformed, "a vector has no numbers") }
    return count > 0 ? count : nil
  }

  private func decode(_ embedding: borrowing JSONView) -> Int? {
    let room = UnsafeMutableBufferPointer(rebasing: scratch.bytes[..<Self.textBytes])
    let output = UnsafeMutableBufferPointer(rebasing: scratch.bytes[Self.textBytes...])
    guard let length = embedding.copyString(into: room) else { return nil }
    let text = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(room)[..<length])
    return try? Base64Decoder.decode(Span(_unsafeElements: text), .standard, padding: .optional, into: output)
  }

  private func read(_ embedding: borrowing JSONView, into vector: UnsafeMutableBufferPointer<Float>) -> Bool {
    if embedding.kind == .string {
      for index in 0..<vector.count { vector[index] = number(Self.textBytes + 4 * index) }
      return true
    }
    var elements = embedding.elements()
    for index in 0..<vector.count {
      guard let element = elements.next(), let number = element.double else { return false }
      vector[index] = Float(number)
    }
    return true
  }

  private func number(_ start: Int) -> Float {
    var bits: UInt32 = 0
    for index in 0..<4 { bits |= UInt32(scratch.bytes[start + index]) << UInt32(8 * index) }
    return Float(bitPattern: bits)
  }

  private func fail(_ kind: ModelFault.Kind, _ message: StaticString) {
    if fault != nil { return }
    fault = ModelFault(kind, message: message.utf8Bytes, hiding: StaticString("").utf8Bytes)
  }
}
