/// Messages of A2UI v0.8 and v0.9, whose components refer to each other by name.
enum A2UIGrammar {
  private static let id = Shape.name("c", 10)
  private static let surface = Shape.either([.raw(#""s""#), .raw(#""s""#), .raw(#""s""#), .name("s", 4)])
  private static let path = Shape.word(["/a", "/b", "/list", "/list/0", "/", "", "a", "/a/b/c", "//", "/~1"])

  private static func bound(_ literal: String, _ shape: Shape) -> Shape {
    .either([
      .object([(literal, shape)]), .object([(literal, shape)]), .object([("path", path)]),
      .object([(literal, shape), ("path", path)]),
    ])
  }

  private static let words = bound("literalString", .text)
  private static let number = bound("literalNumber", .number(-10, 200))
  private static let truth = bound("literalBoolean", .flag)
  private static let address = bound("literalString", .url)
  private static let children = Shape.either([
    .object([("explicitList", .list(id, 6))]), .object([("explicitList", .list(id, 6))]),
    .object([("template", .object([("dataBinding", path), ("componentId", id)]))]), .list(id, 4),
  ])
  private static let spread: [(String, Shape)] = [
    ("children", children), ("alignment", .word(["start", "center", "end", "stretch"])),
    ("distribution", .word(["start", "center", "end", "spaceBetween", "spaceAround", "spaceEvenly"])),
  ]
  private static let action = Shape.object([
    ("name", .text),
    ("context", .list(.object([("key", .name("k", 3)), ("value", .either([words, number, truth]))]), 3)),
  ])

  /// The properties of each type of component.
  private static let types: [(String, Shape)] = [
    ("Text", .object([("text", words), ("usageHint", .word(["h1", "h5", "body", "caption"]))])),
    (
      "Image",
      .object([
        ("url", address), ("fit", .word(["contain", "cover", "fill"])),
        ("usageHint", .word(["icon", "avatar", "header"])),
      ])
    ),
    ("Icon", .object([("name", bound("literalString", .word(["add", "camera", "lock", "nothing"])))])),
    ("Video", .object([("url", address)])), ("AudioPlayer", .object([("url", address), ("description", words)])),
    (
      "Divider",
      .object([("axis", .word(["horizontal", "vertical"])), ("thickness", .number(0, 10)), ("color", .color)])
    ),
    ("Row", .object(spread)), ("Column", .object(spread)), ("Row", .object(spread)), ("Column", .object(spread)),
    ("List", .object(spread + [("direction", .word(["vertical", "horizontal"]))])), ("Card", .object([("child", id)])),
    ("Tabs", .object([("tabItems", .list(.object([("title", words), ("child", id)]), 4))])),
    ("Modal", .object([("entryPointChild", id), ("contentChild", id)])),
    ("Button", .object([("child", id), ("action", action), ("primary", .flag)])),
    ("CheckBox", .object([("label", words), ("value", truth)])),
    (
      "TextField",
      .object([
        ("label", words), ("text", words),
        ("textFieldType", .word(["shortText", "longText", "number", "date", "obscured"])),
        ("validationRegexp", .word([".*", "^[a-z]{1,3}$", "(a+)+b", "(", "[z-a]", "a{99999}", "\\d+\\", "(?=x)"])),
      ])
    ),
    (
      "DateTimeInput",
      .object([
        ("value", bound("literalString", .word(["2026-01-01", "2026-02-30T25:61", "9999-12-31T23:59:59Z", "12:00"]))),
        ("enableDate", .flag), ("enableTime", .flag),
      ])
    ),
    (
      "MultipleChoice",
      .object([
        ("selections", bound("literalArray", .list(.text, 3))),
        ("options", .list(.object([("label", words), ("value", .text)]), 5)),
        ("maxAllowedSelections", .whole(0, 5)), ("variant", .word(["chips", "checkbox"])), ("filterable", .flag),
      ])
    ),
    ("Slider", slider), ("Slider", slider), ("Mystery", .soup),
  ]

  /// Ends and value of a slider matter together.
  private static let slider = Shape.made { maker in
    maker.whole([("value", number), ("minValue", .number(-100, 100)), ("maxValue", .number(0, 1000))])
  }

  private static let component = Shape.made { maker in
    let type = maker.dice.pick(types)
    maker.add(#"{"id":"#)
    maker.value(id)
    if maker.dice.chance(1, in: 3) {
      maker.add(#","weight":"#)
      maker.value(.number(0, 3))
    }
    maker.add(#","component":{"#)
    maker.quote(type.0)
    maker.add(0x3A)
    maker.value(type.1)
    maker.add("}}")
  }

  /// A column or row with some components in it, so that most of what is defined is also laid out.
  private static let root = Shape.made { maker in
    let count = 1 + maker.dice.below(6)
    maker.add(#"{"id":"root","component":{""#)
    maker.add(maker.dice.pick(["Column", "Row", "Row", "List", "Column"]))
    maker.add(#"":{"children":{"explicitList":["#)
    for index in 0..<count {
      if index > 0 { maker.add(0x2C) }
      maker.value(id)
    }
    maker.add(#"]},"alignment":"#)
    maker.value(.word(["start", "center", "end", "stretch"]))
    maker.add(#","distribution":"#)
    maker.value(.word(["start", "center", "spaceBetween", "spaceEvenly"]))
    maker.add("}}}")
  }

  private static let update = Shape.made { maker in
    maker.add(#"{"surfaceUpdate":{"surfaceId":"#)
    maker.value(surface)
    maker.add(#","components":["#)
    maker.value(root)
    for _ in 0..<(1 + maker.dice.below(9)) {
      maker.add(0x2C)
      maker.value(component)
    }
    maker.add("]}}")
  }

  /// Many containers of many long texts: each is valid, and their lengths together are beyond any screen.
  private static let crowd = Shape.made { maker in
    let count = maker.dice.pick([2, 10, 90])
    let text = maker.dice.pick(["w", "w ", "\u{627}"])
    maker.add(#"{"surfaceUpdate":{"surfaceId":"s","components":["#)
    for (id, child) in [("root", "crowd"), ("crowd", "long")] {
      let type = maker.dice.pick(["Row", "Column", "List"])
      let children = Array(repeating: "\"\(child)\"", count: count).joined(separator: ",")
      maker.add(#"{"id":"\#(id)","component":{"\#(type)":{"children":{"explicitList":[\#(children)]}}}},"#)
    }
    maker.add(#"{"id":"long","component":{"Text":{"text":{"literalString":"#)
    maker.quote(String(repeating: text, count: maker.dice.pick([10, 1_000, 12_000, 32_000])))
    maker.add(#"},"usageHint":"#)
    maker.value(.word(["h1", "body"]))
    maker.add("}}}]}}")
  }

  private static let rendering = Shape.object([
    (
      "beginRendering",
      .made { maker in
        maker.whole([
          ("surfaceId", surface), ("root", .either([.raw(#""root""#), .raw(#""root""#), id])),
          ("styles", .object([("primaryColor", .color), ("font", .text), ("logoUrl", .url)])),
        ])
      }
    )
  ])

  private static let contents: Shape = .list(
    .object([
      ("key", .word(["a", "b", "list", "0", "c"])), ("valueString", .text), ("valueNumber", .number(-1, 100)),
      ("valueBoolean", .flag),
      ("valueMap", .list(.object([("key", .name("k", 4)), ("valueString", .text), ("valueMap", .list(.soup, 2))]), 4)),
    ]), 5)

  private static let data = Shape.object([
    ("dataModelUpdate", .object([("surfaceId", surface), ("path", path), ("contents", contents)]))
  ])

  /// One message.
  static let message = Shape.either([
    update, update, update, crowd, rendering, rendering, data,
    .object([("deleteSurface", .object([("surfaceId", surface)]))]),
    .object([("createSurface", .soup)]), .object([("updateComponents", .soup)]), .object([("updateDataModel", .soup)]),
    FlatGrammar.message, FlatGrammar.message, FlatGrammar.message,
    .soup,
  ])

  /// Some messages, one a line, as a JSON string.
  static func writeLines(into maker: Maker) {
    let lines = maker.apart {
      maker.value(maker.dice.chance(1, in: 8) ? crowd : update)
      for _ in 0..<maker.dice.below(3) {
        maker.add(maker.dice.pick(["\n", "\n", "\r\n", "\n\n", " "]))
        maker.value(message)
      }
      maker.add("\n")
      maker.value(rendering)
    }
    maker.quote(lines)
  }
}
