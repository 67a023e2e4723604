import Glibc
import Runtime
import Testing

@Suite struct BuffersTests {
  /// A queue after a reference: `#expect` copies what it looks at.
  private final class Queue<Element> {
    private var queue: BoundedQueue<Element>
    init(capacity: Int) { queue = BoundedQueue(capacity: capacity) }
    var count: Int { queue.count }
    var isEmpty: Bool { queue.isEmpty }
    var isFull: Bool { queue.isFull }
    func push(_ element: Element) -> Bool { queue.push(element) }
    func pop() -> Element? { queue.pop() }
    func removeAll(where isUnwanted: (Element) -> Bool) { queue.removeAll { isUnwanted($0) } }
  }

  @Test("a queue gives back what it took, in order, around its end")
  func order() {
    let queue = Queue<Int>(capacity: 3)
    var given: [Int] = []
    for number in 0..<20 {
      #expect(queue.push(number))
      #expect(queue.push(number + 100))
      given.append(queue.pop()!)
      given.append(queue.pop()!)
    }
    #expect(given == (0..<20).flatMap { [$0, $0 + 100] })
    #expect(queue.isEmpty)
    #expect(queue.pop() == nil)
  }

  @Test("a full queue refuses, and keeps what it has")
  func full() {
    let queue = Queue<Int>(capacity: 2)
    #expect(queue.push(1))
    #expect(queue.push(2))
    #expect(queue.isFull)
    #expect(!queue.push(3))
    #expect(queue.count == 2)
    #expect(queue.pop() == 1)
    #expect(queue.push(3))
    #expect(queue.pop() == 2)
    #expect(queue.pop() == 3)
  }

  @Test("what is taken out of a queue leaves the order of the others, around its end too")
  func removal() {
    let queue = Queue<Int>(capacity: 4)
    for number in [0, 0, 1, 2] { #expect(queue.push(number)) }
    #expect(queue.pop() == 0)
    #expect(queue.pop() == 0)
    for number in [3, 4] { #expect(queue.push(number)) }
    queue.removeAll { $0 % 2 == 0 }
    #expect(queue.count == 2)
    #expect(queue.pop() == 1)
    #expect(queue.pop() == 3)
    #expect(queue.pop() == nil)
  }

  @Test("a queue lets its elements go when they are taken and when it ends")
  func ownership() {
    final class Element {}
    weak var taken: Element?
    weak var left: Element?
    do {
      let queue = Queue<Element>(capacity: 2)
      do {
        let elements = [Element(), Element()]
        (taken, left) = (elements[0], elements[1])
        for element in elements { _ = queue.push(element) }
      }
      _ = queue.pop()
      #expect(taken == nil)
      #expect(left != nil)
    }
    #expect(left == nil)
  }

  @Test("a fixed buffer begins as zeroes")
  func fixed() {
    let buffer = FixedBuffer(capacity: 1000)
    #expect(buffer.bytes.count == 1000)
    #expect(buffer.bytes.allSatisfy { $0 == 0 })
  }

  @Test(
    "a reserved buffer keeps its first bytes and forgets the pages behind", arguments: [0, 1, 4096, 65536])
  func release(keeping: Int) throws {
    let buffer = try ReservedBuffer(capacity: 1 << 20)
    buffer.bytes.update(repeating: 7)
    buffer.release(keeping: keeping)
    #expect(buffer.bytes[..<keeping].allSatisfy { $0 == 7 })
    // No board has pages above 64 KiB.
    #expect(buffer.bytes[((keeping + 0xFFFF) & ~0xFFFF)...].allSatisfy { $0 == 0 })
  }

  @Test("a reserved buffer that keeps everything is left alone")
  func keepAll() throws {
    let buffer = try ReservedBuffer(capacity: 8192)
    buffer.bytes.update(repeating: 7)
    buffer.release(keeping: 9000)
    #expect(buffer.bytes.allSatisfy { $0 == 7 })
  }

  @Test("a guarded buffer is between pages that cannot be touched", arguments: [16, 8192, 8208, 65_536, 100_000])
  func guards(capacity: Int) throws {
    let buffer = try ReservedBuffer(capacity: capacity, isGuarded: true)
    let first = buffer.bytes.baseAddress!
    var ends: (Int32, Int32) = (0, 0)
    try #require(
      withUnsafeMutablePointer(to: &ends) { $0.withMemoryRebound(to: Int32.self, capacity: 2) { pipe($0) } } == 0)
    defer {
      close(ends.0)
      close(ends.1)
    }
    // The kernel says EFAULT of memory that would stop the program.
    func isThere(_ address: UnsafePointer<UInt8>) -> Bool { write(ends.1, address, 1) == 1 }
    #expect(isThere(first) && isThere(first + (capacity - 1)))
    #expect(!isThere(first + capacity) && errno == EFAULT)
    #expect(!isThere(first + (capacity + 4095)))
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    #expect(!isThere(first - (page - capacity % page) % page - 1))
  }

  @Test("a guarded buffer that begins inside of a page forgets its beginning too")
  func releaseUneven() throws {
    let buffer = try ReservedBuffer(capacity: 100_000, isGuarded: true)
    buffer.bytes.update(repeating: 7)
    buffer.release()
    #expect(buffer.bytes.allSatisfy { $0 == 0 })
  }

  @Test("more than there can be is refused, with a reason")
  func refuses() {
    #expect(throws: Errno.self) { try ReservedBuffer(capacity: Int.max) }
  }
}
