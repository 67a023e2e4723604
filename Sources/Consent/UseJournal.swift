import Codec
import Runtime

/// The last uses: a ring of pages, each a record on flash, of which only the one that changed is written. The oldest
/// page makes room for a new one.
public final class UseJournal {
  /// Entries of a page: with its header, a page is below one block of flash file systems.
  static let perPage = Budget.consentPageUses
  static let pages = Budget.consentPages
  /// Bytes of the record of a full page: a serial number, a count, and the entries.
  public static let recordBytes = headerBytes + perPage * Use.bytes
  private static let headerBytes = 8
  /// Milliseconds within which a use like the last one is counted with it.
  private static let pause: Int64 = 60_000

  /// The entries as on flash, page after page; untouched memory until the first use.
  private let memory: ReservedBuffer
  private var counts = InlineArray<8, Int>(repeating: 0)
  /// Rises with each page that is begun; 0: the page was never used.
  private var serials = InlineArray<8, UInt32>(repeating: 0)
  private var current = 0
  /// The pages that flash has not as they are here.
  private var unwritten: UInt8 = 0
  /// The last entry, while another use may be counted with it, and when that ends, of the monotonic clock.
  private var open: (use: Use, entry: Entry, until: Int64)?

  /// Where a use is counted.
  public struct Entry: Equatable, Sendable {
    fileprivate var serial: UInt32
    fileprivate var index: Int
    /// When the first use of the entry began, of the monotonic clock.
    fileprivate var start: Int64
  }

  /// An empty journal.
  @export(interface)
  public init() throws(Errno) {
    precondition(Self.pages <= 8)
    memory = try ReservedBuffer(capacity: Self.pages * Self.perPage * Use.bytes)
  }

  /// Number of entries.
  public var count: Int {
    var total = 0
    for page in 0..<Self.pages { total += counts[page] }
    return total
  }

  private func place(_ page: Int, _ index: Int) -> UnsafeMutableBufferPointer<UInt8> {
    let start = (page * Self.perPage + index) * Use.bytes
    return UnsafeMutableBufferPointer(rebasing: memory.bytes[start..<start + Use.bytes])
  }

  /// The entry that is `back` before the last; nil when there are not so many.
  public func use(back: Int) -> Use? {
    var (page, left) = (current, back)
    for _ in 0..<Self.pages {
      if left < counts[page] {
        return Use(Span(_unsafeElements: UnsafeBufferPointer(place(page, counts[page] - 1 - left))))
      }
      left -= counts[page]
      page = (page + Self.pages - 1) % Self.pages
    }
    return nil
  }

  // MARK: Uses

  /// A use begins: where it is counted, and whether in an entry of its own, which flash shall have soon.
  public func begin(_ use: Use, at now: Int64) -> (entry: Entry, isNew: Bool) {
    if let last = open, last.use.isLike(use), now <= last.until, last.use.count < .max {
      open!.use.count += 1
      open!.until = now + Self.pause
      open!.use.lasted = max(last.use.lasted, now - last.entry.start)
      write(open!.use, in: current, at: last.entry.index)
      return (last.entry, false)
    }
    if serials[current] == 0 || counts[current] == Self.perPage { turnPage() }
    let entry = Entry(serial: serials[current], index: counts[current], start: now)
    counts[current] += 1
    open = (use, entry, now + Self.pause)
    write(use, in: current, at: entry.index)
    return (entry, true)
  }

  /// A use that is counted here has ended. Nothing happens when its page was needed for newer ones.
  public func end(_ entry: Entry, at now: Int64) {
    for page in 0..<Self.pages where serials[page] == entry.serial && entry.index < counts[page] {
      guard var use = Use(Span(_unsafeElements: UnsafeBufferPointer(place(page, entry.index)))) else { return }
      use.lasted = max(use.lasted, now - entry.start)
      write(use, in: page, at: entry.index)
      guard open?.entry == entry else { return }
      open!.use.lasted = use.lasted
      open!.until = now + Self.pause
    }
  }

  private func write(_ use: Use, in page: Int, at index: Int) {
    use.encode(into: place(page, index))
    unwritten |= 1 << UInt8(page)
  }

  private func turnPage() {
    let serial = serials[current]
    if serial > 0 { current = (current + 1) % Self.pages }
    serials[current] = serial &+ 1
    counts[current] = 0
    open = nil
  }

  // MARK: On flash

  /// A page that flash has not as it is, as the record of that number; nil when it has all.
  public func nextPage(into bytes: UnsafeMutableBufferPointer<UInt8>) -> (page: Int, count: Int)? {
    guard unwritten != 0, bytes.count >= Self.recordBytes else { return nil }
    let page = unwritten.trailingZeroBitCount
    for index in 0..<4 { bytes[index] = UInt8(truncatingIfNeeded: serials[page] >> UInt32(8 * index)) }
    for index in 4..<8 { bytes[index] = index == 4 ? UInt8(counts[page]) : 0 }
    let count = counts[page] * Use.bytes
    let start = page * Self.perPage * Use.bytes
    for index in 0..<count { bytes[Self.headerBytes + index] = memory.bytes[start + index] }
    return (page, Self.headerBytes + count)
  }

  /// This page, as `nextPage` gave it, is being written. What changes from now on is written later.
  public func isWriting(_ page: Int) { unwritten &= ~(1 << UInt8(page)) }

  /// It could not be written.
  public func wasNotWritten(_ page: Int) { unwritten |= 1 << UInt8(page) }

  /// True when flash has not all.
  public var isUnwritten: Bool { unwritten != 0 }

  /// Takes a page that flash has; false when it is not valid. At start only; afterwards `resume`.
  public func take(_ page: Int, _ record: Span<UInt8>) -> Bool {
    guard record.count >= Self.headerBytes else { return false }
    var serial: UInt32 = 0
    for index in 0..<4 { serial |= UInt32(record[index]) << UInt32(8 * index) }
    let count = Int(record[4])
    guard serial > 0, count <= Self.perPage, record.count == Self.headerBytes + count * Use.bytes else { return false }
    for index in 0..<count {
      let start = Self.headerBytes + index * Use.bytes
      let entry = record.extracting(start..<start + Use.bytes)
      guard Use(entry) != nil else { return false }
      let target = place(page, index)
      for byte in 0..<Use.bytes { target[byte] = entry[byte] }
    }
    (serials[page], counts[page]) = (serial, count)
    return true
  }

  /// Goes on after the newest of the pages that were taken. Pages that do not precede it are forgotten.
  public func resume() {
    var newest: UInt32 = 0
    for page in 0..<Self.pages where serials[page] > newest { (newest, current) = (serials[page], page) }
    for back in 1..<Self.pages {
      let page = (current + Self.pages - back) % Self.pages
      if serials[page] == 0 || Int64(serials[page]) != Int64(newest) - Int64(back) {
        (serials[page], counts[page]) = (0, 0)
      }
    }
  }
}
