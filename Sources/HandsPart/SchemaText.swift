import Codec
import Runtime

/// Makes schemas of parameters, plain JSON objects, at start.
enum SchemaText {
  /// Bytes of the longest: eight values with sixteen choices each.
  private static let limit = 8192

  /// An object with the properties that `write` adds. `required`: names of some.
  static func object(required: [String] = [], _ write: (inout JSONWriter) -> Void) -> String {
    let buffer = FixedBuffer(capacity: limit)
    var writer = JSONWriter(into: buffer.bytes)
    writer.beginObject()
    writer.key("type")
    writer.string("object")
    writer.key("properties")
    writer.beginObject()
    write(&writer)
    writer.endObject()
    if !required.isEmpty {
      writer.key("required")
      writer.beginArray()
      for name in required { writer.string(name) }
      writer.endArray()
    }
    writer.endObject()
    // Too much for a descriptor in any case; the call itself says what is wrong.
    guard writer.isComplete else { return #"{"type":"object","properties":{}}"# }
    return String(decoding: buffer.bytes[..<writer.count], as: UTF8.self)
  }

  /// A property with its type, and what `write` adds.
  static func property(
    _ name: String, type: StaticString, _ writer: inout JSONWriter, _ write: (inout JSONWriter) -> Void = { _ in }
  ) {
    writer.key(name.utf8.span)
    writer.beginObject()
    writer.key("type")
    writer.string(type)
    write(&writer)
    writer.endObject()
  }
}
