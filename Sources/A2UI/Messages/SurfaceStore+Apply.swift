import Codec
import Runtime

// Applies messages (canvas reference 1.2). A message is checked JSON with one known key; everything else in it may be
// wrong.

extension SurfaceStore {
  func apply(_ kind: MessageKind, _ message: JSONView, _ place: MessagePlace) {
    if kind.isUnused { return warnings.add(place, "", kind.key.asBytes, kind.unusedSentence) }
    CatalogCheck.check(message, kind, self, place)
    guard let body = message.member(kind.key), body.kind == .object else {
      return warnings.add(place, "", kind.key.asBytes, " has no object, ignored")
    }
    var id = InlineText<256>()
    readSurfaceId(body, place, &id)
    if id.isEmpty { return }
    if kind == .deleteSurface {
      if let surface = id.withBytes({ self.surface(id: $0) }) { remove(surface) }
      return
    }
    guard let surface = id.withBytes({ self.makeSurface(id: $0) }) else {
      return stop(place, "too many surfaces")
    }
    pushed |= 1 << UInt64(surface.slot)
    switch kind {
    case .surfaceUpdate: update(surface, body, place)
    case .dataModelUpdate: updateData(surface, body, place)
    case .beginRendering: begin(surface, body, place)
    case .createSurface: create(surface, body, place)
    case .updateComponents:
      update(surface, body, place)
      beginUnasked(surface, place)
    case .updateDataModel:
      // A null deletes since v1.0; before, it was a value.
      let value = body.member("value")
      let isDeleted = value?.isNull == true && MessageVersion(of: message) == .v1_0
      setData(surface, body.member("path"), isDeleted ? nil : value, place)
    case .deleteSurface, .callFunction, .callRendererFunction, .agentFunctionResponse, .actionResponse: break
    }
  }

  /// Reads the surface's id: `main` if there is none; empty if it is not valid.
  private func readSurfaceId(_ body: JSONView, _ place: MessagePlace, _ id: inout InlineText<256>) {
    guard let text = unescaped(body.member("surfaceId")), !text.isEmpty else {
      warnings.add(place, "no surfaceId, taken as \"main\"")
      id = InlineText(cutting: "main")
      return
    }
    if !id.set(Span(_unsafeElements: text)) { stop(place, "the surfaceId is too long") }
  }

  /// Warns that the message, or a part of it, was dropped because of a limit.
  func stop(_ place: MessagePlace, _ sentence: StaticString) {
    warnings.stopped += 1
    warnings.add(place, sentence)
  }

  // MARK: surfaceUpdate

  private func update(_ surface: Surface, _ body: JSONView, _ place: MessagePlace) {
    guard let list = body.member("components"), list.kind == .array else {
      return warnings.add(place, "there are no components in it")
    }
    var hasChanged = false
    var (count, tooMany, full) = (0, 0, 0)
    var elements = list.elements()
    while let element = elements.next() {
      count += 1
      switch define(Int(surface.slot), element, place) {
      case .new, .changed: hasChanged = true
      case .same, nil: break
      // Those that are defined again have their room, so the rest is read.
      case .tooMany: tooMany += 1
      case .full: full += 1
      }
    }
    if count == 0 { warnings.add(place, "there are no components in it") }
    let kept = count - tooMany - full
    if tooMany > 0 { stop(place, components: kept, of: count, " entries: too many components in a surface") }
    if full > 0 { stop(place, components: kept, of: count, " entries: the memory for components is full") }
    if hasChanged { touch(Int(surface.slot)) }
  }

  /// Warns that components of a message were left out because of a limit.
  private func stop(_ place: MessagePlace, components kept: Int, of count: Int, _ reason: StaticString) {
    warnings.stopped += 1
    warnings.add(place, cut: StaticString("components").asBytes, kept: kept, of: count, reason)
  }

  private func define(_ slot: Int, _ item: JSONView, _ place: MessagePlace) -> Upsert? {
    guard let id = unescaped(item.member("id")), !id.isEmpty else {
      warnings.add(place, "a component without an id, ignored")
      return nil
    }
    guard id.count <= Budget.a2uiKeyBytes else {
      stop(place, "a component's id is too long")
      return nil
    }
    var text = StaticString("{}").asBytes
    if let component = item.member("component") {
      text = (component.kind == .string ? item : component).rawText.withUnsafeBufferPointer { $0 }
    }
    let definition = Definition(text)
    if definition.names != 1 {
      warnings.add(place, "component \"", id, "\" has not exactly one type")
    } else if definition.type == .unknown {
      warnings.add(place, "component \"", id, "\" is of a type that is not in the catalog")
    }
    if text.count > Budget.a2uiStringBytes, hasLongString(text) {
      warnings.add(
        place, "component \"", id, "\" has a string that is cut: longer in bytes than ", Budget.a2uiStringBytes)
    }
    let check = CatalogCheck(store: self, place: place, kind: "component \"", name: id)
    CatalogCheck.check(item, definition, check)
    if definition.isFlat { check.calls(in: item) }
    let weight = Float(item.member("weight")?.double ?? 0)
    return define(slot, id: id, weight: weight.isFinite && weight > 0 ? weight : 0, text, definition)
  }

  private func hasLongString(_ definition: Bytes) -> Bool { JSONView(Span(_unsafeElements: definition)).hasLongString }

  // MARK: beginRendering

  private func begin(_ surface: Surface, _ body: JSONView, _ place: MessagePlace) {
    let slot = Int(surface.slot)
    var hasChanged = !records[slot].isRendering
    if let root = unescaped(body.member("root")), !root.isEmpty, root.count <= Budget.a2uiKeyBytes {
      if set(slot, .root, root, place) { hasChanged = true }
    } else if body.member("root")?.kind == .string, body.member("root")?.stringLength != 0 {
      stop(place, "the root's id is too long, ignored")
    } else {
      warnings.add(place, "beginRendering without a root, taken as \"root\"")
      if records[slot].root.isEmpty, set(slot, .root, StaticString("root").asBytes, place) { hasChanged = true }
    }
    if let catalog = unescaped(body.member("catalogId")), set(slot, .catalog, catalog, place) { hasChanged = true }
    if let styles = body.member("styles"), styles.kind == .object {
      let text = styles.rawText.withUnsafeBufferPointer { $0 }
      if set(slot, .styles, text, place) { hasChanged = true }
      warnStyles(styles, place)
    }
    records[slot].isRendering = true
    if hasChanged { touch(slot) }
  }

  // MARK: v0.9 and later

  /// `createSurface`: what `beginRendering` is, with a root whose id is always `root`. Of v1.0 it may have the
  /// components and the data in it, and calls its theme `surfaceProperties`.
  private func create(_ surface: Surface, _ body: JSONView, _ place: MessagePlace) {
    let slot = Int(surface.slot)
    var hasChanged = !records[slot].isRendering
    if set(slot, .root, StaticString("root").asBytes, place) { hasChanged = true }
    if let catalog = unescaped(body.member("catalogId")), set(slot, .catalog, catalog, place) { hasChanged = true }
    let hasTheme = body.member("theme") != nil
    if let theme = hasTheme ? body.member("theme") : body.member("surfaceProperties"), theme.kind == .object {
      if set(slot, .styles, theme.rawText.withUnsafeBufferPointer { $0 }, place) { hasChanged = true }
      warnStyles(theme, place)
    }
    // Drafts had another name for it.
    records[slot].sendsData =
      body.member("sendDataModel")?.bool == true || body.member("attachDataModelToRequests")?.bool == true
    records[slot].isRendering = true
    if hasChanged { touch(slot) }
    if body.member("components") != nil { update(surface, body, place) }
    if let model = body.member("dataModel") { setData(surface, nil, model, place) }
  }

  /// A surface that was never created is shown all the same, as one whose messages come in another order is.
  private func beginUnasked(_ surface: Surface, _ place: MessagePlace) {
    let slot = Int(surface.slot)
    guard !records[slot].isRendering, records[slot].root.isEmpty else { return }
    warnings.add(place, "the surface was not created, so its root is \"root\"")
    guard set(slot, .root, StaticString("root").asBytes, place) else { return }
    records[slot].isRendering = true
    touch(slot)
  }

  /// Warns about unused styles: only a valid `primaryColor` is used. `font` is a hint that may be ignored.
  private func warnStyles(_ styles: JSONView, _ place: MessagePlace) {
    var members = styles.members()
    while let member = members.next() {
      guard let name = unescaped(member.name), !member.value.isNull else { continue }
      if name.equals("font") || name.equals("primaryColor") && unescaped(member.value)?.hexColor != nil { continue }
      warnings.add(place, "style \"", name, "\" is not used: only primaryColor is, as #RRGGBB")
    }
  }

  /// - Returns: whether the text has changed.
  private func set(_ slot: Int, _ name: SurfaceRecord.Text, _ text: Bytes, _ place: MessagePlace) -> Bool {
    if texts.bytes(records[slot][name]).equals(text) { return false }
    if setText(slot, name, text) { return true }
    stop(place, "the memory for components is full")
    return false
  }
}
