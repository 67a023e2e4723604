import Codec
import Runtime

/// What is not shown because of a limit. Reported in the push result (canvas reference 1.14: "report it in the push
/// result").
public enum Omission: UInt8, CaseIterable, Sendable {
  // Of a tree.
  /// Nesting of containers.
  case depth
  /// Components on the screen, including those of templates.
  case instances
  /// Elements of templates.
  case elements
  /// An initial value for which the data model has no room.
  case initialValue
  /// A child that is not defined.
  case missingChild
  /// A path of a template where there is no list, and one of a text, an icon or a picture where there is nothing.
  case noList, noValue
  /// A component that contains itself.
  case cycle
  /// An input whose path leads to no place in the data.
  case place
  /// A selected value that no option of a choice has.
  case selection

  // Of layout.
  /// Bytes, words and lines of one text.
  case textBytes, textWords, textLines
  /// The name of an icon that is not known.
  case icon
  /// Options of a choice without a data binding.
  case options
  /// Tabs, and options of any choice.
  case items
  /// A regular expression for input that is invalid or too long.
  case expression
  /// Bytes of the text of a tab or an option.
  case labelBytes
  /// A text that was not measured, because the page is more work than a page may be.
  case work

  /// The sentence after the component's name, with the limit in the middle; 0: without a number.
  var sentence: (before: StaticString, limit: Int, after: StaticString) {
    switch self {
    case .depth: ("is left out: it stands in more than ", Budget.a2uiRenderDepth, " containers")
    case .instances: ("is left out: more than ", Budget.a2uiInstances, " components on the screen")
    case .elements: ("has elements that are left out: templates have more than ", Budget.a2uiElements, "")
    case .missingChild: ("names a child that is not defined", 0, "")
    case .noList: ("shows no elements: there is no list at its path", 0, "")
    case .noValue: ("is without its text: there is no text at its path", 0, "")
    case .cycle: ("contains itself, so it ends there", 0, "")
    case .place: ("cannot write what is entered: its path is the whole data model, or beyond a list", 0, "")
    case .selection: ("has a selected value that none of its options has", 0, "")
    case .icon: ("has an icon by a name that is not known", 0, "")
    case .initialValue: ("begins with a value for which the data model has no room", 0, "")
    case .textBytes: ("has a text that is cut: more than ", Budget.flowBytes, " bytes")
    case .textWords: ("has a text that is cut: more than ", Budget.flowWords, " words")
    case .textLines: ("has a text that is cut: more than ", Budget.flowLines, " lines")
    case .options: ("is bound to nothing, so of its options no more can be chosen than ", Budget.unboundOptions, "")
    case .items: ("has tabs or options that are left out: more than ", Budget.a2uiItems, "")
    case .expression: ("has a validationRegexp that cannot be read, so nothing is checked", 0, "")
    case .labelBytes: ("has a tab or an option whose text is cut: more than ", Budget.labelBytes, " bytes")
    case .work: ("has a text that is left out: to arrange the page takes more than ", Budget.arrangedTurns, " turns")
    }
  }
}

/// The first component of each kind of omission.
struct Omissions {
  private var components = InlineArray<19, ComponentIndex>(repeating: .none)
  /// Where the id of the missing child stands in the definition that names it.
  var missingId = 0..<0
  /// Of the first list that is cut, how many elements are shown, and how many there are.
  var (shown, total) = (0, 0)

  init() { precondition(Int(Omission.work.rawValue) + 1 == components.count) }

  subscript(kind: Omission) -> ComponentIndex {
    get { components[Int(kind.rawValue)] }
    set { components[Int(kind.rawValue)] = newValue }
  }

  mutating func record(_ kind: Omission, _ component: ComponentIndex) {
    if self[kind] == .none { self[kind] = component }
  }
}

extension InstanceTree {
  /// Records that a part of an instance is not shown because of a limit.
  public func record(_ omission: Omission, at index: Int) { omissions.record(omission, self[index].component) }

  /// Clears the omissions of layout, which is done again.
  public func forgetArrangement() {
    for index in 0..<count { instances.pointer(index).pointee.value = .unknown }
    var raw = Omission.textBytes.rawValue
    while let kind = Omission(rawValue: raw) {
      omissions[kind] = .none
      raw += 1
    }
  }

  /// True when a part of the tree was left out because of limits.
  public var isTruncated: Bool {
    omissions[.depth] != .none || omissions[.instances] != .none || omissions[.elements] != .none
  }

  /// Adds the omissions to the warnings of the last push, if it named the surface. Of a tree that is not complete
  /// nothing is known.
  public func reportOmissions() {
    guard let surface, isComplete, store.isPushed(surface) else { return }
    recordEmptyValues()
    recordInputs()
    if store.isRendering(surface), !hasVisible {
      store.warn(surface, "nothing of it can be seen; its components are ")
    }
    if store.isRendering(surface), !isTruncated, !hasEmptyList { store.reportForgotten(surface) }
    var raw: UInt8 = 0
    while let kind = Omission(rawValue: raw) {
      raw += 1
      let component = omissions[kind]
      if component == .none { continue }
      let isList = kind == .instances || kind == .elements
      store.warnings.add(
        store.bytes(surface, .id), store.id(of: component), kind, detail: kind == .missingChild ? missingId : .empty,
        shown: isList && omissions.total > 0 ? (omissions.shown, omissions.total) : nil)
    }
  }

  /// The id of the missing child.
  private var missingId: Bytes {
    let definition = store.definition(omissions[.missingChild])
    let range = omissions.missingId
    guard !range.isEmpty, range.upperBound <= definition.count else { return .empty }
    return store.unescaped(JSONView(Span(_unsafeElements: definition.between(range)))) ?? .empty
  }

  /// Whether an instance draws something of its own.
  var hasVisible: Bool {
    for index in 0..<count where isVisible(index) { return true }
    return false
  }

  private func isVisible(_ index: Int) -> Bool {
    guard self[index].kind == .component else { return self[index].kind == .cycle }
    switch self[index].type {
    case .row, .column, .list, .card, .modal: return false
    case .text:
      for byte in text(value(index, "text")) ?? .empty where !byte.isSpace { return true }
      return false
    case .icon: return text(value(index, "name")) != nil
    case .tabs: return hasItem(index, "tabItems")
    case .multipleChoice:
      return hasItem(index, "options") || bool(index, "filterable") == true
        || text(value(index, "label"))?.isEmpty == false
    default: return true
    }
  }

  private func hasItem(_ index: Int, _ name: StaticString) -> Bool {
    guard let json = property(index, name) else { return false }
    var elements = JSONView(Span(_unsafeElements: json)).elements()
    return elements.next() != nil
  }

  /// Records the first component of which what a person enters has no place in the data, and the first choice of which
  /// not all that is selected is seen.
  private func recordInputs() {
    (omissions[.place], omissions[.selection]) = (.none, .none)
    guard let surface else { return }
    for index in 0..<count {
      if self[index].type == .multipleChoice, omissions[.selection] == .none, hasOtherSelection(index) {
        omissions.record(.selection, self[index].component)
      }
      guard omissions[.place] == .none, let name = Self.entered(self[index].type), let path = path(index, name) else {
        continue
      }
      if !store.hasPlace(path, scope(index), surface) { omissions.record(.place, self[index].component) }
    }
  }

  /// The property that a person changes.
  private static func entered(_ type: ComponentType) -> StaticString? {
    switch type {
    case .textField: "text"
    case .checkBox, .slider, .dateTimeInput: "value"
    case .multipleChoice: "selections"
    default: nil
    }
  }

  /// Records the first text, label, icon or picture whose path leads to nothing in each of its instances: in some rows
  /// a value may be missing. So many components are looked at.
  private func recordEmptyValues() {
    omissions[.noValue] = .none
    for index in 0..<count where self[index].value == .unknown { lookForValue(of: index) }
    var looked = InlineList<8, ComponentIndex>()
    for index in 0..<count where self[index].value == .absent {
      let component = self[index].component
      var isKnown = false
      for place in 0..<looked.count where looked[place] == component { isKnown = true }
      if isKnown { continue }
      guard looked.count < 8 else { return }
      looked.append(component)
      var hasValue = false
      for other in 0..<count where self[other].component == component && self[other].value == .present {
        hasValue = true
      }
      if !hasValue { return omissions.record(.noValue, component) }
    }
  }

  /// Looks whether what an instance shows is there. The layout does so in its steps, which are divided over turns;
  /// `reportOmissions` does it for all others.
  public func lookForValue(of index: Int) {
    instances.pointer(index).pointee.value = isEmptyBound(index) ? .absent : .present
  }

  /// True for a text, label, icon or picture whose path leads to nothing.
  private func isEmptyBound(_ index: Int) -> Bool {
    guard self[index].kind == .component else { return false }
    let name: StaticString
    switch self[index].type {
    case .text: name = "text"
    case .icon: name = "name"
    case .image, .video, .audioPlayer: name = "url"
    case .checkBox, .textField, .slider, .dateTimeInput: name = "label"
    case .multipleChoice:
      if hasEmptyItem(index, "options", "label") { return true }
      name = "label"
    case .tabs: return hasEmptyItem(index, "tabItems", "title")
    default: return false
    }
    return path(index, name) != nil && text(value(index, name)) == nil
  }

  private func hasEmptyItem(_ index: Int, _ list: StaticString, _ member: StaticString) -> Bool {
    guard let json = property(index, list) else { return false }
    let scope = scope(index)
    var elements = JSONView(Span(_unsafeElements: json)).elements()
    while let element = elements.next() {
      guard let value = element.member(member), value.member("path") != nil else { continue }
      if text(self.value(value, scope)) == nil { return true }
    }
    return false
  }
}
