import Codec

/// The elements of HTML that are told apart, by what they mean for a text without a look.
enum PageTag: UInt8 {
  case lineBreak, rule, picture, meta
  /// Without content and without a look.
  case void
  case heading, paragraph, item, list, pre, table, row, cell, caption, rows, term, anchor, title
  /// Stands on lines of its own; `division` may stand inside an item without ending it.
  case block, division
  /// The content is no markup: it is dropped, or shown as it is.
  case script, droppedText, shownText
  /// Not shown, and nothing in it. `sealed` and `select` end where their own end is, whatever else ends.
  case unseen, button, drawing, sealed, select
  /// Its end ends nothing that is open inside of it.
  case form
  /// Shown only when it has `open`.
  case dialog
  /// Opened again where it was closed by the end of another one (WHATWG HTML, 13.2.4.3).
  case formatting
  /// `html` and `body`, whose ends mean nothing; `head`, which means nothing.
  case root, head
  /// Its text.
  case other

  /// The tag by its name in lower case.
  init(_ name: UnsafeBufferPointer<UInt8>) {
    if name.count == 2, name[0] == UInt8(ascii: "h"), name[1] >= UInt8(ascii: "1"), name[1] <= UInt8(ascii: "6") {
      self = .heading
      return
    }
    self = Self.single(name) ?? Self.structure(name) ?? Self.grouped(name)
  }

  private static func single(_ name: UnsafeBufferPointer<UInt8>) -> PageTag? {
    let word = name.span
    if word.matches("p") { return .paragraph }
    if word.matches("a") { return .anchor }
    if word.matches("br") { return .lineBreak }
    if word.matches("hr") { return .rule }
    if word.matches("li") { return .item }
    if word.matches("tr") { return .row }
    if word.matches("img") || word.matches("image") { return .picture }
    if word.matches("meta") { return .meta }
    if word.matches("title") { return .title }
    if word.matches("table") { return .table }
    if word.matches("caption") { return .caption }
    if word.matches("script") { return .script }
    if word.matches("dialog") { return .dialog }
    if word.matches("button") { return .button }
    if word.matches("select") { return .select }
    if word.matches("form") { return .form }
    if word.matches("svg") { return .drawing }
    return word.matches("head") ? .head : nil
  }

  private static func structure(_ name: UnsafeBufferPointer<UInt8>) -> PageTag? {
    if StaticWords.contains("td th", name) { return .cell }
    if StaticWords.contains("ul ol menu dir", name) { return .list }
    if StaticWords.contains("pre listing", name) { return .pre }
    if StaticWords.contains("tbody thead tfoot", name) { return .rows }
    if StaticWords.contains("dt dd", name) { return .term }
    return StaticWords.contains("html body", name) ? .root : nil
  }

  private static func grouped(_ name: UnsafeBufferPointer<UInt8>) -> PageTag {
    if StaticWords.contains("b big code em font i nobr s small strike strong tt u", name) { return .formatting }
    if StaticWords.contains("div address", name) { return .division }
    if StaticWords.contains(
      """
      article aside blockquote center details dl fieldset figcaption figure footer header hgroup legend main \
      marquee nav search section summary
      """, name)
    {
      return .block
    }
    if StaticWords.contains(
      "area base basefont bgsound col embed frame input keygen link param source track wbr", name)
    {
      return .void
    }
    if StaticWords.contains("style noscript iframe noembed noframes textarea", name) { return .droppedText }
    if StaticWords.contains("xmp plaintext", name) { return .shownText }
    if StaticWords.contains("object applet template", name) { return .sealed }
    return StaticWords.contains("video audio canvas datalist rp option optgroup", name) ? .unseen : .other
  }

  /// Nothing can be in it.
  var isVoid: Bool {
    switch self {
    case .lineBreak, .rule, .picture, .meta, .void: true
    default: false
    }
  }

  /// The content is no markup.
  var isText: Bool { self == .script || self == .droppedText || self == .shownText || self == .title }

  /// Its end may be left out.
  var hasImpliedEnd: Bool { self == .paragraph || self == .item || self == .term }

  /// Ends a drawing where it begins, so that the drawing's end means nothing inside of it (WHATWG HTML, 13.2.6.5).
  var breaksOut: Bool {
    switch self {
    case .heading, .paragraph, .item, .list, .pre, .table, .term, .division, .block, .formatting: true
    default: false
    }
  }

  /// The end of an ordinary element does not close it ("special" in WHATWG HTML, 13.2.4.2).
  var isSpecial: Bool {
    switch self {
    case .formatting, .anchor, .unseen, .other: false
    default: true
    }
  }

  /// Its end stops at a table, not at a cell.
  var isPartOfTable: Bool {
    switch self {
    case .table, .row, .cell, .caption, .rows: true
    default: false
    }
  }

  /// What is open outside of it is not reached by ends inside.
  var isBoundary: Bool { self == .table || self == .cell || self == .caption || isSealed }

  var isSealed: Bool { self == .sealed || self == .select }

  /// Not shown.
  var isUnseen: Bool { self == .unseen || self == .button || self == .drawing || isSealed }

  /// What is formatted inside is not opened again after it.
  var endsFormatting: Bool { self == .cell || self == .caption || isSealed }

  /// Opened again after its parent was closed.
  var isFormatting: Bool { self == .formatting || self == .anchor }

  /// A paragraph ends where it begins. In old pages a table stands inside of one, so it ends none here: what is hidden
  /// with the paragraph stays so.
  var endsParagraph: Bool {
    switch self {
    case .heading, .paragraph, .item, .list, .pre, .term, .block, .division, .form, .rule, .dialog, .shownText: true
    default: false
    }
  }

  /// Line feeds before and after it; 0 inside of a line.
  var feeds: Int {
    switch self {
    case .heading, .paragraph, .pre, .list, .table, .title, .shownText: 2
    case .item, .row, .caption, .term, .block, .division, .form, .rule, .dialog: 1
    default: 0
    }
  }
}
