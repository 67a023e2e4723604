import Testing

@testable import Camera

/// Every pixel format, on random pictures, against the plainest way to compute the same.
struct PixelFormatTests {
  private let width = 24
  private let height = 10

  private func planes(_ frame: ScriptedCamera.Frame) throws -> [[[UInt8]]] {
    let (camera, codec) = (ScriptedCamera(), ScriptedCodec())
    camera.frames = [frame]
    let job = try CaptureJob(device: camera, codec: codec, clock: StillClock())
    job.prepare(SnapParameters(), deadline: 2000)
    job.run()
    return codec.planes
  }

  /// A frame of random bytes with rows a little longer than needed.
  private func frame(_ format: PixelFormat, rowBytes: Int, rows: Int) -> ScriptedCamera.Frame {
    var random = Seeded(state: UInt64(rowBytes * rows))
    return .init(
      format: format, width: width, height: height, rowBytes: rowBytes, bytes: random.bytes(rowBytes * rows))
  }

  private func grid(_ columns: Int, _ rows: Int, _ value: (Int, Int) -> UInt8) -> [[UInt8]] {
    (0..<rows).map { y in (0..<columns).map { value($0, y) } }
  }

  @Test("YUYV: luma as it is, chroma averaged over two rows")
  func yuyv() throws {
    let row = 2 * width + 4
    let frame = frame(.yuyv, rowBytes: row, rows: height)
    let at = { frame.bytes[$1 * row + $0] }
    let planes = try planes(frame)
    #expect(planes[0] == grid(width, height) { at(2 * $0, $1) })
    for (plane, offset) in [(1, 1), (2, 3)] {
      let expected = grid(width / 2, height / 2) { x, y in
        UInt8((Int(at(4 * x + offset, 2 * y)) + Int(at(4 * x + offset, 2 * y + 1)) + 1) / 2)
      }
      #expect(planes[plane] == expected)
    }
  }

  @Test("NV12: planes as they are, pairs taken apart")
  func nv12() throws {
    let row = width + 6
    let frame = frame(.nv12, rowBytes: row, rows: height * 3 / 2)
    let planes = try planes(frame)
    #expect(planes[0] == grid(width, height) { frame.bytes[$1 * row + $0] })
    #expect(planes[1] == grid(width / 2, height / 2) { frame.bytes[(height + $1) * row + 2 * $0] })
    #expect(planes[2] == grid(width / 2, height / 2) { frame.bytes[(height + $1) * row + 2 * $0 + 1] })
  }

  @Test("YU12: planes as they are, chroma rows half as long")
  func yu12() throws {
    let row = width + 6
    let frame = frame(.yu12, rowBytes: row, rows: height * 3 / 2)
    let (blue, red) = (row * height, row * height + row / 2 * (height / 2))
    let planes = try planes(frame)
    #expect(planes[0] == grid(width, height) { frame.bytes[$1 * row + $0] })
    #expect(planes[1] == grid(width / 2, height / 2) { frame.bytes[blue + $1 * row / 2 + $0] })
    #expect(planes[2] == grid(width / 2, height / 2) { frame.bytes[red + $1 * row / 2 + $0] })
  }

  @Test("RGB24: luma of each pixel, chroma of each four")
  func rgb24() throws {
    let row = 3 * width + 5
    let frame = frame(.rgb24, rowBytes: row, rows: height)
    func value(_ x: Int, _ y: Int, _ factors: (Double, Double, Double)) -> Double {
      let at = y * row + 3 * x
      return factors.0 * Double(frame.bytes[at]) + factors.1 * Double(frame.bytes[at + 1]) + factors.2
        * Double(frame.bytes[at + 2])
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
    arguments: [(PixelFormat.yuyv, 48, 480), (.nv12, 24, 360), (.yu12, 24, 360), (.rgb24, 72, 720)])
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
