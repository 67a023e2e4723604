import Codec
import Runtime

/// Applies a message to the surfaces of a store (canvas reference 1.2). It is checked JSON with one known key;
/// everything else in it may be wrong.
struct MessageHandler {
  let store: SurfaceStore
  let place: MessagePlace

  func apply(_ kind: MessageKind, _ message: JSONView) {
    if kind.isUnused { return store.warnings.add(place, "", kind.key.asBytes, kind.unusedSentence) }
    CatalogCheck.check(message, kind, store, place)
    guard let body = message.member(kind.key), body.kind == .object else {
      return store.warnings.add(place, "", kind.key.asBytes, " has no object, ignored")
    }
    var id = InlineText<256>()
    readSurfaceId(body, &id)
    if id.isEmpty { return }
    if kind == .deleteSurface {
      if let surface = id.withBytes({ store.surface(id: $0) }) { return store.remove(surface) }
      return id.withBytes { store.warnings.add(place, "there is no surface \"", $0, "\" to delete") }
    }
    guard let surface = id.withBytes({ store.makeSurface(id: $0) }) else {
      return stop("too many surfaces")
    }
    let slot = Int(surface.slot)
    if !store.isPushed(surface) { store.records[slot].oldLists = store.records[slot].lists }
    store.pushed |= 1 << UInt64(surface.slot)
    switch kind {
    case .surfaceUpdate: update(surface, body)
    case .dataModelUpdate:
      let isOther = isOnlyOther("value", than: "contents", body)
      isOther ? setData(surface, body.member("path"), body.member("value")) : updateData(surface, body)
    case .beginRendering: begin(surface, body)
    case .createSurface: create(surface, body)
    case .updateComponents:
      update(surface, body)
      beginUnasked(surface)
    case .updateDataModel:
      // A null deletes since v1.0; before, it was a value.
      let value = body.member("value")
      if isOnlyOther("contents", than: "value", body) { return updateData(surface, body) }
      let isDeleted = value?.isNull == true && MessageVersion(of: message) == .v1_0
      setData(surface, body.member("path"), isDeleted ? nil : value)
    case .deleteSurface, .callFunction, .callRendererFunction, .agentFunctionResponse, .actionResponse: break
    }
  }

  /// Whether the data stand under the name that another version has for them, and under this version's name there are
  /// none; that they do is told.
  private func isOnlyOther(_ name: StaticString, than own: StaticString, _ body: JSONView) -> Bool {
    guard body.member(name) != nil else { return false }
    let isOnly = body.member(own) == nil
    store.warnings.add(
      place, "the message has \"", name.asBytes,
      isOnly ? "\" for its data, as another version has" : "\" of another version, which is not read")
    return isOnly
  }

  /// Reads the surface's id: `main` if there is none; empty if it is not valid.
  private func readSurfaceId(_ body: JSONView, _ id: inout InlineText<256>) {
    guard let text = store.unescaped(body.member("surfaceId")), !text.isEmpty else {
      store.warnings.add(place, "no surfaceId, taken as \"main\"")
      id = InlineText(cutting: "main")
      return
    }
    if !id.set(Span(_unsafeElements: text)) { stop("the surfaceId is too long") }
  }

  /// Warns that the message, or a part of it, was dropped because of a limit.
  func stop(_ sentence: StaticString) {
    store.warnings.stopped += 1
    store.warnings.add(place, sentence)
  }

  // MARK: surfaceUpdate

  private func update(_ surface: Surface, _ body: JSONView) {
    guard let list = body.member("components"), list.kind == .array else {
      return store.warnings.add(place, "there are no components in it")
    }
    var hasChanged = false
    var (count, tooMany, full) = (0, 0, 0)
    store.records[Int(surface.slot)].lists &+= 1
    var elements = list.elements()
    while let element = elements.next() {
      count += 1
      switch define(Int(surface.slot), element) {
      case .new, .changed: hasChanged = true
      case .same, nil: break
      // Those that are defined again have their room, so the rest is read.
      case .tooMany: tooMany += 1
      case .full: full += 1
      }
    }
    if count == 0 { store.warnings.add(place, "there are no components in it") }
    let kept = count - tooMany - full
    if tooMany > 0 { stop(components: kept, of: count, " entries: too many components in a surface") }
    if full > 0 { stop(components: kept, of: count, " entries: the memory for components is full") }
    if hasChanged { store.touch(Int(surface.slot)) }
  }

  /// Warns that components of a message were left out because of a limit.
  private func stop(components kept: Int, of count: Int, _ reason: StaticString) {
    store.warnings.stopped += 1
    store.warnings.add(place, cut: StaticString("components").asBytes, kept: kept, of: count, reason)
  }

  private func define(_ slot: Int, _ item: JSONView) -> SurfaceStore.Upsert? {
    guard let id = store.unescaped(item.member("id")), !id.isEmpty else {
      let isMissing = item.member("id") == nil || item.member("id")?.kind == .string
      store.warnings.add(
        place, isMissing ? "a component without an id, ignored" : "a component whose id is no string, ignored")
      return nil
    }
    guard id.count <= Budget.a2uiKeyBytes else {
      stop("a component's id is too long")
      return nil
    }
    var text = StaticString("{}").asBytes
    if let component = item.member("component") {
      text = (component.kind == .string ? item : component).rawText.withUnsafeBufferPointer { $0 }
    }
    let definition = Definition(text)
    if definition.names != 1 {
      store.warnings.add(place, "component \"", id, "\" has not exactly one type")
    } else if definition.type == .unknown {
      store.warnings.add(place, "component \"", id, "\" is of a type that is not in the catalog")
    }
    if text.count > Budget.a2uiStringBytes, hasLongString(text) {
      store.warnings.add(
        place, "component \"", id, "\" has a string that is cut: longer in bytes than ", Budget.a2uiStringBytes)
    }
    let check = CatalogCheck(store: store, place: place, kind: "component \"", name: id)
    CatalogCheck.check(item, definition, check)
    if definition.isFlat { check.calls(in: item) }
    let weight = Float(item.member("weight")?.double ?? 0)
    if store.wasListed(id, slot: slot) {
      store.warnings.add(place, "component \"", id, "\" is defined twice in one message, the last one counts")
    }
    return store.define(slot, id: id, weight: weight.isFinite && weight > 0 ? weight : 0, text, definition)
  }

  private func hasLongString(_ definition: Bytes) -> Bool { JSONView(Span(_unsafeElements: definition)).hasLongString }

  // MARK: beginRendering

  private func begin(_ surface: Surface, _ body: JSONView) {
    let slot = Int(surface.slot)
    var hasChanged = !store.records[slot].isRendering
    if let root = store.unescaped(body.member("root")), !root.isEmpty, root.count <= Budget.a2uiKeyBytes {
      if set(slot, .root, root) { hasChanged = true }
    } else if body.member("root")?.kind == .string, body.member("root")?.stringLength != 0 {
      stop("the root's id is too long, ignored")
    } else {
      store.warnings.add(place, "beginRendering without a root, taken as \"root\"")
      if store.records[slot].root.isEmpty, set(slot, .root, StaticString("root").asBytes) { hasChanged = true }
    }
    if let catalog = store.unescaped(body.member("catalogId")), set(slot, .catalog, catalog) { hasChanged = true }
    if let styles = body.member("styles"), styles.kind == .object {
      let text = styles.rawText.withUnsafeBufferPointer { $0 }
      if set(slot, .styles, text) { hasChanged = true }
      warnStyles(styles)
    }
    store.records[slot].isRendering = true
    if hasChanged { store.touch(slot) }
  }

  // MARK: v0.9 and later

  /// `createSurface`: what `beginRendering` is, with a root whose id is always `root`. Of v1.0 it may have the
  /// components and the data in it, and calls its theme `surfaceProperties`.
  private func create(_ surface: Surface, _ body: JSONView) {
    let slot = Int(surface.slot)
    var hasChanged = !store.records[slot].isRendering
    if store.records[slot].isRendering {
      store.warnings.add(
        place, "surface \"", store.bytes(surface, .id), "\" is there already: what is not sent again stays as it is")
    }
    if set(slot, .root, StaticString("root").asBytes) { hasChanged = true }
    if let catalog = store.unescaped(body.member("catalogId")), set(slot, .catalog, catalog) { hasChanged = true }
    let hasTheme = body.member("theme") != nil
    if hasTheme, body.member("surfaceProperties") != nil {
      store.warnings.add(place, "createSurface has \"surfaceProperties\" beside \"theme\", which are not read")
    }
    if let theme = hasTheme ? body.member("theme") : body.member("surfaceProperties"), theme.kind == .object {
      if set(slot, .styles, theme.rawText.withUnsafeBufferPointer { $0 }) { hasChanged = true }
      warnStyles(theme)
    }
    // Drafts had another name for it.
    store.records[slot].sendsData =
      body.member("sendDataModel")?.bool == true || body.member("attachDataModelToRequests")?.bool == true
    store.records[slot].isRendering = true
    if hasChanged { store.touch(slot) }
    if body.member("components") != nil { update(surface, body) }
    if let model = body.member("dataModel") { setData(surface, nil, model) }
  }

  /// A surface that was never created is shown all the same, as one whose messages come in another order is.
  private func beginUnasked(_ surface: Surface) {
    let slot = Int(surface.slot)
    guard !store.records[slot].isRendering, store.records[slot].root.isEmpty else { return }
    store.warnings.add(place, "the surface was not created, so its root is \"root\"")
    guard set(slot, .root, StaticString("root").asBytes) else { return }
    store.records[slot].isRendering = true
    store.touch(slot)
  }

  /// Warns about unused styles: only a valid `primaryColor` is used. `font` is a hint that may be ignored.
  private func warnStyles(_ styles: JSONView) {
    var members = styles.members()
    while let member = members.next() {
      guard let name = store.unescaped(member.name), !member.value.isNull else { continue }
      let isColor = name.equals("primaryColor") && store.unescaped(member.value)?.hexColor != nil
      if isColor || name.equals("font") { continue }
      store.warnings.add(place, "style \"", name, "\" is not used: only primaryColor is, as #RRGGBB")
    }
  }

  /// - Returns: whether the text has changed.
  private func set(_ slot: Int, _ name: SurfaceRecord.Text, _ text: Bytes) -> Bool {
    if store.texts.bytes(store.records[slot][name]).equals(text) { return false }
    if store.setText(slot, name, text) { return true }
    stop("the memory for components is full")
    return false
  }
}
