import Runtime

/// The gradients of a context. Each stays as long as a script or a state has it.
final class GradientTable {
  private struct Slot {
    var gradient = VectorGradient()
    var stops = 0
    var owners = 0
    /// How often the place was used.
    var uses: UInt32 = 0
  }

  private let slots: UnsafeMutableBufferPointer<Slot>
  private let memory: ReservedBuffer
  private let stops: UnsafeMutableBufferPointer<VectorGradient.Stop>

  init() throws(Errno) {
    let count = Budget.gradients * Budget.gradientStops
    memory = try ReservedBuffer(capacity: count * MemoryLayout<VectorGradient.Stop>.stride)
    stops = UnsafeMutableRawBufferPointer(memory.bytes).bindMemory(to: VectorGradient.Stop.self)
    slots = .allocate(capacity: Budget.gradients)
    slots.initialize(repeating: Slot())
  }

  deinit { slots.deallocate() }

  /// Takes a gradient, which whoever made it owns.
  func add(_ gradient: VectorGradient) -> Context2D.GradientHandle? {
    for index in 0..<Budget.gradients where slots[index].owners == 0 {
      let uses = (slots[index].uses &+ 1) & 0xFF_FFFF
      slots[index] = Slot(gradient: gradient, stops: 0, owners: 1, uses: uses)
      return Context2D.GradientHandle(uses << 8 | UInt32(index))
    }
    return nil
  }

  func find(_ handle: Context2D.GradientHandle) -> Int? {
    let index = Int(handle.number & 255)
    guard index < Budget.gradients, slots[index].owners > 0, slots[index].uses == handle.number >> 8 else { return nil }
    return index
  }

  func gradient(_ index: Int) -> VectorGradient { slots[index].gradient }

  func stops(_ index: Int) -> UnsafeBufferPointer<VectorGradient.Stop> {
    UnsafeBufferPointer(stops.run(index * Budget.gradientStops, slots[index].stops))
  }

  /// Adds a stop after all that are not further along. False when there is no room.
  func add(_ stop: VectorGradient.Stop, to index: Int) -> Bool {
    let count = slots[index].stops
    guard count < Budget.gradientStops else { return false }
    let list = stops.run(index * Budget.gradientStops, Budget.gradientStops)
    var place = count
    while place > 0, list[place - 1].offset > stop.offset {
      list[place] = list[place - 1]
      place -= 1
    }
    list[place] = stop
    slots[index].stops += 1
    return true
  }

  func retain(_ style: Context2D.Style) {
    guard case .gradient(let handle) = style, let index = find(handle) else { return }
    slots[index].owners += 1
  }

  func release(_ style: Context2D.Style) {
    guard case .gradient(let handle) = style, let index = find(handle) else { return }
    slots[index].owners -= 1
  }
}
