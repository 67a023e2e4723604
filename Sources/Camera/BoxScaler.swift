import Runtime

/// Scales components of a picture down by area averaging, and converts video's limited range to JPEG's full range at
/// the same time. Owns the scratch memory.
public final class BoxScaler {
  private let scratch: ReservedBuffer
  private let across, down: BoxAxis
  /// The weighted sum of the source rows of one target row.
  private let sums: UnsafeMutablePointer<UInt32>
  private let ranges = SampleRanges()

  /// Allocates scratch memory for sides of up to `Budget.cameraSidePixels`.
  @export(interface)
  public init() throws(Errno) {
    let side = Budget.cameraSidePixels
    let axis = BoxAxis.storage(side: side)
    scratch = try ReservedBuffer(capacity: 2 * axis * 2 + side * 4)
    let base = UnsafeMutableRawPointer(scratch.bytes.baseAddress!)
    sums = base.bindMemory(to: UInt32.self, capacity: side)
    let axes = (base + side * 4).bindMemory(to: UInt16.self, capacity: 2 * axis)
    across = BoxAxis(in: axes, side: side)
    down = BoxAxis(in: axes + axis, side: side)
  }

  /// True for pictures that fit the scratch memory.
  static func accepts(width: Int, height: Int) -> Bool {
    width <= Budget.cameraSidePixels && height <= Budget.cameraSidePixels
  }

  /// Fills `target` with `source`, whose chroma subsampling may be different. Neither may be wider or taller than
  /// `Budget.cameraSidePixels`.
  public func scale(_ source: PlanarImage, into target: PlanarImage) {
    scale(source.luma.grid, into: target.luma, .full)
    scale(source.blue.grid, into: target.blue, .full)
    scale(source.red.grid, into: target.red, .full)
  }

  /// Fills `target` with `source`, averaged to its size and mapped by `range`.
  func scale(_ source: SampleGrid, into target: Plane, _ range: SampleRange) {
    guard target.width > 0, target.height > 0 else { return }
    if source.width == target.width, source.height == target.height {
      copy(source, into: target, range)
    } else if source.width == target.width, source.height == 2 * target.height {
      halve(source, into: target, range)
    } else {
      average(source, into: target, ranges.table(range))
    }
    target.padRows()
  }

  /// Releases the memory until the next use.
  func release() { scratch.release() }

  private func copy(_ source: SampleGrid, into target: Plane, _ range: SampleRange) {
    for y in 0..<target.height {
      let to = target.base + y * target.rowBytes
      copySamples(source.base + y * source.rowBytes, source.step, into: to, target.width)
      range.stretch(to, target.width)
    }
  }

  /// Half the height only, as needed for the chroma of 4:2:2.
  private func halve(_ source: SampleGrid, into target: Plane, _ range: SampleRange) {
    for y in 0..<target.height {
      let first = source.base + 2 * y * source.rowBytes
      let to = target.base + y * target.rowBytes
      averageSamples(first, first + source.rowBytes, source.step, into: to, target.width)
      range.stretch(to, target.width)
    }
  }

  private func average(_ source: SampleGrid, into target: Plane, _ values: UnsafePointer<UInt8>) {
    across.prepare(source: source.width, target: target.width)
    down.prepare(source: source.height, target: target.height)
    down.forEach(target.height) { y, firstRow, rowWeights in
      sums.update(repeating: 0, count: source.width)
      for index in 0..<rowWeights.count {
        let row = source.base + (firstRow + index) * source.rowBytes
        addSamples(row, source.step, UInt32(rowWeights[index]), to: sums, source.width)
      }
      let to = target.base + y * target.rowBytes
      across.forEach(target.width) { x, first, weights in
        // 255 * 4096 * 4096 and half a unit stay below 2^32.
        var sum: UInt32 = 1 << (2 * BoxAxis.unitBits - 1)
        for index in 0..<weights.count { sum &+= sums[first &+ index] &* UInt32(weights[index]) }
        to[x] = values[Int(sum >> (2 * BoxAxis.unitBits))]
      }
    }
  }
}
