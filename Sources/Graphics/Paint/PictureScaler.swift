import Runtime

/// Makes rows of a picture at another size: smaller ones are averaged over the area that each pixel stands for, larger
/// ones go over from pixel to pixel. What a row has at a place does not depend on which part of it is asked for.
final class PictureScaler {
  private var picture = PictureTable.Picture(pixels: UnsafeMutablePointer(bitPattern: 4)!, size: Size(0, 0))
  private var source = Rect.empty
  private var target = Size(0, 0)
  private var first: Int32 = 0
  private var count: Int32 = 0
  /// Sums of source columns, four a pixel: blue, green, red, opacity, each times a weight of 256 in all.
  private let sums = ScratchRow<UInt32>(4 * Int(Budget.pictureSidePixels))

  /// Takes rows of a part of a picture, stretched to `target`: `count` pixels of each, from `first` on.
  func begin(_ picture: PictureTable.Picture, _ source: Rect, _ target: Size, from first: Int32, _ count: Int32) {
    self.picture = picture
    self.source = source
    self.target = target
    self.first = first
    self.count = count
    self.source.width = min(source.width, Budget.pictureSidePixels)
  }

  /// One row of the target: as many colors as there is room for, which are no more than `begin` asked for.
  func row(_ y: Int32, into colors: UnsafeMutableBufferPointer<UInt32>) {
    precondition(colors.count <= Int(count))
    if source.size == target {
      let line = picture.pixels + Int(source.y + y) * Int(picture.size.width) + Int(source.x + first)
      _ = colors.update(fromContentsOf: UnsafeBufferPointer(start: line, count: colors.count))
      return
    }
    let width = Int(source.width)
    let columns = columns()
    let sums = self.sums.run(0, 4 * width)
    sums.run(4 * columns.lowerBound, 4 * columns.count).update(repeating: 0)
    Axis(source: source.height, target: target.height).forEach(y) { line, weight in
      add(line, weight, columns)
    }
    let axis = Axis(source: source.width, target: target.width)
    for x in 0..<colors.count {
      var (blue, green, red, alpha): (UInt32, UInt32, UInt32, UInt32) = (32768, 32768, 32768, 32768)
      axis.forEach(first + Int32(truncatingIfNeeded: x)) { column, weight in
        let place = 4 * min(column, width - 1)
        blue &+= sums[place] &* weight
        green &+= sums[place + 1] &* weight
        red &+= sums[place + 2] &* weight
        alpha &+= sums[place + 3] &* weight
      }
      colors[x] = (alpha >> 16) << 24 | (red >> 16) << 16 | (green >> 16) << 8 | blue >> 16
    }
  }

  /// The source columns that the asked part of the row needs.
  private func columns() -> Range<Int> {
    let axis = Axis(source: source.width, target: target.width)
    var (low, high) = (Int(source.width), 0)
    axis.forEach(first) { column, _ in low = min(low, column) }
    axis.forEach(first + count - 1) { column, _ in high = max(high, column + 1) }
    return low..<max(high, low + 1)
  }

  private func add(_ line: Int, _ weight: UInt32, _ columns: Range<Int>) {
    let row = picture.pixels + (Int(source.y) + line) * Int(picture.size.width) + Int(source.x)
    let sums = self.sums.run(4 * columns.lowerBound, 4 * columns.count)
    var place = 0
    for column in columns {
      let pixel = row[column]
      sums[place] &+= (pixel & 255) &* weight
      sums[place + 1] &+= (pixel >> 8 & 255) &* weight
      sums[place + 2] &+= (pixel >> 16 & 255) &* weight
      sums[place + 3] &+= (pixel >> 24) &* weight
      place += 4
    }
  }
}

/// Which source lines a target line is made of, with weights of 256 in all.
private struct Axis {
  let source: Int64
  let target: Int64

  init(source: Int32, target: Int32) {
    self.source = Int64(source)
    self.target = Int64(target)
  }

  @inline(__always)
  func forEach(_ line: Int32, _ take: (Int, UInt32) -> Void) {
    if source <= target { return blend(line, take) }
    // Places in 1/256 source line, rounded down, so that neighbors share none.
    let from = Int64(line) * source * 256 / target
    let to = (Int64(line) + 1) * source * 256 / target
    let length = to - from
    var left: Int64 = 256
    var place = from
    while place < to {
      let next = min((place / 256 + 1) * 256, to)
      // What is left of the whole goes to the last, so that white stays white.
      let weight = next == to ? left : (next - from) * 256 / length - (256 - left)
      if weight > 0 { take(Int(place / 256), UInt32(weight)) }
      left -= weight
      place = next
    }
  }

  /// Between the two source lines around the middle of the target line.
  @inline(__always)
  private func blend(_ line: Int32, _ take: (Int, UInt32) -> Void) {
    let middle = max((Int64(line) * 2 + 1) * source * 128 / target - 128, 0)
    let (index, share) = (middle / 256, UInt32(middle % 256))
    take(Int(min(index, source - 1)), 256 - share)
    if share > 0 { take(Int(min(index + 1, source - 1)), share) }
  }
}
