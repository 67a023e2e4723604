import Codec
import Locales
import Runtime

// Function calls of v0.9: `{"call":"formatNumber","args":{"value":{"path":"/price"}}}`.

/// The arguments of a call in JSON.
private struct JSONArguments: CallArguments {
  let tree: InstanceTree
  /// The text of `args`.
  let text: Bytes
  let scope: DataScope
  let depth: Int

  func value(_ name: StaticString) -> Value {
    guard tree.spend(text.count) else { return .absent }
    let view = JSONView(Span(_unsafeElements: text))
    return tree.spending(on: tree.value(view.member(name), scope, depth: depth))
  }

  func forEach(_ name: StaticString, _ body: (Value) -> Bool) {
    guard let list = JSONView(Span(_unsafeElements: text)).member(name) else { return }
    var elements = list.elements()
    while let element = elements.next() {
      if !body(tree.spending(on: tree.value(element, scope, depth: depth))) { return }
    }
  }
}

extension InstanceTree {
  /// The value of an object that is a call or a logic expression; nil for any other object.
  func called(_ json: JSONView, _ scope: DataScope, depth: Int) -> Value? {
    if let name = store.unescaped(json.member("call")) {
      guard depth < Budget.a2uiCallDepth, let function = FunctionName(name) else { return .absent }
      var text = StaticString("{}").asBytes
      if let args = json.member("args"), args.kind == .object { text = args.rawText.withUnsafeBufferPointer { $0 } }
      return call(function, JSONArguments(tree: self, text: text, scope: scope, depth: depth + 1), scope)
    }
    guard depth < Budget.a2uiCallDepth else { return nil }
    if let list = json.member("and") { return .bool(holds(list, all: true, scope, depth)) }
    if let list = json.member("or") { return .bool(holds(list, all: false, scope, depth)) }
    if let one = json.member("not") { return .bool(!isTrue(value(one, scope, depth: depth + 1))) }
    if json.member("true") != nil { return .bool(true) }
    return json.member("false") != nil ? .bool(false) : nil
  }

  private func holds(_ list: JSONView, all: Bool, _ scope: DataScope, _ depth: Int) -> Bool {
    var elements = list.elements()
    while let element = elements.next() {
      if isTrue(value(element, scope, depth: depth + 1)) != all { return !all }
    }
    return all
  }

  /// Calls a function.
  func call<Arguments: CallArguments>(_ function: FunctionName, _ args: Arguments, _ scope: DataScope) -> Value {
    switch function {
    case .required: .bool(isGiven(args.value("value")))
    case .regex: .bool(matches(args.value("value"), args.value("pattern")))
    case .length: .bool(isWithin(Double(length(args.value("value"))), args))
    case .numeric: .bool(number(args.value("value")).map { isWithin($0, args) } ?? false)
    case .email: .bool(text(args.value("value")).map(Self.isEmail) ?? false)
    case .formatString: format(args.value("value"), scope, depth: args.depth)
    case .formatNumber, .formatCurrency: format(number: args, isMoney: function == .formatCurrency)
    case .formatDate: format(date: args)
    case .pluralize: plural(args)
    case .capitalize: capitalized(args.value("value"))
    case .and: .bool(holds(args, all: true))
    case .or: .bool(holds(args, all: false))
    case .not: .bool(!isTrue(args.value("value")))
    case .now: .text(kept { writeNow(into: &$0) })
    // Only a button opens something.
    case .openUrl: .absent
    case .index: place(of: scope, args)
    }
  }

  /// The place of a template's element in its list, from 0, and what is added to it; outside of templates there is
  /// none.
  private func place<Arguments: CallArguments>(of scope: DataScope, _ args: Arguments) -> Value {
    guard scope.isElement else { return .absent }
    return .number(Double(scope.place) + (number(args.value("offset")) ?? 0))
  }

  // MARK: Checks

  func isTrue(_ value: Value) -> Bool {
    switch value {
    case .bool(let bool): bool
    case .text(let text): text.equals("true")
    case .number(let number): number != 0
    case .absent, .node, .array: false
    }
  }

  private func isGiven(_ value: Value) -> Bool {
    switch value {
    case .absent: false
    case .text(let text): !text.isEmpty
    case .number, .bool: true
    case .node, .array: length(value) > 0
    }
  }

  /// Characters of a text, elements of a list; of a number the characters that it is written with.
  private func length(_ value: Value) -> Int {
    switch value {
    case .absent: return 0
    case .node(let node): return Int(store.data[node].count)
    case .array(let json):
      var elements = JSONView(Span(_unsafeElements: json)).elements()
      var count = 0
      while elements.next() != nil { count += 1 }
      return count
    case .text, .number, .bool:
      var count = 0
      for byte in text(value) ?? StaticString("").asBytes where byte & 0xC0 != 0x80 { count += 1 }
      return count
    }
  }

  private func isWithin<Arguments: CallArguments>(_ number: Double, _ args: Arguments) -> Bool {
    if let least = self.number(args.value("min")), number < least { return false }
    if let most = self.number(args.value("max")), number > most { return false }
    return true
  }

  func number(_ value: Value) -> Double? {
    switch value {
    case .number(let number): number
    case .text(let text): Span(_unsafeElements: text).decimalNumber
    default: nil
    }
  }

  /// Also true for an expression that cannot be read.
  private func matches(_ value: Value, _ pattern: Value) -> Bool {
    guard let matcher = store.matcher, let expression = text(pattern) else { return true }
    let text = text(value) ?? StaticString("").asBytes
    return matcher.accepts(Span(_unsafeElements: text), Span(_unsafeElements: expression))
  }

  /// What HTML's input takes for an address, but with a dot in the domain: `name@host.example`.
  private static func isEmail(_ text: Bytes) -> Bool {
    var (at, dot) = (-1, -1)
    for index in 0..<text.count {
      let byte = text[index]
      if byte.isSpace || byte < 0x20 { return false }
      if byte == UInt8(ascii: "@") {
        if at >= 0 { return false }
        at = index
      }
      if byte == UInt8(ascii: "."), at >= 0 { dot = index }
    }
    return at > 0 && dot > at + 1 && dot < text.count - 1
  }

  private func holds<Arguments: CallArguments>(_ args: Arguments, all: Bool) -> Bool {
    var result = all
    args.forEach("values") { value in
      result = isTrue(value)
      return result == all
    }
    return result
  }

  // MARK: Formats

  private func format<Arguments: CallArguments>(number args: Arguments, isMoney: Bool) -> Value {
    guard let number = number(args.value("value")) else { return .absent }
    let decimals = self.number(args.value("decimals")).map { Int(clamping: $0) }
    var isGrouped = true
    if case .bool(false) = args.value("grouping") { isGrouped = false }
    var code = InlineText<8>()
    if isMoney, let text = text(args.value("currency")) { code = InlineText(cutting: Span(_unsafeElements: text)) }
    return .text(
      kept { writer in
        if isMoney {
          store.locale.write(number, currency: code.span, decimals: decimals, isGrouped: isGrouped, into: &writer)
        } else {
          store.locale.write(number, decimals: decimals, isGrouped: isGrouped, into: &writer)
        }
      })
  }

  private func format<Arguments: CallArguments>(date args: Arguments) -> Value {
    let value = args.value("value")
    let time: LocalTime?
    switch value {
    case .number(let milliseconds): time = store.local(Int64(clamping: milliseconds))
    default: time = text(value).flatMap { LocalTime(iso: Span(_unsafeElements: $0), local: store.local) }
    }
    // What is no date stands as it is.
    guard let time else { return value }
    guard let pattern = text(args.value("format")) else {
      return .text(kept { store.locale.write(time, as: .short, into: &$0) })
    }
    return .text(kept { store.locale.write(time, pattern: Span(_unsafeElements: pattern), into: &$0) })
  }

  private func writeNow(into writer: inout ByteWriter) {
    let time = ISO8601(unixMilliseconds: store.clock())
    writer.bytes(time.text)
  }

  private func plural<Arguments: CallArguments>(_ args: Arguments) -> Value {
    guard let number = number(args.value("value")) else { return args.value("other") }
    let category = store.locale.plural(number)
    let value = args.value(category.word)
    // Asked for once, so that calls in calls take no more than their length.
    if category != .other, case .absent = value { return args.value("other") }
    return value
  }

  /// With a capital as its first letter.
  private func capitalized(_ value: Value) -> Value {
    guard let text = text(value), !text.isEmpty else { return value }
    let first = text[0]
    let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    // There are capitals of two bytes at most among those that are known.
    guard length <= 2, text.count >= length, first < 0x80 || first >= 0xC0 else { return value }
    let letter = length == 1 ? UInt32(first) : UInt32(first & 0x1F) << 6 | UInt32(text[1] & 0x3F)
    let capital = store.capital(letter)
    guard capital < 0x800 else { return value }
    let stack = store.stack
    let start = stack.start
    if capital >= 0x80 { stack.append(byte: UInt8(0xC0 | capital >> 6)) }
    stack.append(byte: UInt8(capital >= 0x80 ? 0x80 | capital & 0x3F : capital))
    stack.append(text.dropping(length))
    return .text(store.copied(stack.finish(from: start)))
  }

  /// A text in the scratch ring, cut at a character where it is too long.
  private func kept(_ write: (inout ByteWriter) -> Void) -> Bytes {
    let room = store.scratch.room(Budget.a2uiFormattedBytes)
    var writer = ByteWriter(into: room)
    write(&writer)
    let text = Bytes(start: room.baseAddress, count: min(writer.count, room.count))
    return store.scratch.keep(writer.count > room.count ? text.withoutPartialEnd.count : text.count)
  }
}
