import ArgumentParser
import Canvas
import Foundation
import Graphics
import Runtime

/// One picture of a document at several sizes, for a person to look at.
struct GalleryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gallery",
    abstract: "Draws a file of A2UI messages at three sizes of panels, dark and light, on one sheet.",
    discussion: "Each row shows one size, scrolled from the top to the end.")

  @Argument(help: "Messages of A2UI v0.8 or v0.9, one a line.")
  var file: String

  @Argument(help: "The sheet, a PNG file.")
  var out: String

  @Option(help: "Pixels of the sheet across, at most.")
  var width: Int32 = 1600

  private static let gap: Int32 = 16
  private static let rows: [(size: Size, isLight: Bool)] = [
    (Size(320, 240), false), (Size(480, 320), false), (Size(800, 480), false), (Size(800, 480), true),
  ]

  func run() throws {
    guard let text = FileManager.default.contents(atPath: file) else { throw ValidationError("cannot read \(file)") }
    var pages: [[PixelBuffer]] = []
    for row in Self.rows { pages.append(try Self.screens([UInt8](text), row.size, isLight: row.isLight)) }
    let sheet = try PixelBuffer(
      Size(
        pages.map { Int32($0.count) * ($0[0].size.width + Self.gap) }.max()! + Self.gap,
        pages.reduce(Self.gap) { $0 + $1[0].size.height + Self.gap }))
    var y = Self.gap
    for row in pages {
      for (index, page) in row.enumerated() {
        Self.copy(page, to: sheet, Self.gap + Int32(index) * (page.size.width + Self.gap), y)
      }
      y += row[0].size.height + Self.gap
    }
    try LabOutput.write(try PageBench.png(of: sheet, atMost: width), toFile: out)
  }

  /// The document from top to end, one screen after the other.
  private static func screens(_ text: [UInt8], _ size: Size, isLight: Bool) throws -> [PixelBuffer] {
    var screens: [PixelBuffer] = []
    var scroll: Int32 = 0
    repeat {
      let page = try PageBench(size, mode: isLight ? .light : .dark)
      try page.push(text)
      page.view.scroll(to: scroll)
      try page.paint()
      screens.append(page.pixels)
      if scroll >= page.view.limit { break }
      scroll = min(scroll + size.height, page.view.limit)
    } while screens.count < 12
    return screens
  }

  private static func copy(_ page: PixelBuffer, to sheet: PixelBuffer, _ left: Int32, _ top: Int32) {
    let (width, sheetWidth) = (Int(page.size.width), Int(sheet.size.width))
    for y in 0..<Int(page.size.height) {
      let target = sheet.pixels.baseAddress! + (y + Int(top)) * sheetWidth + Int(left)
      target.update(from: page.pixels.baseAddress! + y * width, count: width)
    }
  }
}
