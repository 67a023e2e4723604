import Camera
import Runtime
import Testing

@testable import Board

@Suite("Formats of cameras' makers")
struct FormatConverterTests {
  private func code(_ text: String) -> UInt32 {
    text.utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// The picture, or why there is none.
  private func convert(
    _ format: String, _ bytes: [UInt8], _ width: Int, _ height: Int, rowBytes: Int = 0, room: Int? = nil
  ) throws(CameraError) -> [UInt8] {
    let converter = try FormatConverter(descriptor: nil)
    let needed = FormatConverter.bytes(width: width, height: height)
    var picture = [UInt8](repeating: 7, count: room ?? needed)
    var failure: CameraError?
    bytes.withUnsafeBufferPointer { bytes in
      picture.withUnsafeMutableBufferPointer { picture in
        do throws(CameraError) {
          let count = try converter.convert(
            bytes, code(format), width: width, height: height, rowBytes: rowBytes, into: picture)
          #expect(count == needed)
        } catch {
          failure = error
        }
      }
    }
    if let failure { throw failure }
    return picture
  }

  private func planes(_ y: [UInt8], _ blue: [UInt8], _ red: [UInt8]) -> [UInt8] { y + blue + red }

  private let luma: [UInt8] = (0..<512).map { (place: Int) -> UInt8 in UInt8(place % 200 + 20) }
  private let blue: [UInt8] = (0..<128).map { (place: Int) -> UInt8 in UInt8(place + 50) }
  private let red: [UInt8] = (0..<128).map { (place: Int) -> UInt8 in UInt8(220 - place) }

  /// Two rows of Y and one of Cb and Cr each, in the order of the format's letters.
  private func lines(_ order: String, flip: UInt8 = 0) -> [UInt8] {
    var bytes: [UInt8] = []
    for pair in 0..<8 {
      var row = 2 * pair
      for part in order {
        switch part {
        case "Y":
          bytes += luma[32 * row..<32 * (row + 1)]
          row += 1
        case "U": bytes += blue[16 * pair..<16 * (pair + 1)]
        default: bytes += red[16 * pair..<16 * (pair + 1)]
        }
      }
    }
    return bytes.map { $0 ^ flip }
  }

  @Test(
    "lines of signed Y, Cb and Cr in each order of the SPCA50x",
    arguments: [
      ("S501", "YUYV"), ("S505", "YYUV"), ("S508", "YUVY"),
    ])
  func signedLines(format: String, order: String) throws {
    #expect(try convert(format, lines(order, flip: 0x80), 32, 16) == planes(luma, blue, red))
  }

  @Test("M420: two rows of Y, one of Cb and Cr in turn")
  func mixedLines() throws {
    var bytes: [UInt8] = []
    for pair in 0..<8 {
      bytes += luma[64 * pair..<64 * (pair + 1)]
      for x in 16 * pair..<16 * (pair + 1) { bytes += [blue[x], red[x]] }
    }
    #expect(try convert("M420", bytes, 32, 16) == planes(luma, blue, red))
  }

  @Test("HM12: blocks of 16 x 16 in lines of 720")
  func wideBlocks() throws {
    let (width, height) = (32, 32)
    var bytes = [UInt8](repeating: 0, count: 720 * height * 3 / 2)
    func place(_ x: Int, _ y: Int) -> Int { (y / 16 * 45 + x / 16) * 256 + y % 16 * 16 + x % 16 }
    let luma = (0..<width * height).map { UInt8($0 % 251) }
    for y in 0..<height { for x in 0..<width { bytes[place(x, y)] = luma[y * width + x] } }
    for y in 0..<16 {
      for x in 0..<16 {
        bytes[720 * height + place(2 * x, y)] = UInt8(100 + x)
        bytes[720 * height + place(2 * x + 1, y)] = UInt8(200 - y)
      }
    }
    let picture = try convert("HM12", bytes, width, height)
    #expect(Array(picture[..<1024]) == luma)
    for y in 0..<16 {
      for x in 0..<16 {
        #expect(picture[1024 + 16 * y + x] == UInt8(100 + x))
        #expect(picture[1280 + 16 * y + x] == UInt8(200 - y))
      }
    }
  }

  @Test(
    "RGB in 32 bits is made 16 to 235",
    arguments: [
      ("BGR4", [0, 255, 0, 9] as [UInt8]), ("XR24", [0, 255, 0, 9]), ("BX24", [9, 0, 255, 0]),
      ("RGB4", [9, 0, 255, 0]),
    ])
  func green(format: String, pixel: [UInt8]) throws {
    let bytes = (0..<32 * 16).flatMap { _ in pixel }
    let picture = try convert(format, bytes, 32, 16)
    // ITU-R BT.601: 145, 54, 34.
    for (part, expected) in [(0..<512, 145), (512..<640, 54), (640..<768, 34)] {
      for index in part { #expect(abs(Int(picture[index]) - expected) <= 1, "\(format) at \(index)") }
    }
  }

  @Test("YVYU with gaps after its rows")
  func gaps() throws {
    var bytes: [UInt8] = []
    for y in 0..<16 {
      for x in 0..<16 {
        bytes += [luma[32 * y + 2 * x], red[16 * (y / 2) + x], luma[32 * y + 2 * x + 1], blue[16 * (y / 2) + x]]
      }
      bytes += [UInt8](repeating: 255, count: 24)
    }
    #expect(try convert("YVYU", bytes, 32, 16, rowBytes: 88) == planes(luma, blue, red))
    // The gap after the last row need not be there.
    #expect(try convert("YVYU", bytes.dropLast(24), 32, 16, rowBytes: 88) == planes(luma, blue, red))
    #expect(throws: CameraError.self) { try convert("YVYU", bytes.dropLast(25), 32, 16, rowBytes: 88) }
  }

  @Test("SN9C2028: rows of two bytes and a bit for each pixel that is as the one before")
  func compressed() throws {
    // A header of 12 bytes; then in every row the first two pixels, and 30 zero bits.
    var bits: [UInt8] = []
    for _ in 0..<16 {
      for _ in 0..<2 { bits += [0, 1, 1, 0, 0, 1, 0, 0] }
      bits += [UInt8](repeating: 0, count: 30)
    }
    let coded = stride(from: 0, to: bits.count, by: 8).map { start in
      bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | $1 }
    }
    let picture = try convert("SONX", [UInt8](repeating: 0, count: 12) + coded, 32, 16)
    // Gray 100 of 255 is 102 between 16 and 235.
    for y in picture[..<512] { #expect(abs(Int(y) - 102) <= 1) }
    for chroma in picture[512...] { #expect(abs(Int(chroma) - 128) <= 1) }
  }

  @Test("every format makes of any bytes a picture, or says that the frame is damaged, and of too few none")
  func anything() throws {
    var state: UInt64 = 3
    let noise = (0..<320 * 256 * 4 + 4).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 56)
    }
    for index in 0..<VendorFormat.all.count {
      let format = VendorFormat.all[index]
      let name = withUnsafeBytes(of: format.fourcc) { String(decoding: $0, as: UTF8.self) }
      for (width, height) in [(160, 128), (320, 256)] {
        try #require(format.fits(width: width, height: height), "\(name)")
        for attempt in 0..<4 {
          let count = format.bytes(width: width, height: height) ?? width * height / (1 + 7 * attempt)
          let bytes = Array(noise[attempt..<attempt + count])
          do throws(CameraError) {
            _ = try convert(name, bytes, width, height)
          } catch {
            #expect(isBroken(error) && format.layout == .compressed, "\(name) \(error)")
          }
        }
        guard let count = format.bytes(width: width, height: height) else { continue }
        for short in [0, 1, count - 1] { expectBroken(name, [UInt8](repeating: 1, count: short), width, height) }
      }
    }
  }

  @Test("the same converter takes frames of several sizes, one after the other")
  func sizes() throws {
    let converter = try FormatConverter(descriptor: nil)
    for (width, height) in [(640, 480), (32, 16), (640, 480), (1280, 720)] {
      let frame = [UInt8](repeating: 90 ^ 0x80, count: width * height * 3 / 2)
      var picture = [UInt8](repeating: 0, count: frame.count)
      let count = try frame.withUnsafeBufferPointer { frame in
        try picture.withUnsafeMutableBufferPointer { picture in
          try converter.convert(
            frame, code("S501"), width: width, height: height, rowBytes: width, into: picture)
        }
      }
      #expect(count == picture.count)
      #expect(picture.allSatisfy { $0 == 90 })
    }
  }

  @Test("what cannot be converted is denied, and not tried")
  func denied() throws {
    let converter = try FormatConverter(descriptor: nil)
    func can(_ format: String, _ width: Int, _ height: Int) -> Bool {
      converter.canConvert(code(format), width: width, height: height)
    }
    #expect(can("S561", 352, 288) && can("XR24", 3840, 2160) && can("HM12", 720, 480))
    #expect(!can("O511", 640, 480) && !can("O518", 640, 480), "programs of their own")
    for format in ["HSV3", "HSV4", "JPGL", "RGBP", "CPIA", "XXXX"] { #expect(!can(format, 320, 240), "\(format)") }
    #expect(!can("XR24", 641, 480) && !can("XR24", 640, 481) && !can("S501", 328, 240) && !can("S501", 320, 244))
    #expect(!can("HM12", 736, 480) && !can("HM12", 720, 240))
    #expect(!can("XR24", 0, 480) && !can("XR24", 640, -2) && !can("XR24", 3842, 2160))
    #expect(!can("XR24", Budget.cameraSidePixels + 2, 2))
    let frame = [UInt8](repeating: 0, count: 640 * 480 * 4)
    let cases: [(String, Int, Int?)] = [("O511", 640, nil), ("XR24", 641, nil), ("XR24", 640, 460_799)]
    for (format, width, room) in cases {
      #expect {
        try convert(format, frame, width, 480, room: room)
      } throws: { error in
        if case .unsupportedFormat? = error as? CameraError { true } else { false }
      }
    }
    #expect(converter.isFullRange(code("S501")) && !converter.isFullRange(code("XR24")))
  }

  private func isBroken(_ error: CameraError) -> Bool {
    if case .brokenFrame = error { true } else { false }
  }

  private func expectBroken(_ format: String, _ bytes: [UInt8], _ width: Int, _ height: Int) {
    do throws(CameraError) {
      _ = try convert(format, bytes, width, height)
      Issue.record("\(format): a picture of \(bytes.count) bytes")
    } catch {
      #expect(isBroken(error), "\(format) \(error)")
    }
  }
}
