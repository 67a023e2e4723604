import Codec
import Runtime

/// The position of an item in a list of objects.
struct ItemPlace {
  var list: UnsafePointer<UInt8>?
  var revision: UInt32 = 0
  /// How often texts had moved: another list may stand there then.
  var moves = 0
  var place = 0
  var offset = 0
}

/// The instances of one surface: its components from the root on, with templates expanded for each element (canvas
/// reference 1.3, 1.6). Instances are in preorder, with the root at 0. Properties are read through it, with bindings
/// resolved.
///
/// Make one for each surface that is drawn; an unused one costs only address space. Call `update` after every push and
/// every write before reading.
public final class InstanceTree {
  /// Chains of the hash table: in a full tree one has eight instances on average.
  static let chainCount = 1024

  /// The store of components and data.
  public let store: SurfaceStore
  /// The surface for which it was last built.
  public private(set) var surface: Surface?
  /// Number of instances; 0 when there is nothing to draw.
  public internal(set) var count = 0
  /// What was left out because of limits.
  var omissions = Omissions()
  let instances: ReservedArray<Instance>
  let chains: ReservedArray<Int32>
  private let chainKey: TableKey
  var elementCount = 0
  /// Ids of children that were looked up, defined or not.
  var namedChildren = 0
  /// A template has no elements, so what stands in them is not known to be named.
  var hasEmptyList = false
  /// Instances whose children are being added, from the root on.
  let opened: ReservedArray<OpenInstance>
  var openCount = 0
  /// What comes next of an update, and the instance with which it goes on.
  private enum Step { case instances, values, secrets, none }
  private var step = Step.none
  private var next = 0
  /// Times that it was built again because of values that were written.
  private var rounds = 0
  private var hasWritten = false
  private var revision: UInt32 = 0
  /// Bytes that the value which is being worked out may still read and write (`Budget.a2uiValueWork`).
  private var workLeft = 0
  /// The position of the last item that was read.
  var lastItem = ItemPlace()

  /// Reserves everything; throws when the address space is full.
  @export(interface)
  public init(_ store: SurfaceStore) throws(Errno) {
    self.store = store
    instances = try ReservedArray(capacity: Budget.a2uiInstances)
    chains = try ReservedArray(capacity: Self.chainCount)
    chainKey = TableKey(UInt(bitPattern: chains.base.baseAddress))
    opened = try ReservedArray(capacity: Budget.a2uiRenderDepth)
  }

  /// The instance with an index below `count`.
  public subscript(index: Int) -> Instance { instances.pointer(index).pointee }

  /// Rebuilds the tree if the surface has changed, or is another one than before. Literals of properties that also have
  /// a path are written to the data model where that has no value.
  /// - Returns: whether anything changed.
  public func update(_ surface: Surface) -> Bool {
    guard begin(surface) else { return false }
    var left = Int.max
    while !updateMore(atMost: &left) { left = .max }
    return true
  }

  /// Begins such an update, which `updateMore` does, or lets one go on that was begun for the same. False when nothing
  /// has changed.
  public func begin(_ surface: Surface) -> Bool {
    if self.surface == surface, revision == store.revision(surface) { return !isComplete }
    self.surface = surface
    rounds = 0
    build(surface)
    return true
  }

  /// False while an update goes on: what is read of the tree then is part of it.
  public var isComplete: Bool { step == .none }

  /// Does so much of an update (`Budget.a2uiBuiltStep`), of which what was done is subtracted. A change of the surface
  /// in between begins it anew. False while there is more.
  public func updateMore(atMost left: inout Int) -> Bool {
    guard let surface, begin(surface) else { return true }
    // Values that are written are a change of its own.
    defer { revision = store.revision(surface) }
    while left > 0 {
      switch step {
      case .instances: if buildMore(atMost: &left) { (step, next, hasWritten) = (.values, 0, false) }
      case .values:
        guard writeMore(atMost: &left) else { continue }
        // The written values may create elements of templates, which may have such literals in turn.
        if hasWritten, rounds < 4 {
          rounds += 1
          build(surface)
        } else {
          (step, next) = (.secrets, 0)
        }
      case .secrets: if markMore(atMost: &left) { step = .none }
      case .none: return true
      }
    }
    return isComplete
  }

  private func build(_ surface: Surface) {
    revision = store.revision(surface)
    step = .instances
    beginBuilding(surface)
  }

  private func writeMore(atMost left: inout Int) -> Bool {
    while next < count {
      guard left > 0 else { return false }
      left -= Budget.a2uiVisitedStep
      if writeInitialValues(of: next, &left) { hasWritten = true }
      next += 1
    }
    return true
  }

  private func markMore(atMost left: inout Int) -> Bool {
    while next < count {
      guard left > 0 else { return false }
      left -= self[next].type == .textField ? Budget.a2uiBuiltStep : Budget.a2uiVisitedStep
      markSecret(next)
      next += 1
    }
    return true
  }

  /// Drops the surface, and releases the memory.
  public func clear() {
    surface = nil
    revision = 0
    (count, openCount, step) = (0, 0, .none)
    instances.release()
    chains.release()
    opened.release()
  }

  /// A value is worked out from its beginning.
  func beginWork() { workLeft = Budget.a2uiValueWork }

  /// Counts the work for a part of a value; false when there has been too much, and the part is absent.
  func spend(_ bytes: Int) -> Bool {
    guard workLeft > 0 else { return false }
    workLeft -= bytes + 1
    if workLeft <= 0 { store.unfinishedValues += 1 }
    return workLeft > 0
  }

  /// The chain of instances with an id.
  func chain(_ id: UInt64) -> Int { chainKey.chain(id, of: Self.chainCount) }

  /// The index of the instance with this id; nil when it is gone.
  public func index(of id: UInt64) -> Int? {
    guard count > 0 else { return nil }
    var index = chains.base[chain(id)] - 1
    while index >= 0 {
      if self[Int(index)].id == id { return Int(index) }
      index = self[Int(index)].nextInChain
    }
    return nil
  }

  /// Writes the component's id with the indices or keys of the templates around it, `tpl:0:2`: the
  /// `sourceComponentId` of actions.
  public func writeId(_ index: Int, into writer: inout ByteWriter) {
    let instance = self[index]
    guard instance.component != .none else { return }
    writer.bytes(Span(_unsafeElements: store.id(of: instance.component)))
    writeSuffix(Int(instance.scope), into: &writer)
  }

  /// The type's name of an instance that is `unknown`, or of any other; empty when the definition has none.
  @_lifetime(immortal)
  public func typeName(_ index: Int) -> Span<UInt8> {
    let instance = self[index]
    guard instance.component != .none else { return span(Bytes(start: nil, count: 0)) }
    let text = store.definition(instance.component)
    let name = Definition(text).name
    guard name.count > 2 else { return span(Bytes(start: nil, count: 0)) }
    return span(text.between(name.lowerBound + 1..<name.upperBound - 1))
  }

  private func writeSuffix(_ scope: Int, into writer: inout ByteWriter) {
    guard scope >= 0 else { return }
    let element = self[scope]
    if element.parentIndex >= 0 { writeSuffix(Int(self[Int(element.parentIndex)].scope), into: &writer) }
    writer.byte(UInt8(ascii: ":"))
    let key = store.data.key(element.context)
    if key.isEmpty { writer.decimal(Int64(element.element)) } else { writer.bytes(Span(_unsafeElements: key)) }
  }
}
