import Graphics

/// The elements that are told apart.
enum HTMLTag: UInt8 {
  case h1, h2, h3, h4, h5, h6, p, list, orderedList, li, pre, blockquote, table, tr, td, th, block, body
  case strong, em, code, a, u, center, title, script, style
  case br, hr, img
  /// Without an end and without a look.
  case void
  /// Not shown, and nothing in it.
  case hidden, svg, frame
  /// Its text.
  case other

  init(_ reader: MarkupReader, _ name: Range<Int>) {
    for index in 0..<Self.names.count where reader.isWord(name, Self.names[index].0) {
      self = Self.names[index].1
      return
    }
    self = .other
  }

  /// It stands on lines of its own.
  var isBlock: Bool {
    switch self {
    case .h1, .h2, .h3, .h4, .h5, .h6, .p, .list, .orderedList, .li, .pre, .blockquote, .table, .tr, .td, .th, .block,
      .body, .center:
      true
    default: false
    }
  }

  /// Above and below it, in pixels of the reference.
  var gap: Int32 {
    switch self {
    case .h1: 16
    case .h2, .h3: 14
    case .p, .pre, .blockquote, .table, .h4, .h5, .h6: 10
    case .list, .orderedList: 6
    case .li: 3
    default: 0
    }
  }

  /// Height of the type in percent of the text's.
  var size: Int32 {
    switch self {
    case .h1: 175
    case .h2: 145
    case .h3: 120
    case .h4: 108
    default: 100
    }
  }

  private static let names: InlineArray<93, (StaticString, HTMLTag)> = [
    ("p", .p), ("br", .br), ("div", .block), ("a", .a), ("li", .li), ("td", .td), ("tr", .tr), ("th", .th),
    ("span", .other), ("b", .strong), ("strong", .strong), ("i", .em), ("em", .em), ("code", .code), ("pre", .pre),
    ("h1", .h1), ("h2", .h2), ("h3", .h3), ("h4", .h4), ("h5", .h5), ("h6", .h6), ("ul", .list), ("ol", .orderedList),
    ("hr", .hr), ("img", .img), ("table", .table), ("blockquote", .blockquote), ("body", .body), ("html", .block),
    ("title", .title), ("script", .script), ("style", .style), ("head", .other), ("section", .block),
    ("article", .block), ("header", .block), ("footer", .block), ("main", .block), ("nav", .block), ("aside", .block),
    ("figure", .block), ("figcaption", .p), ("address", .block), ("details", .block), ("summary", .block),
    ("dl", .block), ("dt", .p), ("dd", .p), ("form", .block), ("fieldset", .block), ("legend", .block),
    ("caption", .block), ("thead", .other), ("tbody", .other), ("tfoot", .other), ("center", .center), ("u", .u),
    ("ins", .u), ("kbd", .code), ("samp", .code), ("tt", .code), ("var", .em), ("cite", .em), ("dfn", .em),
    ("meta", .void), ("link", .void), ("input", .void), ("wbr", .void), ("col", .void), ("area", .void),
    ("base", .void), ("embed", .void), ("source", .void), ("track", .void), ("param", .void), ("template", .hidden),
    ("svg", .svg), ("math", .hidden), ("iframe", .frame), ("object", .frame), ("canvas", .frame), ("video", .frame),
    ("audio", .frame), ("select", .hidden), ("textarea", .hidden), ("button", .other), ("noscript", .other),
    ("label", .other), ("mark", .strong), ("hgroup", .block), ("dialog", .hidden), ("menu", .list), ("search", .block),
  ]
}
