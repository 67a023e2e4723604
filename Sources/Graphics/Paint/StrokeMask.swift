import Codec
import Runtime

/// Draws icons into a mask: lines by each pixel's distance from them, areas by four scan lines a pixel.
final class StrokeMask {
  private static let side = Budget.iconPixels
  /// Straight pieces of one icon; the longest has some 150.
  static let edges = 512
  private let mask = ScratchRow<UInt8>(side * side)
  private let pieces = ScratchRow<Piece>(edges)
  private var pieceCount = 0
  private let crossings = ScratchRow<Crossing>(edges)
  private let sums = ScratchRow<Float>(side + 1)

  private struct Piece: BitwiseCopyable {
    var x0, y0, x1, y1: Float
  }

  private struct Crossing: BitwiseCopyable {
    var x: Float
    var winding: Int
  }

  /// Coverage of a drawing at `side` pixels. Valid until the next call.
  func draw(_ path: IconPath, side: Int) -> Coverage {
    let mask = self.mask.run(0, side * side)
    mask.update(repeating: 0)
    let scale = Float(side) / 24
    var mode = IconPath.Mode.stroke
    var pen: (x: Float, y: Float) = (0, 0)
    pieceCount = 0
    path.forEach { step in
      switch step {
      case .mode(let next):
        if mode == .fill { fill(side) }
        pieceCount = 0
        mode = next
      case .begin(let x, let y): pen = (x * scale, y * scale)
      case .line(let x, let y):
        let end = (x: x * scale, y: y * scale)
        switch mode {
        case .stroke: stroke(pen, end, reach: scale, side, isErasing: false)
        case .erase: stroke(pen, end, reach: scale * 2.5, side, isErasing: true)
        case .fill where pieceCount < Self.edges:
          pieces.values[pieceCount] = Piece(x0: pen.x, y0: pen.y, x1: end.x, y1: end.y)
          pieceCount += 1
        case .fill: break
        }
        pen = end
      }
    }
    if mode == .fill { fill(side) }
    return Coverage(rows: mask.baseAddress!, stride: side, size: Size(Int32(side), Int32(side)))
  }

  /// A line with round ends, `reach` to both sides.
  private func stroke(
    _ from: (x: Float, y: Float), _ to: (x: Float, y: Float), reach: Float, _ side: Int, isErasing: Bool
  ) {
    let limit = Float(side) - 1
    let left = Int(clamping: (min(from.x, to.x) - reach - 1).bounded(0, limit)),
      right = Int(clamping: (max(from.x, to.x) + reach + 1).bounded(-1, limit))
    let top = Int(clamping: (min(from.y, to.y) - reach - 1).bounded(0, limit)),
      bottom = Int(clamping: (max(from.y, to.y) + reach + 1).bounded(-1, limit))
    guard left <= right, top <= bottom else { return }
    let capsule = Capsule(from.x, from.y, to.x, to.y, reach: reach)
    for y in top...bottom {
      let mask = self.mask.run(y * side, side)
      for x in left...right {
        let cover = capsule.cover(Float(x) + 0.5, Float(y) + 0.5)
        guard cover > 0 else { continue }
        mask[x] = isErasing ? min(mask[x], 255 - cover) : max(mask[x], cover)
      }
    }
  }

  /// Fills what the pieces enclose, by the non-zero rule.
  private func fill(_ side: Int) {
    let sums = self.sums.run(0, side + 1)
    for y in 0..<side {
      let mask = self.mask.run(y * side, side)
      sums.update(repeating: 0)
      for part in 0..<4 { scan(Float(y) + (Float(part) + 0.5) / 4, side) }
      for x in 0..<side {
        let cover = UInt8(clamping: sums[x] * (255 / 4) + 0.5)
        mask[x] = max(mask[x], cover)
      }
    }
  }

  private func scan(_ y: Float, _ side: Int) {
    let pieces = self.pieces.run(0, pieceCount)
    let crossings = self.crossings.run(0, pieceCount)
    var count = 0
    for index in 0..<pieceCount {
      let piece = pieces[index]
      guard (piece.y0 <= y) != (piece.y1 <= y) else { continue }
      let x = piece.x0 + (y - piece.y0) / (piece.y1 - piece.y0) * (piece.x1 - piece.x0)
      var place = count
      while place > 0, crossings[place - 1].x > x {
        crossings[place] = crossings[place - 1]
        place -= 1
      }
      crossings[place] = Crossing(x: x, winding: piece.y1 > piece.y0 ? 1 : -1)
      count += 1
    }
    var winding = 0
    for index in 0..<count {
      let before = winding
      winding += crossings[index].winding
      if before != 0 { add(crossings[index - 1].x, crossings[index].x, side) }
    }
  }

  /// Adds a run of a scan line, with the parts of pixels at its ends.
  private func add(_ from: Float, _ to: Float, _ side: Int) {
    let sums = self.sums.run(0, side + 1)
    let (from, to) = (max(from, 0), min(to, Float(side)))
    guard from < to else { return }
    let (first, last) = (Int(clamping: from), Int(clamping: to))
    if first == last {
      sums[first] += to - from
      return
    }
    sums[first] += Float(first + 1) - from
    for x in first + 1..<max(last, first + 1) { sums[x] += 1 }
    sums[last] += to - Float(last)
  }
}

/// A line with round ends.
struct Capsule {
  private let x, y: Float
  private let across, down: Float
  private let scale: Float
  private let reach: Float

  /// From one place to another, `reach` to both sides.
  init(_ x0: Float, _ y0: Float, _ x1: Float, _ y1: Float, reach: Float) {
    x = x0
    y = y0
    across = x1 - x0
    down = y1 - y0
    let length = across * across + down * down
    scale = length > 0 ? 1 / length : 0
    self.reach = reach
  }

  /// How much of a pixel around a place it covers, from the place's distance.
  @inline(__always)
  func cover(_ px: Float, _ py: Float) -> UInt8 {
    let (dx, dy) = (px - x, py - y)
    let share = min(max((dx * across + dy * down) * scale, 0), 1)
    let (ex, ey) = (dx - share * across, dy - share * down)
    let value = reach + 0.5 - (ex * ex + ey * ey).squareRoot()
    return value >= 1 ? 255 : UInt8(clamping: value * 255 + 0.5)
  }
}
