import Codec
import Runtime

/// Why a tool cannot be offered to a model.
public enum ModelToolError: Error, Equatable, Sendable {
  /// Not 1 to 64 letters, digits, `_` and `-`, which servers insist on.
  case name
  /// Another tool has this name.
  case twice
  /// More than `Budget.modelTools`.
  case tooMany
  /// The parameters are no JSON.
  case parameters(JSONError)
  /// The parameters are JSON, but no object, as a schema is.
  case notAnObject

  /// What a person reads, after the tool's name.
  public var text: StaticString {
    switch self {
    case .name: "is not a name that models can call: 1 to 64 letters, digits, _ and -"
    case .twice: "is the name of two tools"
    case .tooMany: "is one tool too many: a model is offered at most 64"
    case .parameters: "has parameters that are not JSON"
    case .notAnObject: "has parameters that are not a JSON object"
    }
  }
}

/// A tool as a model sees it.
public struct ModelTool: Sendable {
  public let name: String
  public let description: String
  /// A JSON schema of its arguments.
  public let parameters: String
}

/// The tools that requests offer. Made at start.
public struct ModelTools: Sendable {
  /// In the order in which they were added.
  public private(set) var list: [ModelTool] = []

  /// No tools.
  public init() {}

  /// Adds a tool; `parameters` is a JSON schema, an object.
  public mutating func add(name: String, description: String, parameters: String) throws(ModelToolError) {
    guard name.withBytes({ Self.isName($0) }) else { throw .name }
    guard name.withBytes({ index(of: $0) }) == nil else { throw .twice }
    guard list.count < Budget.modelTools else { throw .tooMany }
    if let error = parameters.withBytes({ Self.error(in: $0) }) { throw error }
    list.append(ModelTool(name: name, description: description, parameters: parameters))
  }

  /// The tool with a name, or nil.
  public func index(of name: UnsafeBufferPointer<UInt8>) -> Int? {
    for index in 0..<list.count {
      let isSame = list[index].name.withBytes {
        Span(_unsafeElements: $0).isSame(as: Span(_unsafeElements: name))
      }
      if isSame { return index }
    }
    return nil
  }

  private static func isName(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard (1...Budget.modelToolNameBytes).contains(text.count) else { return false }
    for byte in text {
      let isLetter = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte.asciiLowercased)
      guard isLetter || byte.isDigit || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") else { return false }
    }
    return true
  }

  private static func error(in parameters: UnsafeBufferPointer<UInt8>) -> ModelToolError? {
    let text = Span(_unsafeElements: parameters)
    do throws(JSONError) {
      try JSONValidator.check(text, depthLimit: Budget.modelDepth)
    } catch {
      return .parameters(error)
    }
    return JSONView(text).kind == .object ? nil : .notAnObject
  }
}
