import Codec
import Runtime

/// Which elements are open, so that what is hidden stays hidden up to its end, and no longer (WHATWG HTML, 13.2.6).
extension PageText {
  /// A tag has been read to its end.
  func endTag() {
    place = .text
    let tag = tag
    if tag.isEnd {
      if raw.name != 0 {
        endRaw()
        return raw = Tag()
      }
      return close(tag)
    }
    if tag.kind.isVoid { return showVoid(tag) }
    if tag.kind == .head || tag.kind == .root && !tag.isHidden { return }
    // Rows and cells outside of a table are none.
    if tag.kind.isPartOfTable, tag.kind != .table, !isOpen(.table) { return }
    if tag.kind == .form {
      // A form inside of another is none.
      if hasForm { return }
      hasForm = true
    }
    closeBefore(tag.kind)
    if tag.kind.isText { return beginText(tag) }
    // Foreign elements may end with their tag.
    if tag.isSelfClosed, tag.kind == .drawing || isOpen(.drawing) { return }
    addImplied(tag.kind)
    push(tag)
  }

  /// A cell has a row, and a row has a group of rows, also where their tags are left out.
  private func addImplied(_ kind: PageTag) {
    guard kind == .cell || kind == .row else { return }
    var index = depth - 1
    while index > 0, stack[index].tag != .table, stack[index].tag != .row || kind == .row, stack[index].tag != .rows {
      index -= 1
    }
    guard index >= 0, stack[index].tag != .row else { return }
    var tag = Tag()
    if stack[index].tag == .table {
      (tag.kind, tag.name) = (.rows, Tag.hash("tbody"))
      push(tag)
    }
    guard kind == .cell else { return }
    (tag.kind, tag.name) = (.row, Tag.hash("tr"))
    push(tag)
  }

  private func beginText(_ tag: Tag) {
    if tag.kind == .shownText, !isHidden { output.breakLine(tag.kind.feeds) }
    var kind = tag
    if tag.isHidden, tag.kind != .script { kind.kind = .droppedText }
    beginRaw(kind)
  }

  private func isOpen(_ kind: PageTag) -> Bool {
    var index = depth
    while index > 0 {
      index -= 1
      if stack[index].tag == kind { return true }
    }
    return false
  }

  // MARK: Opening

  private func push(_ tag: Tag) {
    let isUnseen = tag.kind.isUnseen || tag.kind == .dialog && !tag.isOpen
    guard depth < stack.count else {
      if tag.isHidden || isUnseen { isLost = true }
      return
    }
    stack[depth] = Element(tag: tag.kind, isHidden: tag.isHidden || isUnseen, name: tag.name)
    depth += 1
    if tag.isHidden || isUnseen { hiddenCount += 1 }
    if tag.kind == .pre { (preDepth, isPreStart) = (preDepth + 1, true) }
    if tag.kind == .list { listDepth += 1 }
    if !isHidden { opened(tag) }
  }

  /// Ends what cannot be open around an element of this kind.
  private func closeBefore(_ kind: PageTag) {
    // In a drawing the names of blocks are names like others.
    if kind.endsParagraph, kind != .block || !isOpen(.drawing) { closeOpen(.paragraph) }
    switch kind {
    case .item: closeOpen(.item)
    case .term: closeOpen(.term)
    case .heading: if depth > 0, stack[depth - 1].tag == .heading { pop(to: depth - 1) }
    case .anchor: closeOpen(.anchor)
    case .cell, .row, .rows, .caption:
      closeOpen(.cell)
      closeOpen(.caption)
      if kind != .cell { closeOpen(.row) }
      if kind == .rows { closeOpen(.rows) }
    default: return
    }
  }

  /// Ends the open element of a kind, unless it is beyond what it cannot be ended from.
  private func closeOpen(_ kind: PageTag) {
    var index = depth
    while index > 0 {
      index -= 1
      let open = stack[index].tag
      if open == kind { return pop(to: index) }
      if open == .table || open.isSealed || open == .button && kind == .paragraph { return }
      if !kind.isPartOfTable, open.isBoundary { return }
      if kind == .item || kind == .term, open.isSpecial, open != .paragraph, open != .division { return }
      if kind == .anchor, open.isSpecial { return neutralize(.anchor) }
    }
  }

  // MARK: Closing

  private func close(_ tag: Tag) {
    if tag.kind == .root || tag.kind == .head { return }
    // The end of a paragraph or line break that is not open makes one.
    if tag.kind == .lineBreak, !isHidden { return output.addBreak() }
    if tag.kind == .form { hasForm = false }
    var index = depth
    while index > 0 {
      index -= 1
      let open = stack[index]
      if open.name == tag.name || tag.kind == .heading && open.tag == .heading { return end(index) }
      if !tag.kind.isSpecial, open.tag.isSpecial {
        if tag.kind.isFormatting { neutralize(tag.kind, tag.name) }
        return
      }
      if tag.kind == .drawing, open.tag.breaksOut || open.isHidden { return }
      // In a control for a choice all other ends mean nothing.
      if open.tag == .select { return }
      if tag.kind == .item, open.tag == .list { return }
      if tag.kind == .drawing || tag.kind.isSealed { continue }
      if tag.kind.isPartOfTable ? open.tag == .table || open.tag.isSealed : open.tag.isBoundary { return }
      // The end of a paragraph stays inside of a button.
      if tag.kind == .paragraph, open.tag == .button { return }
    }
  }

  /// Ends an open element, and what is open inside of it. Of a form nothing else ends, and what is open inside of it
  /// stays a part of it, and hidden with it.
  private func end(_ index: Int) {
    guard stack[index].tag == .form else { return pop(to: index) }
    while depth - 1 > index, stack[depth - 1].tag.hasImpliedEnd { pop(to: depth - 1) }
    guard index + 1 < depth else { return pop(to: index) }
    if stack[index].isHidden {
      if stack[index + 1].isHidden { hiddenCount -= 1 }
      stack[index + 1].isHidden = true
    }
    stack[index] = Element()
  }

  /// What is formatted ends, although elements inside of it are still open: it formats, and hides, no more.
  private func neutralize(_ kind: PageTag, _ name: UInt32? = nil) {
    var index = depth
    while index > 0 {
      index -= 1
      let open = stack[index]
      if open.tag.isBoundary { return }
      guard open.tag == kind, name == nil || open.name == name else { continue }
      if open.isHidden { hiddenCount -= 1 }
      if kind == .anchor { linkCount = 0 }
      return stack[index] = Element()
    }
  }

  /// Closes all elements above a depth. What hides and is only formatting is opened again.
  func pop(to target: Int) {
    var index = depth
    while index > target {
      index -= 1
      let element = stack[index]
      if !isHidden { closed(element) }
      if element.isHidden { hiddenCount -= 1 }
      if element.tag == .pre { preDepth -= 1 }
      if element.tag == .list { listDepth -= 1 }
    }
    let top = depth
    depth = target
    guard target < top, !stack[target].tag.endsFormatting else { return }
    for index in (target + 1)..<max(top, target + 1) {
      let element = stack[index]
      if element.tag.endsFormatting { return }
      guard element.isHidden, element.tag.isFormatting else { continue }
      stack[depth] = element
      depth += 1
      hiddenCount += 1
    }
  }

  /// The page has ended.
  func closeAll() {
    while depth > 0 {
      let element = stack[depth - 1]
      if !isHidden { closed(element) }
      if element.isHidden { hiddenCount -= 1 }
      depth -= 1
    }
  }
}

extension PageText.Tag {
  /// The hash of a name, as that of a tag which is read.
  fileprivate static func hash(_ name: StaticString) -> UInt32 {
    var hash: UInt32 = 2_166_136_261
    for index in 0..<name.utf8CodeUnitCount { hash = (hash ^ UInt32(name.utf8Start[index])) &* 16_777_619 }
    return hash
  }
}
