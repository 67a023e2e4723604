import Codec
import Runtime

/// Writes the body of `POST /v1/embeddings` ("Create embeddings", OpenAI's API reference), text by text.
public struct EmbeddingRequest: ~Copyable {
  /// Bytes after the last text: a bracket and a brace.
  private static let endBytes = 2

  private var writer: JSONWriter
  private let capacity: Int
  /// Texts so far.
  public private(set) var count = 0

  /// Begins a request into `room`, which outlives it. `dimensions`: how many numbers the vectors should have, for
  /// models that can be asked; `asksForBase64`: the numbers come as bytes, a third of the length, from servers that
  /// can.
  public init(
    model: String, dimensions: Int? = nil, asksForBase64: Bool = false, into room: UnsafeMutableBufferPointer<UInt8>
  ) {
    writer = JSONWriter(into: room)
    capacity = room.count
    writer.beginObject()
    writer.key("model")
    writer.string(model)
    writer.key("encoding_format")
    if asksForBase64 { writer.string("base64" as StaticString) } else { writer.string("float" as StaticString) }
    if let dimensions {
      writer.key("dimensions")
      writer.int(Int64(clamping: min(max(dimensions, 1), Budget.embeddingDimensions)))
    }
    writer.key("input")
    writer.beginArray()
  }

  /// Adds a text; what is not UTF-8 becomes U+FFFD. Servers refuse an empty one.
  /// - Returns: false, and nothing changed, when there is no room, it is empty, or there are `Budget.embeddingTexts`.
  public mutating func add(_ text: Span<UInt8>) -> Bool {
    guard !text.isEmpty, count < Budget.embeddingTexts else { return false }
    var measure = JSONWriter()
    measure.string(text)
    let separator = count > 0 ? 1 : 0
    guard writer.count <= capacity, measure.count <= capacity - writer.count - separator - Self.endBytes else {
      return false
    }
    writer.string(text)
    count += 1
    return true
  }

  /// Ends the request.
  /// - Returns: the bytes of the body, or nil when it has no text or found no room.
  public consuming func finish() -> Int? {
    writer.endArray()
    writer.endObject()
    return count > 0 && writer.isComplete ? writer.count : nil
  }
}
