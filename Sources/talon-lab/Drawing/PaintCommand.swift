import ArgumentParser
import Board
import Canvas
import Foundation
import Graphics
import Runtime

/// Draws a page with everything that the painter can draw, for a person to look at.
struct PaintCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "paint", abstract: "Draws samples of icons, type, cards and signs into a PNG file.")

  @Option(help: "Pixels across.")
  var width: Int32 = 1280

  @Option(help: "Pixels down.")
  var height: Int32 = 800

  @Argument(help: "The file.")
  var file: String

  func run() throws {
    guard (16...4096).contains(width), (16...4096).contains(height) else {
      throw ValidationError("sizes are between 16 and 4096 pixels")
    }
    try PaintSample.write(Size(width, height), to: file)
  }
}

extension PaintSample {
  /// Draws the page into a PNG file.
  static func write(_ size: Size, to file: String) throws {
    let pixels = try PixelBuffer(size)
    let sample = PaintSample(size: size, measurer: try FontShelf())
    let painter = SoftwarePainter(glyphs: try FontShelf())
    painter.paint(sample.list, Damage(Rect(0, 0, size.width, size.height)), into: pixels)
    let target = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 64 << 20)
    defer { target.deallocate() }
    let done = try SnapshotEncoder.encode(pixels, .png, atMost: size.width, into: target)
    try Data(target.prefix(done.count)).write(to: URL(fileURLWithPath: file))
  }
}
