import Codec
import Runtime

/// Iterates over the calls of functions in a component's checked JSON text, `{"call":"name","args":{...}}`: in one
/// pass, however deep they stand in each other.
struct FunctionCalls {
  /// A call.
  struct Call {
    /// The text from its object on.
    var object: Bytes
    /// The name of the function, a JSON string.
    var name: Bytes
    /// How many calls are around it.
    var depth: Int
  }

  /// What a container is.
  private enum Place {
    /// An object that may be a call, or an array.
    case value
    /// The arguments of a call, whose names are not of a call's own.
    case arguments
    /// The context of an action, whose keys are of the agent's choice.
    case context
    /// What is not read: metadata of a component.
    case unread
  }

  /// The key before a value.
  private enum Key {
    case other, call, arguments, context, metadata

    init(_ name: JSONView) {
      if name.equals("call") {
        self = .call
      } else if name.equals("args") {
        self = .arguments
      } else if name.equals("context") {
        self = .context
      } else {
        self = name.equals("metadata") ? .metadata : .other
      }
    }
  }

  private let text: Bytes
  private var index = 0
  /// The containers around the place: where each begins, and what it is.
  private var starts = InlineArray<128, Int>(repeating: 0)
  private var places = InlineArray<128, Place>(repeating: .value)
  private var level = 0
  private var depth = 0
  private var key = Key.other

  /// - Parameter text: nested no deeper than messages may be.
  init(_ text: Bytes) {
    precondition(Budget.a2uiJSONDepth == 128)
    self.text = text
  }

  mutating func next() -> Call? {
    while index < text.count {
      switch text[index] {
      case UInt8(ascii: "\""):
        let string = string()
        while index < text.count, text[index].isSpace { index += 1 }
        if index < text.count, text[index] == UInt8(ascii: ":") {
          key = Key(JSONView(Span(_unsafeElements: string)))
          break
        }
        let isCall = key == .call && level > 0 && places[level - 1] == .value
        key = .other
        if isCall { return Call(object: text.dropping(starts[level - 1]), name: string, depth: depth) }
        continue
      case UInt8(ascii: "{"): open(isObject: true)
      case UInt8(ascii: "["): open(isObject: false)
      case UInt8(ascii: "}"), UInt8(ascii: "]"): close()
      case UInt8(ascii: ","): key = .other
      default: break
      }
      index += 1
    }
    return nil
  }

  /// Goes behind a string.
  private mutating func string() -> Bytes {
    let start = index
    index += 1
    while index < text.count, text[index] != UInt8(ascii: "\"") {
      if text[index] == UInt8(ascii: "\\") { index += 1 }
      index += 1
    }
    index = min(index + 1, text.count)
    return text.between(start..<index)
  }

  private mutating func open(isObject: Bool) {
    guard level < starts.count else { return }
    var place = Place.value
    if level > 0, places[level - 1] == .unread || level == 1 && key == .metadata {
      place = .unread
    } else if isObject, key == .arguments {
      place = .arguments
    } else if isObject, key == .context {
      place = .context
    }
    (starts[level], places[level]) = (index, place)
    level += 1
    if place == .arguments { depth += 1 }
    key = .other
  }

  private mutating func close() {
    key = .other
    guard level > 0 else { return }
    level -= 1
    if places[level] == .arguments { depth -= 1 }
  }
}
