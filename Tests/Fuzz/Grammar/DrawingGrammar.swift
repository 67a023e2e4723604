/// Commands of `canvas.draw`.
enum DrawingGrammar {
  private static let style: Shape = .object([
    ("color", .color), ("background", .color), ("borderColor", .color), ("borderWidth", .number(0, 20)), ("radius", .number(0, 60)),
    ("opacity", .number(0, 1)), ("fontSize", .number(1, 60)), ("bold", .flag), ("italic", .flag), ("mono", .flag),
    ("align", .word(["start", "left", "center", "end", "right"])), ("fit", .word(["contain", "cover", "fill"])),
  ])
  private static let bounds: Shape = .made { maker in
    maker.whole([("x", side(maker)), ("y", side(maker)), ("width", length(maker)), ("height", length(maker))])
  }

  /// Places on the screen, and far beyond any.
  private static func side(_ maker: Maker) -> Shape {
    maker.dice.chance(1, in: 4) ? .number(-100_000, 100_000) : .number(-200, 400)
  }

  private static func length(_ maker: Maker) -> Shape {
    maker.dice.chance(1, in: 4) ? .number(0, 100_000) : .number(0, 400)
  }

  private static let element: Shape = .made { maker in
    maker.whole([
      ("id", .name("e", 12)), ("type", .word(["text", "image", "shape", "shape", "highlight", "highlight"])), ("bounds", bounds),
      (
        "style",
        maker.dice.chance(1, in: 3)
          ? .object([("radius", .number(0, 100_000)), ("borderWidth", .number(0, 1000)), ("opacity", .number(0, 1))]) : style
      ),
      ("text", .text), ("url", .url), ("shape", .word(["rectangle", "circle", "line"])),
    ])
  }

  private static func operation(_ maker: Maker) {
    maker.object([
      ("op", .word(["draw", "draw", "draw", "update", "animate", "clear"])), ("elements", .list(element, 4)),
      ("ids", .list(.name("e", 12), 3)), ("transition", .word(["instant", "fade", "slide"])), ("durationMs", .number(0, 10_000)),
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
