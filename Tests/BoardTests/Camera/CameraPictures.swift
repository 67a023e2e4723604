import Camera
import Foundation
import Runtime
import Testing

@testable import Board

/// Pictures made for a test, so that none is kept in the repository.
enum CameraPictures {
  /// The colors of the bars, left to right.
  static let bars: [(red: Double, green: Double, blue: Double)] = [
    (255, 255, 255), (255, 255, 0), (0, 255, 255), (0, 255, 0), (255, 0, 255), (255, 0, 0), (0, 0, 255),
    (0, 0, 0),
  ]

  /// Y, Cb and Cr of a color (JFIF).
  static func components(_ color: (red: Double, green: Double, blue: Double)) -> [UInt8] {
    let luma = 0.299 * color.red + 0.587 * color.green + 0.114 * color.blue
    return [luma, 128 + (color.blue - luma) / 1.772, 128 + (color.red - luma) / 1.402].map {
      UInt8(min($0.rounded(), 255))
    }
  }

  /// Storage for the planes of a picture.
  static func storage(_ width: Int, _ height: Int) -> [UInt8] {
    [UInt8](repeating: 128, count: 3 * (width + 4) * (height + 4))
  }

  /// A JPEG of eight vertical bars.
  static func bars(
    _ width: Int, _ height: Int, chroma: ChromaLayout = .quarter, quality: Int = 95
  ) throws -> [UInt8] {
    var storage = storage(width, height)
    let colors = bars.map(components)
    return try storage.withUnsafeMutableBufferPointer { storage in
      let image = try #require(PlanarImage(in: storage, width: width, height: height, chroma: chroma))
      for (index, plane) in [image.luma, image.blue, image.red].enumerated() where plane.width > 0 {
        let row = (0..<plane.rowBytes).map { colors[min($0 * 8 / plane.width, 7)][index] }
        for y in 0..<plane.height { (plane.base + y * plane.rowBytes).update(from: row, count: row.count) }
      }
      return try encoded(image, quality: quality)
    }
  }

  /// A JPEG that cannot be made small: random dots.
  static func noise(_ width: Int, _ height: Int) throws -> [UInt8] {
    var storage = storage(width, height)
    storage.withUnsafeMutableBytes { SystemRandom().fill($0) }
    return try storage.withUnsafeMutableBufferPointer { storage in
      let image = try #require(PlanarImage(in: storage, width: width, height: height, chroma: .quarter))
      return try encoded(image, quality: 100)
    }
  }

  private static func encoded(_ image: PlanarImage, quality: Int) throws -> [UInt8] {
    let room = (image.width + 16) * (image.height + 16) * 6 + 2048
    return try [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
      count = try TurboJPEG().encode(image, quality: quality, into: buffer)
    }
  }

  /// The segments of a JPEG with this marker.
  static func segments(_ jpeg: [UInt8], marker: UInt8) -> [Range<Int>] {
    var (found, index): ([Range<Int>], Int) = ([], 2)
    while jpeg[index + 1] != 0xDA {
      let end = index + 2 + Int(jpeg[index + 2]) << 8 + Int(jpeg[index + 3])
      if jpeg[index + 1] == marker { found.append(index..<end) }
      index = end
    }
    return found
  }

  /// The JPEG without its Huffman tables, as a webcam sends it.
  static func withoutTables(_ jpeg: [UInt8]) -> [UInt8] {
    var jpeg = jpeg
    for range in segments(jpeg, marker: 0xC4).reversed() { jpeg.removeSubrange(range) }
    return jpeg
  }

  /// The size of a JPEG, and Y, Cb and Cr in the middle of each of its bars.
  static func look(_ jpeg: [UInt8]) throws -> (width: Int, height: Int, colors: [[UInt8]]) {
    var storage = [UInt8](repeating: 0, count: Budget.cameraFrameBytes)
    return try storage.withUnsafeMutableBufferPointer { storage in
      try jpeg.withUnsafeBufferPointer { jpeg in
        let image = try TurboJPEG().decode(jpeg, atLeast: 65535, into: storage)
        let colors = (0..<8).map { bar in
          [image.luma, image.blue, image.red].map { plane in
            plane.width == 0
              ? 128 : plane.base[plane.height / 2 * plane.rowBytes + plane.width * (2 * bar + 1) / 16]
          }
        }
        return (image.width, image.height, colors)
      }
    }
  }

  /// True when every bar has its color, within what compression costs.
  static func isBars(_ colors: [[UInt8]], tolerance: Int = 6) -> Bool {
    zip(colors, bars).allSatisfy { seen, color in
      zip(seen, components(color)).allSatisfy { abs(Int($0) - Int($1)) <= tolerance }
    }
  }
}

/// A folder that is removed with its contents at the end.
final class CameraFolder {
  let path = NSTemporaryDirectory() + "talon-camera-" + UUID().uuidString

  init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func write(_ bytes: [UInt8], as name: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path + "/" + name))
  }
}
