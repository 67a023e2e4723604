import Testing

@testable import Camera

struct BoxScalerTests {
  /// The mean of what a target sample covers, in plain floating point.
  private func reference(_ source: [[UInt8]], _ width: Int, _ height: Int) -> [[Double]] {
    func covered(_ index: Int, _ target: Int, _ count: Int) -> [(Int, Double)] {
      let begin = Double(index * count) / Double(target)
      let end = Double((index + 1) * count) / Double(target)
      return (0..<count).compactMap { sample in
        let part = min(end, Double(sample + 1)) - max(begin, Double(sample))
        return part > 1e-9 ? (sample, part / (end - begin)) : nil
      }
    }
    let columns = (0..<width).map { covered($0, width, source[0].count) }
    return (0..<height).map { y in
      let rows = covered(y, height, source.count)
      return (0..<width).map { x -> Double in
        var sum = 0.0
        for (row, weight) in rows {
          for (column, part) in columns[x] { sum += part * weight * Double(source[row][column]) }
        }
        return sum
      }
    }
  }

  @Test(
    "every target sample is the mean of what it covers",
    arguments: [
      (16, 16, 8, 8), (17, 13, 5, 3), (100, 3, 99, 2), (64, 48, 63, 47), (320, 4, 7, 4), (5, 5, 5, 2),
      (3, 2, 6, 4), (33, 12, 33, 6),
    ], [1, 2, 3, 4])
  func matchesReference(size: (Int, Int, Int, Int), step: Int) throws {
    let (width, height, targetWidth, targetHeight) = size
    var random = Seeded(UInt64(width * height * step))
    let rowBytes = width * step + 3
    let bytes = random.bytes(rowBytes * height)
    let source = (0..<height).map { y in (0..<width).map { bytes[y * rowBytes + $0 * step] } }
    let expected = reference(source, targetWidth, targetHeight)

    var storage = [UInt8](repeating: 0, count: targetWidth * targetHeight)
    let scaler = try BoxScaler()
    let actual = bytes.withUnsafeBufferPointer { bytes in
      storage.withUnsafeMutableBufferPointer { storage in
        let grid = SampleGrid(
          base: bytes.baseAddress!, step: step, rowBytes: rowBytes, width: width, height: height)
        let plane = Plane(
          base: storage.baseAddress!, width: targetWidth, height: targetHeight, rowBytes: targetWidth)
        scaler.scale(grid, into: plane, .full)
        return samples(plane)
      }
    }
    let errors = zip(actual.joined(), expected.joined()).map { abs(Double($0) - $1) }
    #expect(errors.count == targetWidth * targetHeight && errors.max()! <= 0.6)
  }

  @Test("a picture of one value stays that value, at every ratio and for the widest side")
  func constant() throws {
    let scaler = try BoxScaler()
    let bytes = [UInt8](repeating: 255, count: 8192 * 3)
    var storage = [UInt8](repeating: 0, count: 8192 * 3)
    for width in [1, 2, 3, 255, 1000, 4095, 8191, 8192] {
      bytes.withUnsafeBufferPointer { bytes in
        storage.withUnsafeMutableBufferPointer { storage in
          let grid = SampleGrid(base: bytes.baseAddress!, step: 1, rowBytes: 8192, width: 8192, height: 3)
          let plane = Plane(base: storage.baseAddress!, width: width, height: 2, rowBytes: width)
          scaler.scale(grid, into: plane, .full)
          #expect(samples(plane).joined().allSatisfy { $0 == 255 })
        }
      }
    }
  }

  @Test("padding repeats the last sample of its row")
  func padding() throws {
    let bytes: [UInt8] = [1, 2, 3, 4, 5, 6]
    var storage = [UInt8](repeating: 0, count: 8)
    try bytes.withUnsafeBufferPointer { bytes in
      try storage.withUnsafeMutableBufferPointer { storage in
        let grid = SampleGrid(base: bytes.baseAddress!, step: 1, rowBytes: 3, width: 3, height: 2)
        let plane = Plane(base: storage.baseAddress!, width: 3, height: 2, rowBytes: 4)
        try BoxScaler().scale(grid, into: plane, .full)
      }
    }
    #expect(storage == [1, 2, 3, 3, 4, 5, 6, 6])
  }

  @Test("video's narrow range becomes the full one")
  func ranges() {
    let ranges = SampleRanges()
    #expect([0, 16, 126, 235, 255].map { ranges.table(.videoLuma)[$0] } == [0, 0, 128, 255, 255])
    #expect([0, 16, 128, 240, 255].map { ranges.table(.videoChroma)[$0] } == [0, 0, 128, 255, 255])
    #expect((0..<256).allSatisfy { ranges.table(.full)[$0] == UInt8($0) })
  }

  @Test(
    "rows are stretched to the values of the tables", arguments: [SampleRange.full, .videoLuma, .videoChroma])
  func stretching(range: SampleRange) {
    var row = (0..<256).map { UInt8($0) }
    row.withUnsafeMutableBufferPointer { range.stretch($0.baseAddress!, 256) }
    let ranges = SampleRanges()
    #expect(row == (0..<256).map { ranges.table(range)[$0] })
  }

  @Test("colours follow BT.601 within one step, and grays have no colour at all")
  func colors() {
    var random = Seeded(5)
    let count = 4096
    var (red, green, blue) = (random.bytes(count), random.bytes(count), random.bytes(count))
    for gray in 0..<256 { (red[gray], green[gray], blue[gray]) = (UInt8(gray), UInt8(gray), UInt8(gray)) }
    var storage = red + green + blue
    storage.withUnsafeMutableBufferPointer { storage in
      let image = PlanarImage(in: storage, width: count, height: 1, chroma: .full)!
      ColorConverter.convert(image)
    }
    for index in 0..<count {
      let (r, g, b) = (Double(red[index]), Double(green[index]), Double(blue[index]))
      let luma = 0.299 * r + 0.587 * g + 0.114 * b
      #expect(abs(Double(storage[index]) - luma) <= 0.51)
      #expect(abs(Double(storage[count + index]) - min(128 + (b - luma) / 1.772, 255)) <= 0.51)
      #expect(abs(Double(storage[2 * count + index]) - min(128 + (r - luma) / 1.402, 255)) <= 0.51)
    }
    for gray in 0..<256 {
      #expect((storage[gray], storage[count + gray], storage[2 * count + gray]) == (UInt8(gray), 128, 128))
    }
  }
}
