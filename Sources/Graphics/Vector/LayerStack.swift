import Runtime

/// Pixels that groups are drawn into before they fade as a whole, and what is below each. Memory is reserved when a
/// layer is first used.
final class LayerStack {
  private struct Layer {
    var memory: ReservedBuffer?
    /// What is drawn into again when the layer ends.
    var below: PixelComposer.Canvas?
  }

  private let layers: UnsafeMutablePointer<Layer>
  private var depth = 0

  init() {
    layers = .allocate(capacity: Budget.vectorLayers)
    layers.initialize(repeating: Layer(), count: Budget.vectorLayers)
  }

  deinit {
    layers.deinitialize(count: Budget.vectorLayers)
    layers.deallocate()
  }

  /// Pixels for a layer on `canvas`, in no particular state. Nil when all are in use, or there is no address space
  /// left.
  func begin(under canvas: PixelComposer.Canvas) -> UnsafeMutablePointer<UInt32>? {
    guard depth < Budget.vectorLayers else { return nil }
    if layers[depth].memory == nil {
      do throws(Errno) {
        layers[depth].memory = try ReservedBuffer(capacity: Budget.shownPixels * 4)
      } catch {
        return nil
      }
    }
    guard let memory = layers[depth].memory else { return nil }
    layers[depth].below = canvas
    depth += 1
    return UnsafeMutableRawBufferPointer(memory.bytes).assumingMemoryBound(to: UInt32.self).baseAddress
  }

  /// Ends the last one; gives what is below it.
  func end() -> PixelComposer.Canvas? {
    guard depth > 0 else { return nil }
    depth -= 1
    return layers[depth].below
  }
}
