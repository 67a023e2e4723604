import Codec
import Runtime

/// Tells what of a message or a component is missing, is not read, or is read as something else. It refuses nothing:
/// what is drawn is decided where the properties are read.
struct CatalogCheck {
  /// What is wrong with a member.
  enum Fault {
    case missing, unread, wrong, word, unused, many, standIn, twice

    var sentence: (before: StaticString, after: StaticString) {
      switch self {
      case .missing: ("has no \"", "\", which it needs")
      case .unread: ("has \"", "\", which is not read")
      case .wrong: ("has a \"", "\" that cannot be read")
      case .word: ("has a \"", "\" that is not in the catalog, the default is taken")
      case .unused: ("has \"", "\", which is not used here")
      case .many: ("has more \"", "\" than are read: ")
      case .twice: ("has \"", "\" more than once, the last one counts")
      case .standIn: ("has \"", "\" for its content, which the catalog names otherwise")
      }
    }
  }

  let store: SurfaceStore
  let place: MessagePlace
  /// What stands before the name, and the name of what is checked.
  let kind: StaticString
  let name: Bytes

  /// Checks the body of a message, and what stands beside it.
  static func check(_ message: JSONView, _ kind: MessageKind, _ store: SurfaceStore, _ place: MessagePlace) {
    let check = CatalogCheck(store: store, place: place, kind: "", name: kind.key.asBytes)
    guard !kind.isUnused, let body = message.member(kind.key) else { return }
    var members = message.members()
    while let member = members.next() {
      if member.name.equals(kind.key) || member.name.equals("version") { continue }
      check.tell(.unread, member.name)
    }
    check.object(body, CatalogTable.members(kind))
  }

  /// Checks a component; `item` is what stands in the list of components.
  static func check(_ item: JSONView, _ definition: Definition, _ check: CatalogCheck) {
    let type = definition.type
    guard !definition.isFlat else {
      guard type != .unknown else { return }
      let table = CatalogTable.members(type, isFlat: true)
      // Drafts of v0.9 had names of v0.8, except where those mean something else.
      let drafts: StaticString = type == .multipleChoice ? "" : CatalogTable.members(type, isFlat: false)
      return check.object(item, table, CatalogTable.common, drafts: drafts, of: type)
    }
    check.object(item, CatalogTable.wrapper)
    guard type != .unknown, let component = item.member("component") else { return }
    var members = component.members()
    guard let properties = members.next()?.value else { return }
    guard properties.kind == .object else { return check.tell(.wrong, type.name.asBytes) }
    check.object(properties, CatalogTable.members(type, isFlat: false), of: type)
  }

  // MARK: Objects

  /// Checks the members of an object by one or two tables.
  /// - Parameters:
  ///   - drafts: more members that are read
  ///   - type: of the component that it is
  private func object(
    _ json: JSONView, _ table: StaticString, _ common: StaticString = "", drafts: StaticString = "",
    of type: ComponentType = .unknown
  ) {
    var members = json.members()
    // Where the tables have the names that were met.
    var met = InlineList<32, UInt>()
    while let member = members.next() {
      let name = store.unescaped(member.name) ?? Bytes(start: nil, count: 0)
      let known =
        CatalogMembers.member(name, in: table) ?? CatalogMembers.member(name, in: common)
        ?? CatalogMembers.member(name, in: drafts)
      if let known {
        if !meets(known, &met) { tell(.twice, known.name) }
        check(member.value, known)
      } else if let other = CatalogTable.standIn(named: name, in: type), !has(json, other.name) {
        tell(.standIn, name)
        check(member.value, CatalogMember(name: name, shape: other.shape, isRequired: false, words: .empty))
      } else {
        tell(.unread, name)
      }
    }
    require(json, table, of: type)
    require(json, common)
  }

  /// False for a member that was met before.
  private func meets(_ member: CatalogMember, _ met: inout InlineList<32, UInt>) -> Bool {
    let place = UInt(bitPattern: member.name.baseAddress)
    for index in 0..<met.count where met[index] == place { return false }
    met.append(place)
    return true
  }

  private func require(_ json: JSONView, _ table: StaticString, of type: ComponentType = .unknown) {
    var needed = CatalogMembers(table)
    while let member = needed.next() {
      guard member.isRequired, !has(json, member.name) else { continue }
      if let other = CatalogTable.standIn(for: member.name, in: type), has(json, other.asBytes) { continue }
      tell(.missing, member.name)
    }
  }

  private func has(_ json: JSONView, _ name: Bytes) -> Bool {
    var members = json.members()
    while let member = members.next() { if store.unescaped(member.name)?.equals(name) == true { return true } }
    return false
  }

  private func check(_ json: JSONView, _ member: CatalogMember) {
    let name = member.name
    switch member.shape {
    case .plain: break
    case .any: if json.kind == .object { value(json, name) }
    case .unused: tell(.unused, name)
    case .text: value(json, name)
    case .number:
      if json.kind == .string, store.unescaped(json).flatMap({ Span(_unsafeElements: $0).decimalNumber }) == nil {
        return tell(.wrong, name)
      }
      if json.kind == .bool { return tell(.wrong, name) }
      value(json, name)
      if name.equals("weight"), !((json.double ?? -1) >= 0) { tell(.wrong, name) }
    case .bool:
      if json.kind == .number, json.double?.boolean == nil { return tell(.wrong, name) }
      if let text = store.unescaped(json), text.boolean == nil { return tell(.wrong, name) }
      value(json, name)
    case .texts: json.kind == .array ? texts(json, name) : value(json, name)
    case .word:
      guard json.kind == .string else { return value(json, name) }
      if let word = store.unescaped(json), !member.has(word) { tell(.word, name) }
    case .id: if store.unescaped(json)?.isEmpty ?? true { tell(.wrong, name) }
    case .string: if store.unescaped(json) == nil { tell(.wrong, name) }
    case .object: if json.kind != .object { tell(.wrong, name) }
    case .plainBool: if json.bool == nil { tell(.wrong, name) }
    case .array: if json.kind != .array { tell(.wrong, name) }
    case .children: children(json, name)
    case .tabs: list(json, name, CatalogTable.tab)
    case .options: list(json, name, CatalogTable.option)
    case .action: action(json, name)
    case .checks:
      list(json, name, CatalogTable.check)
      var elements = json.elements()
      var count = 0
      while let element = elements.next() {
        count += 1
        let says =
          element.member("condition") != nil || element.member("call") != nil || element.member("and") != nil
          || element.member("or") != nil || element.member("not") != nil
        if element.kind == .object, !says { tell(.missing, StaticString("condition").asBytes) }
      }
      if count > Budget.a2uiChecks { tell(.many, name, Budget.a2uiChecks) }
    }
  }

  // MARK: Shapes

  /// A literal, or an object that says where a value comes from.
  private func value(_ json: JSONView, _ name: Bytes) {
    switch json.kind {
    case .null, .array: return tell(.wrong, name)
    case .string, .number, .bool: return
    case .object: break
    }
    var says = false
    var members = json.members()
    while let member = members.next() {
      let inner = store.unescaped(member.name) ?? Bytes(start: nil, count: 0)
      guard let known = CatalogMembers.member(inner, in: CatalogTable.value) else {
        tell(.unread, inner)
        continue
      }
      check(member.value, known)
      if inner.hasPrefix("literal"), member.value.kind == .object || member.value.kind == .null { tell(.wrong, inner) }
      if Self.says(known) { says = true }
    }
    if !says { tell(.wrong, name) }
  }

  /// True for an object that says where a value comes from.
  private func isValue(_ json: JSONView) -> Bool {
    var members = json.members()
    while let member = members.next() {
      let name = store.unescaped(member.name) ?? .empty
      if let known = CatalogMembers.member(name, in: CatalogTable.value), Self.says(known) { return true }
    }
    return false
  }

  private static func says(_ member: CatalogMember) -> Bool {
    switch member.shape {
    // Literals and logic.
    case .plain:
      !member.name.equals("returnType") && !member.name.equals("catalogId")
        && !member.name.equals("callableFrom")
    default: !member.name.equals("args")
    }
  }

  private func texts(_ json: JSONView, _ name: Bytes) {
    var elements = json.elements()
    while let element = elements.next() {
      if element.kind == .array || element.kind == .null { return tell(.wrong, name) }
    }
  }

  private func children(_ json: JSONView, _ name: Bytes) {
    switch json.kind {
    case .array: ids(json, name)
    case .string: break
    case .object:
      if let list = json.member("explicitList") {
        list.kind == .array ? ids(list, name) : tell(.wrong, StaticString("explicitList").asBytes)
        if json.member("template") != nil { tell(.unread, StaticString("template").asBytes) }
        return others(json, "explicitList:p template:p")
      }
      if let template = json.member("template") {
        object(template, CatalogTable.template)
        return others(json, "template:p")
      }
      if json.member("componentId") == nil, json.member("path") == nil, json.member("dataBinding") == nil {
        tell(.wrong, name)
        return others(json, "")
      }
      let isOld = json.member("dataBinding") != nil
      object(json, isOld ? CatalogTable.template : CatalogTable.flatTemplate)
    default: tell(.wrong, name)
    }
  }

  private func others(_ json: JSONView, _ table: StaticString) {
    var members = json.members()
    while let member = members.next() {
      let name = store.unescaped(member.name) ?? Bytes(start: nil, count: 0)
      if CatalogMembers.member(name, in: table) == nil { tell(.unread, name) }
    }
  }

  private func ids(_ json: JSONView, _ name: Bytes) {
    var elements = json.elements()
    while let element = elements.next() {
      if store.unescaped(element)?.isEmpty ?? true { return tell(.wrong, name) }
    }
  }

  /// A list of objects of one table.
  private func list(_ json: JSONView, _ name: Bytes, _ table: StaticString) {
    guard json.kind == .array else { return tell(.wrong, name) }
    var elements = json.elements()
    while let element = elements.next() {
      element.kind == .object ? object(element, table) : tell(.wrong, name)
    }
  }

  private func action(_ json: JSONView, _ name: Bytes) {
    guard json.kind == .object else { return tell(.wrong, name) }
    if let event = json.member("event") {
      others(json, "event:p")
      return action(event: event, "event")
    }
    if let call = json.member("functionCall") {
      others(json, "functionCall:p")
      guard let function = store.unescaped(call.member("call")) else {
        return tell(.wrong, StaticString("functionCall").asBytes)
      }
      // Only addresses are opened.
      if FunctionName(function) != .openUrl { tell(.unused, function) }
      return
    }
    action(event: json, "action")
  }

  private func action(event: JSONView, _ name: StaticString) {
    guard event.kind == .object else { return tell(.wrong, name.asBytes) }
    object(event, CatalogTable.action)
    guard let context = event.member("context") else { return }
    if context.kind == .array { return list(context, StaticString("context").asBytes, CatalogTable.contextEntry) }
    if context.kind != .object { tell(.wrong, StaticString("context").asBytes) }
    var members = context.members()
    while let member = members.next() {
      let name = store.unescaped(member.name) ?? .empty
      if member.value.kind == .object { value(member.value, name) }
      // A list of entries that stands one level too deep; one of values, literal, bound or called, is sent.
      var elements = member.value.elements()
      if let first = elements.next(), first.kind == .object, !isValue(first) { tell(.wrong, name) }
    }
  }

  // MARK: Functions

  /// Checks the calls of functions anywhere in a component. Those that stand in more calls than are made are told, and
  /// not looked at.
  /// - Returns: how many were looked at.
  @discardableResult
  func calls(in component: JSONView) -> Int {
    var (count, hasDeeper) = (0, false)
    var calls = FunctionCalls(component.rawText.withUnsafeBufferPointer { $0 })
    while let call = calls.next() {
      guard call.depth < Budget.a2uiCallDepth else {
        hasDeeper = true
        continue
      }
      count += 1
      let name = store.unescaped(JSONView(Span(_unsafeElements: call.name))) ?? .empty
      if let function = FunctionName(name) {
        arguments(JSONView(Span(_unsafeElements: call.object)), function)
      } else {
        store.warnings.add(place, "function \"", name, "\" is not known, so what it gives is left out")
      }
    }
    if hasDeeper {
      store.warnings.add(
        place, kind, self.name.cut(to: 36), "\" has calls that are left out: in more calls than ",
        Budget.a2uiCallDepth)
    }
    return count
  }

  private func arguments(_ call: JSONView, _ function: FunctionName) {
    let table = CatalogTable.arguments(function)
    guard let args = call.member("args"), args.kind == .object else {
      return require(JSONView(StaticString("{}").utf8Bytes), table)
    }
    object(args, table)
  }

  // MARK: Telling

  private func tell(_ fault: Fault, _ member: JSONView) {
    tell(fault, store.unescaped(member) ?? Bytes(start: nil, count: 0))
  }

  private func tell(_ fault: Fault, _ member: Bytes, _ number: Int? = nil) {
    // What many components have and none shows is told once.
    if fault == .unused, !store.warnings.isNew(member) { return }
    store.warnings.add(place, kind, name, fault, member, number)
  }
}
