import Codec
import Runtime

// Properties for layout and widgets. Spans are valid until the next push or write, or until `Budget.a2uiScratchBytes`
// of other strings were returned.

extension InstanceTree {
  /// A property as text, with bindings resolved; numbers in their shortest form, booleans as `true` and `false`. Nil
  /// when it is absent, or a map or a list.
  @_lifetime(immortal)
  public func string(_ index: Int, _ name: StaticString) -> Span<UInt8>? {
    guard let text = text(value(index, name)) else { return nil }
    return span(text)
  }

  /// Writes a property as text; false, and nothing is written, when it is absent.
  public func write(_ index: Int, _ name: StaticString, into writer: inout ByteWriter) -> Bool {
    guard let text = text(value(index, name)) else { return false }
    writer.bytes(Span(_unsafeElements: text))
    return true
  }

  /// A property as a number; a numeric string is converted.
  public func number(_ index: Int, _ name: StaticString) -> Double? {
    switch value(index, name) {
    case .number(let number): number
    case .text(let text): Span(_unsafeElements: text).decimalNumber
    default: nil
    }
  }

  /// A property as a boolean; the strings `true` and `false` and the numbers 1 and 0 are converted.
  public func bool(_ index: Int, _ name: StaticString) -> Bool? {
    switch value(index, name) {
    case .bool(let bool): bool
    case .text(let text): text.boolean
    case .number(let number): number.boolean
    default: nil
    }
  }

  /// A property as one of several words; `otherwise` when it is absent or unknown.
  public func word<Choice: Keyword>(_ index: Int, _ name: StaticString, otherwise: Choice) -> Choice {
    guard case .text(let text) = value(index, name) else { return otherwise }
    var raw: UInt8 = 0
    while let choice = Choice(rawValue: raw) {
      if text.equals(choice.word) || choice.newWord.utf8CodeUnitCount > 0 && text.equals(choice.newWord) {
        return choice
      }
      raw += 1
    }
    return otherwise
  }

  /// How a button looks.
  public func buttonVariant(_ index: Int) -> ButtonVariant {
    bool(index, "primary") == true ? .primary : word(index, "variant", otherwise: .standard)
  }

  /// How many options of a choice can be chosen; 1: another one takes its place.
  public func mostSelections(_ index: Int) -> Int {
    if let most = number(index, "maxAllowedSelections") { return max(Int(clamping: most), 1) }
    let component = self[index].component
    guard component != .none, store.component(component).isFlat else { return .max }
    guard let json = store.written(component, "variant") else { return 1 }
    return store.unescaped(JSONView(Span(_unsafeElements: json)))?.equals("multipleSelection") == true ? .max : 1
  }

  // MARK: Lists of objects: tabItems, options

  /// Number of elements of an array property, at most `Budget.a2uiItems`; 0 when it is not an array.
  public func itemCount(_ index: Int, _ name: StaticString) -> Int {
    guard let json = property(index, name) else { return 0 }
    var elements = JSONView(Span(_unsafeElements: json)).elements()
    var count = 0
    while elements.next() != nil {
      guard count < Budget.a2uiItems else {
        record(.items, at: index)
        break
      }
      count += 1
    }
    return count
  }

  /// A member of an item as text: `itemString(3, "tabItems", 0, "title")`.
  @_lifetime(immortal)
  public func itemString(_ index: Int, _ name: StaticString, _ item: Int, _ member: StaticString) -> Span<UInt8>? {
    guard let text = itemText(index, name, item, member) else { return nil }
    return span(text)
  }

  /// Items are usually read in order, so each is searched from the previous one.
  func itemText(_ index: Int, _ name: StaticString, _ item: Int, _ member: StaticString) -> Bytes? {
    guard let json = property(index, name) else { return nil }
    var elements = JSONView(Span(_unsafeElements: json)).elements()
    var place = 0
    let (revision, moves) = (store.revision, store.texts.moves)
    let isSame = lastItem.list == json.baseAddress && lastItem.revision == revision && lastItem.moves == moves
    if isSame, lastItem.place <= item {
      place = lastItem.place
      elements.skip(to: lastItem.offset)
    }
    var offset = elements.offset
    while let element = elements.next() {
      if place == item {
        lastItem = ItemPlace(
          list: json.baseAddress, revision: revision, moves: moves, place: place, offset: offset)
        return text(value(element.member(member), scope(index)))
      }
      place += 1
      offset = elements.offset
    }
    return nil
  }

  // MARK: Selections of a MultipleChoice

  /// Number of selected values, including ones without an option.
  public func selectionCount(_ index: Int) -> Int {
    var count = 0
    forEachSelection(index) { _ in count += 1 }
    return count
  }

  /// True when an option's value is among the selections.
  public func isSelected(_ index: Int, option: Int) -> Bool {
    guard let surface else { return false }
    let options = store.selectedOptions
    if !options.isOf(surface, index, store.revision) { findSelected(index, surface, options) }
    return options[option]
  }

  /// True when a value is selected that none of the options has, all of which are known.
  func hasOtherSelection(_ index: Int) -> Bool {
    guard let surface, let json = property(index, "options") else { return false }
    var elements = JSONView(Span(_unsafeElements: json)).elements()
    guard (1...Budget.a2uiItems).contains(elements.rest) else { return false }
    let options = store.selectedOptions
    if !options.isOf(surface, index, store.revision) { findSelected(index, surface, options) }
    return options.hasOther
  }

  private func findSelected(_ index: Int, _ surface: Surface, _ options: SelectedOptions) {
    options.begin(surface, index, store.revision)
    guard let json = property(index, "options") else { return }
    var elements = JSONView(Span(_unsafeElements: json)).elements()
    var option = 0
    while option < Budget.a2uiItems, let element = elements.next() {
      if let text = text(value(element.member("value"), scope(index))) { options.add(option, text) }
      option += 1
    }
    options.sort()
    forEachSelection(index) { options.select($0) }
  }

  /// Iterates over the selected values in order: an array, a map's values, a JSON string of either, or a plain string.
  func forEachSelection(_ index: Int, _ body: (Bytes) -> Void) {
    var list = value(index, "selections")
    if case .text = list, let node = boundNode(index, "selections"), let inner = store.data.container(node) {
      list = .node(inner)
    }
    switch list {
    case .node(let node):
      var child = store.data[node].first
      while child != .none {
        if let text = text(value(child)) { body(text) }
        child = store.data[child].next
      }
    case .array(let json):
      var elements = JSONView(Span(_unsafeElements: json)).elements()
      while let element = elements.next() {
        if let text = text(value(element, scope(index))) { body(text) }
      }
    case .text(let text): if !text.isEmpty { body(text) }
    default: break
    }
  }

  // MARK: Bindings

  /// True when a property has a path: input is written there, and everything bound to the same path shows it.
  public func isBound(_ index: Int, _ name: StaticString) -> Bool { path(index, name) != nil }

  /// True when the data have a value at the path of a property. The whole model is none.
  public func hasBoundValue(_ index: Int, _ name: StaticString) -> Bool {
    guard let node = boundNode(index, name) else { return false }
    return node != scope(index).root
  }

  /// The path of a property as in the component.
  func path(_ index: Int, _ name: StaticString) -> Bytes? {
    guard let json = property(index, name) else { return nil }
    return store.unescaped(JSONView(Span(_unsafeElements: json)).member("path"))
  }

  /// The value that a property is bound to, if it is there.
  func boundNode(_ index: Int, _ name: StaticString) -> NodeIndex? {
    path(index, name).flatMap { store.data.find($0, scope(index)) }
  }
}

extension InstanceTree {
  @_lifetime(immortal)
  func span(_ bytes: Bytes) -> Span<UInt8> {
    _overrideLifetime(Span(_unsafeElements: bytes), copying: ())
  }
}
