import Canvas
import Foundation
import Graphics
import Runtime
import TestSupport
import Testing

@testable import Board

/// Pages as they were when a person looked at them, as the mean colors of a grid of cells: small enough to keep, and
/// blind to what another version of FreeType does to an edge. `TALON_GOLDENS=write` writes them anew.
@Suite("Pages look as they did")
struct GoldenTests {
  private final class NoPictures: PictureShelf {
    func picture(_ url: Span<UInt8>, _ wanted: Size) -> Picture? { nil }
    func size(_ url: Span<UInt8>) -> Size? { nil }
  }

  private static let columns = 32
  private static let rows = 24
  /// Of 255, in one color of one cell.
  private static let tolerance = 6

  private static let folder = Repository.fixtures.appendingPathComponent("canvas")

  /// Red, green and blue of each cell, row by row.
  private static func cells(
    _ size: Size, _ mode: Theme.Mode, scroll: Int32, of page: String = "catalog", fonts: [String] = []
  ) throws -> [UInt8] {
    let view = try DocumentView(measurer: try FontShelf(packs: FontPacks(folders: fonts)), pictures: NoPictures())
    view.fit(size, Theme(mode: mode, scale: Theme.scale(for: size, millimeters: nil)))
    let document = try Data(contentsOf: folder.appendingPathComponent("\(page).jsonl"))
    _ = try view.store.push(jsonl: [UInt8](document).span)
    view.update()
    view.scroll(to: scroll)
    let list = DisplayList()
    view.draw(into: list)
    let pixels = try PixelBuffer(size)
    SoftwarePainter(glyphs: try FontShelf(packs: FontPacks(folders: fonts))).paint(
      list, Damage(Rect(0, 0, size.width, size.height)), into: pixels)
    return means(pixels)
  }

  private static func means(_ pixels: PixelBuffer) -> [UInt8] {
    var cells: [UInt8] = []
    let (width, height) = (Int(pixels.size.width), Int(pixels.size.height))
    for row in 0..<rows {
      for column in 0..<columns {
        var sums = (0, 0, 0)
        var count = 0
        for y in row * height / rows..<(row + 1) * height / rows {
          for x in column * width / columns..<(column + 1) * width / columns {
            let pixel = Int(pixels.pixels[y * width + x])
            sums = (sums.0 + (pixel >> 16 & 255), sums.1 + (pixel >> 8 & 255), sums.2 + (pixel & 255))
            count += 1
          }
        }
        cells += [UInt8(sums.0 / count), UInt8(sums.1 / count), UInt8(sums.2 / count)]
      }
    }
    return cells
  }

  @Test(
    "on panels of three sizes, dark and light",
    arguments: [
      ("320x240", Size(320, 240), Theme.Mode.dark, Int32(0)), ("480x320", Size(480, 320), .dark, 0),
      ("480x320-below", Size(480, 320), .dark, 600), ("800x480-light", Size(800, 480), .light, 0),
    ])
  func look(_ name: String, _ size: Size, _ mode: Theme.Mode, _ scroll: Int32) throws {
    try compare(name, try Self.cells(size, mode, scroll: scroll))
  }

  /// Five of them with the built-in faces, the others with those of Debian's fonts-noto-core.
  @Test("a paragraph in each of 25 scripts")
  func languages() throws {
    let fonts = Repository.path(".deps/fonts/root/usr/share/fonts/truetype/noto")
    try compare(
      "languages", try Self.cells(Size(1000, 2400), .light, scroll: 0, of: "languages", fonts: [fonts]))
  }

  private func compare(_ name: String, _ cells: [UInt8]) throws {
    let file = Self.folder.appendingPathComponent("golden-\(name).cells")
    if ProcessInfo.processInfo.environment["TALON_GOLDENS"] == "write" { try Data(cells).write(to: file) }
    let golden = [UInt8](try Data(contentsOf: file))
    try #require(golden.count == cells.count)
    let worst = zip(cells, golden).map { abs(Int($0) - Int($1)) }.max() ?? 255
    #expect(worst <= Self.tolerance, "a cell of \(name) is \(worst) off")
  }
}
