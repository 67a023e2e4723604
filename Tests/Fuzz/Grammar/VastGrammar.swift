/// Invokes that are valid and small enough to be sent, and become far more than anybody means: long texts that are
/// there many times, documents as deep as they may be, marks that look for their other half, titles wider than any
/// screen.
enum VastGrammar {
  /// Bytes of what stands in a data: URL, and of one text: with all around them they fit into a message.
  private static let documentBytes = 300_000
  private static let textBytes = 65_000

  /// The command, and its parameters as JSON.
  static func write(into maker: Maker) -> String {
    let dice = maker.dice
    switch dice.below(8) {
    case 0: return push(maker) { rows(maker) }
    case 1: return push(maker) { titles(maker) }
    case 2:
      return push(maker) { column([text("t", marks(dice, textBytes)), text("u", word(dice))], ["t", "u"], maker) }
    case 3: return push(maker) { nested(maker) }
    case 4: return push(maker) { list(maker) }
    case 5: return card(maker)
    case 6: return drawing(maker)
    default: return page(maker)
    }
  }

  // MARK: A2UI

  /// Messages of v0.8 or v0.9, as a list or as lines.
  private static func push(_ maker: Maker, _ messages: () -> [String]) -> String {
    let messages = messages()
    guard maker.dice.chance(1, in: 2) else {
      maker.add(#"{"messages":["# + messages.joined(separator: ",") + "]}")
      return "canvas.a2ui.push"
    }
    maker.add(#"{"jsonl":"#)
    maker.quote(messages.joined(separator: "\n"))
    maker.add("}")
    return "canvas.a2ui.pushJSONL"
  }

  /// A component of both versions: its id, its type, and its members without braces.
  private typealias Component = (id: String, type: String, members: String)

  private static func text(_ id: String, _ words: String) -> Component { (id, "Text", #""text":"# + quoted(words)) }

  /// The messages that show these components, of which one is called root.
  private static func surface(_ components: [Component], _ maker: Maker) -> [String] {
    guard maker.dice.chance(1, in: 2) else {
      let flat = components.map { #"{"id":"\#($0.id)","component":"\#($0.type)",\#($0.members)}"# }
      return [
        #"{"version":"v0.9","createSurface":{"surfaceId":"s","catalogId":"basic"}}"#,
        #"{"version":"v0.9","updateComponents":{"surfaceId":"s","components":["# + flat.joined(separator: ",") + "]}}",
      ]
    }
    let wrapped = components.map { #"{"id":"\#($0.id)","component":{"\#($0.type)":{\#($0.members)}}}"# }
    return [
      #"{"surfaceUpdate":{"surfaceId":"s","components":["# + wrapped.joined(separator: ",") + "]}}",
      #"{"beginRendering":{"surfaceId":"s","root":"root"}}"#,
    ]
  }

  private static func container(_ id: String, _ children: [String], _ dice: Dice) -> Component {
    let names = children.map { "\"\($0)\"" }.joined(separator: ",")
    return (id, dice.pick(["Row", "Column", "List"]), #""children":[\#(names)]"#)
  }

  private static func column(_ components: [Component], _ children: [String], _ maker: Maker) -> [String] {
    surface([container("root", children, maker.dice)] + components, maker)
  }

  /// Containers of one child that is there many times, one in the other, around a long text.
  private static func rows(_ maker: Maker) -> [String] {
    let dice = maker.dice
    let depth = 2 + dice.below(3)
    let count = dice.pick([2, 10, depth == 2 ? 90 : 20])
    var components: [Component] = []
    for level in 0..<depth {
      let child = level == depth - 1 ? "long" : "l\(level + 1)"
      components.append(container(level == 0 ? "root" : "l\(level)", Array(repeating: child, count: count), dice))
    }
    let hint = dice.chance(1, in: 2) ? #","usageHint":"h1","variant":"h1""# : ""
    let words = repeated(word(dice), dice.pick([100, 1_000, 12_000]))
    components.append(("long", "Text", #""text":"# + quoted(words) + hint))
    return surface(components, maker)
  }

  /// Tabs, chips, buttons and fields with titles that no screen has room for.
  private static func titles(_ maker: Maker) -> [String] {
    let dice = maker.dice
    let title = quoted(repeated(word(dice), dice.pick([300, 4_100, textBytes])))
    let count = 1 + dice.below(4)
    func several(_ item: String) -> String { Array(repeating: item, count: count).joined(separator: ",") }
    let option = #"{"label":\#(title),"value":"v"}"#
    let kinds: [Component] = [
      ("a", "Tabs", #""tabItems":[\#(several(#"{"title":\#(title),"child":"c"}"#))],"tabs":[]"#),
      ("a", "Tabs", #""tabs":[\#(several(#"{"title":\#(title),"child":"c"}"#))]"#),
      ("a", "MultipleChoice", #""selections":{"path":"/a"},"variant":"chips","options":[\#(several(option))]"#),
      ("a", "ChoicePicker", #""displayStyle":"chips","label":\#(title),"value":{"path":"/a"},"options":[\#(option)]"#),
      ("a", "Button", #""child":"long","action":{"name":"x","event":{"name":"x"}}"#),
      ("a", "TextField", #""label":\#(title),"text":\#(title),"value":\#(title)"#),
      ("a", "CheckBox", #""label":\#(title),"value":true"#),
      ("a", "Slider", #""label":\#(title),"value":1e308,"minValue":-1e308,"maxValue":1e308,"min":-1e308,"max":1e308"#),
    ]
    return column([dice.pick(kinds), ("long", "Text", #""text":"# + title), text("c", "c")], ["a", "c"], maker)
  }

  /// A container in a container, as deep as it may be and deeper, with a text beside each.
  private static func nested(_ maker: Maker) -> [String] {
    let dice = maker.dice
    let depth = dice.pick([20, 62, 64, 250])
    var components: [Component] = [text("t", repeated(word(dice), dice.pick([1, 300, 4_000])))]
    for level in 0..<depth {
      let child = level == depth - 1 ? "t" : "l\(level + 1)"
      let id = level == 0 ? "root" : "l\(level)"
      switch dice.below(6) {
      case 0: components.append((id, "Card", #""child":"\#(child)""#))
      case 1: components.append((id, "Modal", #""trigger":"t","content":"\#(child)","entryPointChild":"t""#))
      default:
        components.append((id, dice.pick(["Row", "Column", "List"]), #""children":["t","\#(child)"],"weight":1e38"#))
      }
    }
    return surface(components, maker)
  }

  /// A template over a long list of long texts.
  private static func list(_ maker: Maker) -> [String] {
    let dice = maker.dice
    let count = dice.pick([10, 511, 512, 5_000])
    let words = quoted(repeated(word(dice), min(dice.pick([1, 60, 600]), documentBytes / count)))
    let rows = Array(repeating: #"{"a":\#(words)}"#, count: count).joined(separator: ",")
    let root = #"{"id":"root","component":"List","children":{"componentId":"row","path":"/list"}}"#
    let row = #"{"id":"row","component":"Text","text":{"path":"a"}}"#
    return [
      #"{"version":"v0.9","createSurface":{"surfaceId":"s","catalogId":"basic"}}"#,
      #"{"version":"v0.9","updateDataModel":{"surfaceId":"s","path":"/list","value":[\#(rows)]}}"#,
      #"{"version":"v0.9","updateComponents":{"surfaceId":"s","components":[\#(root),\#(row)]}}"#,
    ]
  }

  // MARK: Others

  /// The card of the tool `show`.
  private static func card(_ maker: Maker) -> String {
    let dice = maker.dice
    let words = quoted(repeated(word(dice), dice.pick([60, 600, 6_000])))
    func several(_ item: String, _ most: Int) -> String {
      "[" + Array(repeating: item, count: 1 + dice.below(most)).joined(separator: ",") + "]"
    }
    maker.add(#"{"server":"talon","tool":"show","arguments":{"title":\#(words),"text":"#)
    maker.add(quoted(marks(dice, 30_000)))
    maker.add(#","list":\#(several(words, 30)),"table":\#(several(several("\"w\"", 20), 30)),"buttons":"#)
    maker.add(several(words, 6) + #","gauge":{"label":\#(words),"value":"#)
    maker.oddNumber()
    maker.add(#","min":-1e308,"max":1e308}}}"#)
    return "mcp.tools.call.v1"
  }

  /// Elements whose sides are all extreme, with long texts.
  private static func drawing(_ maker: Maker) -> String {
    let dice = maker.dice
    let ends = dice.pick(Maker.ends)
    let words = quoted(repeated(word(dice), dice.pick([60, 600, 4_000])))
    maker.add(#"{"op":"draw","elements":["#)
    for index in 0..<(1 + dice.below(40)) {
      if index > 0 { maker.add(0x2C) }
      let sides = ["x", "y", "width", "height"].map { "\"\($0)\":" + dice.pick(ends) }.joined(separator: ",")
      maker.add(#"{"id":"e\#(index)","type":"\#(dice.pick(["text", "shape", "highlight"]))","text":\#(words),"#)
      maker.add(#""bounds":{\#(sides)},"style":{"fontSize":\#(dice.pick(ends)),"radius":\#(dice.pick(ends))}}"#)
    }
    maker.add("]}")
    return "canvas.draw"
  }

  /// A document in the address itself.
  private static func page(_ maker: Maker) -> String {
    let dice = maker.dice
    let kind = dice.pick(["text/markdown", "text/markdown", "text/html", "image/svg+xml", "text/plain"])
    var content = marks(dice, documentBytes)
    if kind == "image/svg+xml" { content = "<svg xmlns='http://www.w3.org/2000/svg'>" + content }
    maker.add(#"{"url":"data:\#(kind);base64,"#)
    maker.add(base64(Array(content.utf8)))
    maker.add(#""}"#)
    return dice.pick(["canvas.navigate", "canvas.present"])
  }

  /// What begins something and may never end it, and what begins as much as it ends.
  private static let marks: [(String, String)] = [
    ("*a ", ""), ("**a ", ""), ("_a __b ", ""), ("![", ""), ("[a](", ""), ("[", "]"), ("[a](", ")"), ("**", "**"),
    ("`a ", ""), ("- a\n  ", ""), ("> ", ""), ("|a", ""), ("#", ""), ("```\n", ""), ("<a", ""), ("<http://a> ", ""),
    ("<b>", ""), ("<div>", "</div>"), ("<table><tr><td>", "</table>"), ("<ul><li>", ""), ("<!--", ""), ("&", ""),
    ("<a b=\"", ""), ("<p style='color:rgb(", ""), ("<g>", "</g>"), ("<g transform='scale(1e38)'>", "</g>"),
    ("<path d='M0 0L1e38 1e38A1 1 0 0 1 3e38 0Z'/>", ""), ("<tspan>", ""), ("(", ")"), ("\u{645}", ""), ("\n", ""),
    ("a\u{301}", ""),
  ]

  /// A text of at most `most` bytes, often much less.
  private static func marks(_ dice: Dice, _ most: Int) -> String {
    let (begin, end) = dice.pick(marks)
    let count = max(min(dice.pick([1_000, 30_000, most]), most) / (begin.utf8.count + end.utf8.count), 1)
    return String(repeating: begin, count: count) + String(repeating: end, count: end.isEmpty ? 0 : count)
  }

  private static func word(_ dice: Dice) -> String {
    dice.pick(["w", "w ", "\u{E9}", "\u{627}", "\u{1F642} ", "\u{65E5}", "a\u{301}", "\n", "WiW.", "*a "])
  }

  /// `word`, `count` times, in at most as many bytes as a text may have.
  private static func repeated(_ word: String, _ count: Int) -> String {
    String(repeating: word, count: min(count, textBytes / word.utf8.count))
  }

  private static func quoted(_ text: String) -> String {
    let maker = Maker(Dice([]))
    maker.quote(text)
    return String(decoding: maker.bytes, as: UTF8.self)
  }

  private static func base64(_ bytes: [UInt8]) -> [UInt8] {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count * 4 / 3 + 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let piece = bytes[start..<min(start + 3, bytes.count)]
      var value = 0
      for place in 0..<3 { value = value << 8 | (place < piece.count ? Int(piece[start + place]) : 0) }
      for place in 0..<4 { text.append(place > piece.count ? 0x3D : alphabet[value >> (18 - 6 * place) & 63]) }
    }
    return text
  }
}
