import Codec
import Runtime

/// Predicts the size of a picture as a JPEG at any quality, from a sample of its blocks: they are transformed once, and
/// then quantized and counted as by the encoder, without coding them.
final class JPEGSizeModel {
  /// One component: its first sampled block, their number, and the number of all blocks.
  private struct Component {
    var first = 0, sampled = 0, blocks = 0
    /// Padding blocks in the last row and column of units, which cost almost nothing.
    var filling = 0
    var isLuma = true
    /// All blocks divided by sampled ones.
    var share: Double { Double(blocks) / Double(max(sampled, 1)) }
  }

  /// Marker segments of a picture with three components, and with one.
  private static let colorHeaderBytes = 623, grayHeaderBytes = 331
  /// The same with optimized tables, without the tables' contents of one byte for each code.
  private static let colorTablesBytes = 275, grayTablesBytes = 157
  /// Marker segments of all scans of a progressive picture, with tables of typical length.
  private static let colorScansBytes = 800, grayScansBytes = 500
  /// Additional bits of a block in several scans: the last bit of its DC coefficient, and a little overhead.
  private static let scanBits = 1.2
  /// Factor for the rest, because end-of-band runs are one code: measured on many kinds of pictures.
  private static let scanShare = 0.95
  /// Components with at most this many blocks are not sampled.
  private static let fewBlocks = 512
  /// Of more blocks, one in this many is sampled, up to the limits of `Budget`.
  private static let oneBlockIn = 8

  private let storage: ReservedBuffer
  /// 64 for each block in coding order: the DC coefficient with sign, then absolute values of those that are not always
  /// quantized to zero.
  private let coefficients: UnsafeMutablePointer<Float>
  /// 64 for each block: the number of those, then their indices.
  private let numbers: UnsafeMutablePointer<UInt8>
  /// For each block, the DC coefficient of the previously coded block.
  private let before: UnsafeMutablePointer<Float>
  /// Reciprocals of the divisors of the current quality.
  private let factors: UnsafeMutablePointer<Float>
  /// The block in work.
  private let scratch: UnsafeMutablePointer<Float>
  private let lengths = HuffmanLengths()
  private var components: InlineArray<3, Component> = .init(repeating: Component())
  private var componentCount = 0
  /// The loss from 4:2:0 subsampling: the mean square of what it removes, weighted as in `error`.
  private(set) var sharingLoss = 0.0
  /// For the current component: the first column and row of coefficients that subsampling removes, and their energy.
  private var shared = (column: 8, row: 8, energy: 0.0)
  /// Cached bytes at each quality in each coding; 0: not computed.
  private var known: InlineArray<303, Int32> = .init(repeating: 0)
  /// Frequency of each code in one component; DC codes after AC codes.
  private var uses: InlineArray<272, UInt32> = .init(repeating: 0)
  /// Frequencies of codes and groups of codes, while a Huffman table is built.
  private var weights: InlineArray<272, UInt32> = .init(repeating: 0)

  init() throws(Errno) {
    let blocks = Budget.sizeModelLumaBlocks + 2 * Budget.sizeModelChromaBlocks
    let floats = blocks * 65 + 2 * 64
    storage = try ReservedBuffer(capacity: floats * 4 + blocks * 64)
    scratch = UnsafeMutableRawPointer(storage.bytes.baseAddress!).bindMemory(to: Float.self, capacity: floats)
    factors = scratch + 64
    coefficients = factors + 64
    before = coefficients + blocks * 64
    numbers = storage.bytes.baseAddress! + floats * 4
  }

  /// Gives the memory back to the kernel until the next use.
  func release() {
    componentCount = 0
    storage.release()
  }

  // MARK: Sampling a picture

  /// Samples `image` for `bytes`, at qualities up to `quality`.
  func sample(_ image: PlanarImage, upTo quality: Int) {
    known = .init(repeating: 0)
    let (across, down) = image.chroma.ratio
    let units = ((image.width + 8 * across - 1) / (8 * across)) * ((image.height + 8 * down - 1) / (8 * down))
    componentCount = image.chroma == .gray ? 1 : 3
    sharingLoss = 0
    shared = (8, 8, 0)
    setFactors(isLuma: true, quality)
    let luma = sample(
      image.luma, at: 0, most: Budget.sizeModelLumaBlocks, coded: units * across * down, unit: (across, down))
    components[0] = luma
    guard componentCount == 3 else { return }
    setFactors(isLuma: false, quality)
    let most = Budget.sizeModelChromaBlocks
    // Of 8 samples subsampling leaves 8 divided by the ratio, and as many frequencies.
    shared = (across == 1 ? 4 : 8, down == 1 ? 4 : 8, 0)
    components[1] = sample(image.blue, at: luma.sampled, most: most, coded: units)
    components[2] = sample(image.red, at: luma.sampled + components[1].sampled, most: most, coded: units)
    sharingLoss = Self.colorWeight * shared.energy / Double(64 * max(components[1].sampled, 1))
    components[1].isLuma = false
    components[2].isLuma = false
  }

  /// - Parameters:
  ///   - coded: blocks of this component, with padding.
  ///   - unit: blocks of this component in a unit, across and down.
  private func sample(
    _ plane: Plane, at first: Int, most: Int, coded: Int, unit: (across: Int, down: Int) = (1, 1)
  ) -> Component {
    let across = (plane.width + 7) / 8
    let blocks = across * ((plane.height + 7) / 8)
    let count = min(most, max(blocks / Self.oneBlockIn, min(blocks, Self.fewBlocks)))
    for index in 0..<count {
      // One from each of `count` equal ranges, at positions scattered over the columns by the golden ratio.
      let scatter = UInt64(index &* 40503 & 0xFFFF)
      let block = Int((UInt64(index) << 16 + scatter) * UInt64(blocks) / (UInt64(count) << 16))
      let (column, row) = (block % across, block / across)
      load(plane, column, row, into: first + index)
      before[index + first] = before(plane, column, row, unit) ?? coefficients[64 * (first + index)]
    }
    return Component(first: first, sampled: count, blocks: blocks, filling: max(coded - blocks, 0))
  }

  private func load(_ plane: Plane, _ column: Int, _ row: Int, into index: Int) {
    let left = 8 * column
    let isInside = left + 8 <= plane.width
    for y in 0..<8 {
      let line = plane.base + min(8 * row + y, plane.height - 1) * plane.rowBytes
      let samples = scratch + 8 * y
      if isInside {
        for x in 0..<8 { samples[x] = Float(line[left &+ x]) }
      } else {
        for x in 0..<8 { samples[x] = Float(line[min(left + x, plane.width - 1)]) }
      }
    }
    BlockTransform.transform(scratch)
    keep(coefficients + 64 * index, numbers + 64 * index)
  }

  /// Keeps the coefficients in `scratch` (column by column) that `factors` does not make zero.
  private func keep(_ block: UnsafeMutablePointer<Float>, _ numbers: UnsafeMutablePointer<UInt8>) {
    block[0] = scratch[0] - 1024
    var count = 0
    for index in 1..<64 {
      let place = Int(QuantizationTables.order[index])
      let value = scratch[(place & 7) << 3 | place >> 3].magnitude
      if place & 7 >= shared.column || place >> 3 >= shared.row { shared.energy += Double(value * value) }
      if value * factors[index] >= 0.5 {
        count &+= 1
        block[count] = value
        numbers[count] = UInt8(truncatingIfNeeded: index)
      }
    }
    numbers[0] = UInt8(truncatingIfNeeded: count)
  }

  /// The DC coefficient of the previously coded block (A.2.3): within a unit from left to right and down. Nil for the
  /// first of a row of units.
  private func before(_ plane: Plane, _ column: Int, _ row: Int, _ unit: (across: Int, down: Int)) -> Float? {
    var (column, row) = (column, row)
    if column % unit.across > 0 {
      column -= 1
    } else if row % unit.down > 0 {
      (column, row) = (column + unit.across - 1, row - 1)
    } else {
      (column, row) = (column - 1, row + unit.down - 1)
    }
    guard column >= 0 else { return nil }
    var sum: Int32 = 0
    for y in 0..<8 {
      let line = plane.base + min(8 * row + y, plane.height - 1) * plane.rowBytes
      for x in 0..<8 { sum &+= Int32(line[min(8 * column + x, plane.width - 1)]) }
    }
    return Float(sum) / 8 - 1024
  }

  private func setFactors(isLuma: Bool, _ quality: Int) {
    for index in 0..<64 {
      factors[index] = 1 / Float(QuantizationTables.divisor(index, isLuma: isLuma, quality: quality))
    }
  }

  // MARK: Prediction

  /// The weights of luma and of each chroma component in an error.
  private static let lumaWeight = 0.75, colorWeight = 0.125

  /// The mean squared error at `quality`: the quantization error of the sampled coefficients.
  func error(quality: Int) -> Double {
    var sum = 0.0
    for number in 0..<componentCount {
      let component = components[number]
      setFactors(isLuma: component.isLuma, quality)
      var squares = 0.0
      for index in component.first..<component.first + component.sampled { squares += Double(squaredError(index)) }
      let mean = squares / Double(64 * max(component.sampled, 1))
      sum += mean * (component.isLuma ? Self.lumaWeight : Self.colorWeight)
    }
    return sum
  }

  private func squaredError(_ index: Int) -> Float {
    let (block, numbers) = (coefficients + 64 * index, numbers + 64 * index)
    let first = block[0] - (block[0] * factors[0]).rounded() / factors[0]
    var sum = first * first
    for entry in 1..<(1 &+ Int(numbers[0])) {
      let factor = factors[Int(numbers[entry])]
      let rest = block[entry] - (block[entry] * factor).rounded() / factor
      sum += rest * rest
    }
    return sum
  }

  /// Bytes at `quality` 1...100.
  func bytes(quality: Int, coding: JPEGCoding) -> Int {
    let place = 101 * coding.rawValue + quality
    if known[place] > 0 { return Int(known[place]) }
    let isColor = componentCount == 3
    var (bits, header) = (0.0, 0)
    switch coding {
    case .standard:
      for index in 0..<componentCount { bits += standardBits(components[index], quality) }
      header = isColor ? Self.colorHeaderBytes : Self.grayHeaderBytes
    case .optimized:
      header = isColor ? Self.colorTablesBytes : Self.grayTablesBytes
      bits = tablesBits(0..<1, quality, &header)
      if isColor { bits += tablesBits(1..<3, quality, &header) }
    case .progressive:
      for index in 0..<componentCount { bits += scansBits(components[index], quality) }
      header = isColor ? Self.colorScansBytes : Self.grayScansBytes
    }
    // One of 256 bytes of coded data is 0xFF, and followed by a stuffed zero (B.1.1.5).
    let coded = Int(clamping: bits / 8 * (1 + 1.0 / 256))
    known[place] = Int32(clamping: header + coded)
    return header + coded
  }

  /// The highest quality of `range` predicted to need at most `bytes`; nil when there is none.
  func quality(for bytes: Double, in range: ClosedRange<Int>, coding: JPEGCoding) -> Int? {
    func fit(_ quality: Int) -> Bool { Double(self.bytes(quality: quality, coding: coding)) <= bytes }
    guard fit(range.lowerBound) else { return nil }
    if fit(range.upperBound) { return range.upperBound }
    var (fits, exceeds) = (range.lowerBound, range.upperBound)
    while exceeds - fits > 1 {
      let middle = (fits + exceeds) / 2
      if fit(middle) { fits = middle } else { exceeds = middle }
    }
    return fits
  }

  /// Several scans, with optimized tables.
  private func scansBits(_ component: Component, _ quality: Int) -> Double {
    setFactors(isLuma: component.isLuma, quality)
    uses = .init(repeating: 0)
    var sum = 0
    for index in component.first..<component.first + component.sampled { sum &+= count(index) }
    let scans = Self.scanBits * Double(component.blocks)
    return (Double(sum) + codedBits(0..<256) + codedBits(256..<272)) * Self.scanShare * component.share + scans
  }

  /// One scan, of the components that share optimized tables; adds the tables' size to `header`.
  private func tablesBits(_ range: Range<Int>, _ quality: Int, _ header: inout Int) -> Double {
    setFactors(isLuma: range.lowerBound == 0, quality)
    uses = .init(repeating: 0)
    var (sum, filling) = (0, 0)
    for number in range {
      let component = components[number]
      for index in component.first..<component.first + component.sampled { sum &+= count(index) }
      filling += component.filling
    }
    for code in 0..<uses.count where uses[code] > 0 { header += 1 }
    let coded = Double(huffmanBits(0..<256) + huffmanBits(256..<272))
    // An empty block has two codes, of a bit or two.
    return (Double(sum) + coded) * components[range.lowerBound].share + Double(3 * filling)
  }

  /// One scan, with the standard tables.
  private func standardBits(_ component: Component, _ quality: Int) -> Double {
    setFactors(isLuma: component.isLuma, quality)
    var sum = 0
    let (dc, ac) = (lengths.dc(isLuma: component.isLuma), lengths.ac(isLuma: component.isLuma))
    for index in component.first..<component.first + component.sampled {
      let size = dcSize(index)
      sum &+= Int(dc[size]) &+ size &+ acBits(index, ac)
    }
    return Double(sum) * component.share + Double(component.filling * Int(dc[0] + ac[0]))
  }

  /// Counts the codes of a block; returns the bits of its values.
  private func count(_ index: Int) -> Int {
    let first = dcSize(index)
    uses[256 + first] &+= 1
    var bits = first
    forEachLevel(index) { zeros, size in
      uses[0xF0] &+= UInt32(zeros >> 4)
      uses[(zeros & 15) << 4 | size] &+= 1
      bits &+= size
    } end: {
      uses[0] &+= 1
    }
    return bits
  }

  /// Bits of the counted codes with ideal tables: their entropy.
  private func codedBits(_ codes: Range<Int>) -> Double {
    var (all, bits) = (0.0, 0.0)
    for code in codes where uses[code] > 0 {
      all += Double(uses[code])
      bits -= Double(uses[code]) * Self.logarithm(Double(uses[code]))
    }
    return all > 0 ? bits + all * Self.logarithm(all) : 0
  }

  /// Bits of the counted codes with an optimized Huffman table (K.2): codes have whole bits, which costs much when one
  /// code is very frequent.
  private func huffmanBits(_ codes: Range<Int>) -> Int {
    // The all-ones code is reserved.
    var (count, bits) = (1, 0)
    weights[0] = 1
    for code in codes where uses[code] > 0 {
      weights[count] = uses[code]
      count += 1
    }
    while count > 1 {
      let first = takeLightest(&count)
      let second = takeLightest(&count)
      weights[count] = first &+ second
      count += 1
      bits += Int(first &+ second)
    }
    return bits
  }

  private func takeLightest(_ count: inout Int) -> UInt32 {
    var place = 0
    for index in 1..<max(count, 1) where weights[index] < weights[place] { place = index }
    let weight = weights[place]
    count -= 1
    weights[place] = weights[count]
    return weight
  }

  /// The binary logarithm of a number of at least 1, to four digits.
  private static func logarithm(_ value: Double) -> Double {
    let part = (value.significand - 1) / (value.significand + 1)
    let square = part * part
    return Double(value.exponent) + 2.885_390_08 * part * (1 + square * (1.0 / 3 + square * (0.2 + square / 7)))
  }

  /// The size category of the difference between a block's DC coefficient and the previous one (F.1.2.1).
  private func dcSize(_ index: Int) -> Int {
    let here = (coefficients[64 * index] * factors[0]).rounded()
    let difference = Int32(clamping: here - (before[index] * factors[0]).rounded())
    return min(Int32.bitWidth - difference.magnitude.leadingZeroBitCount, 15)
  }

  /// Bits of a block's 63 coefficients: run lengths of zeros, sizes and values (F.1.2.2).
  private func acBits(_ index: Int, _ lengths: UnsafePointer<UInt8>) -> Int {
    var bits = 0
    forEachLevel(index) { zeros, size in
      var run = zeros
      while run > 15 {
        bits &+= Int(lengths[0xF0])
        run &-= 16
      }
      bits &+= Int(lengths[run << 4 | size]) &+ size
    } end: {
      bits &+= Int(lengths[0])
    }
    return bits
  }

  /// Quantizes a block's 63 coefficients with `factors`: calls `body` with the number of zeros before each nonzero
  /// coefficient and its size, and `end` when there are zeros at the end.
  @inline(__always)
  private func forEachLevel(_ index: Int, _ body: (Int, Int) -> Void, end: () -> Void) {
    let (block, numbers) = (coefficients + 64 * index, numbers + 64 * index)
    var last = 0
    for entry in 1..<(1 &+ Int(numbers[0])) {
      let number = Int(numbers[entry])
      let level = Int32(clamping: block[entry] * factors[number] + 0.5)
      if level == 0 { continue }
      body(number &- last &- 1, Int32.bitWidth &- level.leadingZeroBitCount)
      last = number
    }
    if last < 63 { end() }
  }
}
