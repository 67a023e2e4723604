/// A JSON value. Objects keep the order in which their members were written, so that frames read the way
/// real gateways write them.
enum JSON: Equatable, Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  case double(Double)
  case string(String)
  case array([JSON])
  case object(JSONObject)
}

/// Members in writing order. A key that occurs twice counts with its last value.
struct JSONObject: Equatable, Sendable {
  struct Member: Equatable, Sendable {
    let key: String
    var value: JSON
  }

  private(set) var members: [Member] = []

  subscript(key: String) -> JSON? {
    get { members.last { $0.key == key }?.value }
    set {
      members.removeAll { $0.key == key }
      if let newValue { members.append(Member(key: key, value: newValue)) }
    }
  }

  /// Adds a member at the end without looking for the key.
  mutating func append(_ key: String, _ value: JSON) {
    members.append(Member(key: key, value: value))
  }
}

extension JSON {
  /// The member of an object, or nil when this is no object or has no such member.
  subscript(key: String) -> JSON? {
    guard case .object(let object) = self else { return nil }
    return object[key]
  }

  var string: String? {
    guard case .string(let value) = self else { return nil }
    return value
  }

  var bool: Bool? {
    guard case .bool(let value) = self else { return nil }
    return value
  }

  /// The value as an integer. A double without a fraction counts, as it does for real gateways.
  var integer: Int64? {
    switch self {
    case .integer(let value): value
    case .double(let value): Int64(exactly: value)
    default: nil
    }
  }

  var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .double(let value): value
    default: nil
    }
  }

  var array: [JSON]? {
    guard case .array(let value) = self else { return nil }
    return value
  }

  var object: JSONObject? {
    guard case .object(let value) = self else { return nil }
    return value
  }

  /// The strings of an array; other elements are left out.
  var strings: [String] { (array ?? []).compactMap(\.string) }

  init(_ strings: [String]) { self = .array(strings.map(JSON.string)) }

  /// The object with one member more, or replaced.
  func with(member key: String, _ value: JSON) -> JSON {
    var object = object ?? JSONObject()
    object[key] = value
    return .object(object)
  }

  /// The object with the members of another at its end.
  func adding(_ other: JSON) -> JSON {
    (other.object?.members ?? []).reduce(self) { $0.with(member: $1.key, $1.value) }
  }

  /// An object without the members whose value is nil.
  static func compact(_ members: KeyValuePairs<String, JSON?>) -> JSON {
    var object = JSONObject()
    for (key, value) in members {
      if let value { object.append(key, value) }
    }
    return .object(object)
  }
}

extension JSON: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
  init(stringLiteral value: String) { self = .string(value) }
  init(integerLiteral value: Int64) { self = .integer(value) }
  init(booleanLiteral value: Bool) { self = .bool(value) }
  init(arrayLiteral elements: JSON...) { self = .array(elements) }
  init(nilLiteral: ()) { self = .null }
  init(dictionaryLiteral elements: (String, JSON)...) {
    var object = JSONObject()
    for (key, value) in elements { object.append(key, value) }
    self = .object(object)
  }
}

/// A member that is only there under a condition, for `JSON.compact`. (`condition ? value : nil` would be read as
/// JSON's null.)
func given(_ condition: Bool, _ value: @autoclosure () -> JSON?) -> JSON? { condition ? value() : nil }
