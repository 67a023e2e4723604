/// Messages of A2UI v0.9: flat components, plain data, calls of functions and checks.
enum FlatGrammar {
  private static let id = Shape.name("c", 10)
  private static let surface = Shape.either([.raw(#""s""#), .raw(#""s""#), .name("s", 4)])
  private static let path = Shape.word(["/a", "/b", "/list", "/list/0", "/", "", "a", "name", "/a/b/c", "//", "/~1"])
  private static let binding = Shape.object([("path", path)])

  /// A value: plain, bound, or of a call, whose arguments are values again.
  private static let value: Shape = .made { maker in
    switch maker.dice.below(10) {
    case 0: maker.value(.text)
    case 1: maker.value(.number(-1e9, 1e9))
    case 2: maker.value(.flag)
    case 3...8: maker.value(binding)
    default: maker.value(call)
    }
  }

  private static let names = [
    "required", "regex", "length", "numeric", "email", "formatString", "formatNumber", "formatCurrency", "formatDate",
    "pluralize", "capitalize", "and", "or", "not", "now", "openUrl", "shout",
  ]

  private static let template = Shape.word([
    "${/a}", "${a} and ${formatNumber(value: ${/a}, decimals: 2)}", "\\${a}", "${", "${formatDate(value:'2026-01-01',",
    "${pluralize(value: ${/list/0}, one: 'x', other: ${formatString(value: '${a}')})}", "${now()}${${${", "}{$",
  ])

  private static let call: Shape = .made { maker in
    maker.add(#"{"call":"#)
    maker.quote(maker.dice.pick(names))
    maker.add(#","args":"#)
    maker.value(
      .object([
        ("value", .either([value, template, binding])), ("min", .number(-10, 10)), ("max", .number(-10, 1e6)),
        ("pattern", .word(["^a", "(", "[0-9]+", "(a+)+b"])), ("decimals", .number(-5, 400)), ("grouping", .flag),
        ("currency", .word(["EUR", "JPY", "", "X", "TOOLONGACODE"])), ("one", value), ("other", value),
        ("format", .word(["yyyy-MM-dd", "EEEE, d MMMM", "h:mm a", "'", "''", "MMMMMMMMMMMM", "QQ"])),
        ("values", .list(value, 3)), ("url", .either([.url, value])),
      ]))
    maker.add("}")
  }

  private static let checks = Shape.list(
    .object([("condition", .either([call, .flag, binding])), ("message", .text), ("call", .word(["required"]))]), 4)

  private static let children = Shape.either([
    .list(id, 6), .list(id, 4), .object([("componentId", id), ("path", path)]),
  ])

  private static let types: [(String, [(String, Shape)])] = [
    ("Text", [("text", value), ("variant", .word(["h1", "body", "caption"]))]),
    (
      "Icon",
      [("name", .either([.word(["add", "lock"]), .object([("svgPath", .word(["M1 2Z", "", "<", "M0,0h9"]))])]))]
    ),
    ("Image", [("url", .url), ("fit", .word(["cover", "scaleDown"]))]),
    ("Row", [("children", children), ("justify", .word(["center", "stretch"]))]),
    ("Column", [("children", children), ("align", .word(["end", "stretch"]))]), ("List", [("children", children)]),
    ("Card", [("child", id)]), ("Tabs", [("tabs", .list(.object([("title", value), ("child", id)]), 3))]),
    ("Modal", [("trigger", id), ("content", id)]), ("Slider", [("min", .number(-9, 9)), ("max", .number(-9, 99))]),
    ("CheckBox", [("label", value), ("value", value), ("checks", checks)]),
    (
      "Button",
      [
        ("child", id), ("variant", .word(["primary", "borderless"])), ("checks", checks),
        (
          "action",
          .either([
            .object([("event", .object([("name", .text), ("context", .object([("k", value), ("l", value)]))]))]),
            .object([("functionCall", call)]),
          ])
        ),
      ]
    ),
    (
      "TextField",
      [("label", value), ("value", value), ("variant", .word(["obscured", "number", "longText"])), ("checks", checks)]
    ),
    (
      "DateTimeInput",
      [
        ("value", .word(["2026-01-01", "21:05", "2026-02-30T25:61", ""])), ("enableDate", .flag), ("enableTime", .flag),
        ("min", .word(["2026-01-01", "12:00", "soon"])), ("max", .either([.word(["2025-01-01T00:00"]), value])),
      ]
    ),
    (
      "ChoicePicker",
      [
        ("options", .list(.object([("label", value), ("value", .text)]), 4)), ("value", value), ("checks", checks),
        ("variant", .word(["multipleSelection", "mutuallyExclusive"])), ("displayStyle", .word(["chips"])),
      ]
    ),
  ]

  private static let component = Shape.made { maker in
    let type = maker.dice.pick(types)
    maker.add(#"{"id":"#)
    maker.value(.either([id, id, id, .raw(#""root""#)]))
    maker.add(#","component":"#)
    maker.quote(type.0)
    for (name, shape) in type.1 where !maker.dice.chance(1, in: 6) {
      maker.add(0x2C)
      maker.quote(name)
      maker.add(0x3A)
      maker.value(shape)
    }
    maker.add("}")
  }

  private static let creation = Shape.object([
    (
      "createSurface",
      .object([
        ("surfaceId", surface), ("catalogId", .text),
        ("theme", .object([("primaryColor", .color), ("iconUrl", .url)])),
        ("sendDataModel", .flag),
      ])
    )
  ])

  private static let update = Shape.made { maker in
    maker.add(#"{"version":"v0.9","updateComponents":{"surfaceId":"#)
    maker.value(surface)
    maker.add(#","components":[{"id":"root","component":"Column","children":["c0","c1","c2","c3","c4"]}"#)
    for _ in 0..<(1 + maker.dice.below(9)) {
      maker.add(0x2C)
      maker.value(component)
    }
    maker.add("]}}")
  }

  private static let data = Shape.object([
    ("updateDataModel", .object([("surfaceId", surface), ("path", path), ("value", .either([.soup, .text, value]))]))
  ])

  /// One message.
  static let message = Shape.either([update, update, creation, data, data])
}
