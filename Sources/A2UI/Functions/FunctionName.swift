/// The functions of the basic catalog of v0.9, those that its samples call besides, and the one of v1.0 that belongs to
/// no catalog.
enum FunctionName: UInt8 {
  case required, regex, length, numeric, email
  case formatString, formatNumber, formatCurrency, formatDate, pluralize
  case capitalize, and, or, not, now, openUrl, index

  /// The name in documents.
  private var name: StaticString {
    switch self {
    case .required: "required"
    case .regex: "regex"
    case .length: "length"
    case .numeric: "numeric"
    case .email: "email"
    case .formatString: "formatString"
    case .formatNumber: "formatNumber"
    case .formatCurrency: "formatCurrency"
    case .formatDate: "formatDate"
    case .pluralize: "pluralize"
    case .capitalize: "capitalize"
    case .and: "and"
    case .or: "or"
    case .not: "not"
    case .now: "now"
    case .openUrl: "openUrl"
    case .index: "@index"
    }
  }

  init?(_ text: Bytes) {
    var raw: UInt8 = 0
    while let function = FunctionName(rawValue: raw) {
      if text.equals(function.name) {
        self = function
        return
      }
      raw += 1
    }
    return nil
  }
}

/// Where the arguments of a call come from: JSON by their names, or an expression in a text.
protocol CallArguments {
  /// How many calls are around them, with their own.
  var depth: Int { get }
  /// The value of an argument; absent when it is not given.
  func value(_ name: StaticString) -> Value
  /// Each value of a list, until `body` returns false.
  func forEach(_ name: StaticString, _ body: (Value) -> Bool)
}
