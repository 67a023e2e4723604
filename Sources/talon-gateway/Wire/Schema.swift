/// The shape of a JSON value. Objects are closed: a key that no field names is a violation.
indirect enum Schema: Sendable {
  case any
  case bool
  case integer(min: Int64)
  /// A string of `min` to `max` characters.
  case string(min: Int, max: Int)
  case oneOf([String])
  case array(Schema)
  /// Free non-empty keys, one shape of value.
  case map(Schema)
  case object([Field])
  case nullable(Schema)

  /// What the reference calls NES: a string that is not empty.
  static let text = Schema.string(min: 1, max: .max)

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
    case .bool: try require(value.bool != nil, "must be boolean", path)
    case .integer(let min):
      guard let integer = value.integer else { throw SchemaViolation(path: path, problem: "must be integer") }
      try require(integer >= min, "must be >= \(min)", path)
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
