import Runtime

/// Decoded pictures, by handle. Their memory is the only one that painting takes and gives back.
final class PictureTable {
  struct Picture {
    var pixels: UnsafeMutablePointer<UInt32>
    var size: Size
  }

  private struct Slot {
    var picture: Picture?
    /// How often the place was used.
    var uses: UInt32 = 0
  }

  private let slots: UnsafeMutablePointer<Slot>
  /// Bytes of all pictures.
  private(set) var bytes = 0

  init() {
    slots = .allocate(capacity: Budget.pictures)
    slots.initialize(repeating: Slot(), count: Budget.pictures)
  }

  deinit {
    for index in 0..<Budget.pictures { slots[index].picture?.pixels.deallocate() }
    slots.deallocate()
  }

  /// Copies a picture; nil when it is empty or there is no room.
  func keep(_ pixels: UnsafeBufferPointer<UInt32>, _ size: Size) -> PictureHandle? {
    let count = Rect(0, 0, size.width, size.height).area
    guard count > 0, count <= pixels.count, let source = pixels.baseAddress else { return nil }
    guard bytes + count * 4 <= Budget.pictureBytes else { return nil }
    for index in 0..<Budget.pictures where slots[index].picture == nil {
      let copy = UnsafeMutablePointer<UInt32>.allocate(capacity: count)
      copy.update(from: source, count: count)
      slots[index].picture = Picture(pixels: copy, size: size)
      slots[index].uses = (slots[index].uses &+ 1) & 0xFF_FFFF
      bytes += count * 4
      return PictureHandle(slots[index].uses << 8 | UInt32(index))
    }
    return nil
  }

  /// Frees a picture.
  func drop(_ handle: PictureHandle) {
    guard let picture = find(handle) else { return }
    picture.pixels.deallocate()
    bytes -= Int(picture.size.width) * Int(picture.size.height) * 4
    slots[Int(handle.number & 255)].picture = nil
  }

  /// The picture of a handle, while it is kept.
  func find(_ handle: PictureHandle) -> Picture? {
    let index = Int(handle.number & 255)
    guard index < Budget.pictures, slots[index].uses == handle.number >> 8 else { return nil }
    return slots[index].picture
  }
}
