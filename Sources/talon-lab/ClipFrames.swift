import ArgumentParser
import Board
import Camera
import Runtime

/// What the lab's camera gives.
enum ClipSource: String, ExpressibleByArgument {
  case yu12, nv12, yuyv, gray, mjpeg, h264

  var format: PixelFormat {
    switch self {
    case .yu12: .yu12
    case .nv12: .nv12
    case .yuyv: .yuyv
    case .gray: .gray
    case .mjpeg: .mjpeg
    case .h264: .h264
    }
  }

  /// Bytes of a row.
  func rowBytes(_ width: Int) -> Int {
    switch self {
    case .yu12, .nv12, .gray: width
    case .yuyv: 2 * width
    case .mjpeg, .h264: 0
    }
  }

  /// Whether frames can have this size.
  func takes(_ width: Int, _ height: Int) -> Bool {
    switch self {
    case .yu12, .nv12: width % 2 == 0 && height % 2 == 0
    case .yuyv: width % 2 == 0
    default: true
    }
  }
}

/// Frames one after the other, each valid until the next; nil at the end.
protocol ClipFrames: AnyObject {
  func next() throws -> UnsafeBufferPointer<UInt8>?
}

/// Bars on a slope, in colors, that move to the side, with a white mark in the corner at the top left; or noise.
final class DrawnFrames: ClipFrames {
  private let source: ClipSource
  private let isNoise: Bool
  private let storage: FixedBuffer
  private let image: PlanarImage
  /// The whole of what moves by, wider than the image by a bar and a gap.
  private let scene: PlanarImage
  private let sceneStorage: FixedBuffer
  private let packed: FixedBuffer
  private let codec = try! TurboJPEG()
  private var index = 0

  init(_ source: ClipSource, width: Int, height: Int, isNoise: Bool) throws {
    self.source = source
    self.isNoise = isNoise
    storage = FixedBuffer(capacity: (width + 1) * (height + 1) * 3 / 2 + 2)
    guard let image = PlanarImage(in: storage.bytes, width: width, height: height, chroma: .quarter) else {
      throw ClipError.encoder
    }
    self.image = image
    let sceneWidth = width + Self.period
    sceneStorage = FixedBuffer(capacity: (sceneWidth + 1) * (height + 1) * 3 / 2 + 2)
    guard let scene = PlanarImage(in: sceneStorage.bytes, width: sceneWidth, height: height, chroma: .quarter) else {
      throw ClipError.encoder
    }
    self.scene = scene
    packed = FixedBuffer(capacity: (width + 15) / 16 * 16 * ((height + 15) / 16 * 16) * 3 + 2048)
    paintScene()
  }

  func next() throws -> UnsafeBufferPointer<UInt8>? {
    isNoise ? scatter() : paint()
    index += 1
    let pixels = image.width * image.height
    switch source {
    case .yu12: return UnsafeBufferPointer(rebasing: storage.bytes[..<(pixels * 3 / 2)])
    case .nv12: return pack(pixels * 3 / 2, pairs)
    case .yuyv: return pack(pixels * 2, interleave)
    case .gray: return pack(pixels, copyLuma)
    case .mjpeg:
      let count = try codec.encode(image, quality: 85, coding: .standard, into: packed.bytes)
      return UnsafeBufferPointer(rebasing: packed.bytes[..<count])
    case .h264: return nil
    }
  }

  private func pack(_ count: Int, _ body: (UnsafeMutablePointer<UInt8>) -> Void) -> UnsafeBufferPointer<UInt8> {
    body(packed.bytes.baseAddress!)
    return UnsafeBufferPointer(rebasing: packed.bytes[..<count])
  }

  private func copyLuma(to bytes: UnsafeMutablePointer<UInt8>) {
    for y in 0..<image.height {
      (bytes + y * image.width).update(from: image.luma.base + y * image.luma.rowBytes, count: image.width)
    }
  }

  private func pairs(to bytes: UnsafeMutablePointer<UInt8>) {
    copyLuma(to: bytes)
    let chroma = bytes + image.width * image.height
    for place in 0..<image.blue.rowBytes * image.blue.height {
      chroma[2 * place] = image.blue.base[place]
      chroma[2 * place + 1] = image.red.base[place]
    }
  }

  private func interleave(to bytes: UnsafeMutablePointer<UInt8>) {
    for y in 0..<image.height {
      let (row, luma) = (bytes + y * 2 * image.width, image.luma.base + y * image.luma.rowBytes)
      let chroma = y / 2 * image.blue.rowBytes
      for x in 0..<image.width / 2 {
        row[4 * x] = luma[2 * x]
        row[4 * x + 1] = image.blue.base[chroma + x]
        row[4 * x + 2] = luma[2 * x + 1]
        row[4 * x + 3] = image.red.base[chroma + x]
      }
    }
  }

  private func scatter() {
    var state = UInt32(truncatingIfNeeded: index) &* 2_654_435_761 | 1
    for offset in 0..<storage.bytes.count {
      state = state &* 1_664_525 &+ 1_013_904_223
      storage.bytes[offset] = UInt8(state >> 24)
    }
  }

  /// Pixels of a bar and a gap.
  private static let period = 80

  private func paintScene() {
    let (width, height) = (scene.width, scene.height)
    for y in 0..<height {
      let row = scene.luma.base + y * scene.luma.rowBytes
      for x in 0..<width {
        let bar = x / (Self.period / 2) % 2 == 0 ? 60 : 0
        row[x] = UInt8(bar + 20 + (y * 2 + x) * 80 / (height * 2 + width) + (x ^ y) % 9)
      }
    }
    for y in 0..<scene.blue.height {
      for x in 0..<scene.blue.width {
        scene.blue.base[y * scene.blue.rowBytes + x] = UInt8(60 + x * 240 / width)
        scene.red.base[y * scene.red.rowBytes + x] = UInt8(180 - y * 240 / height)
      }
    }
  }

  private func paint() {
    let shift = 4 * index % Self.period
    Self.show(scene.luma, from: shift, on: image.luma, mark: 255)
    Self.show(scene.blue, from: shift / 2, on: image.blue, mark: 128)
    Self.show(scene.red, from: shift / 2, on: image.red, mark: 128)
  }

  private static func show(_ scene: Plane, from column: Int, on plane: Plane, mark: UInt8) {
    for y in 0..<plane.height {
      let row = plane.base + y * plane.rowBytes
      row.update(from: scene.base + y * scene.rowBytes + column, count: plane.width)
      if y < plane.height / 8 { row.update(repeating: mark, count: plane.width / 8) }
    }
  }
}

/// The access units of a byte stream, each after its delimiter.
final class StreamedFrames: ClipFrames {
  private let bytes: UnsafeMutableBufferPointer<UInt8>
  private let starts: [Int]
  private var index = 0

  init(_ stream: [UInt8]) {
    bytes = .allocate(capacity: stream.count)
    _ = bytes.initialize(fromContentsOf: stream)
    starts = stream.indices.dropLast(4).filter { stream[$0...].starts(with: [0, 0, 0, 1, 9]) } + [stream.count]
  }

  deinit { bytes.deallocate() }

  func next() -> UnsafeBufferPointer<UInt8>? {
    guard index + 1 < starts.count else { return nil }
    index += 1
    return UnsafeBufferPointer(rebasing: bytes[starts[index - 1]..<starts[index]])
  }
}
