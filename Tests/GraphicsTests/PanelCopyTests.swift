import Runtime
import Testing

@testable import Graphics
@testable import GraphicsSupport

@Suite("Copy to a panel")
struct PanelCopyTests {
  private static let untouched: UInt8 = 0x5A

  /// Copies one rectangle to a panel, and compares each of the panel's pixels and all bytes between them.
  private func check(_ format: PanelFormat, _ rotation: Rotation, _ dice: inout Dice) throws {
    let size = Size(dice.next(1...150), dice.next(1...90))
    let picture = try PixelBuffer.noise(size, &dice)
    let panel = rotation.turned(size)
    let unit: Int32 = format.bitsPerPixel == 24 ? 1 : 4
    let stride = (format.rowBytes(panel.width) + 3) / 4 * 4 + Int(dice.next(0...9) * unit)
    let layout = try #require(PanelLayout(format: format, size: panel, stride: stride))
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: layout.byteCount + 8, alignment: 8)
    defer { memory.deallocate() }
    for index in memory.indices { memory[index] = Self.untouched }

    let rect = Rect(dice.next(-5...size.width), dice.next(-5...size.height), dice.next(0...160), dice.next(0...100))
    let target = UnsafeMutableRawBufferPointer(rebasing: memory[..<layout.byteCount])
    let written = PanelCopy.copy(rect, of: picture, to: target, layout, rotation)

    let inside = rect.intersection(Rect(0, 0, size.width, size.height))
    #expect(inside.isEmpty == written.isEmpty)
    var expected = [UInt8](repeating: Self.untouched, count: memory.count)
    if format.bitsPerPixel < 8 {
      // Whole bytes are written, those of a row's end as well.
      for y in written.y..<written.maxY {
        for x in written.x..<written.maxX { expected[Int(y) * stride + Int(x) * format.bitsPerPixel / 8] = 0 }
      }
    }
    for y in 0..<size.height {
      for x in 0..<size.width {
        let place = ReferencePanel.place(Point(x, y), size, rotation)
        #expect(!inside.contains(Point(x, y)) || written.contains(place))
        guard written.contains(place) else { continue }
        put(ReferencePanel.code(picture.pixel(Point(x, y)), format, place), place, layout, &expected)
      }
    }
    let isSame = memory.indices.allSatisfy { memory[$0] == expected[$0] }
    #expect(isSame, "\(format) \(rotation) \(size) \(rect)")
  }

  private func put(_ code: Int, _ place: Point, _ layout: PanelLayout, _ bytes: inout [UInt8]) {
    let bits = layout.format.bitsPerPixel
    let first = Int(place.y) * layout.stride + Int(place.x) * bits / 8
    if bits >= 8 {
      for byte in 0..<bits / 8 { bytes[first + byte] = UInt8(code >> (8 * byte) & 255) }
      return
    }
    guard case .gray(_, let isLowFirst) = layout.format.kind else { return }
    let inByte = Int(place.x) % (8 / bits)
    bytes[first] |= UInt8(code << (isLowFirst ? inByte * bits : 8 - bits - inByte * bits))
  }

  @Test("shows what a slow reference shows, and touches nothing else", arguments: PanelFormat.samples)
  func matchesReference(_ format: PanelFormat) throws {
    for rotation in [Rotation.none, .quarter, .half, .threeQuarters] {
      var dice = Dice(UInt64(rotation.rawValue + 7 * format.bitsPerPixel))
      for _ in 0..<12 { try check(format, rotation, &dice) }
    }
  }

  @Test("levels that a panel has stay as they are, and dither keeps the brightness", arguments: [1, 2, 4, 5, 6])
  func ditherIsFair(_ bits: Int) {
    let most = UInt32(1 << bits - 1)
    for value in 0...UInt32(255) {
      var sum: UInt32 = 0
      for row in 0..<4 {
        let thresholds = Dither.thresholds(row: row)
        for column in 0..<4 { sum += Dither.level(value, most, Dither.threshold(thresholds, column: column)) }
      }
      let shown = Double(sum) * 255 / Double(16 * most)
      #expect(abs(shown - Double(value)) <= 255 / Double(16 * most))
      if value * most % 255 == 0 { #expect(sum == 16 * (value * most / 255)) }
    }
  }

  @Test("a panel of another size, and memory that is too small, get nothing")
  func refusesOtherSizes() throws {
    let picture = try PixelBuffer(Size(20, 10))
    let layout = try #require(PanelLayout(format: .rgb565, size: Size(20, 10), stride: 40))
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: layout.byteCount, alignment: 8)
    defer { memory.deallocate() }
    let all = Rect(0, 0, 20, 10)
    #expect(PanelCopy.copy(all, of: picture, to: memory, layout, .quarter) == .empty)
    let short = UnsafeMutableRawBufferPointer(rebasing: memory[..<(memory.count - 1)])
    #expect(PanelCopy.copy(all, of: picture, to: short, layout, .none) == .empty)
    #expect(PanelCopy.copy(all, of: picture, to: memory, layout, .half) == all)
    #expect(PanelLayout(format: .rgb565, size: Size(20, 10), stride: 39) == nil)
    #expect(PanelLayout(format: .rgb565, size: Size(0, 10), stride: 40) == nil)
  }

  @Test("formats that make no sense are refused")
  func refusesFormats() {
    typealias Channel = PanelFormat.Channel
    func format(_ bits: Int, _ red: Channel, _ green: Channel, _ blue: Channel) -> PanelFormat? {
      PanelFormat(bitsPerPixel: bits, kind: .color(red: red, green: green, blue: blue))
    }
    #expect(format(16, Channel(11, 5), Channel(5, 6), Channel(0, 5)) == .rgb565)
    #expect(format(16, Channel(11, 5), Channel(4, 6), Channel(0, 5)) == nil)
    #expect(format(16, Channel(12, 5), Channel(5, 6), Channel(0, 5)) == nil)
    #expect(format(16, Channel(11, 0), Channel(5, 6), Channel(0, 5)) == nil)
    #expect(format(32, Channel(20, 10), Channel(10, 10), Channel(0, 10)) == nil)
    #expect(format(32, Channel(40, 8), Channel(8, 8), Channel(0, 8)) == nil)
    #expect(format(8, Channel(5, 3), Channel(2, 3), Channel(0, 2)) == nil)
    #expect(PanelFormat(bitsPerPixel: 3, kind: .gray(isInverted: false, isLowFirst: true)) == nil)
  }
}
