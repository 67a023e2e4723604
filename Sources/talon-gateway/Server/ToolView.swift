/// What a model sees of a tool's result (newer-gateways 1.2).
struct ToolView: Equatable {
  private(set) var blocks: [JSON] = []
  private(set) var isError = false

  /// Levels of the deepest `structuredContent`.
  static let depthMax = 64

  var json: JSON { ["content": .array(blocks), "isError": .bool(isError)] }

  /// Of a plain tool: an object with a list of content as it is, anything else as JSON text.
  init(plain payload: JSON) {
    blocks = payload["content"]?.array ?? [Self.text(payload.prettyText)]
  }

  /// Of an MCP tool.
  init(result payload: JSON, in generation: Generation) {
    isError = payload["isError"]?.bool == true
    var facts: String?
    if let structured = payload["structuredContent"] {
      guard Self.depth(of: structured) <= Self.depthMax else {
        blocks = [Self.text("MCP tool returned structured content that is nested too deeply.")]
        isError = true
        return
      }
      facts = structured.prettyText
      blocks = [Self.text(structured.prettyText)]
    }
    for block in payload["content"]?.array ?? [] {
      let isRepetition = block["text"]?.string.flatMap { try? JSON(parsing: $0) } == payload["structuredContent"]
      if facts != nil, isRepetition, block["type"]?.string == "text" { continue }
      blocks.append(Self.seen(block, in: generation))
    }
    if blocks.isEmpty { blocks = [Self.text("MCP tool completed without returning content.")] }
  }

  private static func text(_ text: String) -> JSON { ["type": "text", "text": .string(text)] }

  private static func seen(_ block: JSON, in generation: Generation) -> JSON {
    let type = block["mimeType"]?.string ?? ""
    switch block["type"]?.string {
    case "text", "image": return block
    case "audio": return text("[audio \(type)]")
    case "resource_link":
      let title = block["title"]?.string ?? block["name"]?.string ?? ""
      return text("[\(title)] \(block["uri"]?.string ?? "")")
    case "resource":
      let resource = block["resource"] ?? .null
      let kind = resource["mimeType"]?.string ?? ""
      if generation.era >= .next, kind.hasPrefix("image/"), let blob = resource["blob"] {
        return ["type": "image", "data": blob, "mimeType": .string(kind)]
      }
      return text(resource["text"]?.string ?? resource.text)
    default: return text(block.text)
    }
  }

  private static func depth(of value: JSON) -> Int {
    switch value {
    case .array(let elements): 1 + (elements.map(depth).max() ?? 0)
    case .object(let object): 1 + (object.members.map { depth(of: $0.value) }.max() ?? 0)
    default: 0
    }
  }
}
