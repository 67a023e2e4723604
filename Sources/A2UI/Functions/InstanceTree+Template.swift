import Codec
import Runtime

// Texts with expressions in them: `Hello ${/user/name}, you have ${formatNumber(value: ${/count})} messages`.

extension InstanceTree {
  /// Puts the values of expressions into a text; `\${` stands for `${`.
  func format(_ template: Value, _ scope: DataScope, depth: Int) -> Value {
    guard let text = text(template) else { return .absent }
    return .text(text.hasExpression ? filled(text, scope, depth: depth) : text)
  }

  private func filled(_ template: Bytes, _ scope: DataScope, depth: Int) -> Bytes {
    guard spend(template.count) else { return .empty }
    let stack = store.stack
    let start = stack.start
    var index = 0
    var plain = 0
    while index < template.count {
      guard template.isExpression(at: index) else {
        index += 1
        continue
      }
      if index > 0, template[index - 1] == UInt8(ascii: "\\") {
        stack.append(template.between(plain..<index - 1))
        (plain, index) = (index, index + 2)
        continue
      }
      stack.append(template.between(plain..<index))
      var reader = ExpressionReader(template, from: index + 2)
      let value = reader.value(self, scope, depth: depth + 1)
      reader.close()
      append(spending(on: value), to: stack)
      (plain, index) = (reader.place, reader.place)
    }
    stack.append(template.between(plain..<template.count))
    return store.copied(stack.finish(from: start))
  }

  /// Maps and lists stand in a text as their JSON, without what was entered into obscured fields.
  private func append(_ value: Value, to stack: TextStack) {
    switch value {
    case .absent: break
    case .node(let node):
      var writer = JSONWriter(into: store.scratch.room(Budget.a2uiStringBytes))
      store.data.write(node, hiding: .obscured, into: &writer)
      if spend(writer.count), writer.isComplete { stack.append(store.scratch.keep(writer.count)) }
    case .array(let json): stack.append(json)
    case .text, .number, .bool: if let text = text(value) { stack.append(text) }
    }
  }
}

extension InstanceTree {
  /// A part of a value, whose text is work for what it is given to; absent when there has been too much.
  func spending(on value: Value) -> Value {
    switch value {
    case .text(let text), .array(let text): spend(text.count) ? value : .absent
    case .absent, .number, .bool, .node: spend(0) ? value : .absent
    }
  }
}

extension UnsafeBufferPointer where Element == UInt8 {
  fileprivate func isExpression(at index: Int) -> Bool {
    index + 1 < count && self[index] == UInt8(ascii: "$") && self[index + 1] == UInt8(ascii: "{")
  }

  fileprivate var hasExpression: Bool {
    for index in 0..<count where isExpression(at: index) { return true }
    return false
  }
}

/// Reads an expression: a path, a call with named arguments, a literal, or one of these in `${}` again. What cannot be
/// read is absent, up to the brace that closes it.
struct ExpressionReader {
  private let text: Bytes
  private(set) var place: Int

  init(_ text: Bytes, from place: Int) { (self.text, self.place) = (text, place) }

  private var byte: UInt8? { place < text.count ? text[place] : nil }

  private mutating func skipSpace() { while let byte, byte.isSpace { place += 1 } }

  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard let byte, UInt32(byte) == character.value else { return false }
    place += 1
    return true
  }

  /// Goes behind the brace that ends the expression.
  mutating func close() {
    var open = 0
    while let byte {
      place += 1
      if byte == UInt8(ascii: "{") { open += 1 }
      guard byte == UInt8(ascii: "}") else { continue }
      if open == 0 { return }
      open -= 1
    }
  }

  mutating func value(_ tree: InstanceTree, _ scope: DataScope, depth: Int) -> Value {
    skipSpace()
    guard depth < Budget.a2uiCallDepth, let byte else { return .absent }
    if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") { return .text(quoted(byte)) }
    if byte == UInt8(ascii: "$"), place + 1 < text.count, text[place + 1] == UInt8(ascii: "{") {
      place += 2
      let value = value(tree, scope, depth: depth + 1)
      close()
      return value
    }
    let word = word()
    guard skip("(") else { return literal(word, tree, scope) }
    guard let function = FunctionName(word) else {
      skipArguments()
      return .absent
    }
    let start = place
    skipArguments()
    let arguments = WrittenArguments(tree: tree, text: text.between(start..<place), scope: scope, depth: depth + 1)
    return tree.call(function, arguments, scope)
  }

  /// Up to what cannot be in a path or a name.
  private mutating func word() -> Bytes {
    let start = place
    while let byte, byte != UInt8(ascii: "("), byte != UInt8(ascii: ")"), byte != UInt8(ascii: "}"),
      byte != UInt8(ascii: ","), !byte.isSpace
    { place += 1 }
    return text.between(start..<place)
  }

  private func literal(_ word: Bytes, _ tree: InstanceTree, _ scope: DataScope) -> Value {
    if word.isEmpty { return .absent }
    if word.equals("true") { return .bool(true) }
    if word.equals("false") { return .bool(false) }
    if let number = Span(_unsafeElements: word).decimalNumber { return .number(number) }
    return tree.store.data.find(word, scope).map { tree.value($0) } ?? .absent
  }

  /// A text in quotes, which cannot stand in it.
  private mutating func quoted(_ mark: UInt8) -> Bytes {
    place += 1
    let start = place
    while let byte, byte != mark { place += 1 }
    let inner = text.between(start..<place)
    if byte != nil { place += 1 }
    return inner
  }

  /// Goes behind the bracket that ends the arguments.
  private mutating func skipArguments() {
    var open = 0
    while let byte {
      if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
        _ = quoted(byte)
        continue
      }
      place += 1
      if byte == UInt8(ascii: "(") { open += 1 }
      guard byte == UInt8(ascii: ")") else { continue }
      if open == 0 { return }
      open -= 1
    }
  }

  /// Goes to the value of a named argument; false when it is not there.
  fileprivate mutating func find(_ name: StaticString) -> Bool {
    while true {
      skipSpace()
      let start = place
      while let byte, byte != UInt8(ascii: ":"), byte != UInt8(ascii: ")"), byte != UInt8(ascii: ",") { place += 1 }
      let found = text.between(start..<place)
      guard skip(":") else { return false }
      if found.trimmedEnd.equals(name) { return true }
      skipValue()
      guard skip(",") else { return false }
    }
  }

  private mutating func skipValue() {
    var open = 0
    while let byte {
      if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
        _ = quoted(byte)
        continue
      }
      if open == 0, byte == UInt8(ascii: ",") || byte == UInt8(ascii: ")") { return }
      if byte == UInt8(ascii: "(") || byte == UInt8(ascii: "{") { open += 1 }
      if byte == UInt8(ascii: ")") || byte == UInt8(ascii: "}") { open -= 1 }
      place += 1
    }
  }
}

/// The arguments of a call in an expression: `value: ${/count}, decimals: 2)`.
private struct WrittenArguments: CallArguments {
  let tree: InstanceTree
  let text: Bytes
  let scope: DataScope
  let depth: Int

  func value(_ name: StaticString) -> Value {
    var reader = ExpressionReader(text, from: 0)
    guard tree.spend(text.count), reader.find(name) else { return .absent }
    return tree.spending(on: reader.value(tree, scope, depth: depth))
  }

  /// Expressions have no lists.
  func forEach(_ name: StaticString, _ body: (Value) -> Bool) {}
}

extension UnsafeBufferPointer where Element == UInt8 {
  fileprivate var trimmedEnd: UnsafeBufferPointer<UInt8> {
    var end = count
    while end > 0, self[end - 1].isSpace { end -= 1 }
    return prefix(end)
  }
}
