import Codec
import Runtime

// From definitions to instances.

extension InstanceTree {
  /// The context that all instances below another share.
  private struct Place {
    var parent: Int32
    var context: NodeIndex
    var scope: Int32
    /// The hash of the templates around it, for its id.
    var scopeHash: UInt64
    var depth: Int
  }

  func build(_ surface: Surface) {
    for index in 0..<Self.chainCount { chains.base[index] = 0 }
    count = 0
    (elementCount, namedChildren) = (0, 0)
    hasEmptyList = false
    omissions = Omissions()
    guard store.isRendering(surface) else { return }
    store.forgetReached(surface)
    let model = store.records[Int(surface.slot)].model
    let place = Place(parent: -1, context: model, scope: -1, scopeHash: 0, depth: 0)
    var previous: Int32 = -1
    add(store.root(surface), place, &previous)
  }

  /// Adds an instance after `previous`, and its descendants.
  private func add(_ component: ComponentIndex, _ place: Place, element: Int32? = nil, _ previous: inout Int32) {
    guard place.depth < Budget.a2uiRenderDepth else { return omissions.record(.depth, component) }
    guard count < Budget.a2uiInstances else { return omissions.record(.instances, component) }
    let index = Int32(count)
    count += 1
    var instance = Instance()
    instance.component = component
    instance.context = place.context
    instance.scope = element == nil ? place.scope : index
    instance.element = element ?? 0
    instance.parentIndex = place.parent
    if component == .none {
      instance.kind = .missing
    } else {
      store.markReached(component)
      let definition = store.component(component)
      instance.type = definition.type
      instance.weight = definition.weight
      instance.id = definition.hash
      if contains(component, at: place.parent) {
        instance.kind = .cycle
        omissions.record(.cycle, component)
      }
    }
    instance.id = uniqueId(instance.id ^ place.scopeHash)
    instances.base[Int(index)] = instance
    enter(index)
    if previous >= 0 {
      instances.base[Int(previous)].nextSiblingIndex = index
    } else if place.parent >= 0 {
      instances.base[Int(place.parent)].firstChildIndex = index
    }
    previous = index
    guard instance.kind == .component else { return }
    var inner = place
    inner.parent = index
    inner.scope = instance.scope
    inner.depth += 1
    addChildren(instance, inner)
  }

  private func addChildren(_ instance: Instance, _ place: Place) {
    let view = Properties(store: store, component: instance.component)
    var previous: Int32 = -1
    switch instance.type {
    case .row, .column, .list:
      if let children = view.member("children") { return addList(children, place, &previous) }
      if let child = view.member("child") { addChild(child, place, &previous) }
    case .card, .button:
      if let child = view.member("child") { return addChild(child, place, &previous) }
      if let children = view.member("children") { addList(children, place, &previous) }
    case .tabs:
      guard let items = view.member("tabItems") else { return }
      var elements = items.elements()
      while let item = elements.next() { addSlot(item.member("child"), place, &previous) }
    case .modal:
      addSlot(view.member("entryPointChild"), place, &previous)
      addSlot(view.member("contentChild"), place, &previous)
    case .unknown:
      if let child = view.member("child") { addChild(child, place, &previous) }
      if let children = view.member("children") { addList(children, place, &previous) }
    default: break
    }
  }

  /// Adds a child, if it is defined.
  private func addChild(_ id: JSONView, _ place: Place, _ previous: inout Int32) {
    let component = find(id)
    guard component != .none else { return recordMissing(id, place) }
    add(component, place, &previous)
  }

  /// Records that a component names a child that is not defined, with where its id stands.
  private func recordMissing(_ id: JSONView, _ place: Place) {
    guard place.parent >= 0, omissions[.missingChild] == .none, id.kind == .string else { return }
    let parent = self[Int(place.parent)].component
    omissions.record(.missingChild, parent)
    let text = id.rawText.withUnsafeBufferPointer { $0 }
    guard let base = store.definition(parent).baseAddress, let start = text.baseAddress else { return }
    omissions.missingId = start - base..<start - base + text.count
  }

  /// Adds a child whose position counts, defined or not.
  private func addSlot(_ id: JSONView?, _ place: Place, _ previous: inout Int32) {
    var component = ComponentIndex.none
    if let id {
      component = find(id)
      if component == .none { recordMissing(id, place) }
    }
    add(component, place, &previous)
  }

  /// `explicitList`, `template`, or an array of ids; of v0.9 an array or the template itself.
  private func addList(_ children: JSONView, _ place: Place, _ previous: inout Int32) {
    if children.kind == .array { return addIds(children, place, &previous) }
    if children.kind == .string { return addChild(children, place, &previous) }
    if let list = children.member("explicitList") { return addIds(list, place, &previous) }
    if let template = children.member("template") { return addTemplate(template, place, &previous) }
    addTemplate(children, place, &previous)
  }

  private func addIds(_ ids: JSONView, _ place: Place, _ previous: inout Int32) {
    var elements = ids.elements()
    while let id = elements.next() {
      namedChildren += 1
      guard namedChildren <= Budget.a2uiNamedChildren else {
        return omissions.record(.instances, self[Int(place.parent)].component)
      }
      addChild(id, place, &previous)
    }
  }

  private func addTemplate(_ template: JSONView, _ place: Place, _ previous: inout Int32) {
    guard let id = template.member("componentId") else { return }
    let component = find(id)
    guard component != .none else { return recordMissing(id, place) }
    guard let list = container(of: template, place) else {
      hasEmptyList = true
      if place.parent >= 0 { omissions.record(.noList, self[Int(place.parent)].component) }
      return
    }
    var child = store.data[list].first
    if child == .none { hasEmptyList = true }
    var index: Int32 = 0
    while child != .none {
      guard elementCount < Budget.a2uiElements else {
        omissions.record(.elements, component)
        return recordCut(shown: index, of: list)
      }
      elementCount += 1
      var inner = place
      inner.context = child
      inner.scopeHash = elementHash(place.scopeHash, child, index)
      let (before, last) = (Int32(count), previous)
      let hadRoom = omissions[.instances] == .none
      add(component, inner, element: index, &previous)
      if omissions[.instances] != .none {
        // No half element is shown, unless it is the first, or a list in it was cut after a whole element of its own.
        if hadRoom, index > 0, omissions.total == 0 {
          remove(from: before, after: last)
          previous = last
        } else if hadRoom {
          index += 1
        }
        if hadRoom { recordCut(shown: index, of: list) }
        return
      }
      index += 1
      child = store.data[child].next
    }
  }

  /// Records of the first list that is cut how many of its elements are shown.
  private func recordCut(shown: Int32, of list: NodeIndex) {
    guard omissions.total == 0 else { return }
    (omissions.shown, omissions.total) = (Int(shown), Int(store.data[list].count))
  }

  /// Takes back the instances from an index on, which were the last to be added, after their sibling.
  private func remove(from first: Int32, after sibling: Int32) {
    while count > Int(first) {
      count -= 1
      let instance = self[count]
      chains.base[chain(instance.id)] = instance.nextInChain + 1
    }
    if sibling >= 0 { instances.base[Int(sibling)].nextSiblingIndex = -1 }
  }

  /// The map or list that a template iterates over. A path with a leading slash is absolute, also in a template.
  private func container(of template: JSONView, _ place: Place) -> NodeIndex? {
    let binding = store.unescaped(template.member("dataBinding"))
    guard let path = binding ?? store.unescaped(template.member("path")) else { return nil }
    let start = path.hasPrefix("/") ? store.records[Int(surface!.slot)].model : place.context
    guard let node = store.data.find(path, from: start) else { return nil }
    return store.data.container(node)
  }

  private func find(_ id: JSONView) -> ComponentIndex {
    guard let text = store.unescaped(id) else { return .none }
    return store.find(text, slot: Int(surface!.slot))
  }

  private func contains(_ component: ComponentIndex, at start: Int32) -> Bool {
    var index = start
    while index >= 0 {
      if self[Int(index)].component == component { return true }
      index = self[Int(index)].parentIndex
    }
    return false
  }

  private func elementHash(_ outer: UInt64, _ element: NodeIndex, _ index: Int32) -> UInt64 {
    let key = store.data.key(element)
    let start = (outer ^ 0xCBF2_9CE4_8422_2325) &* 0x100_0000_01B3
    return key.isEmpty
      ? (start ^ UInt64(UInt32(bitPattern: index)) &+ 1) &* 0x9E37_79B9_7F4A_7C15 : key.hash(from: start)
  }

  /// A unique id: of several instances with the same id the later ones count up from the last one.
  private func uniqueId(_ hash: UInt64) -> UInt64 {
    guard let first = index(of: hash) else { return hash }
    let last = instances.base[first].lastRepeat
    var id = last == 0 ? hash : last
    repeat { id = id &* 0x5851_F42D_4C95_7F2D &+ 1 } while index(of: id) != nil
    instances.base[first].lastRepeat = id
    return id
  }

  private func enter(_ index: Int32) {
    let chain = chain(self[Int(index)].id)
    instances.base[Int(index)].nextInChain = chains.base[chain] - 1
    chains.base[chain] = index + 1
  }
}
