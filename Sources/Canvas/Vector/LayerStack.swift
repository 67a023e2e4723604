import Runtime

/// Pictures that groups are drawn into before they fade as a whole. Each is reserved when it is first used.
final class LayerStack {
  private struct Layer {
    var memory: ReservedBuffer?
    var bounds = Rect.empty
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

  /// Transparent pixels for a part of a picture. Nil when all are in use, or there is no address space left.
  func begin(_ size: Size, _ bounds: Rect) -> UnsafeMutablePointer<UInt32>? {
    guard depth < Budget.vectorLayers else { return nil }
    if layers[depth].memory == nil {
      do throws(Errno) {
        layers[depth].memory = try ReservedBuffer(capacity: Budget.shownPixels * 4)
      } catch {
        return nil
      }
    }
    layers[depth].bounds = bounds
    depth += 1
    let pixels = top!
    for y in Int(bounds.y)..<Int(max(bounds.maxY, bounds.y)) {
      (pixels + y * Int(size.width) + Int(bounds.x)).update(repeating: 0, count: Int(bounds.width))
    }
    return pixels
  }

  /// The last one; nil: there is none.
  var top: UnsafeMutablePointer<UInt32>? {
    guard depth > 0, let memory = layers[depth - 1].memory else { return nil }
    return UnsafeMutableRawBufferPointer(memory.bytes).assumingMemoryBound(to: UInt32.self).baseAddress
  }

  /// Ends the last one.
  func end() -> (pixels: UnsafePointer<UInt32>, bounds: Rect)? {
    guard let pixels = top else { return nil }
    depth -= 1
    return (UnsafePointer(pixels), layers[depth].bounds)
  }
}
