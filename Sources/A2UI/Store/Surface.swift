import Runtime

/// A surface of a `SurfaceStore`: an independent region with components, data, root and styles of its own (canvas
/// reference 1.1). Identifies the same surface until that is deleted; a later one with the same id is a different one.
public struct Surface: Equatable, Sendable {
  let slot: UInt8
  /// Counts all surfaces since the start.
  let serial: UInt32

  /// A unique number of this surface in this run, as a key for state.
  public var number: UInt32 { serial }
}

/// The store's record of a surface.
struct SurfaceRecord {
  /// 0 while the slot is free.
  var serial: UInt32 = 0
  /// Increases with every change of what is drawn.
  var revision: UInt32 = 0
  /// True once `beginRendering` or `createSurface` was received.
  var isRendering = false
  /// Actions take the whole data model to the agent (`sendDataModel` of v0.9).
  var sendsData = false
  var id = Block()
  var root = Block()
  var catalog = Block()
  /// JSON text of an object.
  var styles = Block()
  /// The root of the data model.
  var model = NodeIndex.none
  /// Components in order of arrival.
  var first = ComponentIndex.none
  var last = ComponentIndex.none
  var count: Int32 = 0
  /// Counts the lists of components that were received for it.
  var lists: UInt32 = 0
  /// Those before the last push.
  var oldLists: UInt32 = 0

  /// The texts of a surface in the arena.
  enum Text: UInt32 {
    case id, root, catalog, styles
  }

  subscript(text: Text) -> Block {
    get {
      switch text {
      case .id: id
      case .root: root
      case .catalog: catalog
      case .styles: styles
      }
    }
    set {
      switch text {
      case .id: id = newValue
      case .root: root = newValue
      case .catalog: catalog = newValue
      case .styles: styles = newValue
      }
    }
  }
}

/// The records of all slots.
final class SurfaceRecords {
  private let base: UnsafeMutableBufferPointer<SurfaceRecord>

  init() {
    base = .allocate(capacity: Budget.a2uiSurfaces)
    base.initialize(repeating: SurfaceRecord())
  }

  deinit { base.deallocate() }

  private func pointer(_ slot: Int) -> UnsafeMutablePointer<SurfaceRecord> {
    precondition(slot >= 0 && slot < base.count)
    return base.baseAddress! + slot
  }

  subscript(slot: Int) -> SurfaceRecord {
    unsafeAddress { UnsafePointer(pointer(slot)) }
    unsafeMutableAddress { pointer(slot) }
  }
}
