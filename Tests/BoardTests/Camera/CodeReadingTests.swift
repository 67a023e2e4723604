@testable import Camera
import Canvas
import Foundation
import Runtime
import Simulated
import TestSupport
import Testing

@testable import Board

/// QR codes in pictures, by quirc; drawn by libqrencode.
@Suite("Codes in pictures")
final class CodeReadingTests {
  private let folder: CameraFolder
  private let reader = QuircReader()

  init() throws { folder = try CameraFolder() }

  /// A gray picture in which the code stands, `module` pixels for each of its modules.
  private func picture(
    _ text: String, width: Int = 400, height: Int = 300, module: Int = 4, mirrored: Bool = false
  ) -> [UInt8] {
    let modules = QRModules()
    QRCodes().encode(text.utf8.span, into: modules)
    let side = Int(modules.side)
    var picture = [UInt8](repeating: 200, count: width * height)
    let (left, top) = ((width - side * module) / 2, (height - side * module) / 2)
    for y in 0..<side * module {
      for x in 0..<side * module {
        let place = (top + y) * width + left + (mirrored ? side * module - 1 - x : x)
        picture[place] = modules.isDark(Int32(x / module), Int32(y / module)) ? 20 : 220
      }
    }
    return picture
  }

  private func read(_ picture: [UInt8], _ width: Int, _ height: Int, rowBytes: Int? = nil) throws -> [String] {
    var texts: [String] = []
    var picture = picture
    try picture.withUnsafeMutableBufferPointer { bytes in
      let plane = Plane(base: bytes.baseAddress!, width: width, height: height, rowBytes: rowBytes ?? width)
      _ = try reader.read(plane) { code in
        texts.append(code.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) })
        return true
      }
    }
    return texts
  }

  @Test("a code is read, also mirrored, beside padding, and in pictures of another size")
  func reads() throws {
    let text = "oc-pair://eyJ1cmwiOiJ3c3M6Ly9ndyJ9"
    #expect(try read(picture(text), 400, 300) == [text])
    #expect(try read(picture(text, mirrored: true), 400, 300) == [text])
    #expect(try read(picture(text, width: 500, height: 200, module: 3), 500, 200) == [text])
    #expect(try read(picture(text, width: 500), 440, 300, rowBytes: 500) == [text])
  }

  @Test("a picture without a code has none, whatever is in it")
  func noise() throws {
    var random = Seeded(7)
    for _ in 0..<20 {
      let noise = (0..<160 * 120).map { _ in UInt8.random(in: 0...255, using: &random) }
      #expect(try read(noise, 160, 120) == [])
    }
    #expect(try read([UInt8](repeating: 0, count: 64), 8, 8) == [])
    #expect(try read([9], 1, 1) == [])
  }

  @Test("a picture without pixels has no code, and the next one is read")
  func empty() throws {
    #expect(try read([0], 0, 0) == [])
    #expect(try read([0], 0, 5) == [])
    #expect(try read([0], 5, 0) == [])
    #expect(try read(picture("x"), 400, 300) == ["x"])
  }

  /// A square of 200 pixels, a bit each, with three finder patterns so distorted that the search for an alignment
  /// pattern had no end in sight: 1.4 s on a PC for one reading.
  @Test("a distorted code does not hold a scan up", .timeLimit(.minutes(1)))
  func distorted() throws {
    let file = Repository.fixtures.appendingPathComponent("fuzz/code-picture/far-alignment")
    let bits = [UInt8](try Data(contentsOf: file).dropFirst(3))
    var picture = [UInt8](repeating: 230, count: 200 * 200)
    for place in 0..<picture.count {
      let isDark: Bool = (bits[place / 8] >> UInt8(place % 8)) & 1 == 1
      if isDark { picture[place] = 20 }
    }
    for _ in 0..<100 { #expect(try read(picture, 200, 200) == []) }
  }

  @Test("of a picture that is too large the part that fits is looked at")
  func large() throws {
    let (side, text) = (Budget.scannedSide, "oc-pair://eyJ1cmwiOiJ3c3M6Ly9ndyJ9")
    let inside = picture(text)
    var large = [UInt8](repeating: 220, count: (side + 9) * (side + 7))
    for y in 0..<300 {
      large.replaceSubrange(y * (side + 9)..<y * (side + 9) + 400, with: inside[y * 400..<y * 400 + 400])
    }
    #expect(try read(large, side + 9, side + 7) == [text])
    // A column and a row of pixels.
    #expect(try read([UInt8](repeating: 0, count: side), side, 1) == [])
    #expect(try read([UInt8](repeating: 255, count: side), 1, side) == [])
  }

  @Test("a code is read when its modules are small, and when they are large", arguments: [2, 3, 9])
  func sizes(module: Int) throws {
    let text = String(repeating: "z", count: 20)
    #expect(try read(picture(text, module: module), 400, 300) == [text])
  }

  @Test("a damaged code is not taken for one")
  func damaged() throws {
    var picture = picture("openclaw://agent?message=x")
    for y in 140..<200 { for x in 0..<400 { picture[y * 400 + x] = 220 } }
    #expect(try read(picture, 400, 300) == [])
  }

  /// The pictures of a folder, as a camera.
  private func scan() throws -> CodeScan {
    let clock = SystemClock()
    return try CodeScan(
      stream: CameraStream(
        source: FolderCamera(folder: folder.path, clock: clock), cameraSettings: CameraSettingsTable(), clock: clock),
      codec: TurboJPEG(), clock: clock)
  }

  private func write(_ picture: [UInt8], as name: String) throws {
    let codec = try TurboJPEG()
    let storage = FixedBuffer(capacity: 400 * 300)
    let image = try #require(PlanarImage(in: storage.bytes, width: 400, height: 300, chroma: .gray))
    for index in 0..<picture.count { storage.bytes[index] = picture[index] }
    let output = FixedBuffer(capacity: 1 << 18)
    let count = try codec.encode(image, quality: 90, into: output.bytes)
    try folder.write(Array(output.bytes[..<count]), as: name)
  }

  @Test("a camera is looked through until a code is taken, and is closed")
  func scans() throws {
    try write([UInt8](repeating: 128, count: 400 * 300), as: "1.jpg")
    try write(picture("hello"), as: "2.jpg")
    try write(picture("openclaw://gateway?host=localhost"), as: "3.jpg")
    let scan = try scan()
    var seen: [String] = []
    let found = try scan.run(CameraChoice(), by: reader, until: SystemClock().monotonic + 60_000) { code in
      seen.append(code.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) })
      return seen.count == 2
    }
    #expect(found)
    #expect(seen == ["hello", "openclaw://gateway?host=localhost"])
    #expect(scan.pictures == 3)
  }

  @Test("a look that is called off ends before the next picture")
  func calledOff() throws {
    try write([UInt8](repeating: 128, count: 400 * 300), as: "1.jpg")
    let scan = try scan()
    var left = 2
    let found = try scan.run(
      CameraChoice(), by: reader, until: SystemClock().monotonic + 60_000,
      while: {
        left -= 1
        return left >= 0
      }
    ) { _ in true }
    #expect(!found && scan.pictures == 2)
  }

  @Test("without a code the time is up, without a camera that is told")
  func ends() throws {
    #expect(throws: CameraError.self) {
      try self.scan().run(CameraChoice(), by: reader, until: SystemClock().monotonic + 60_000) { _ in true }
    }
    try write([UInt8](repeating: 128, count: 400 * 300), as: "1.jpg")
    let found = try scan().run(CameraChoice(), by: reader, until: SystemClock().monotonic + 150) { _ in true }
    #expect(!found)
  }
}
