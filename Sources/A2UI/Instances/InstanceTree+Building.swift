import Codec
import Runtime

// From definitions to instances.

/// The context that all instances below another share.
struct InstancePlace: BitwiseCopyable {
  var parent: Int32 = -1
  var context = NodeIndex.none
  var scope: Int32 = -1
  /// The hash of the templates around it, for its id.
  var scopeHash: UInt64 = 0
  var depth: Int32 = 0
}

/// An instance whose children are being added. The stack of those that are open is all that one turn of the loop leaves
/// to the next.
struct OpenInstance: BitwiseCopyable {
  /// Where the next child comes from.
  enum Source: UInt8, BitwiseCopyable { case none, child, children, ids, tabs, entryPoint, content, elements }

  var place: InstancePlace
  var source = Source.none
  /// Children come after the child.
  var hasMore = false
  /// The child that was added last.
  var previous: Int32 = -1
  /// Where the id of the child, or a list of children, stands in the definition, and how far the list has been read.
  var start: Int32 = 0
  var end: Int32 = 0
  var offset: Int32 = 0

  // Of a template: what each element shows, the list, the next element and its index.
  var component = ComponentIndex.none
  var list = NodeIndex.none
  var element = NodeIndex.none
  var index: Int32 = 0
  /// The instances of an element are being added: how many there were before, after which sibling it comes, and whether
  /// there was room for all until then.
  var isAdding = false
  var before: Int32 = 0
  var last: Int32 = -1
  var hadRoom = true
}

extension InstanceTree {
  /// Begins to build the tree, which `buildMore` does.
  func beginBuilding(_ surface: Surface) {
    for index in 0..<Self.chainCount { chains.base[index] = 0 }
    (count, openCount) = (0, 0)
    (elementCount, namedChildren) = (0, 0)
    hasEmptyList = false
    omissions = Omissions()
    guard store.isRendering(surface) else { return }
    store.forgetReached(surface)
    var place = InstancePlace()
    place.context = store.records[Int(surface.slot)].model
    var previous: Int32 = -1
    add(store.root(surface), place, &previous)
  }

  /// Adds instances, each of which is `Budget.a2uiBuiltStep` of the work that may be done. False while there are more.
  func buildMore(atMost left: inout Int) -> Bool {
    while openCount > 0 {
      guard left > 0 else { return false }
      left -= Budget.a2uiBuiltStep
      addNext(opened.pointer(openCount - 1), &left)
    }
    return true
  }

  /// Adds the next child of an instance, or closes it when there is none.
  private func addNext(_ parent: UnsafeMutablePointer<OpenInstance>, _ left: inout Int) {
    let view = Properties(store: store, component: self[Int(parent.pointee.place.parent)].component)
    switch parent.pointee.source {
    case .none: openCount -= 1
    case .child:
      parent.pointee.source = parent.pointee.hasMore ? .children : .none
      addChild(json(parent), parent)
    case .children:
      (parent.pointee.source, parent.pointee.hasMore) = (.none, false)
      if let children = view.member("children") { beginList(children, parent) }
    case .ids:
      guard let id = nextElement(parent, &left) else { return parent.pointee.source = .none }
      namedChildren += 1
      guard namedChildren <= Budget.a2uiNamedChildren else {
        parent.pointee.source = .none
        return omissions.record(.instances, self[Int(parent.pointee.place.parent)].component)
      }
      addChild(id, parent)
    case .tabs:
      guard let item = nextElement(parent, &left) else { return parent.pointee.source = .none }
      addSlot(item.member("child"), parent)
    case .entryPoint:
      parent.pointee.source = .content
      addSlot(view.member("entryPointChild"), parent)
    case .content:
      parent.pointee.source = .none
      addSlot(view.member("contentChild"), parent)
    case .elements: addElement(parent)
    }
  }

  /// Adds an instance after `previous`, whose children come next.
  private func add(
    _ component: ComponentIndex, _ place: InstancePlace, element: Int32? = nil, _ previous: inout Int32
  ) {
    guard Int(place.depth) < Budget.a2uiRenderDepth else { return omissions.record(.depth, component) }
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
    opened.pointer(openCount).pointee = OpenInstance(place: inner)
    beginChildren(instance, opened.pointer(openCount))
    if opened.pointer(openCount).pointee.source != .none { openCount += 1 }
  }

  private func beginChildren(_ instance: Instance, _ parent: UnsafeMutablePointer<OpenInstance>) {
    let view = Properties(store: store, component: instance.component)
    switch instance.type {
    case .row, .column, .list:
      if let children = view.member("children") { return beginList(children, parent) }
      if let child = view.member("child") { begin(.child, child, parent) }
    case .card, .button:
      if let child = view.member("child") { return begin(.child, child, parent) }
      if let children = view.member("children") { beginList(children, parent) }
    case .tabs: if let items = view.member("tabItems") { begin(.tabs, items, parent) }
    case .modal: parent.pointee.source = .entryPoint
    case .unknown:
      // It may have both.
      parent.pointee.hasMore = true
      if let child = view.member("child") { return begin(.child, child, parent) }
      parent.pointee.hasMore = false
      if let children = view.member("children") { beginList(children, parent) }
    default: break
    }
  }

  /// Children come from an id or a list in the parent's definition.
  private func begin(
    _ source: OpenInstance.Source, _ json: JSONView, _ parent: UnsafeMutablePointer<OpenInstance>
  ) {
    let text = json.rawText.withUnsafeBufferPointer { $0 }
    let definition = store.definition(self[Int(parent.pointee.place.parent)].component)
    guard let base = definition.baseAddress, let start = text.baseAddress else { return }
    parent.pointee.source = source
    parent.pointee.start = Int32(clamping: start - base)
    parent.pointee.end = Int32(clamping: start - base + text.count)
    parent.pointee.offset = 0
  }

  /// What `begin` was given: texts may have moved since.
  @_lifetime(immortal)
  private func json(_ parent: UnsafeMutablePointer<OpenInstance>) -> JSONView {
    let definition = store.definition(self[Int(parent.pointee.place.parent)].component)
    let text = definition.between(Int(parent.pointee.start)..<Int(parent.pointee.end))
    return _overrideLifetime(JSONView(Span(_unsafeElements: text)), copying: ())
  }

  @_lifetime(immortal)
  private func nextElement(_ parent: UnsafeMutablePointer<OpenInstance>, _ left: inout Int) -> JSONView? {
    var elements = json(parent).elements()
    elements.skip(to: Int(parent.pointee.offset))
    guard let element = elements.next() else { return nil }
    let offset = Int32(clamping: elements.offset)
    // An element that is long takes as much time as others do.
    left -= Int(offset - parent.pointee.offset) / 8
    parent.pointee.offset = offset
    return _overrideLifetime(element, copying: ())
  }

  /// Adds a child, if it is defined.
  private func addChild(_ id: JSONView, _ parent: UnsafeMutablePointer<OpenInstance>) {
    let component = find(id)
    guard component != .none else { return recordMissing(id, parent.pointee.place) }
    add(component, parent.pointee.place, &parent.pointee.previous)
  }

  /// Records that a component names a child that is not defined, with where its id stands.
  private func recordMissing(_ id: JSONView, _ place: InstancePlace) {
    guard place.parent >= 0, omissions[.missingChild] == .none, id.kind == .string else { return }
    let parent = self[Int(place.parent)].component
    omissions.record(.missingChild, parent)
    let text = id.rawText.withUnsafeBufferPointer { $0 }
    guard let base = store.definition(parent).baseAddress, let start = text.baseAddress else { return }
    omissions.missingId = start - base..<start - base + text.count
  }

  /// Adds a child whose position counts, defined or not.
  private func addSlot(_ id: JSONView?, _ parent: UnsafeMutablePointer<OpenInstance>) {
    var component = ComponentIndex.none
    if let id {
      component = find(id)
      if component == .none { recordMissing(id, parent.pointee.place) }
    }
    add(component, parent.pointee.place, &parent.pointee.previous)
  }

  /// `explicitList`, `template`, or an array of ids; of v0.9 an array or the template itself.
  private func beginList(_ children: JSONView, _ parent: UnsafeMutablePointer<OpenInstance>) {
    if children.kind == .array { return begin(.ids, children, parent) }
    if children.kind == .string { return begin(.child, children, parent) }
    if let list = children.member("explicitList") { return begin(.ids, list, parent) }
    if let template = children.member("template") { return beginTemplate(template, parent) }
    beginTemplate(children, parent)
  }

  private func beginTemplate(_ template: JSONView, _ parent: UnsafeMutablePointer<OpenInstance>) {
    guard let id = template.member("componentId") else { return }
    let component = find(id)
    let place = parent.pointee.place
    guard component != .none else { return recordMissing(id, place) }
    guard let list = container(of: template, place) else {
      hasEmptyList = true
      if place.parent >= 0 { omissions.record(.noList, self[Int(place.parent)].component) }
      return
    }
    parent.pointee.source = .elements
    (parent.pointee.component, parent.pointee.list) = (component, list)
    parent.pointee.element = store.data[list].first
    if parent.pointee.element == .none { hasEmptyList = true }
  }

  /// Adds the next element of a template, once the one before is complete.
  private func addElement(_ parent: UnsafeMutablePointer<OpenInstance>) {
    if parent.pointee.isAdding {
      parent.pointee.isAdding = false
      guard omissions[.instances] == .none else { return cutTemplate(parent) }
      parent.pointee.index += 1
      parent.pointee.element = store.data[parent.pointee.element].next
    }
    let (component, element, index) = (parent.pointee.component, parent.pointee.element, parent.pointee.index)
    guard element != .none else { return parent.pointee.source = .none }
    guard elementCount < Budget.a2uiElements else {
      parent.pointee.source = .none
      omissions.record(.elements, component)
      return recordCut(shown: index, of: parent.pointee.list)
    }
    elementCount += 1
    var inner = parent.pointee.place
    inner.context = element
    inner.scopeHash = elementHash(inner.scopeHash, element, index)
    (parent.pointee.before, parent.pointee.last) = (Int32(count), parent.pointee.previous)
    parent.pointee.hadRoom = omissions[.instances] == .none
    parent.pointee.isAdding = true
    add(component, inner, element: index, &parent.pointee.previous)
  }

  /// There is no room for more instances. No half element is shown, unless it is the first, or a list in it was cut
  /// after a whole element of its own.
  private func cutTemplate(_ parent: UnsafeMutablePointer<OpenInstance>) {
    parent.pointee.source = .none
    guard parent.pointee.hadRoom else { return }
    if parent.pointee.index > 0, omissions.total == 0 {
      remove(from: parent.pointee.before, after: parent.pointee.last)
      parent.pointee.previous = parent.pointee.last
    } else {
      parent.pointee.index += 1
    }
    recordCut(shown: parent.pointee.index, of: parent.pointee.list)
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
  private func container(of template: JSONView, _ place: InstancePlace) -> NodeIndex? {
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
    var start = FNV1a()
    start.add(outer)
    return key.isEmpty
      ? (start.value ^ UInt64(UInt32(bitPattern: index)) &+ 1) &* 0x9E37_79B9_7F4A_7C15 : key.hash(from: start)
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
