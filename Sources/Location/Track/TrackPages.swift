import Runtime

/// The points of the track in pages, each a record on flash, of which only those that changed are written.
///
/// Each page has numbers: it stands for the pages from `first` to `last` that were ever begun. When the track is full,
/// its older half is thinned out: two neighbouring pages become one, which stands for both. That is one record, so a
/// power cut finds the two or the one; where it finds the one and an old copy of the second, the one covers it. A page
/// is written before those behind it, so that no record is overwritten before the page that stands for it is on flash.
final class TrackPages {
  /// Bytes before the points of a record: `first`, `last`, and the number of points, each four, little-endian.
  static let headerBytes = 12
  /// Bytes of the record of a full page.
  static let recordBytes = Budget.trackRecordBytes
  private static let perPage = Budget.trackPagePoints
  private static let pages = Budget.trackPages

  private struct Page {
    /// 0: it is free.
    var first: UInt32 = 0
    var last: UInt32 = 0
    var count = 0
  }

  private let memory = FixedBuffer(capacity: Budget.trackPages * Budget.trackPagePoints * TrackPoint.bytes)
  /// The pages by their record's number.
  private var slots = InlineArray<16, Page>(repeating: Page())
  /// The numbers of those that are not free, the oldest first.
  private var order = InlineArray<16, Int>(repeating: 0)
  private var used = 0
  /// The number of the newest page that was ever begun.
  private var newest: UInt32 = 0
  /// Pages, a bit for each record's number, that flash has not as they are; those of them that are to be written now;
  /// and those of which flash has any points.
  private var unwritten: UInt16 = 0
  private var pledged: UInt16 = 0
  private var stored: UInt16 = 0
  /// Points of all pages.
  private(set) var count = 0
  /// Rises when points were thinned out or erased, not when the oldest ended or new ones came.
  private(set) var revision = 0
  /// Points that were dropped before the first since start.
  private(set) var dropped = 0

  /// No points.
  init() {
    precondition(Self.pages <= 16)
    precondition(Self.recordBytes == Self.headerBytes + Self.perPage * TrackPoint.bytes)
  }

  /// The point with this number, from 0, the oldest.
  subscript(index: Int) -> TrackPoint {
    get {
      let (slot, offset) = locate(index)
      return point(slot, offset)
    }
    set {
      let (slot, offset) = locate(index)
      put(newValue, slot, offset)
      unwritten |= 1 << UInt16(slot)
    }
  }

  private func locate(_ index: Int) -> (slot: Int, offset: Int) {
    var rest = index
    for place in 0..<used {
      let slot = order[place]
      if rest < slots[slot].count { return (slot, rest) }
      rest -= slots[slot].count
    }
    preconditionFailure("no such point")
  }

  private func bytes(_ slot: Int, _ offset: Int) -> UnsafeMutableBufferPointer<UInt8> {
    let start = (slot * Self.perPage + offset) * TrackPoint.bytes
    return UnsafeMutableBufferPointer(rebasing: memory.bytes[start..<start + TrackPoint.bytes])
  }

  private func point(_ slot: Int, _ offset: Int) -> TrackPoint {
    TrackPoint(Span(_unsafeElements: UnsafeBufferPointer(bytes(slot, offset))))!
  }

  private func put(_ point: TrackPoint, _ slot: Int, _ offset: Int) { point.encode(into: bytes(slot, offset)) }

  // MARK: Points

  /// Adds the newest point. True when older ones had to be thinned out for it.
  func append(_ point: TrackPoint) -> Bool {
    var isThinned = false
    if used == 0 || slots[order[used - 1]].count == Self.perPage {
      if used == Self.pages {
        thin()
        isThinned = true
      }
      begin()
    }
    let slot = order[used - 1]
    put(point, slot, slots[slot].count)
    slots[slot].count += 1
    count += 1
    unwritten |= 1 << UInt16(slot)
    return isThinned
  }

  private func begin() {
    newest &+= 1
    for slot in 0..<Self.pages where slots[slot].first == 0 {
      slots[slot] = Page(first: newest, last: newest, count: 0)
      order[used] = slot
      used += 1
      return
    }
  }

  /// Drops the oldest point.
  func removeFirst() {
    let slot = order[0]
    let rest = (slots[slot].count - 1) * TrackPoint.bytes
    let start = slot * Self.perPage * TrackPoint.bytes
    // Downwards: each byte is read before it is overwritten.
    for index in start..<start + rest { memory.bytes[index] = memory.bytes[index + TrackPoint.bytes] }
    slots[slot].count -= 1
    count -= 1
    dropped += 1
    unwritten |= 1 << UInt16(slot)
    guard slots[slot].count == 0, used > 1 else { return }
    free(place: 0)
  }

  /// Erases all points, also from flash.
  func removeAll() {
    for slot in 0..<Self.pages { slots[slot] = Page() }
    (used, count, unwritten, pledged) = (0, 0, stored, 0)
    dropped = 0
    revision += 1
  }

  private func free(place: Int) {
    slots[order[place]] = Page()
    // Not before what stands for it, which may not be pledged yet.
    pledged &= ~(1 << UInt16(order[place]))
    unwritten |= 1 << UInt16(order[place])
    for next in place + 1..<used { order[next - 1] = order[next] }
    used -= 1
  }

  // MARK: Thinning

  /// Drops every second point of the older half, of each two the one of the shorter stay. What way it had, and what was
  /// before it, goes to the next one that stays.
  private func thin() {
    let (before, pairs) = (count, used / 4)
    var carried = Carried()
    for place in 0..<pairs { merge(place, &carried) }
    if carried.hasAny {
      let slot = order[pairs]
      var next = point(slot, 0)
      carried.give(to: &next)
      put(next, slot, 0)
      unwritten |= 1 << UInt16(slot)
    }
    revision += 1
    // Points of the newer half keep their place from the first that ever was.
    dropped += before - count
  }

  /// What dropped points leave to the next one.
  private struct Carried {
    var way = 0.0
    var marks: TrackPoint.Marks = []
    var hasAny: Bool { !marks.isEmpty }

    mutating func add(_ point: TrackPoint) {
      way += point.way
      marks.formUnion(point.marks)
      marks.insert(.thinned)
    }

    mutating func give(to point: inout TrackPoint) {
      guard hasAny else { return }
      point.way += way
      point.marks.formUnion(marks)
      self = Carried()
    }
  }

  /// Makes one page of the one at this place and the next. What is written is never behind what is read.
  private func merge(_ place: Int, _ carried: inout Carried) {
    let (target, other) = (order[place], order[place + 1])
    let (own, all) = (slots[target].count, slots[target].count + slots[other].count)
    func read(_ index: Int) -> TrackPoint { index < own ? point(target, index) : point(other, index - own) }
    var kept = 0
    var index = 0
    while index < all {
      var one = read(index)
      if index + 1 < all {
        let next = read(index + 1)
        if one.until - one.from >= next.until - next.from {
          carried.give(to: &one)
          carried.add(next)
        } else {
          carried.add(one)
          one = next
          carried.give(to: &one)
        }
      } else {
        carried.give(to: &one)
      }
      put(one, target, kept)
      kept += 1
      index += 2
    }
    slots[target].last = slots[other].last
    slots[target].count = kept
    count -= all - kept
    unwritten |= 1 << UInt16(target)
    free(place: place + 1)
  }

  // MARK: On flash

  /// True when flash has not all.
  var isUnwritten: Bool { unwritten | pledged != 0 }

  /// What flash has not is to be written now. What changes after this waits for the next time.
  func pledge() {
    pledged |= unwritten
    unwritten = 0
  }

  /// The next page that is to be written: its record's number, and its bytes, which it puts into `bytes`; nil when
  /// there is none. `erases`: nothing of what was there may stay in an older generation.
  func nextPage(into bytes: UnsafeMutableBufferPointer<UInt8>) -> (slot: Int, count: Int, erases: Bool)? {
    guard pledged != 0, bytes.count >= Self.recordBytes else { return nil }
    // The oldest first, then those that are free.
    for place in 0..<used where pledged >> UInt16(order[place]) & 1 == 1 { return encode(order[place], bytes) }
    return encode(pledged.trailingZeroBitCount, bytes)
  }

  private func encode(
    _ slot: Int, _ bytes: UnsafeMutableBufferPointer<UInt8>
  ) -> (slot: Int, count: Int, erases: Bool) {
    let page = slots[slot]
    pledged &= ~(1 << UInt16(slot))
    stored |= 1 << UInt16(slot)
    for index in 0..<4 {
      let shift = UInt32(8 * index)
      bytes[index] = UInt8(truncatingIfNeeded: page.first >> shift)
      bytes[4 + index] = UInt8(truncatingIfNeeded: page.last >> shift)
      bytes[8 + index] = UInt8(truncatingIfNeeded: UInt32(page.count) >> shift)
    }
    let start = slot * Self.perPage * TrackPoint.bytes
    let length = page.count * TrackPoint.bytes
    for index in 0..<length { bytes[Self.headerBytes + index] = memory.bytes[start + index] }
    return (slot, Self.headerBytes + length, page.count == 0)
  }

  /// The page that was to be written could not be.
  func wasNotWritten(_ slot: Int) { pledged |= 1 << UInt16(slot) }

  /// It is on flash. `isErased`: without a point.
  func wasWritten(_ slot: Int, isErased: Bool) {
    if isErased { stored &= ~(1 << UInt16(slot)) }
  }

  /// Reads a page that flash has; false where the record is none. At start only; afterwards `resume`.
  func receive(_ slot: Int, _ record: Span<UInt8>) -> Bool {
    guard record.count >= Self.headerBytes else { return false }
    let (first, last, number) = (Self.number(0, record), Self.number(4, record), Self.number(8, record))
    // A number that could not rise any more was not written here.
    guard first <= last, last < .max / 2, (first == 0) == (last == 0), number <= UInt32(Self.perPage),
      first > 0 || number == 0,
      record.count == Self.headerBytes + Int(number) * TrackPoint.bytes
    else { return false }
    if number == 0 { return true }
    for index in 0..<Int(number) {
      let start = Self.headerBytes + index * TrackPoint.bytes
      guard let point = TrackPoint(record.extracting(start..<start + TrackPoint.bytes)) else { return false }
      put(point, slot, index)
    }
    slots[slot] = Page(first: first, last: last, count: Int(number))
    stored |= 1 << UInt16(slot)
    return true
  }

  private static func number(_ start: Int, _ record: Span<UInt8>) -> UInt32 {
    var number: UInt32 = 0
    for index in 0..<4 { number |= UInt32(record[start + index]) << UInt32(8 * index) }
    return number
  }

  /// A page that flash has could not be read. It is erased with all others, or another one takes its place.
  func wasLost(_ slot: Int) { stored |= 1 << UInt16(slot) }

  /// Puts the pages that were read into their order. One that another stands for is a copy from before a power cut, and
  /// is erased.
  func resume() {
    (used, count) = (0, 0)
    for slot in 0..<Self.pages where slots[slot].first > 0 {
      if isCovered(slot) {
        slots[slot] = Page()
        unwritten |= 1 << UInt16(slot)
        continue
      }
      var place = used
      while place > 0, slots[order[place - 1]].last > slots[slot].last {
        order[place] = order[place - 1]
        place -= 1
      }
      order[place] = slot
      used += 1
      count += slots[slot].count
      newest = max(newest, slots[slot].last)
    }
  }

  private func isCovered(_ slot: Int) -> Bool {
    let page = slots[slot]
    for other in 0..<Self.pages where other != slot && slots[other].first > 0 {
      let (first, last) = (slots[other].first, slots[other].last)
      guard first <= page.last, last >= page.first else { continue }
      // Of two of the same numbers, which no release writes, one is as good as the other.
      let isSame = first == page.first && last == page.last
      if isSame ? other < slot : last - first >= page.last - page.first { return true }
    }
    return false
  }
}
