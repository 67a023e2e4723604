import Testing

@testable import Camera

/// What bare sensors give, against the picture that their samples were taken of.
struct BayerTests {
  private let developer: RawDeveloper

  init() throws { developer = try RawDeveloper() }

  /// Lends a frame's mosaic.
  private func withMosaic<Value>(_ frame: ScriptedCamera.Frame, _ body: (Mosaic?) throws -> Value) rethrows
    -> Value
  {
    try frame.bytes.withUnsafeBufferPointer { bytes in
      try body(
        Mosaic(
          RawFrame(
            format: frame.format, width: frame.width, height: frame.height, rowBytes: frame.rowBytes,
            isFullRange: true, bytes: bytes, sensor: frame.sensor)))
    }
  }

  /// Y, Cb and Cr of a developed frame.
  private func develop(
    _ frame: ScriptedCamera.Frame, _ balance: WhiteBalance = .none, isHalf: Bool = false
  ) throws -> [[[UInt8]]] {
    let (width, height) = isHalf ? (frame.width / 2, frame.height / 2) : (frame.width, frame.height)
    var storage = [UInt8](repeating: 0, count: 3 * (width + 2) * (height + 2))
    return try withMosaic(frame) { mosaic in
      try storage.withUnsafeMutableBufferPointer { storage in
        let image = try #require(PlanarImage(in: storage, width: width, height: height, chroma: .quarter))
        developer.develop(try #require(mosaic), balance, into: image, isHalf: isHalf)
        return [samples(image.luma), samples(image.blue), samples(image.red)]
      }
    }
  }

  @Test(
    "samples of every packing come out as numbers, in rows of every length",
    arguments: BayerPacking.allCases, [4, 5, 6, 7, 64])
  func unpacking(packing: BayerPacking, width: Int) throws {
    var random = Seeded(UInt64(width))
    let most = 1 << packing.bits - 1
    let rows = (0..<4).map { _ in (0..<width).map { _ in Int.random(in: 0...most, using: &random) } }
    let packed = rows.map { LinearPicture.pack($0, packing) }
    let frame = ScriptedCamera.Frame(
      format: .bayer(.rggb, packing), width: width, height: 4, rowBytes: packed[0].count,
      bytes: Array(packed.joined()))
    var seen = [UInt16](repeating: 0, count: width + MosaicReader.padding)
    try withMosaic(frame) { mosaic in
      let reader = MosaicReader(try #require(mosaic), .none)
      for y in 0..<4 {
        seen.withUnsafeMutableBufferPointer { reader.read(y, into: $0.baseAddress!) }
        for x in 0..<width {
          #expect(abs(Double(seen[x]) - Double(rows[y][x]) * 4095 / Double(most)) <= 1)
        }
      }
    }
  }

  @Test(
    "a picture comes back from its mosaic: 46 dB of luma, 48 dB of chroma",
    arguments: BayerOrder.allCases, BayerPacking.allCases)
  func roundTrip(order: BayerOrder, packing: BayerPacking) throws {
    for (width, height) in [(96, 64), (97, 63)] {
      let picture = LinearPicture.scene(width, height)
      let (seen, wanted) = (try develop(picture.frame(order, packing)), picture.shown())
      #expect(psnr(seen[0], wanted[0]) >= 46)
      #expect(psnr(seen[1], wanted[1]) >= 48)
      #expect(psnr(seen[2], wanted[2]) >= 48)
    }
  }

  @Test(
    "half the size comes from squares of four pixels: 45 dB of luma, 39 dB of chroma",
    arguments: BayerOrder.allCases)
  func half(order: BayerOrder) throws {
    let large = LinearPicture.scene(128, 96)
    for (width, height) in [(128, 96), (127, 95)] {
      let cut = LinearPicture(width: width, height: height, color: large.color)
      let small = LinearPicture(width: width / 2, height: height / 2) { x, y in
        let four = [(0, 0), (1, 0), (0, 1), (1, 1)].map { large.color(2 * x + $0.0, 2 * y + $0.1) }
        return four.reduce((0, 0, 0)) { ($0.0 + $1.0 / 4, $0.1 + $1.1 / 4, $0.2 + $1.2 / 4) }
      }
      let (seen, wanted) = (try develop(cut.frame(order, .bits10Packed), isHalf: true), small.shown())
      for part in 0..<3 { #expect(psnr(seen[part], wanted[part]) >= (part == 0 ? 45 : 39)) }
    }
  }

  @Test(
    "one colour is that colour at every pixel, edges and corners too",
    arguments: BayerOrder.allCases, [(4, 4), (5, 4), (4, 5), (7, 9), (32, 6)])
  func flat(order: BayerOrder, size: (Int, Int)) throws {
    let picture = LinearPicture.flat(size.0, size.1, (0.6, 0.3, 0.1))
    for isHalf in [false, true] {
      let seen = try develop(picture.frame(order, .bits12), isHalf: isHalf)
      let wanted = picture.shown()
      for part in 0..<3 {
        #expect(seen[part].joined().allSatisfy { abs(Double($0) - wanted[part][0][0]) <= 1.5 })
      }
    }
  }

  @Test(
    "black is what the sensor calls black, gray stays gray and white stays white", arguments: Sensor.allCases)
  func sensors(sensor: Sensor) throws {
    let black = Double(sensor.profile.black) / 64
    for light in [0.0, 0.2, 0.7, 1.0] {
      let picture = LinearPicture.flat(8, 8, (light, light, light))
      let seen = try develop(picture.frame(.bggr, .bits10Packed, sensor: sensor, black: black))
      #expect(seen[0].joined().allSatisfy { abs(Double($0) - LinearPicture.tone(light)) <= 1.5 })
      #expect((seen[1] + seen[2]).joined().allSatisfy { abs(Int($0) - 128) <= 1 })
    }
  }

  @Test(
    "a sensor is known by what its driver's name begins with",
    arguments: [
      ("imx219 10-0010", Sensor.imx219), ("ov5647 4-0036", .ov5647), ("imx477", .imx477),
      ("imx708_wide", .imx708),
      ("imx21", .generic), ("", .generic), ("my imx219", .generic),
    ])
  func names(name: String, sensor: Sensor) {
    let bytes = Array(name.utf8)
    #expect(Sensor(named: bytes.span) == sensor)
  }

  @Test("the tone curve rises from black to white as written")
  func tone() {
    let curve = ToneCurve()
    for value in 0...4095 {
      #expect(abs(Double(curve.values[value]) - LinearPicture.tone(Double(value) / 4095)) <= 0.51)
      if value > 0 { #expect(curve.values[value] >= curve.values[value - 1]) }
    }
    #expect(curve.values[0] == 0 && curve.values[4095] == 255)
  }

  // MARK: White balance

  private func balance(_ frame: ScriptedCamera.Frame) throws -> WhiteBalance {
    try withMosaic(frame) {
      let mosaic = try #require($0)
      return WhiteBalance(grayWorld: developer.measure(mosaic), mosaic.sensor)
    }
  }

  @Test(
    "gray-world takes a cast away that light could have made", arguments: BayerOrder.allCases,
    [(0.5, 0.6), (1.6, 0.4), (0.3, 1.5)])
  func cast(order: BayerOrder, cast: (Double, Double)) throws {
    let picture = LinearPicture(width: 64, height: 64) { x, y in
      let gray = 0.1 + 0.4 * Double((x / 8 + y / 8) % 4) / 4
      return (gray * cast.0, gray, gray * cast.1)
    }
    let frame = picture.frame(order, .bits12Packed)
    let flat = LinearPicture.flat(16, 16, (0.2 * cast.0, 0.2, 0.2 * cast.1)).frame(order, .bits12Packed)
    let seen = try develop(flat, balance(frame))
    #expect((seen[1] + seen[2]).joined().allSatisfy { abs(Int($0) - 128) <= 2 })
  }

  @Test("gray-world goes no further than the lights that a sensor is known under, and never darkens a color")
  func clamps() throws {
    let red = LinearPicture.flat(32, 32, (0.9, 0.1, 0.1))
    let generic = try balance(red.frame(.rggb, .bits10))
    #expect((generic.red, generic.green, generic.blue) == (1024, 2048, 2048))
    let blue = LinearPicture.flat(32, 32, (0.02, 0.3, 0.9))
    let known = try balance(blue.frame(.rggb, .bits10, sensor: .imx219, black: 64))
    #expect((known.red, known.green, known.blue) == (2365, 1024, 1270))
  }

  @Test("a scene without light, and one that is overexposed everywhere, keep their colours")
  func noLight() throws {
    for light in [0.0, 1.0] {
      let frame = LinearPicture.flat(32, 32, (light, light, light)).frame(.grbg, .bits8)
      #expect(try balance(frame) == .none)
    }
  }

  // MARK: Bad frames

  @Test(
    "a frame with fewer bytes than its size needs is not read", arguments: BayerPacking.allCases,
    [(16, 8), (15, 7)])
  func short(packing: BayerPacking, size: (Int, Int)) {
    let frame = LinearPicture.scene(size.0, size.1).frame(.rggb, packing, padding: 0)
    func exists(_ change: (inout ScriptedCamera.Frame) -> Void) -> Bool {
      var changed = frame
      change(&changed)
      return withMosaic(changed) { $0 != nil }
    }
    let harmless = exists { _ in }
    #expect(harmless)
    let damages: [(inout ScriptedCamera.Frame) -> Void] = [
      { $0.bytes.removeLast() }, { $0.bytes = [] }, { $0.rowBytes -= 1 }, { $0.rowBytes = Int.max },
      { $0.rowBytes = -1 }, { $0.width = 3 }, { $0.width = Int.max / 2 }, { $0.height = 3 },
      { $0.height = Int.max },
    ]
    for (index, damage) in damages.enumerated() {
      let isRead = exists(damage)
      #expect(!isRead, "damage \(index)")
    }
  }

  @Test("any bytes make some picture", arguments: BayerPacking.allCases)
  func noise(packing: BayerPacking) throws {
    var random = Seeded(3)
    for (width, height) in [(4, 4), (9, 5), (33, 17)] {
      for sensor in Sensor.allCases {
        let row = packing.rowBytes(width)
        let frame = ScriptedCamera.Frame(
          format: .bayer(.gbrg, packing), width: width, height: height, rowBytes: row,
          bytes: random.bytes(row * height), sensor: sensor)
        let seen = try develop(frame, balance(frame))
        #expect(seen[0].count == height && seen[0][0].count == width)
        _ = try develop(frame, balance(frame), isHalf: true)
      }
    }
  }
}
