import CLinux

/// Bytes of a fixed size, taken once and kept for the life of the owner.
///
/// A class, so that it can be shared; which object may write is agreed between those that share it.
public final class FixedBuffer {
  /// The bytes. Valid as long as the buffer is.
  public let bytes: UnsafeMutableBufferPointer<UInt8>

  /// Allocates `capacity` zeroed bytes on the heap, for use at start. The program ends when there is no memory
  /// (Sources/CLinux/memory.c); where that must not happen use a `ReservedBuffer`.
  @export(interface)
  public init(capacity: Int) {
    bytes = .allocate(capacity: capacity)
    bytes.initialize(repeating: 0)
  }

  deinit { bytes.deallocate() }
}

/// A large buffer of which only touched pages cost memory: address space from `mmap(2)`.
public final class ReservedBuffer {
  /// The bytes, zero until written. Valid as long as the buffer is.
  public let bytes: UnsafeMutableBufferPointer<UInt8>
  private let isGuarded: Bool

  /// Reserves `capacity` bytes; throws when the address space is full. `isGuarded`: between two pages without access,
  /// so that an overrun faults. Each such buffer needs mappings of its own, of which a process has 65,530: only for
  /// buffers that are written through raw pointers.
  @export(interface)
  public init(capacity: Int, isGuarded: Bool = false) throws(Errno) {
    self.isGuarded = isGuarded
    var address: UnsafeMutableRawPointer?
    try check(
      isGuarded ? tl_reserve_guarded(numericCast(capacity), &address) : tl_reserve(numericCast(capacity), &address))
    bytes = UnsafeMutableBufferPointer(
      start: address!.bindMemory(to: UInt8.self, capacity: capacity), count: capacity)
  }

  /// Gives the pages that begin after the first `keeping` bytes back to the kernel; they read as zero afterwards.
  public func release(keeping: Int = 0) {
    guard keeping < bytes.count else { return }
    let address = bytes.baseAddress!
    // Guarded bytes may begin inside of their first page.
    if isGuarded, keeping == 0 { return tl_release_guarded(address, numericCast(bytes.count)) }
    tl_release_pages(address + keeping, numericCast(bytes.count - keeping))
  }

  deinit {
    if isGuarded {
      tl_unreserve_guarded(bytes.baseAddress!, numericCast(bytes.count))
    } else {
      tl_munmap(bytes.baseAddress!, numericCast(bytes.count))
    }
  }
}

/// A first-in, first-out queue of fixed capacity.
public struct BoundedQueue<Element>: ~Copyable {
  private let slots: UnsafeMutablePointer<Element>
  private var head = 0
  /// Elements waiting.
  public private(set) var count = 0
  /// The most that it holds.
  public let capacity: Int

  /// Takes room for `capacity` elements.
  public init(capacity: Int) {
    precondition(capacity > 0)
    self.capacity = capacity
    slots = .allocate(capacity: capacity)
  }

  deinit {
    for index in 0..<count { (slots + (head + index) % capacity).deinitialize(count: 1) }
    slots.deallocate()
  }

  public var isEmpty: Bool { count == 0 }
  public var isFull: Bool { count == capacity }

  /// Adds at the end; false, and nothing changed, when full.
  public mutating func push(_ element: consuming Element) -> Bool {
    if isFull { return false }
    (slots + (head + count) % capacity).initialize(to: element)
    count += 1
    return true
  }

  /// Takes from the front.
  public mutating func pop() -> Element? {
    if isEmpty { return nil }
    let element = (slots + head).move()
    head = (head + 1) % capacity
    count -= 1
    return element
  }

  /// Removes the elements for which `isUnwanted` is true; the others keep their order.
  public mutating func removeAll(where isUnwanted: (borrowing Element) -> Bool) {
    for _ in 0..<count {
      guard let element = pop() else { return }
      if !isUnwanted(element) { _ = push(element) }
    }
  }
}

extension StaticString {
  /// The bytes of the literal.
  @inline(__always)
  public var bytes: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount)
  }

  /// The literal as a C path: literals end in a zero byte.
  @inline(__always)
  public var path: UnsafePointer<CChar> {
    UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self)
  }
}
