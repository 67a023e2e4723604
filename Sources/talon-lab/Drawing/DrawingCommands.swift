import ArgumentParser
import Board
import Canvas
import Foundation
import Graphics
import Runtime

/// What the canvas makes of an SVG drawing, without a board.
struct SVGCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "svg", abstract: "Draws an SVG file as the canvas shows it, on white.")

  @Argument(help: "The drawing.")
  var file: String

  @Argument(help: "The picture, PNG.")
  var out: String

  @Option(help: "Pixels, as 480x320; the drawing's own size when it is not said.")
  var size: String?

  func run() throws {
    let bytes = try DrawingFile(file)
    let size: Size
    do { size = try self.size.map { try DrawingFile.size($0) } ?? SVG.size(bytes.bytes) } catch let error as SVGError {
      throw ValidationError("\(error.text)")
    }
    let pixels = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: max(Int(size.width) * Int(size.height), 1))
    defer { pixels.deallocate() }
    pixels.initialize(repeating: 0xFFFF_FFFF)
    do {
      let report = try SVG.render(bytes.bytes, into: pixels, size, fonts: try FontShelf()) { bytes in
        try? PictureDecoder.decode(bytes, PictureLimit(wanted: size))
      }
      if let omission = report.omission { print(omission.text) }
    } catch let error as SVGError {
      throw ValidationError("\(error.text)")
    }
    let screen = try PixelBuffer(size)
    _ = screen.pixels.update(fromContentsOf: pixels)
    try DrawingFile.write(screen, to: out)
  }
}

/// What the canvas makes of a document to read, without a board.
struct ReadCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "read", abstract: "Draws an HTML, Markdown (.md) or text (.txt) file as the canvas shows it.")

  @Argument(help: "The document.")
  var file: String

  @Argument(help: "The picture, PNG.")
  var out: String

  @Option(help: "Pixels of the screen, as 480x320.")
  var size = "800x480"

  @Option(help: "Pixels that the page is scrolled.")
  var scroll: Int32 = 0

  @Flag(help: "Light colors.")
  var light = false

  func run() throws {
    let (bytes, size) = (try DrawingFile(file), try DrawingFile.size(size))
    let page = try ReaderPage(measurer: try FontShelf(), pictures: nil)
    page.fit(size, Theme(mode: light ? .light : .dark, scale: Theme.scale(for: size, millimeters: nil)))
    do {
      let format: ReaderFormat = file.hasSuffix(".md") ? .markdown : file.hasSuffix(".txt") ? .plain : .html
      try page.take(bytes.bytes, format)
    } catch {
      throw ValidationError(String(describing: error.kind))
    }
    while let due = page.nextDeadline { _ = page.advance(to: due) }
    _ = page.input(.wheel(Point(0, 0), x: 0, y: -scroll), at: 0)
    let list = DisplayList()
    page.draw(into: list)
    let screen = try PixelBuffer(size)
    let painter = SoftwarePainter(glyphs: try FontShelf())
    painter.paint(list, Damage(Rect(0, 0, size.width, size.height)), into: screen)
    try DrawingFile.write(screen, to: out)
  }
}

/// A file that is drawn.
private final class DrawingFile {
  let bytes: UnsafeBufferPointer<UInt8>
  private let memory: UnsafeMutableBufferPointer<UInt8>

  init(_ path: String) throws {
    guard let data = FileManager.default.contents(atPath: path) else { throw ValidationError("cannot read \(path)") }
    memory = .allocate(capacity: max(data.count, 1))
    _ = memory.initialize(from: data)
    bytes = UnsafeBufferPointer(rebasing: memory[..<data.count])
  }

  deinit { memory.deallocate() }

  static func size(_ text: String) throws -> Size {
    let numbers = text.split(separator: "x").compactMap { Int32($0) }
    guard numbers.count == 2, numbers.allSatisfy({ (16...4096).contains($0) }) else {
      throw ValidationError("--size must be like 480x320, from 16 to 4096")
    }
    return Size(numbers[0], numbers[1])
  }

  static func write(_ screen: PixelBuffer, to path: String) throws {
    let buffer = FixedBuffer(capacity: screen.bytes.count + 65_536)
    let done = try SnapshotEncoder.encode(screen, .png, atMost: screen.size.width, into: buffer.bytes)
    try Data(buffer.bytes[..<done.count]).write(to: URL(fileURLWithPath: path))
  }
}
