import Testing

@testable import Camera

/// Every pixel format, on random pictures, against the plainest way to compute the same.
struct PixelFormatTests {
  private let width = 24
  private let height = 10

  private func planes(_ frame: ScriptedCamera.Frame) throws -> [[[UInt8]]] {
    let (camera, codec) = (ScriptedCamera(), ScriptedCodec())
    camera.frames = [frame]
    let job = try CaptureJob(
      stream: CameraStream(source: camera, cameraSettings: CameraSettingsTable(), clock: StillClock()), codec: codec,
      clock: StillClock())
    job.prepare(SnapParameters(), deadline: 2000)
    job.run()
    return codec.planes
  }

  /// A frame of random bytes with rows a little longer than needed.
  private func frame(_ format: PixelFormat, rowBytes: Int, rows: Int) -> ScriptedCamera.Frame {
    var random = Seeded(UInt64(rowBytes * rows))
    return .init(
      format: format, width: width, height: height, rowBytes: rowBytes, bytes: random.bytes(rowBytes * rows))
  }

  private func grid(_ columns: Int, _ rows: Int, _ value: (Int, Int) -> UInt8) -> [[UInt8]] {
    (0..<rows).map { y in (0..<columns).map { value($0, y) } }
  }

  @Test(
    "YUYV and UYVY: luma as it is, chroma averaged over two rows",
    arguments: [(PixelFormat.yuyv, 0, 1, 3), (.uyvy, 1, 0, 2)])
  func packed(format: PixelFormat, luma: Int, blue: Int, red: Int) throws {
    let row = 2 * width + 4
    let frame = frame(format, rowBytes: row, rows: height)
    let at = { frame.bytes[$1 * row + $0] }
    let planes = try planes(frame)
    #expect(planes[0] == grid(width, height) { at(2 * $0 + luma, $1) })
    for (plane, offset) in [(1, blue), (2, red)] {
      let expected = grid(width / 2, height / 2) { x, y in
        UInt8((Int(at(4 * x + offset, 2 * y)) + Int(at(4 * x + offset, 2 * y + 1)) + 1) / 2)
      }
      #expect(planes[plane] == expected)
    }
  }

  @Test(
    "NV12 and NV21: planes as they are, pairs taken apart", arguments: [(PixelFormat.nv12, 0), (.nv21, 1)])
  func pairs(format: PixelFormat, blue: Int) throws {
    let row = width + 6
    let frame = frame(format, rowBytes: row, rows: height * 3 / 2)
    let planes = try planes(frame)
    #expect(planes[0] == grid(width, height) { frame.bytes[$1 * row + $0] })
    #expect(planes[1] == grid(width / 2, height / 2) { frame.bytes[(height + $1) * row + 2 * $0 + blue] })
    #expect(planes[2] == grid(width / 2, height / 2) { frame.bytes[(height + $1) * row + 2 * $0 + 1 - blue] })
  }

  @Test(
    "YU12 and YV12: planes as they are, chroma rows half as long",
    arguments: [(PixelFormat.yu12, 0), (.yv12, 1)])
  func threePlanes(format: PixelFormat, blueAt: Int) throws {
    let row = width + 6
    let frame = frame(format, rowBytes: row, rows: height * 3 / 2)
    let size = row / 2 * (height / 2)
    let (blue, red) = (row * height + blueAt * size, row * height + (1 - blueAt) * size)
    let planes = try planes(frame)
    #expect(planes[0] == grid(width, height) { frame.bytes[$1 * row + $0] })
    #expect(planes[1] == grid(width / 2, height / 2) { frame.bytes[blue + $1 * row / 2 + $0] })
    #expect(planes[2] == grid(width / 2, height / 2) { frame.bytes[red + $1 * row / 2 + $0] })
  }

  @Test(
    "RGB24 and BGR24: luma of each pixel, chroma of each four",
    arguments: [(PixelFormat.rgb24, 0), (.bgr24, 2)])
  func rgb(format: PixelFormat, red: Int) throws {
    let row = 3 * width + 5
    let frame = frame(format, rowBytes: row, rows: height)
    func value(_ x: Int, _ y: Int, _ factors: (Double, Double, Double)) -> Double {
      let at = y * row + 3 * x
      return factors.0 * Double(frame.bytes[at + red]) + factors.1 * Double(frame.bytes[at + 1]) + factors.2
        * Double(frame.bytes[at + 2 - red])
    }
    let planes = try planes(frame)
    for y in 0..<height {
      for x in 0..<width { #expect(abs(Double(planes[0][y][x]) - value(x, y, (0.299, 0.587, 0.114))) <= 0.6) }
    }
    for (plane, factors) in [(1, (-0.168736, -0.331264, 0.5)), (2, (0.5, -0.418688, -0.081312))] {
      for y in 0..<height / 2 {
        for x in 0..<width / 2 {
          let four = [(0, 0), (1, 0), (0, 1), (1, 1)].reduce(0) {
            $0 + value(2 * x + $1.0, 2 * y + $1.1, factors)
          }
          #expect(abs(Double(planes[plane][y][x]) - 128 - four / 4) <= 1.1)
        }
      }
    }
  }

  @Test("GREY and Y10: luma alone, of Y10 the upper 8 bits, stray bits above them as white")
  func gray() throws {
    let gray = frame(.gray, rowBytes: width + 3, rows: height)
    var seen = try planes(gray)
    #expect(seen[0] == grid(width, height) { gray.bytes[$1 * (width + 3) + $0] })
    #expect(seen[1].isEmpty && seen[2].isEmpty)
    let row = 2 * width + 5
    var words = frame(.y10, rowBytes: row, rows: height)
    for y in 0..<height { for x in 1..<width { words.bytes[y * row + 2 * x + 1] &= 3 } }
    seen = try planes(words)
    let value = { (x: Int, y: Int) in
      Int(words.bytes[y * row + 2 * x]) + 256 * Int(words.bytes[y * row + 2 * x + 1])
    }
    #expect(seen[0] == grid(width, height) { UInt8(min(value($0, $1) / 4, 255)) })
    words.bytes.removeLast()
    #expect(try planes(words).isEmpty)
  }

  @Test(
    "planes with memory of their own are read by their own rows",
    arguments: [(PixelFormat.nv12, 2), (.nv21, 2), (.yu12, 3), (.yv12, 3)])
  func separatePlanes(format: PixelFormat, count: Int) throws {
    let chroma = count == 2 ? width : width / 2
    let rowBytes = [width + 7, chroma + 5, chroma + 1]
    let rows = [height, height / 2, height / 2]
    var random = Seeded(9)
    let memory = (0..<3).map { random.bytes(rowBytes[$0] * rows[$0]) }
    func look<Value>(_ lengths: [Int], planes: Int = count, _ body: (FrameComponents?) -> Value) -> Value {
      func plane(_ index: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> FramePlane {
        FramePlane(bytes: UnsafeBufferPointer(rebasing: bytes[..<lengths[index]]), rowBytes: rowBytes[index])
      }
      return memory[0].withUnsafeBufferPointer { first in
        memory[1].withUnsafeBufferPointer { second in
          memory[2].withUnsafeBufferPointer { third in
            body(
              FrameComponents(
                RawFrame(
                  format: format, width: width, height: height, isFullRange: true,
                  planes: [plane(0, first), plane(1, second), plane(2, third)], planeCount: planes)))
          }
        }
      }
    }
    let lengths = memory.map(\.count)
    let blueFirst = format == .nv12 || format == .yu12
    let expected = [0, 1, 2].map { part -> [[UInt8]] in
      if part == 0 { return grid(width, height) { memory[0][$1 * rowBytes[0] + $0] } }
      let place = blueFirst ? part - 1 : 2 - part
      if count == 2 { return grid(width / 2, height / 2) { memory[1][$1 * rowBytes[1] + 2 * $0 + place] } }
      return grid(width / 2, height / 2) { memory[1 + place][$1 * rowBytes[1 + place] + $0] }
    }
    let seen = look(lengths) { parts -> [[[UInt8]]] in
      guard let parts else { return [] }
      return [parts.first, parts.second, parts.third].map { part in
        grid(part.width, part.height) { part.base[$1 * part.rowBytes + $0 * part.step] }
      }
    }
    #expect(seen == expected)
    for index in 0..<count {
      var short = lengths
      short[index] -= 1
      #expect(look(short) { $0 == nil })
    }
    #expect(look(lengths, planes: 5 - count) { $0 == nil })
  }

  @Test("video range is stretched: black, white and gray become 0, 255 and 128")
  func videoRange() throws {
    var frame = frame(.yuyv, rowBytes: 2 * width, rows: height)
    frame.isFullRange = false
    for (video, full) in [(16, 0), (235, 255), (126, 128)] as [(UInt8, UInt8)] {
      for index in frame.bytes.indices { frame.bytes[index] = index % 2 == 0 ? video : 128 }
      let planes = try planes(frame)
      #expect(planes[0].allSatisfy { $0.allSatisfy { $0 == full } })
      #expect(planes[1].allSatisfy { $0.allSatisfy { $0 == 128 } })
    }
  }

  @Test(
    "a frame with fewer bytes than its size needs is not read",
    arguments: [
      (PixelFormat.yuyv, 48, 480), (.uyvy, 48, 480), (.nv12, 24, 360), (.nv21, 24, 360), (.yu12, 24, 360),
      (.yv12, 24, 360), (.rgb24, 72, 720), (.bgr24, 72, 720), (.gray, 24, 240),
    ])
  func short(format: PixelFormat, rowBytes: Int, needed: Int) {
    let bytes = [UInt8](repeating: 0, count: needed)
    bytes.withUnsafeBufferPointer { bytes in
      func parts(_ rowBytes: Int, _ count: Int, width: Int = 24, height: Int = 10) -> FrameComponents? {
        FrameComponents(
          RawFrame(
            format: format, width: width, height: height, rowBytes: rowBytes, isFullRange: true,
            bytes: UnsafeBufferPointer(rebasing: bytes[..<count])))
      }
      #expect(parts(rowBytes, needed) != nil)
      #expect(parts(rowBytes, needed - 1) == nil)
      #expect(parts(rowBytes - 1, needed) == nil)
      #expect(parts(rowBytes, 0) == nil)
      #expect(parts(rowBytes, needed, width: 1) == nil)
      #expect(parts(rowBytes, needed, height: 1) == nil)
      #expect(parts(Int.max, needed) == nil)
      #expect(parts(rowBytes, needed, width: Int.max / 2) == nil)
    }
  }
}
