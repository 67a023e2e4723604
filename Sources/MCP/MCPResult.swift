import Codec
import Runtime

/// Writes the result of a server's tool as gateways and the board's own agent take it (newer-gateways 1.2): the members
/// `content`, `structuredContent` and `isError`. Everything is bounded, and what is left out is told with its number.
public struct MCPResult: ~Copyable {
  /// What a block becomes.
  private enum Picture { case png, jpeg, webp }

  private let scratch: UnsafeMutableBufferPointer<UInt8>
  private var textLeft = Budget.mcpTextBytes
  private var pictureLeft = Budget.mcpPictureBytes
  private var blocks = 0
  private var cutBytes = 0
  private var leftOut = 0

  /// A result; `scratch` is memory of `Budget.mcpTextBytes` that nothing else uses meanwhile.
  public init(scratch: UnsafeMutableBufferPointer<UInt8>) { self.scratch = scratch }

  /// True when the server says that its tool has failed.
  public static func isError(_ result: borrowing JSONView) -> Bool { result.member("isError")?.bool == true }

  /// Writes the members. The same result gives the same text each time, so that a pass may measure it.
  public consuming func write(_ result: borrowing JSONView, to writer: inout JSONWriter) {
    writer.key("content")
    writer.beginArray()
    if let content = result.member("content"), content.kind == .array {
      var elements = content.elements()
      while let block = elements.next() {
        guard blocks < Budget.mcpBlocks else {
          leftOut += 1
          continue
        }
        blocks += 1
        write(block: block, to: &writer)
      }
    }
    let facts = result.member("structuredContent")
    var hasFacts = false
    var isEmpty = blocks == 0
    if let facts, facts.kind == .object {
      isEmpty = false
      hasFacts = Self.isShort(facts)
      if !hasFacts { Self.sentence("[Its facts were left out: they are too long, or nested too deep]", to: &writer) }
    }
    if isEmpty { Self.sentence("The tool returned nothing.", to: &writer) }
    writeRest(to: &writer)
    writer.endArray()
    if hasFacts, let facts {
      writer.key("structuredContent")
      writer.raw(facts.rawText)
    }
    if Self.isError(result) {
      writer.key("isError")
      writer.bool(true)
    }
  }

  private static func isShort(_ facts: borrowing JSONView) -> Bool {
    let raw = facts.rawText
    guard raw.count <= Budget.mcpFactsBytes else { return false }
    do throws(JSONError) { try JSONValidator.check(raw, depthLimit: Budget.mcpFactsDepth) } catch { return false }
    return true
  }

  /// What was cut from texts, and blocks that were left out.
  private func writeRest(to writer: inout JSONWriter) {
    if cutBytes > 0 {
      Self.beginSentence(&writer)
      Self.add("[", Int64(cutBytes), " bytes of text were left out]", to: &writer)
      Self.endSentence(&writer)
    }
    if leftOut > 0 {
      Self.beginSentence(&writer)
      Self.add("[", Int64(leftOut), " more parts were left out]", to: &writer)
      Self.endSentence(&writer)
    }
  }

  // MARK: Blocks

  private mutating func write(block: borrowing JSONView, to writer: inout JSONWriter) {
    guard let type = block.member("type") else { return leaveOut(block, "a part without a type", &writer) }
    if type.equals("text") {
      guard let text = block.member("text"), text.kind == .string else { return }
      write(text: text, to: &writer)
    } else if type.equals("image") {
      write(picture: block, data: block.member("data"), to: &writer)
    } else if type.equals("audio") {
      leaveOut(block, "a sound", &writer)
    } else if type.equals("resource_link") {
      writeLink(block, to: &writer)
    } else if type.equals("resource") {
      guard let resource = block.member("resource"), resource.kind == .object else { return }
      write(resource: resource, to: &writer)
    } else {
      leaveOut(block, "a part of another type", &writer)
    }
  }

  /// A text, or as much of it as there is room for.
  private mutating func write(text: borrowing JSONView, to writer: inout JSONWriter) {
    let length = text.stringLength ?? 0
    let room = UnsafeMutableBufferPointer(rebasing: scratch[..<min(textLeft, scratch.count)])
    let count = text.copyBeginning(into: room) ?? 0
    textLeft -= count
    cutBytes += length - count
    if count == 0, length > 0 { return }
    Self.beginSentence(&writer)
    MCPText.addLines(UnsafeBufferPointer(rebasing: UnsafeBufferPointer(room)[..<count]), to: &writer)
    Self.endSentence(&writer)
  }

  private mutating func write(picture: borrowing JSONView, data: JSONView?, to writer: inout JSONWriter) {
    guard let data, data.kind == .string, let kind = Self.kind(picture) else {
      return leaveOut(picture, "a picture that is neither PNG nor JPEG nor WebP", &writer)
    }
    let raw = data.rawText
    // Without its quotes.
    let text = raw.extracting(min(1, raw.count)..<max(raw.count - 1, 1))
    guard Self.isBase64(text), Self.begins(text, as: kind) else {
      return leaveOut(picture, "a picture that cannot be read", &writer)
    }
    guard text.count <= pictureLeft else { return leaveOut(picture, "a picture that is too large", &writer) }
    pictureLeft -= text.count
    writer.beginObject()
    writer.key("type")
    writer.string("image")
    writer.key("data")
    writer.beginString()
    writer.escapedPiece(text)
    writer.endString()
    writer.key("mimeType")
    switch kind {
    case .png: writer.string("image/png")
    case .jpeg: writer.string("image/jpeg")
    case .webp: writer.string("image/webp")
    }
    writer.endObject()
  }

  private static func kind(_ block: borrowing JSONView) -> Picture? {
    guard let type = block.member("mimeType") else { return nil }
    if type.equals("image/png") { return .png }
    if type.equals("image/jpeg") || type.equals("image/jpg") { return .jpeg }
    return type.equals("image/webp") ? .webp : nil
  }

  /// RFC 4648 section 4, with its padding, and nothing else: an escaped solidus is not worth a second pass.
  private static func isBase64(_ text: Span<UInt8>) -> Bool {
    guard text.count > 0, text.count % 4 == 0 else { return false }
    var end = text.count
    while end > text.count - 2, text[end - 1] == UInt8(ascii: "=") { end -= 1 }
    for index in 0..<end {
      switch text[index] {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
        continue
      default: return false
      }
    }
    return true
  }

  /// True when its first bytes are those of its type: what a server calls a picture may be anything.
  private static func begins(_ text: Span<UInt8>, as kind: Picture) -> Bool {
    switch kind {
    // 89 50 4E 47 0D 0A 1A 0A; FF D8 FF; "RIFF", whole groups of six bits of each.
    case .png: text.hasPrefix("iVBORw0KGg")
    case .jpeg: text.hasPrefix("/9j/")
    case .webp: text.hasPrefix("UklGR")
    }
  }

  /// A resource by its address: text as text, a picture as a picture.
  private mutating func write(resource: borrowing JSONView, to writer: inout JSONWriter) {
    if let text = resource.member("text"), text.kind == .string {
      writeLink(resource, to: &writer)
      return write(text: text, to: &writer)
    }
    let blob = resource.member("blob")
    if Self.kind(resource) != nil { return write(picture: resource, data: blob, to: &writer) }
    leaveOut(resource, "a file", &writer)
  }

  // MARK: Sentences

  private func writeLink(_ block: borrowing JSONView, to writer: inout JSONWriter) {
    Self.beginSentence(&writer)
    Self.add("[Resource", to: &writer)
    let title = block.member("title")
    if title == nil { Self.addWords(block.member("name"), ": ", to: &writer) }
    Self.addWords(title, ": ", to: &writer)
    Self.addWords(block.member("uri"), ", ", to: &writer)
    Self.add("]", to: &writer)
    Self.endSentence(&writer)
  }

  /// Tells of a block instead of it.
  private func leaveOut(_ block: borrowing JSONView, _ what: StaticString, _ writer: inout JSONWriter) {
    Self.beginSentence(&writer)
    Self.add("[Left out: ", to: &writer)
    Self.add(what, to: &writer)
    Self.addWords(block.member("mimeType"), ", ", to: &writer)
    Self.addWords(block.member("uri"), ", ", to: &writer)
    Self.addSize(block.member("data"), to: &writer)
    Self.addSize(block.member("blob"), to: &writer)
    Self.add("]", to: &writer)
    Self.endSentence(&writer)
  }

  /// The bytes that base64 stands for: three quarters of it.
  private static func addSize(_ data: JSONView?, to writer: inout JSONWriter) {
    guard let data, data.kind == .string else { return }
    add(", ", Int64(max(data.rawText.count - 2, 0) / 4 * 3), " bytes", to: &writer)
  }

  private static func sentence(_ text: StaticString, to writer: inout JSONWriter) {
    beginSentence(&writer)
    add(text, to: &writer)
    endSentence(&writer)
  }

  private static func beginSentence(_ writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("type")
    writer.string("text")
    writer.key("text")
    writer.beginString()
  }

  private static func endSentence(_ writer: inout JSONWriter) {
    writer.endString()
    writer.endObject()
  }

  private static func add(_ text: StaticString, to writer: inout JSONWriter) { writer.stringPiece(text.utf8Bytes) }

  private static func add(
    _ before: StaticString, _ number: Int64, _ after: StaticString, to writer: inout JSONWriter
  ) {
    add(before, to: &writer)
    var digits = InlineText<20>()
    digits.fill { room in
      var digits = ByteWriter(into: room)
      digits.decimal(number)
      return digits.count
    }
    writer.stringPiece(digits.span)
    add(after, to: &writer)
  }

  /// Words of the server between quotation marks, which they cannot end: what stands outside is the board's.
  private static func addWords(_ view: JSONView?, _ before: StaticString, to writer: inout JSONWriter) {
    guard let view, view.kind == .string else { return }
    let words: InlineText<160> = MCPText.quoted(view)
    if words.isEmpty { return }
    add(before, to: &writer)
    var quoted = InlineText<165>()
    quoted.fill { room in
      var bytes = ByteWriter(into: room)
      words.span.withUnsafeBufferPointer { text in
        _ = QuotedText.write(text, most: room.count - QuotedText.frame) { bytes.byte($0) }
      }
      return bytes.count
    }
    writer.stringPiece(quoted.span)
  }
}
