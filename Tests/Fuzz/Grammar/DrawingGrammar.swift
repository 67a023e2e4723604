/// Commands of `canvas.draw`.
enum DrawingGrammar {
  private static let style: Shape = .object([
    ("color", .color), ("background", .color), ("borderColor", .color), ("borderWidth", .number(0, 20)),
    ("radius", .number(0, 60)),
    ("opacity", .number(0, 1)), ("fontSize", .number(1, 60)), ("bold", .flag), ("italic", .flag), ("mono", .flag),
    ("align", .word(["start", "left", "center", "end", "right"])), ("fit", .word(["contain", "cover", "fill"])),
  ])
  /// Of something vast all sides and the radius are: what is computed of several of them, too, is far beyond the
  /// screen.
  private static func bounds(_ isVast: Bool) -> Shape {
    .made { maker in
      maker.whole([
        ("x", side(maker, isVast)), ("y", side(maker, isVast)), ("width", length(maker, isVast)),
        ("height", length(maker, isVast)),
      ])
    }
  }

  /// Places on the screen or a long way before it, and far beyond any.
  private static func side(_ maker: Maker, _ isVast: Bool) -> Shape {
    if isVast { return maker.dice.chance(1, in: 4) ? .number(-100_000, 100_000) : .number(-9000, 100) }
    return maker.dice.chance(1, in: 8) ? .number(-100_000, 100_000) : .number(-200, 400)
  }

  private static func length(_ maker: Maker, _ isVast: Bool) -> Shape {
    isVast || maker.dice.chance(1, in: 8) ? .number(0, 100_000) : .number(0, 400)
  }

  private static let vastStyle: Shape = .object([
    ("radius", .number(0, 100_000)), ("borderWidth", .number(0, 1000)), ("opacity", .number(0, 1)),
    ("background", .color),
  ])

  private static let element: Shape = .made { maker in
    let isVast = maker.dice.chance(1, in: 4)
    maker.whole([
      ("id", .name("e", 12)), ("type", .word(["text", "image", "shape", "shape", "highlight", "highlight"])),
      ("bounds", bounds(isVast)),
      ("style", isVast ? vastStyle : style), ("text", .text), ("url", .url),
      ("shape", .word(["rectangle", "circle", "line"])),
    ])
  }

  private static func operation(_ maker: Maker) {
    maker.object([
      ("op", .word(["draw", "draw", "draw", "update", "animate", "clear"])), ("elements", .list(element, 4)),
      ("ids", .list(.name("e", 12), 3)), ("transition", .word(["instant", "fade", "slide"])),
      ("durationMs", .number(0, 10_000)),
      ("space", .object([("width", .number(1, 2000)), ("height", .number(1, 2000))])),
    ])
  }

  static func write(into maker: Maker) {
    if maker.dice.chance(2, in: 3) { return operation(maker) }
    maker.add(#"{"operations":"#)
    maker.list(.made { operation($0) }, maker.dice.below(4))
    maker.add("}")
  }
}
