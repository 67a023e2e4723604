import Codec
import Runtime

/// Finds how much of each pixel an area covers that lines enclose: 16 scan lines a pixel, each exact to 1/256 pixel.
/// Any number of areas may overlap; the rules of filling hold at every edge.
final class ScanConverter {
  /// Pixels of a row that are covered alike, or each as the row says.
  enum Run {
    case all
    case some(UnsafeBufferPointer<UInt8>)
  }

  private struct Edge: BitwiseCopyable {
    /// Where it is on its first scan line, and how far it moves from each to the next: 1/2^32 pixel.
    var x, step: Int64
    /// The first scan line after it.
    var end: Int32
    var winding: Int32
    var next: Int32
  }

  /// Scan lines of a pixel, as a power of two: 16 give steps of coverage that the eye does not see.
  private static let shift: Int32 = 4
  private static let lines: Int32 = 1 << shift
  /// 1.0 in the fixed point of an edge: 32 bits of fraction.
  private static let one = 4_294_967_296.0
  /// Beyond what anyone draws to, and products of two of them are numbers.
  private static let farthest = 1e100

  private let memory: ReservedBuffer
  private let edges: UnsafeMutableBufferPointer<Edge>
  private var edgeCount: Int32 = 0
  private let activeMemory: ReservedBuffer
  private let active: UnsafeMutableBufferPointer<Edge>
  private var activeCount = 0
  private let headMemory: ReservedBuffer
  /// The number of the first edge that begins at a scan line, counted from 1; 0: none. All 0 between two shapes.
  private let heads: UnsafeMutableBufferPointer<Int32>
  /// Longer than a row: eight pixels are looked at at a time, and what ends at the right edge is counted after it.
  private static let room = Budget.paintSidePixels + 16
  private let sums = ScratchRow<Int32>(room)
  private let coverage = ScratchRow<UInt8>(room)
  private var (firstLine, lastLine) = (Int32.max, Int32.min)
  private var (left, top, right, bottom) = (0.0, 0.0, 0.0, 0.0)
  private var bounds = Rect.empty
  /// The shape was too much: some of it is missing.
  private(set) var isCut = false
  private var work = 0
  private let limit: WorkLimit

  init(_ limit: WorkLimit = WorkLimit()) throws(Errno) {
    self.limit = limit
    let bytes = Budget.vectorEdges * MemoryLayout<Edge>.stride
    memory = try ReservedBuffer(capacity: bytes)
    activeMemory = try ReservedBuffer(capacity: bytes)
    edges = UnsafeMutableRawBufferPointer(memory.bytes).bindMemory(to: Edge.self)
    active = UnsafeMutableRawBufferPointer(activeMemory.bytes).bindMemory(to: Edge.self)
    let lines = Budget.paintSidePixels << Int(Self.shift)
    headMemory = try ReservedBuffer(capacity: lines * 4)
    heads = UnsafeMutableRawBufferPointer(headMemory.bytes).bindMemory(to: Int32.self)
  }

  /// Begins a shape of which only what is in `bounds` counts: pixels from 0 to `Budget.paintSidePixels`.
  func begin(_ bounds: Rect) {
    let side = Int32(Budget.paintSidePixels)
    self.bounds = bounds.intersection(Rect(0, 0, side, side))
    let bounds = self.bounds
    (left, top) = (Double(bounds.x), Double(bounds.y))
    (right, bottom) = (Double(bounds.maxX), Double(bounds.maxY))
    edgeCount = 0
    (firstLine, lastLine) = (Int32.max, Int32.min)
    isCut = false
    work = 0
  }

  // MARK: Edges

  /// A line of the shape's border; borders are closed. A pen may be so wide, or a matrix so large, that its places are
  /// beyond all numbers: they are brought to `farthest`, the same place always to the same, so that borders stay
  /// closed.
  func add(_ from: Place, _ to: Place) {
    var (a, b, winding) = (Self.near(from), Self.near(to), Int32(1))
    if a.y > b.y { (a, b, winding) = (b, a, -1) }
    guard b.y > top, a.y < bottom, a.y < b.y, min(a.x, b.x) < right else { return }
    let slope = (b.x - a.x) / (b.y - a.y)
    if a.y < top { a = Place(a.x + (top - a.y) * slope, top) }
    if b.y > bottom { b = Place(a.x + (bottom - a.y) * slope, bottom) }
    if a.x >= left, b.x >= left, a.x <= right, b.x <= right { return addClipped(a, b, winding) }
    // What is left of the bounds counts at their edge, what is right of them not at all.
    if a.x < left || b.x < left {
      if a.x <= left, b.x <= left { return addClipped(Place(left, a.y), Place(left, b.y), winding) }
      let y = min(max(a.y + (left - a.x) / slope, a.y), b.y)
      if a.x < left {
        addClipped(Place(left, a.y), Place(left, y), winding)
        a = Place(left, y)
      } else {
        addClipped(Place(left, y), Place(left, b.y), winding)
        b = Place(left, y)
      }
    }
    if a.x > right || b.x > right {
      if a.x >= right, b.x >= right { return }
      let y = min(max(a.y + (right - a.x) / slope, a.y), b.y)
      if a.x > right { a = Place(right, y) } else { b = Place(right, y) }
    }
    addClipped(a, b, winding)
  }

  /// All lines of a path, each subpath closed.
  func add(_ path: VectorPath, from start: Int = 0, count: Int) {
    var (first, last) = (Place(0, 0), Place(0, 0))
    for index in start..<start + count {
      let point = path[index]
      if point.flags.contains(.start) {
        if index > start { add(last, first) }
        first = point.place
      } else {
        add(last, point.place)
      }
      last = point.place
    }
    if count > 0 { add(last, first) }
  }

  @inline(__always)
  private static func near(_ place: Place) -> Place {
    Place(place.x.bounded(-farthest, farthest), place.y.bounded(-farthest, farthest))
  }

  /// A line inside the bounds, but for what its calculation lost.
  private func addClipped(_ a: Place, _ b: Place, _ winding: Int32) {
    let a = Place(a.x.bounded(left, right), a.y.bounded(top, bottom))
    let b = Place(b.x.bounded(left, right), b.y.bounded(top, bottom))
    let lines = Double(Self.lines)
    // Scan lines run through the middles of their sixteenths.
    let first = Int32(clamping: (a.y * lines - 0.5).rounded(.up))
    let end = Int32(clamping: (b.y * lines - 0.5).rounded(.up))
    guard first < end else { return }
    guard edgeCount < Int32(Budget.vectorEdges) else { return isCut = true }
    let slope = (b.x - a.x) / (b.y - a.y)
    let x = a.x + ((Double(first) + 0.5) / lines - a.y) * slope - left
    let step = end - first > 1 ? slope / lines : 0
    edges[Int(edgeCount)] = Edge(
      x: Int64(clamping: x * Self.one), step: Int64(clamping: step * Self.one), end: end, winding: winding,
      next: heads[Int(first)])
    edgeCount += 1
    heads[Int(first)] = edgeCount
    firstLine = min(firstLine, first)
    lastLine = max(lastLine, end)
  }

  // MARK: Rows

  /// Ends the shape: gives each row's runs to `paint`, from the top, from the left. With `allRows` every row of the
  /// bounds is given as a whole, what is not covered too.
  func convert(evenOdd: Bool, allRows: Bool = false, _ paint: (_ y: Int32, _ x: Int32, _ count: Int32, Run) -> Void) {
    activeCount = 0
    let isEmpty = firstLine >= lastLine
    let firstRow = isEmpty ? bounds.maxY : firstLine >> Self.shift
    let endRow = isEmpty ? bounds.maxY : (lastLine + Self.lines - 1) >> Self.shift
    if allRows { giveEmpty(bounds.y, min(firstRow, bounds.maxY), paint) }
    var y = firstRow
    while y < endRow {
      let before = work
      scan(row: y, mask: evenOdd ? 1 : -1)
      if allRows { giveWhole(y, paint) } else { give(y, paint) }
      y += 1
      if !limit.spend(Int(bounds.width) + work - before) || work > Budget.vectorWork { break }
    }
    if y < endRow { stop(at: y, endRow) }
    if allRows { giveEmpty(y, bounds.maxY, paint) }
  }

  private func stop(at y: Int32, _ endRow: Int32) {
    isCut = true
    for line in Int(y << Self.shift)..<Int(endRow << Self.shift) { heads[line] = 0 }
  }

  /// Adds up one row of pixels.
  private func scan(row y: Int32, mask: Int32) {
    let start = y << Self.shift
    if isUpright(start) {
      take(from: start)
      sort()
      sum(mask, weight: Self.lines)
      return dropEnded(by: start + Self.lines)
    }
    for index in 0..<Int(Self.lines) {
      let line = start + Int32(index)
      take(from: line)
      guard activeCount > 0 else { continue }
      sort()
      sum(mask, weight: 1)
      moveOn(to: line + 1)
    }
  }

  /// Do all edges of a row run straight down through all of it?
  private func isUpright(_ start: Int32) -> Bool {
    for line in Int(start) + 1..<Int(start + Self.lines) where heads[line] != 0 { return false }
    for index in 0..<activeCount where active[index].step != 0 || active[index].end < start + Self.lines {
      return false
    }
    var next = heads[Int(start)]
    while next != 0 {
      let edge = edges[Int(next) - 1]
      if edge.step != 0 || edge.end < start + Self.lines { return false }
      next = edge.next
    }
    return true
  }

  private func take(from line: Int32) {
    var next = heads[Int(line)]
    guard next != 0 else { return }
    heads[Int(line)] = 0
    while next != 0 {
      active[activeCount] = edges[Int(next) - 1]
      next = active[activeCount].next
      activeCount += 1
    }
  }

  /// From the left. They are almost in order: few cross between two scan lines.
  private func sort() {
    var moves = 0
    for index in 1..<max(activeCount, 1) {
      let edge = active[index]
      guard active[index - 1].x > edge.x else { continue }
      var place = index
      while place > 0, active[place - 1].x > edge.x {
        active[place] = active[place - 1]
        place -= 1
      }
      active[place] = edge
      moves += index - place
      // Edges of one scan line in the worst order would be moved for minutes. The row is wrong then, and the last.
      if work + moves > Budget.vectorWork { break }
    }
    work += activeCount + moves
  }

  /// Adds where a scan line comes in and goes out, `weight` times.
  private func sum(_ mask: Int32, weight: Int32) {
    var winding: Int32 = 0
    let limit = Int64(bounds.width) << 32
    let sums = self.sums.run(0, Int(bounds.width) + 2)
    for index in 0..<activeCount {
      let wasInside = winding & mask != 0
      winding &+= active[index].winding
      let isInside = winding & mask != 0
      guard wasInside != isInside else { continue }
      let x = min(max(active[index].x, 0), limit)
      let (pixel, part) = (Int(x >> 32), Int32(truncatingIfNeeded: (x >> 24) & 255))
      let sign = isInside ? weight : -weight
      sums[pixel] &+= sign &* (256 &- part)
      sums[pixel + 1] &+= sign &* part
    }
  }

  private func moveOn(to line: Int32) {
    var kept = 0
    for index in 0..<activeCount where active[index].end > line {
      if kept != index { active[kept] = active[index] }
      active[kept].x &+= active[kept].step
      kept += 1
    }
    activeCount = kept
  }

  private func dropEnded(by line: Int32) {
    var kept = 0
    for index in 0..<activeCount where active[index].end > line {
      if kept != index { active[kept] = active[index] }
      kept += 1
    }
    activeCount = kept
  }

  // MARK: Runs

  private func giveEmpty(_ from: Int32, _ end: Int32, _ paint: (Int32, Int32, Int32, Run) -> Void) {
    let coverage = self.coverage.run(0, Int(bounds.width))
    coverage.update(repeating: 0)
    var y = from
    while y < end {
      paint(y, bounds.x, bounds.width, .some(UnsafeBufferPointer(coverage)))
      y += 1
    }
  }

  private func giveWhole(_ y: Int32, _ paint: (Int32, Int32, Int32, Run) -> Void) {
    let sums = self.sums.run(0, Int(bounds.width))
    let coverage = self.coverage.run(0, Int(bounds.width))
    var sum: Int32 = 0
    for x in 0..<Int(bounds.width) {
      sum &+= sums[x]
      sums[x] = 0
      coverage[x] = Self.share(sum)
    }
    clearEnd()
    paint(y, bounds.x, bounds.width, .some(UnsafeBufferPointer(coverage)))
  }

  private func clearEnd() { sums.run(Int(bounds.width), 2).update(repeating: 0) }

  @inline(__always)
  private static func share(_ sum: Int32) -> UInt8 {
    UInt8(truncatingIfNeeded: (min(max(sum, 0), 4096) &* 255 &+ 2048) >> 12)
  }

  /// Goes over eight pixels at a time: mostly nothing changes in them.
  private func give(_ y: Int32, _ paint: (Int32, Int32, Int32, Run) -> Void) {
    let width = Int(bounds.width)
    let sums = self.sums.run(0, width &+ 7)
    let coverage = self.coverage.run(0, width &+ 7)
    var sum: Int32 = 0
    var x = 0
    // Where the run began that is being made, and whether all of it is covered.
    var (from, isAll) = (0, false)
    while x < width {
      let group = sums.baseAddress! + x
      let isSame =
        group[0] | group[1] | group[2] | group[3] | group[4] | group[5] | group[6] | group[7] == 0
      if isSame, sum == 0 {
        flush(y, from, x, isAll, paint)
        (from, isAll) = (x &+ 8, false)
      } else if isSame, sum == 4096 {
        if !isAll {
          flush(y, from, x, false, paint)
          (from, isAll) = (x, true)
        }
      } else {
        if isAll {
          flush(y, from, x, true, paint)
          (from, isAll) = (x, false)
        }
        for index in x..<x &+ 8 {
          sum &+= sums[index]
          sums[index] = 0
          coverage[index] = Self.share(sum)
        }
      }
      x &+= 8
    }
    flush(y, from, width, isAll, paint)
    clearEnd()
  }

  private func flush(
    _ y: Int32, _ from: Int, _ end: Int, _ isAll: Bool, _ paint: (Int32, Int32, Int32, Run) -> Void
  ) {
    let end = min(end, Int(bounds.width))
    guard from < end else { return }
    let run: Run = isAll ? .all : .some(UnsafeBufferPointer(coverage.run(from, end - from)))
    paint(y, bounds.x + Int32(from), Int32(end - from), run)
  }
}
