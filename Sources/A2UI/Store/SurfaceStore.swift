// A2UI: the documents: it parses messages, and resolves bindings, templates and actions. It knows nothing of
// layout, painting or how messages arrive.

import Codec
import Locales
import Runtime

/// All surfaces of A2UI v0.8 to v1.0 with their components and data models (canvas reference 1.1 to 1.8). Messages go
/// in by `push`; an `InstanceTree` gives what is drawn. Allocates nothing after `init`, and touches memory only for
/// what it holds. Belongs to one thread.
public final class SurfaceStore {
  let data: DataStore
  /// Ids and definitions.
  let texts: TextArena
  let components: ReservedArray<Component>
  /// First component of each chain, plus one; 0 for none.
  let chains: ReservedArray<Int32>
  let chainKey: TableKey
  let knownProperties: ReservedArray<KnownProperty>
  /// Strings that had to be unescaped or written.
  let scratch: ScratchRing
  /// Where texts with expressions are put together.
  let stack: TextStack
  /// Buffer for messages that came as a string.
  let unescaping: ReservedBuffer
  /// Of the choice that was asked for last.
  let selectedOptions = SelectedOptions()
  /// How functions write dates and numbers.
  public var locale = Locale.plain
  /// The time by the wall in milliseconds since 1970, and what a clock on the wall shows then.
  public var clock: () -> Int64 = { 0 }
  public var local: (Int64) -> LocalTime = { LocalTime(wallMilliseconds: $0) }
  /// The capital of a letter; anything else stays.
  public var capital: (UInt32) -> UInt32 = { $0 >= 0x61 && $0 <= 0x7A ? $0 - 0x20 : $0 }
  /// What tests regular expressions; nil: they are not tested.
  public var matcher: (any TextMatcher)?
  /// Values that were not worked out to their end (`Budget.a2uiValueWork`).
  var unfinishedValues = 0
  /// Warnings of the last push.
  public internal(set) var warnings = Warnings()

  let records: SurfaceRecords
  /// Surfaces that the last push named, a bit for each slot: what is wrong with others was told before.
  var pushed: UInt64 = 0
  /// Slots in order of creation.
  private var order = InlineArray<64, UInt8>(repeating: 0)
  /// Number of surfaces, with and without a root.
  public private(set) var count = 0
  private var lastSerial: UInt32 = 0
  /// Components below this have been used; free ones are in a linked list.
  var usedComponents: ComponentIndex = 0
  var firstFreeComponent = ComponentIndex.none

  /// Increases with every change of any surface, deletion included: while it stays the same nothing must be drawn
  /// again.
  public internal(set) var revision: UInt32 = 0

  /// Reserves everything; throws when the address space is full.
  @export(interface)
  public init() throws(Errno) {
    precondition(Budget.a2uiSurfaces == 64)
    records = SurfaceRecords()
    data = try DataStore()
    texts = try TextArena(capacity: Budget.a2uiDefinitionBytes)
    components = try ReservedArray(capacity: Budget.a2uiComponents)
    chains = try ReservedArray(capacity: Budget.a2uiComponentChains)
    chainKey = TableKey(UInt(bitPattern: chains.base.baseAddress))
    knownProperties = try ReservedArray(capacity: Budget.a2uiKnownProperties)
    scratch = try ScratchRing(capacity: Budget.a2uiScratchBytes)
    stack = try TextStack(capacity: Budget.a2uiStackBytes)
    unescaping = try ReservedBuffer(capacity: Budget.a2uiPushBytes)
  }

  // MARK: Surfaces

  /// The surface by its index in the order of creation, below `count`.
  public func surface(at index: Int) -> Surface {
    let slot = order[index]
    return Surface(slot: slot, serial: records[Int(slot)].serial)
  }

  /// The surface with an id.
  public func surface(id: Span<UInt8>) -> Surface? {
    id.withUnsafeBufferPointer { surface(id: $0) }
  }

  func surface(id: Bytes) -> Surface? {
    for index in 0..<count {
      let surface = surface(at: index)
      if texts.bytes(records[Int(surface.slot)].id).equals(id) { return surface }
    }
    return nil
  }

  /// True until the surface is deleted.
  public func exists(_ surface: Surface) -> Bool { records[Int(surface.slot)].serial == surface.serial }

  /// True when a message of the last push named the surface.
  func isPushed(_ surface: Surface) -> Bool { exists(surface) && pushed >> UInt64(surface.slot) & 1 == 1 }

  /// True when there is something to draw: `beginRendering` was received, and its root is defined.
  public func isRendering(_ surface: Surface) -> Bool {
    exists(surface) && records[Int(surface.slot)].isRendering && root(surface) != .none
  }

  /// Increases with every change of what the surface shows; 0 when it does not exist.
  public func revision(_ surface: Surface) -> UInt32 {
    exists(surface) ? records[Int(surface.slot)].revision : 0
  }

  /// The surface's id, valid until the next push.
  @_lifetime(immortal)
  public func id(_ surface: Surface) -> Span<UInt8> { span(bytes(surface, .id)) }

  /// The id of the surface's root component, or empty. Valid until the next push.
  @_lifetime(immortal)
  public func rootId(_ surface: Surface) -> Span<UInt8> { span(bytes(surface, .root)) }

  /// The surface with this id, created if there is none; nil when there are too many.
  func makeSurface(id: Bytes) -> Surface? {
    if let found = surface(id: id) { return found }
    guard count < Budget.a2uiSurfaces else { return nil }
    var slot = 0
    while records[slot].serial != 0 { slot += 1 }
    records[slot] = SurfaceRecord()
    guard setText(slot, .id, id) else { return nil }
    lastSerial += 1
    records[slot].serial = lastSerial
    order[count] = UInt8(slot)
    count += 1
    return Surface(slot: UInt8(slot), serial: lastSerial)
  }

  /// Drops a surface with everything in it.
  func remove(_ surface: Surface) {
    let slot = Int(surface.slot)
    removeComponents(slot)
    data.free(records[slot].model)
    texts.free(records[slot].id)
    texts.free(records[slot].root)
    texts.free(records[slot].catalog)
    texts.free(records[slot].styles)
    records[slot] = SurfaceRecord()
    pushed &= ~(1 << UInt64(slot))
    var place = 0
    while order[place] != surface.slot { place += 1 }
    for index in place..<count - 1 { order[index] = order[index + 1] }
    count -= 1
    revision += 1
    if count == 0 { release() }
  }

  /// Drops all surfaces and releases their memory.
  public func reset() {
    warnings.clear()
    pushed = 0
    while count > 0 { remove(surface(at: count - 1)) }
  }

  /// Marks the surface as changed.
  func touch(_ slot: Int) {
    records[slot].revision += 1
    revision += 1
  }

  private func release() {
    texts.clear()
    components.release()
    chains.release()
    knownProperties.release()
    scratch.release()
    stack.release()
    usedComponents = 0
    firstFreeComponent = .none
  }

  // MARK: Texts

  func bytes(_ surface: Surface, _ text: SurfaceRecord.Text) -> Bytes {
    exists(surface) ? texts.bytes(records[Int(surface.slot)][text]) : Bytes(start: nil, count: 0)
  }

  @_lifetime(immortal)
  func span(_ bytes: Bytes) -> Span<UInt8> {
    _overrideLifetime(Span(_unsafeElements: bytes), copying: ())
  }

  /// Replaces a text of a surface; false when there is no room. `text` must not be in the arena.
  func setText(_ slot: Int, _ name: SurfaceRecord.Text, _ text: Bytes) -> Bool {
    guard let block = copy(text, owner: 1 << 31 | UInt32(slot) << 2 | name.rawValue) else { return false }
    texts.free(records[slot][name])
    records[slot][name] = block
    return true
  }

  /// Copies a text into the arena, which may move all other texts.
  func copy(_ text: Bytes, owner: UInt32) -> Block? {
    let cost = TextArena.cost(text.count)
    if texts.room < cost {
      guard texts.canMakeRoom(cost) else { return nil }
      compact()
    }
    guard let block = texts.take(text.count, owner: owner) else { return nil }
    if !text.isEmpty { texts.mutableBytes(block).baseAddress!.update(from: text.baseAddress!, count: text.count) }
    return block
  }

  /// Compacts texts.
  func compact() {
    texts.compact { owner, offset in
      if owner >> 31 == 1 {
        self.records[Int(owner >> 2 & 63)][SurfaceRecord.Text(rawValue: owner & 3)!].offset = offset
      } else if owner & 1 == 0 {
        self.components.base[Int(owner >> 1)].id.offset = offset
      } else {
        self.components.base[Int(owner >> 1)].definition.offset = offset
      }
    }
  }
}
