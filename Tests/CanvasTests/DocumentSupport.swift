import Codec
import Runtime
import Simulated

@testable import Canvas
@testable import Graphics

/// No picture ever comes.
final class NoPictures: PictureShelf {
  func picture(_ url: Span<UInt8>, _ wanted: Size) -> Picture? { nil }
  func size(_ url: Span<UInt8>) -> Size? { nil }
}

/// A page on a screen. Characters are half as wide as they are high.
final class Page {
  let view: DocumentView

  init(_ width: Int32 = 480, _ height: Int32 = 320, scale: Int32 = 100) throws {
    view = try DocumentView(measurer: GridMeasurer(), pictures: NoPictures())
    view.fit(Size(width, height), Theme(scale: scale))
  }

  /// Pushes JSON Lines.
  func push(_ text: String) throws {
    _ = try view.store.push(jsonl: text.utf8.span)
    view.update()
  }

  /// Shows components, `{"id":{"Type":{...}},...}` without the outer braces, with `root` as the root.
  func show(_ components: String..., data: String = "", styles: String = "{}") throws {
    var list = ""
    for component in components { list += list.isEmpty ? component : "," + component }
    try push(#"{"surfaceUpdate":{"surfaceId":"s","components":["# + list + "]}}")
    if !data.isEmpty { try push(#"{"dataModelUpdate":{"surfaceId":"s","contents":"# + data + "}}") }
    try push(#"{"beginRendering":{"surfaceId":"s","root":"root","styles":"# + styles + "}}")
  }

  /// A component's definition.
  static func component(_ id: String, _ definition: String, weight: String = "") -> String {
    #"{"id":""# + id + #"","component":"# + definition + (weight.isEmpty ? "" : #","weight":"# + weight) + "}"
  }

  /// What is shown: "id Type x,y wxh facts" each.
  var lines: [String] {
    let buffer = FixedBuffer(capacity: 1 << 20)
    var writer = JSONWriter(into: buffer.bytes)
    view.writeLayout(to: &writer)
    var result: [String] = []
    let count = writer.count
    var elements = JSONView(UnsafeBufferPointer(buffer.bytes).extracting(0..<count).span).elements()
    while let item = elements.next() {
      var line = "\(Self.text(item, "id")) \(Self.text(item, "type")) \(Self.text(item, "x")),\(Self.text(item, "y"))"
      line += " \(Self.text(item, "w"))x\(Self.text(item, "h"))"
      for name in ["text", "state"] where !Self.text(item, name).isEmpty { line += " " + Self.text(item, name) }
      result.append(line)
    }
    return result
  }

  /// The place of an instance: "x,y wxh".
  func place(_ id: String) -> String {
    for line in lines {
      let words = line.split(separator: " ")
      if words[0] == id { return "\(words[2]) \(words[3])" }
    }
    return "not shown"
  }

  /// Everything that is drawn as text, in order.
  var texts: [String] {
    let list = DisplayList()
    view.draw(into: list)
    var result: [String] = []
    for index in 0..<list.count {
      guard case .text(let slice, _, _, _, _) = list[index] else { continue }
      let span = list.text(slice)
      var bytes: [UInt8] = []
      for place in 0..<span.count { bytes.append(span[place]) }
      result.append(String(decoding: bytes, as: UTF8.self))
    }
    return result
  }

  static func text(_ object: borrowing JSONView, _ name: String) -> String {
    var members = object.members()
    while let member = members.next() {
      guard member.name.equals(name.utf8.span) else { continue }
      let raw = member.value.rawText
      var bytes: [UInt8] = []
      for index in 0..<raw.count { bytes.append(raw[index]) }
      let text = String(decoding: bytes, as: UTF8.self)
      return text.first == "\"" ? String(text.dropFirst().dropLast()) : text
    }
    return ""
  }
}
