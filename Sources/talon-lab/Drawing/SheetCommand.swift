import ArgumentParser
import Canvas
import Foundation
import Graphics
import Runtime

/// How documents look on panels of all sizes, dark and light, and what is wrong with them, for a person and for tests.
struct SheetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sheet",
    abstract: "Draws all documents of a folder at six sizes of panels, dark and light, on one sheet, and checks them.",
    discussion: """
      Each row is a document, and another one with its modal open: files of A2UI messages, one a line, or an array of \
      them. Finds texts and controls without contrast, parts that overlap or are cut off, targets that are too small \
      for a finger, and lines that are too wide to read; exit code 1 when there is one, or a document is refused.
      """)

  @Argument(help: "A folder of .jsonl and .json files.")
  var folder: String

  @Option(help: "The sheet, a PNG file; without it documents are checked alone.")
  var out: String?

  @Option(help: "Pixels of each picture along its longer side.")
  var across: Int32 = 160

  @Option(help: "Sizes instead of the six, as 800x480.")
  var size: [String] = []

  static let sizes = [
    Size(320, 240), Size(480, 320), Size(800, 480), Size(1024, 600), Size(1280, 800), Size(480, 800),
  ]
  private static let gap: Int32 = 8

  func run() throws {
    let documents = try SheetDocument.all(in: folder)
    let sizes = try self.size.isEmpty ? Self.sizes : self.size.map(Self.size)
    var faults = 0
    var rows: [[PixelBuffer]] = []
    for document in documents {
      do {
        for isOpen in try document.hasModal ? [false, true] : [false] {
          rows.append(try row(document, sizes, isOpen: isOpen, &faults))
        }
      } catch let error as ValidationError {
        faults += 1
        print("\(document.name): \(error.message)")
      }
    }
    if let out, !rows.isEmpty { try LabOutput.write(try Self.sheet(rows), toFile: out) }
    print("\(documents.count) documents, \(sizes.count) sizes, dark and light: \(faults) faults")
    if faults > 0 { throw ExitCode(1) }
  }

  /// A document at all sizes, dark and light. Prints what is wrong with it.
  private func row(
    _ document: SheetDocument, _ sizes: [Size], isOpen: Bool, _ faults: inout Int
  ) throws -> [PixelBuffer] {
    var row: [PixelBuffer] = []
    for size in sizes {
      for mode in [Theme.Mode.dark, .light] {
        let page = try PageBench(size, mode: mode)
        try page.push(document.messages)
        if isOpen { try page.openModal() }
        try page.paint()
        for fault in try PageCheck(page).faults {
          faults += 1
          print("\(document.name)\(isOpen ? ", open" : "") \(size.width)x\(size.height) \(mode): \(fault)")
        }
        if out != nil { row.append(try Self.reduced(page.pixels, to: across)) }
      }
    }
    return row
  }

  private static func size(_ text: String) throws -> Size {
    let numbers = text.split(separator: "x").compactMap { Int32($0) }
    guard numbers.count == 2, numbers.allSatisfy({ (16...4096).contains($0) }) else {
      throw ValidationError("--size must be like 480x320, from 16 to 4096")
    }
    return Size(numbers[0], numbers[1])
  }

  private static func sheet(_ rows: [[PixelBuffer]]) throws -> [UInt8] {
    let width = rows[0].reduce(gap) { $0 + $1.size.width + gap }
    let heights = rows.map { row in row.map(\.size.height).max() ?? 0 }
    let sheet = try PixelBuffer(Size(width, heights.reduce(gap) { $0 + $1 + gap }))
    for index in 0..<sheet.pixels.count { sheet.pixels[index] = 0xFF80_8080 }
    var y = gap
    for (row, height) in zip(rows, heights) {
      var x = gap
      for picture in row {
        copy(picture, to: sheet, x, y)
        x += picture.size.width + gap
      }
      y += height + gap
    }
    return try PageBench.png(of: sheet, atMost: width)
  }

  private static func copy(_ picture: PixelBuffer, to sheet: PixelBuffer, _ left: Int32, _ top: Int32) {
    let (width, across) = (Int(picture.size.width), Int(sheet.size.width))
    for y in 0..<Int(picture.size.height) {
      let target = sheet.pixels.baseAddress! + (y + Int(top)) * across + Int(left)
      target.update(from: picture.pixels.baseAddress! + y * width, count: width)
    }
  }

  /// The pixels that one of fewer stands for.
  private static func part(_ place: Int32, of count: Int32, in all: Int32) -> Range<Int> {
    let start = Int(place * all / count)
    return start..<max(Int((place + 1) * all / count), start + 1)
  }

  /// The picture made smaller: each pixel is the mean of those that it stands for.
  private static func reduced(_ picture: PixelBuffer, to side: Int32) throws -> PixelBuffer {
    let from = picture.size
    let longer = max(from.width, from.height)
    guard longer > side else { return picture }
    let small = try PixelBuffer(Size(max(from.width * side / longer, 1), max(from.height * side / longer, 1)))
    let to = small.size
    for y in 0..<to.height {
      for x in 0..<to.width {
        let columns = part(x, of: to.width, in: from.width)
        let rows = part(y, of: to.height, in: from.height)
        var (red, green, blue, count): (UInt32, UInt32, UInt32, UInt32) = (0, 0, 0, 0)
        for row in rows {
          for column in columns {
            let pixel = picture.pixels[row * Int(from.width) + column]
            red += pixel >> 16 & 255
            green += pixel >> 8 & 255
            blue += pixel & 255
            count += 1
          }
        }
        small.pixels[Int(y) * Int(to.width) + Int(x)] =
          0xFF00_0000 | (red / count) << 16 | (green / count) << 8 | blue / count
      }
    }
    return small
  }
}

/// A file of messages.
struct SheetDocument {
  let name: String
  /// JSON Lines.
  let messages: [UInt8]

  /// It has something that a touch opens.
  var hasModal: Bool {
    get throws {
      let page = try PageBench(SheetCommand.sizes[0])
      try page.push(messages)
      return try page.boxes.contains { $0.type == "Modal" }
    }
  }

  /// Those of a folder, by their names.
  static func all(in folder: String) throws -> [SheetDocument] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    let documents = try names.filter { $0.hasSuffix(".jsonl") || $0.hasSuffix(".json") }.map { name in
      let data = try Data(contentsOf: URL(fileURLWithPath: folder).appendingPathComponent(name))
      return SheetDocument(name: name, messages: try lines(data, name))
    }
    guard !documents.isEmpty else { throw ValidationError("\(folder) has no .jsonl and no .json file") }
    return documents
  }

  private static func lines(_ data: Data, _ name: String) throws -> [UInt8] {
    guard name.hasSuffix(".json") else { return [UInt8](data) }
    var value = try JSONSerialization.jsonObject(with: data)
    if let object = value as? [String: Any], let messages = object["messages"] { value = messages }
    guard let messages = value as? [Any] else { throw ValidationError("\(name) is no array of messages") }
    return try messages.reduce(into: []) { bytes, message in
      bytes += try JSONSerialization.data(withJSONObject: message) + [UInt8(ascii: "\n")]
    }
  }
}
