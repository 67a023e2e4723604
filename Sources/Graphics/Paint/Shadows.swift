import Runtime

/// Corners of blurred rounded rectangles, made once for each pair of radius and blur: a shadow is four of them, and
/// between them what their last row and column go on with.
final class Shadows {
  /// The upper left corner of a shadow, from `blur` pixels outside to where it is all there.
  struct Tile {
    var values: UnsafeMutableBufferPointer<UInt8>
    var side: Int
    var blur: Int

    /// One of its rows, the last for all that follow.
    @inline(__always)
    func row(_ y: Int) -> UnsafeMutableBufferPointer<UInt8> { values.run(side * min(y, side - 1), side) }
  }

  private struct Entry {
    var radius = -1
    var blur = -1
  }

  private static let side = Budget.shadowRadius + 2 * Budget.shadowBlur + 1
  private var entries = InlineArray<6, Entry>(repeating: Entry())
  private let tiles = ScratchRow<UInt8>(Budget.shadows * side * side)
  private let line = ScratchRow<UInt8>(side)
  private var next = 0

  init() { precondition(entries.count == Budget.shadows) }

  /// The corner for a rectangle; blurred less where there is no room for two of them.
  func tile(radius: Int, blur: Int, in size: Size) -> Tile {
    let radius = min(max(radius, 0), Budget.shadowRadius)
    let blur = max(min(blur, Budget.shadowBlur, Int(min(size.width, size.height)) / 2), 0)
    let side = min(radius + 2 * blur + 1, Self.side)
    for index in 0..<entries.count where entries[index].radius == radius && entries[index].blur == blur {
      return Tile(values: values(index, side), side: side, blur: blur)
    }
    let index = next
    next = (next + 1) % entries.count
    entries[index] = Entry(radius: radius, blur: blur)
    let values = values(index, side)
    draw(values, side, radius, blur)
    return Tile(values: values, side: side, blur: blur)
  }

  private func values(_ index: Int, _ side: Int) -> UnsafeMutableBufferPointer<UInt8> {
    tiles.run(index * Self.side * Self.side, side * side)
  }

  private func draw(_ values: UnsafeMutableBufferPointer<UInt8>, _ side: Int, _ radius: Int, _ blur: Int) {
    for y in 0..<side {
      let row = values.run(y * side, side)
      for x in 0..<side { row[x] = x >= blur && y >= blur ? 255 : 0 }
      if y >= blur, y < blur + radius {
        RoundedCorner.cover(Int32(radius), row: Int32(y - blur), into: row.run(blur, radius))
      }
    }
    // Three boxes are nearly a bell; together they reach `blur` to each side.
    for pass in 0..<3 {
      let reach = (blur + pass) / 3
      guard reach > 0 else { continue }
      for y in 0..<side { average(values, from: y * side, step: 1, side, reach) }
      for x in 0..<side { average(values, from: x, step: side, side, reach) }
    }
  }

  /// The mean of each value and `reach` neighbors to both sides; nothing is before the first, the last goes on.
  private func average(
    _ values: UnsafeMutableBufferPointer<UInt8>, from start: Int, step: Int, _ count: Int, _ reach: Int
  ) {
    let line = self.line.run(0, count)
    let values = values.run(start, (count - 1) * step + 1)
    for index in 0..<count { line[index] = values[index * step] }
    let width = 2 * reach + 1
    var sum = 0
    for index in 0..<min(reach, count) { sum += Int(line[index]) }
    if reach > count { sum += (reach - count) * Int(line[count - 1]) }
    for index in 0..<count {
      sum += Int(line[min(index + reach, count - 1)])
      if index > reach { sum -= Int(line[index - reach - 1]) }
      values[index * step] = UInt8((sum + width / 2) / width)
    }
  }
}
