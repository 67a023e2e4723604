extension JSON {
  /// The value as compact JSON text in UTF-8.
  var bytes: [UInt8] {
    var writer = JSONWriter(indentation: nil)
    writer.write(self)
    return writer.bytes
  }

  /// The value as compact JSON text.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The value as indented JSON text for people.
  var prettyText: String {
    var writer = JSONWriter(indentation: 2)
    writer.write(self)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

private struct JSONWriter {
  let indentation: Int?
  var bytes: [UInt8] = []
  var depth = 0

  init(indentation: Int?) { self.indentation = indentation }

  mutating func write(_ value: JSON) {
    switch value {
    case .null: put("null")
    case .bool(let value): put(value ? "true" : "false")
    case .integer(let value): put(String(value))
    case .double(let value): put(value.isFinite ? "\(value)" : "null")
    case .string(let value): write(value)
    case .array(let elements):
      list("[", "]", elements) { writer, element in writer.write(element) }
    case .object(let object):
      list("{", "}", object.members) { writer, member in
        writer.write(member.key)
        writer.put(writer.indentation == nil ? ":" : ": ")
        writer.write(member.value)
      }
    }
  }

  private mutating func list<Element>(
    _ open: String, _ close: String, _ elements: [Element], _ body: (inout JSONWriter, Element) -> Void
  ) {
    put(open)
    depth += 1
    for (index, element) in elements.enumerated() {
      if index > 0 { put(",") }
      newLine()
      body(&self, element)
    }
    depth -= 1
    if !elements.isEmpty { newLine() }
    put(close)
  }

  private mutating func newLine() {
    guard let indentation else { return }
    put("\n")
    bytes.append(contentsOf: repeatElement(0x20, count: indentation * depth))
  }

  private mutating func write(_ string: String) {
    put("\"")
    var string = string
    string.withUTF8 { utf8 in
      var start = 0
      var index = 0
      while index < utf8.count {
        let byte = utf8[index]
        if byte < 0x20 || byte == 0x22 || byte == 0x5C {
          bytes.append(contentsOf: utf8[start..<index])
          put(Self.escape(byte))
          start = index + 1
        }
        index += 1
      }
      bytes.append(contentsOf: utf8[start...])
    }
    put("\"")
  }

  private static func escape(_ byte: UInt8) -> String {
    switch byte {
    case 0x22: "\\\""
    case 0x5C: "\\\\"
    case 0x0A: "\\n"
    case 0x0D: "\\r"
    case 0x09: "\\t"
    default: "\\u00" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16)
    }
  }

  private mutating func put(_ text: String) { bytes.append(contentsOf: text.utf8) }
}
