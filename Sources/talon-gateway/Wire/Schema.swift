/// The shape of a JSON value. Objects are closed: a key that no field names is a violation.
indirect enum Schema: Sendable {
  case any
  case bool
  case integer(min: Int64, max: Int64 = .max)
  case number(ClosedRange<Double>)
  /// A string of `min` to `max` characters.
  case string(min: Int, max: Int)
  case oneOf([String])
  case array(Schema)
  /// An array of `min` to `max` elements of one shape.
  case list(Schema, min: Int, max: Int)
  /// Free non-empty keys, one shape of value.
  case map(Schema)
  case object([Field])
  case nullable(Schema)
  /// What begins with `"ok": true` or with `"ok": false`, each closed.
  case outcome(success: Schema, failure: Schema)
  /// A string that is more than a string: a date, a blob.
  case form(Form)

  /// What the reference calls NES: a string that is not empty.
  static let text = Schema.string(min: 1, max: .max)

  /// Strings with an inner form.
  enum Form: Sendable {
    /// An instant in UTC, `2026-01-02T03:04:05Z` with or without a fraction (RFC 3339).
    case instant
    /// RFC 4648 section 4, padded, without line breaks; not empty.
    case base64
  }

  struct Field: Sendable {
    let key: String
    let schema: Schema
    let isRequired: Bool

    static func required(_ key: String, _ schema: Schema) -> Field {
      Field(key: key, schema: schema, isRequired: true)
    }

    static func optional(_ key: String, _ schema: Schema) -> Field {
      Field(key: key, schema: schema, isRequired: false)
    }
  }
}

/// The first place where a value leaves its schema.
struct SchemaViolation: Error, Equatable, CustomStringConvertible {
  /// Slash-separated keys and indices from the root, empty for the root itself.
  let path: String
  let problem: String

  var description: String { "at \(path.isEmpty ? "root" : path): \(problem)" }
}

extension Schema {
  /// Throws the first violation found, in the order in which the value was written.
  func validate(_ value: JSON, at path: String = "") throws(SchemaViolation) {
    switch self {
    case .any: return
    case .nullable(let inner): if value != .null { try inner.validate(value, at: path) }
    case .outcome(let success, let failure):
      let isSuccess = value.object?["ok"]?.bool
      try require(isSuccess != nil, "must have required property 'ok'", path)
      try (isSuccess == true ? success : failure).validate(value, at: path)
    case .bool: try require(value.bool != nil, "must be boolean", path)
    case .integer(let min, let max):
      guard let integer = value.integer else { throw SchemaViolation(path: path, problem: "must be integer") }
      try require(integer >= min, "must be >= \(min)", path)
      try require(integer <= max, "must be <= \(max)", path)
    case .number(let range):
      guard let number = value.number else { throw SchemaViolation(path: path, problem: "must be number") }
      try require(range.contains(number), "must be within \(range.lowerBound)...\(range.upperBound)", path)
    case .form(let form):
      guard let string = value.string else { throw SchemaViolation(path: path, problem: "must be string") }
      try require(form.fits(string), "must be \(form.name)", path)
    case .string(let min, let max):
      guard let string = value.string else { throw SchemaViolation(path: path, problem: "must be string") }
      try require(string.count >= min, "must NOT have fewer than \(min) characters", path)
      try require(string.count <= max, "must NOT have more than \(max) characters", path)
    case .oneOf(let allowed):
      let isAllowed = value.string.map(allowed.contains) ?? false
      try require(isAllowed, "must be one of " + allowed.joined(separator: ", "), path)
    case .array(let element):
      guard let array = value.array else { throw SchemaViolation(path: path, problem: "must be array") }
      for (index, item) in array.enumerated() { try element.validate(item, at: "\(path)/\(index)") }
    case .list(let element, let min, let max):
      let count = value.array?.count ?? 0
      try require(
        value.array != nil && count >= min && count <= max, "must be array of \(min) to \(max)", path)
      try Schema.array(element).validate(value, at: path)
    case .map(let element):
      guard let object = value.object else { throw SchemaViolation(path: path, problem: "must be object") }
      for member in object.members {
        try require(!member.key.isEmpty, "must NOT have an empty property name", path)
        try element.validate(member.value, at: "\(path)/\(member.key)")
      }
    case .object(let fields):
      guard let object = value.object else { throw SchemaViolation(path: path, problem: "must be object") }
      try Self.validate(object, fields, at: path)
    }
  }

  private static func validate(
    _ object: JSONObject, _ fields: [Field], at path: String
  ) throws(SchemaViolation) {
    for field in fields where field.isRequired && object[field.key] == nil {
      throw SchemaViolation(path: path, problem: "must have required property '\(field.key)'")
    }
    for member in object.members {
      guard let field = fields.first(where: { $0.key == member.key }) else {
        throw SchemaViolation(path: path, problem: "unexpected property '\(member.key)'")
      }
      try field.schema.validate(member.value, at: "\(path)/\(member.key)")
    }
  }

  private func require(_ condition: Bool, _ problem: String, _ path: String) throws(SchemaViolation) {
    if !condition { throw SchemaViolation(path: path, problem: problem) }
  }
}

extension Schema.Form {
  var name: String {
    switch self {
    case .instant: "an instant in UTC"
    case .base64: "base64"
    }
  }

  func fits(_ text: String) -> Bool {
    switch self {
    case .instant: Self.isInstant(Array(text.utf8))
    case .base64: Self.isBase64(Array(text.utf8))
    }
  }

  private static func isInstant(_ text: [UInt8]) -> Bool {
    let pattern = Array("0000-00-00T00:00:00".utf8)
    guard text.count > pattern.count, text.last == UInt8(ascii: "Z") else { return false }
    for (byte, wanted) in zip(text, pattern) {
      guard wanted == UInt8(ascii: "0") ? isDigit(byte) : byte == wanted else { return false }
    }
    let rest = text[pattern.count..<(text.count - 1)]
    guard let point = rest.first else { return true }
    return point == UInt8(ascii: ".") && rest.count > 1 && rest.dropFirst().allSatisfy(isDigit)
  }

  private static func isBase64(_ text: [UInt8]) -> Bool {
    guard !text.isEmpty, text.count % 4 == 0 else { return false }
    let padding = text.suffix(2).count { $0 == UInt8(ascii: "=") }
    return text.withUnsafeBufferPointer { bytes in
      for index in 0..<(bytes.count - padding) where !isBase64Letter(bytes[index]) { return false }
      return padding < 2 || bytes[bytes.count - 2] == UInt8(ascii: "=")
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isBase64Letter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "+"),
      UInt8(ascii: "/"):
      true
    default: isDigit(byte)
    }
  }
}
