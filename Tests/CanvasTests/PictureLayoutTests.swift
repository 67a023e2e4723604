import A2UI
import Runtime
import Simulated
import Testing

@testable import Canvas
@testable import Graphics

/// Pictures of which some are there.
private final class Shelf: PictureShelf {
  var sizes: [String: Size] = [:]
  private(set) var wanted: [String: Size] = [:]

  func picture(_ url: Span<UInt8>, _ size: Size) -> Picture? {
    let name = text(url)
    wanted[name] = size
    return sizes[name].map { Picture(PictureHandle(1), $0) }
  }

  func size(_ url: Span<UInt8>) -> Size? { sizes[text(url)] }

  private func text(_ url: Span<UInt8>) -> String {
    url.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }
}

@Suite("Pictures in documents")
struct PictureLayoutTests {
  private let shelf = Shelf()
  private let view: DocumentView

  init() throws {
    view = try DocumentView(measurer: GridMeasurer(), pictures: shelf)
    view.fit(Size(480, 320), Theme())
  }

  /// Where the picture is drawn, and from which part of it; nil: its words are.
  private func drawn(_ properties: String) throws -> (source: Rect, place: Rect)? {
    let column = #"{"id":"root","component":{"Column":{"alignment":"start","children":{"explicitList":["p"]}}}}"#
    let image = #"{"id":"p","component":{"Image":{"url":{"literalString":"a"}\#(properties)}}}"#
    let text = """
      {"surfaceUpdate":{"surfaceId":"s","components":[\(column),\(image)]}}
      {"beginRendering":{"surfaceId":"s","root":"root"}}
      """
    view.store.reset()
    _ = try view.store.push(jsonl: text.utf8.span)
    view.invalidate()
    view.update()
    let list = DisplayList()
    view.draw(into: list)
    for index in 0..<list.count {
      if case .picture(_, let source, let place, _, _) = list[index] { return (source, place) }
    }
    return nil
  }

  @Test(
    "the height is the picture's own where the hint leaves it open",
    arguments: [
      ("mediumFeature", Size(600, 300), Size(300, 150)), ("mediumFeature", Size(300, 600), Size(300, 300)),
      ("mediumFeature", Size(10, 10), Size(300, 300)), ("largeFeature", Size(912, 456), Size(456, 228)),
      ("largeFeature", Size(100, 1000), Size(456, 400)), ("header", Size(100, 100), Size(456, 200)),
      ("icon", Size(100, 50), Size(24, 24)), ("avatar", Size(100, 50), Size(40, 40)),
      ("smallFeature", Size(10, 90), Size(100, 100)),
    ] as [(String, Size, Size)])
  func heights(hint: String, natural: Size, expected: Size) throws {
    #expect(try drawn(#","usageHint":"\#(hint)""#) == nil)
    shelf.sizes["a"] = natural
    let found = try #require(try drawn(#","usageHint":"\#(hint)""#))
    #expect(Size(found.place.width, found.place.height) == expected)
    #expect(shelf.wanted["a"] == expected)
  }

  @Test("what is not stretched is wanted whole")
  func whole() throws {
    shelf.sizes["a"] = Size(50, 40)
    let found = try #require(try drawn(#","usageHint":"largeFeature","fit":"none""#))
    #expect(found.source == Rect(0, 0, 50, 40))
    #expect(Size(found.place.width, found.place.height) == Size(50, 40))
    #expect(shelf.wanted["a"] == Size(Budget.pictureSidePixels, Budget.pictureSidePixels))
  }
}
