import ArgumentParser
import Board
import Canvas
import Codec
import Foundation
import Graphics
import Runtime

/// What the canvas makes of a document, without a board.
struct PageCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "page", abstract: "Draws a file of A2UI messages as the canvas shows it.",
    discussion: "Leaves a PNG file, and prints where everything stands with --layout.")

  @Argument(help: "Messages of A2UI v0.8 or v0.9, one a line.")
  var file: String

  @Option(help: "Pixels of the screen, as 480x320.")
  var size = "1280x800"

  @Option(help: "The picture.")
  var out = "page.png"

  @Flag(help: "Light colors.")
  var light = false

  @Option(help: "Pixels that the page is scrolled.")
  var scroll: Int32 = 0

  @Option(help: "A folder of font files, for scripts that are not built in; may be given more than once.")
  var fonts: [String] = []

  @Flag(help: "Print the rectangles as JSON.")
  var layout = false

  func run() throws {
    let numbers = size.split(separator: "x").compactMap { Int32($0) }
    guard numbers.count == 2, numbers.allSatisfy({ (16...4096).contains($0) }) else {
      throw ValidationError("--size must be like 480x320, from 16 to 4096")
    }
    guard let text = FileManager.default.contents(atPath: file) else { throw ValidationError("cannot read \(file)") }
    let page = try PageBench(Size(numbers[0], numbers[1]), mode: light ? .light : .dark, fonts: fonts)
    try page.push([UInt8](text))
    page.view.scroll(to: scroll)
    try page.paint()
    try LabOutput.write(try page.png(), toFile: out)
    if layout { print(page.layout) }
  }
}

/// A page with everything after it that a board has.
final class PageBench {
  let view: DocumentView
  let list = DisplayList()
  let pixels: PixelBuffer
  private let painter: SoftwarePainter

  init(_ size: Size, mode: Theme.Mode = .dark, fonts: [String] = []) throws {
    view = try DocumentView(measurer: try FontShelf(packs: FontPacks(folders: fonts)), pictures: NoPictures())
    view.fit(size, Theme(mode: mode, scale: Theme.scale(for: size, millimeters: nil)))
    pixels = try PixelBuffer(size)
    painter = try Self.painter(fonts: fonts)
  }

  static func painter(fonts: [String] = []) throws -> SoftwarePainter {
    SoftwarePainter(glyphs: try FontShelf(packs: FontPacks(folders: fonts)))
  }

  func push(_ bytes: [UInt8]) throws {
    try take(bytes)
    view.update()
  }

  /// Pushes JSON Lines, which are not arranged yet.
  func take(_ bytes: [UInt8]) throws {
    do {
      _ = try view.store.push(jsonl: bytes.span)
    } catch {
      throw ValidationError(text(error))
    }
  }

  private func text(_ error: some WireError) -> String {
    var bytes = [UInt8](repeating: 0, count: 512)
    let count = bytes.withUnsafeMutableBufferPointer { buffer in
      var writer = ByteWriter(into: buffer)
      error.writeMessage(to: &writer)
      return writer.count
    }
    return String(decoding: bytes[..<count], as: UTF8.self)
  }

  func paint() throws {
    list.removeAll()
    view.draw(into: list)
    painter.paint(list, Damage(Rect(0, 0, pixels.size.width, pixels.size.height)), into: pixels)
  }

  var layout: String {
    let buffer = FixedBuffer(capacity: 4 << 20)
    var writer = JSONWriter(into: buffer.bytes)
    view.writeLayout(to: &writer)
    return String(decoding: UnsafeBufferPointer(buffer.bytes)[..<writer.count], as: UTF8.self)
  }

  /// Where an instance stands.
  struct Box: Decodable {
    let id: String
    let type: String
    let x, y, w, h: Int32

    var middle: Point { Point(x + w / 2, y + h / 2) }
  }

  var boxes: [Box] { get throws { try JSONDecoder().decode([Box].self, from: Data(layout.utf8)) } }

  /// Touches the entry of the first modal.
  func openModal() throws {
    guard let modal = try boxes.first(where: { $0.type == "Modal" }) else { return }
    view.scroll(to: modal.y)
    let place = Point(modal.middle.x, modal.middle.y - view.scroll)
    view.setStill(true)
    let finger = NoDelegate()
    let input = PageInput(view, delegate: finger)
    input.feed(.pointer(.down, id: 0, place), at: 0)
    input.feed(.pointer(.up, id: 0, place), at: 50)
    view.update()
  }

  private final class NoDelegate: PageTouchDelegate {
    func pageChanged() {}
    func pressed(_ hit: Hit) {}
  }

  func png() throws -> [UInt8] { try Self.png(of: pixels, atMost: pixels.size.width) }

  /// A PNG file of any page of the screen.
  static func png(of page: some ScreenPage, _ size: Size) throws -> [UInt8] {
    let list = DisplayList()
    page.draw(into: list)
    let pixels = try PixelBuffer(size)
    SoftwarePainter(glyphs: try FontShelf()).paint(list, Damage(Rect(0, 0, size.width, size.height)), into: pixels)
    return try png(of: pixels, atMost: size.width)
  }

  /// A PNG file, no wider than `width`.
  static func png(of pixels: PixelBuffer, atMost width: Int32) throws -> [UInt8] {
    let buffer = FixedBuffer(capacity: pixels.bytes.count + 65_536)
    let count = try SnapshotEncoder.encode(pixels, .png, atMost: width, into: buffer.bytes).count
    return Array(buffer.bytes[..<count])
  }

  private final class NoPictures: PictureShelf {
    func picture(_ url: Span<UInt8>, _ wanted: Size) -> Picture? { nil }
    func size(_ url: Span<UInt8>) -> Size? { nil }
  }
}
