import Board
import Canvas
import Foundation
import Graphics
import Runtime
import TestSupport
import Testing

@Suite("Pictures in and out")
struct PictureDecoderTests {
  private static let folder = Repository.fixtures.appendingPathComponent("fuzz/picture")

  private func read(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: Self.folder.appendingPathComponent(name)))
  }

  private func decode(_ bytes: [UInt8], _ wanted: Size = Size(9_999, 9_999)) throws(PictureFault) -> DecodedPicture {
    let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
    defer { copy.deallocate() }
    _ = copy.initialize(from: bytes)
    return try PictureDecoder.decode(UnsafeBufferPointer(copy), PictureLimit(wanted: wanted))
  }

  private func fault(_ bytes: [UInt8]) -> String? {
    var words: String?
    do throws(PictureFault) {
      _ = try decode(bytes)
    } catch {
      words = text(of: error)
    }
    return words
  }

  private func text(of fault: PictureFault) -> String {
    var bytes: [UInt8] = []
    for index in 0..<fault.text.count { bytes.append(fault.text.span[index]) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Red left, blue right, and a corner that is seen through: four formats, some in passes or moving.
  @Test(
    "each format is decoded",
    arguments: ["plain.png", "interlaced.png", "plain.webp", "moving.webp", "plain.gif", "interlaced.gif"])
  func formats(name: String) throws {
    let picture = try decode(try read(name))
    #expect(picture.size == Size(20, 12))
    let pixels = picture.pixels
    for y in 0..<12 {
      for x in 0..<20 {
        let expected: UInt32 = x < 4 && y < 4 ? 0 : x < 10 ? 0xFFFF_0000 : 0xFF00_00FF
        try #require(pixels[y * 20 + x] == expected, "\(x), \(y)")
      }
    }
  }

  @Test("JPEG is decoded")
  func jpeg() throws {
    let picture = try decode(try read("plain.jpg"))
    #expect(picture.size == Size(20, 12))
    let (left, right) = (picture.pixels[6 * 20 + 3], picture.pixels[6 * 20 + 17])
    #expect(left >> 16 & 255 > 200 && left & 255 < 60)
    #expect(right >> 16 & 255 < 60 && right & 255 > 200)
  }

  @Test("a photo is turned as the camera was held", arguments: [true, false])
  func turned(isLittle: Bool) throws {
    let plain = try read("plain.jpg")
    // Orientation 6: the rows' left end is the top of what was seen.
    let tiff: [UInt8] =
      isLittle
      ? [0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0]
      : [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0]
    let segment: [UInt8] = [0xFF, 0xE1, 0, UInt8(2 + 6 + tiff.count)] + Array("Exif\0\0".utf8) + tiff
    let picture = try decode(Array(plain.prefix(2)) + segment + Array(plain.dropFirst(2)))
    #expect(picture.size == Size(12, 20))
    #expect(picture.original == Size(12, 20))
    let (top, bottom) = (picture.pixels[2 * 12 + 6], picture.pixels[17 * 12 + 6])
    #expect(top >> 16 & 255 > 200 && top & 255 < 60)
    #expect(bottom >> 16 & 255 < 60 && bottom & 255 > 200)
  }

  @Test(
    "a picture is reduced while it is decoded, to no less than is wanted",
    arguments: ["plain.png", "plain.webp", "plain.gif"])
  func reduces(name: String) throws {
    let picture = try decode(try read(name), Size(5, 3))
    #expect(picture.size == Size(5, 3))
    #expect(picture.original == Size(20, 12))
    #expect(picture.pixels[0] == 0)
    #expect(picture.pixels[5] == 0xFFFF_0000)
    #expect(picture.pixels[9] == 0xFF00_00FF)
    #expect(try decode(try read(name), Size(9, 9)).size == Size(20, 12))
  }

  @Test("a picture of which anything is missing is an error or a picture, never a crash")
  func truncation() throws {
    let stills = ["plain.png", "interlaced.png", "plain.webp", "plain.gif", "interlaced.gif", "plain.jpg"]
    for name in stills + ["moving.webp"] {
      let bytes = try read(name)
      for count in 0..<bytes.count { _ = fault(Array(bytes.prefix(count))) }
      #expect(fault(Array(bytes.prefix(bytes.count / 2))) != nil || name == "plain.jpg")
    }
  }

  @Test("errors say what was wrong")
  func errors() throws {
    #expect(fault([]) == "neither PNG, JPEG, WebP nor GIF")
    #expect(fault(Array("<svg/>".utf8)) == "neither PNG, JPEG, WebP nor GIF")
    var png = try read("plain.png")
    #expect(fault(Array(png.prefix(50))) == "PNG: the data ends too early")
    png[17] ^= 1
    #expect(fault(png)?.hasPrefix("PNG: ") == true)
    #expect(fault(Array(try read("plain.gif").prefix(40))) == "GIF: the data ends too early")
    #expect(fault([0xFF, 0xD8, 0xFF, 0xE0])?.hasPrefix("JPEG: ") == true)
    #expect(fault(Array("RIFF\0\0\0\0WEBPVP8 ".utf8))?.hasPrefix("WebP: ") == true)
  }

  @Test("more than 16 million pixels are refused from the header alone")
  func limits() throws {
    var gif = try read("plain.gif")
    (gif[6], gif[7], gif[8], gif[9]) = (0xA1, 0x0F, 0xA1, 0x0F)
    #expect(fault(gif) == "the picture has more than 16 million pixels")
    #expect(Budget.decodedPixels < 0xFA1 * 0xFA1)
  }

  @Test("an interlaced picture that cannot be held whole is refused")
  func interlacedLimit() throws {
    // 3000 by 3000: 36 MB. The header's checksum is right; nothing else is looked at.
    let header: [UInt8] = [
      0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0x0B, 0xB8, 0, 0, 0x0B,
      0xB8, 8, 6, 0, 0, 1,
    ]
    let sum = crc(header.dropFirst(12))
    let tail = (0..<4).map { UInt8(truncatingIfNeeded: sum >> UInt32(24 - 8 * $0)) }
    let data = Array(try read("plain.png").dropFirst(33))
    #expect(fault(header + tail + data) == "PNG: interlaced, with more than 8 million pixels")
    #expect(3_000 * 3_000 * 4 > Budget.wholePictureBytes)
  }

  @Test("a progressive picture that cannot be held whole is refused, a smaller one is broken later")
  func progressiveLimit() {
    func header(_ high: UInt8) -> [UInt8] {
      [0xFF, 0xD8, 0xFF, 0xC2, 0, 17, 8, high, 0xB8, high, 0xB8, 3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0]
        + [0xFF, 0xDA, 0, 12, 3, 1, 0, 2, 0, 3, 0, 0, 0, 0]
    }
    #expect(fault(header(0x0B)) == "JPEG: progressive, with more than 8 million pixels")
    // Four times its pixels are more than a number of 32 bits holds.
    #expect(fault(header(0xFA)) == "the picture has more than 16 million pixels")
    #expect(fault(header(0))?.contains("million") != true)
  }

  private func crc(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    var value: UInt32 = 0xFFFF_FFFF
    for byte in bytes {
      value ^= UInt32(byte)
      for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
    }
    return ~value
  }

  // MARK: Snapshots

  private func screen() throws -> PixelBuffer {
    let buffer = try PixelBuffer(Size(64, 40))
    for y in 0..<40 {
      for x in 0..<64 { buffer.pixels[y * 64 + x] = x < 32 ? 0x0020_40FF : 0x00FF_8000 | UInt32(y) }
    }
    return buffer
  }

  private func encode(
    _ format: SnapshotFormat, atMost width: Int32, room: Int = 100_000
  ) throws -> (bytes: [UInt8], size: Size) {
    let target = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: room)
    defer { target.deallocate() }
    let done = try SnapshotEncoder.encode(try screen(), format, atMost: width, into: target)
    return (Array(target.prefix(done.count)), done.size)
  }

  @Test("a PNG of the screen has its pixels")
  func png() throws {
    let (bytes, size) = try encode(.png, atMost: 900)
    #expect(size == Size(64, 40))
    let (picture, original) = (try decode(bytes), try screen())
    for index in 0..<64 * 40 { try #require(picture.pixels[index] == original.pixels[index] | 0xFF00_0000) }
  }

  @Test("a JPEG of the screen looks like it, also when it is made smaller", arguments: [Int32(900), 32])
  func jpegSnapshot(width: Int32) throws {
    let (bytes, size) = try encode(.jpeg(quality: 90), atMost: width)
    #expect(size == (width == 32 ? Size(32, 20) : Size(64, 40)))
    let picture = try decode(bytes)
    #expect(picture.size == size)
    let (left, right) = (picture.pixels[3], picture.pixels[Int(size.width) - 4])
    #expect(abs(Int(left & 255) - 255) < 12 && abs(Int(left >> 16 & 255) - 0x20) < 12)
    #expect(abs(Int(right >> 16 & 255) - 255) < 12 && abs(Int(right >> 8 & 255) - 0x80) < 12)
  }

  @Test("a width makes it smaller, never larger, and keeps the proportions")
  func sizes() throws {
    #expect(try encode(.png, atMost: 32).size == Size(32, 20))
    #expect(try encode(.png, atMost: 10).size == Size(10, 6))
    #expect(try encode(.png, atMost: 1).size == Size(1, 1))
    #expect(try encode(.png, atMost: 65).size == Size(64, 40))
  }

  @Test("a file that is larger than the buffer is not written", arguments: [0, 10, 100])
  func doesNotFit(room: Int) {
    #expect(throws: SnapshotFault.doesNotFit) { try encode(.png, atMost: 900, room: room) }
    #expect(throws: SnapshotFault.doesNotFit) { try encode(.jpeg(quality: 80), atMost: 900, room: room) }
  }
}
