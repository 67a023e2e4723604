import Codec
import Runtime

// The table of components.

extension SurfaceStore {
  /// The result of a definition.
  enum Upsert {
    case new, changed, same, tooMany, full
  }

  func component(_ index: ComponentIndex) -> Component { components.pointer(Int(index)).pointee }

  func id(of index: ComponentIndex) -> Bytes { texts.bytes(component(index).id) }

  func definition(_ index: ComponentIndex) -> Bytes { texts.bytes(component(index).definition) }

  /// The properties, JSON; empty when the definition has no type.
  func properties(_ index: ComponentIndex) -> Bytes {
    let component = component(index)
    let start = Int(component.propertiesStart)
    return texts.bytes(component.definition).between(start..<start + Int(component.propertiesCount))
  }

  /// The component that is the surface's root.
  func root(_ surface: Surface) -> ComponentIndex {
    find(bytes(surface, .root), slot: Int(surface.slot))
  }

  /// The chain also depends on the surface.
  private func chain(_ hash: UInt64, _ slot: Int) -> Int {
    chainKey.chain(hash ^ UInt64(truncatingIfNeeded: slot) &* 0x9E37_79B9_7F4A_7C15, of: Budget.a2uiComponentChains)
  }

  func find(_ id: Bytes, slot: Int) -> ComponentIndex {
    let hash = id.hash
    var index = chains.base[chain(hash, slot)] - 1
    while index != .none {
      let component = component(index)
      if component.hash == hash, Int(component.slot) == slot, self.id(of: index).equals(id) { return index }
      index = component.nextInChain
    }
    return .none
  }

  /// True when the list that is being read has defined this component already.
  func wasListed(_ id: Bytes, slot: Int) -> Bool {
    let found = find(id, slot: slot)
    return found != .none && component(found).list == records[slot].lists
  }

  /// A component stands in the tree of its surface.
  func markReached(_ index: ComponentIndex) { components.pointer(Int(index)).pointee.isReached = true }

  /// The tree of a surface is built anew.
  func forgetReached(_ surface: Surface) {
    var index = records[Int(surface.slot)].first
    while index != .none {
      components.pointer(Int(index)).pointee.isReached = false
      index = component(index).nextInSurface
    }
  }

  /// True for a component of the last push that nothing names.
  private func isForgotten(_ index: ComponentIndex, since oldLists: UInt32) -> Bool {
    let component = component(index)
    return !component.isReached && component.list > oldLists
  }

  /// Warns of components that the last push has defined and that do not stand in the surface's tree.
  func reportForgotten(_ surface: Surface) {
    let record = records[Int(surface.slot)]
    var (count, index) = (0, record.first)
    while index != .none {
      if isForgotten(index, since: record.oldLists) { count += 1 }
      index = component(index).nextInSurface
    }
    guard count > 0 else { return }
    index = record.first
    warn(surface, "not shown, because nothing below the root names them: ", count) {
      while !isForgotten(index, since: record.oldLists) { index = component(index).nextInSurface }
      defer { index = component(index).nextInSurface }
      return id(of: index)
    }
  }

  /// Defines a component, or redefines the one with this id. Neither text may be in the arena.
  func define(_ slot: Int, id: Bytes, weight: Float, _ text: Bytes, _ definition: Definition) -> Upsert {
    let found = find(id, slot: slot)
    if found != .none {
      components.base[Int(found)].list = records[slot].lists
      if self.definition(found).equals(text), component(found).weight == weight { return .same }
      return write(found, weight, text, definition) ? .changed : .full
    }
    guard records[slot].count < Int32(Budget.a2uiSurfaceComponents) else { return .tooMany }
    let index = takeComponent()
    guard index != .none else { return .full }
    components.base[Int(index)] = Component(hash: id.hash, slot: UInt8(slot), list: records[slot].lists)
    guard let block = copy(id, owner: UInt32(index) << 1) else {
      giveBack(index)
      return .full
    }
    components.base[Int(index)].id = block
    guard write(index, weight, text, definition) else {
      texts.free(component(index).id)
      giveBack(index)
      return .full
    }
    link(index, slot)
    return .new
  }

  /// Drops all components of a surface.
  func removeComponents(_ slot: Int) {
    var index = records[slot].first
    while index != .none {
      let next = component(index).nextInSurface
      unlink(index, slot)
      texts.free(component(index).id)
      texts.free(component(index).definition)
      giveBack(index)
      index = next
    }
  }

  private func write(_ index: ComponentIndex, _ weight: Float, _ text: Bytes, _ definition: Definition) -> Bool {
    guard let block = copy(text, owner: UInt32(index) << 1 | 1) else { return false }
    texts.free(component(index).definition)
    let place = components.pointer(Int(index))
    place.pointee.definition = block
    place.pointee.weight = weight
    place.pointee.type = definition.type
    place.pointee.isFlat = definition.isFlat
    place.pointee.propertiesStart = UInt32(definition.properties.lowerBound)
    place.pointee.propertiesCount = UInt32(definition.properties.count)
    let properties = properties(index)
    place.pointee.hasInitialValues =
      !properties.isEmpty && JSONView(Span(_unsafeElements: properties)).hasInitialValues
    return true
  }

  private func takeComponent() -> ComponentIndex {
    if firstFreeComponent != .none {
      let index = firstFreeComponent
      firstFreeComponent = component(index).nextInChain
      return index
    }
    guard Int(usedComponents) < components.capacity else { return .none }
    usedComponents += 1
    return usedComponents - 1
  }

  private func giveBack(_ index: ComponentIndex) {
    components.base[Int(index)] = Component(nextInChain: firstFreeComponent)
    firstFreeComponent = index
  }

  private func link(_ index: ComponentIndex, _ slot: Int) {
    let chain = chain(component(index).hash, slot)
    components.base[Int(index)].nextInChain = chains.base[chain] - 1
    chains.base[chain] = index + 1
    let last = records[slot].last
    if last == .none { records[slot].first = index } else { components.base[Int(last)].nextInSurface = index }
    records[slot].last = index
    records[slot].count += 1
  }

  private func unlink(_ index: ComponentIndex, _ slot: Int) {
    let chain = chain(component(index).hash, slot)
    var previous = ComponentIndex.none
    var place = chains.base[chain] - 1
    while place != index {
      previous = place
      place = component(place).nextInChain
    }
    let next = component(index).nextInChain
    if previous == .none { chains.base[chain] = next + 1 } else { components.base[Int(previous)].nextInChain = next }
  }
}
