import A2UI
import Graphics
import Runtime

// How large the components without children are.

extension SurfaceLayout {
  /// Takes a property that is drawn into the flow; false when it is absent or empty.
  func take(_ index: Int, _ name: StaticString, _ font: Font) -> Bool {
    let tree = tree
    guard let text = tree.string(index, name), !text.isEmpty else { return false }
    flow.take(text, font, isMarkdown: false)
    return true
  }

  /// Least and most width of a text that an instance shows. What of it there is no room for is noted.
  func textWidths(_ index: Int, _ text: Span<UInt8>, _ font: Font, isMarkdown: Bool = false) -> (Int32, Int32) {
    let answer = measures.widths(text, font, isMarkdown: isMarkdown)
    if let cut = answer.cut { tree.record(cut, at: index) }
    return (answer.first, answer.second)
  }

  /// Height of a text that an instance shows.
  func textHeight(_ index: Int, _ text: Span<UInt8>, _ font: Font, isMarkdown: Bool = false, width: Int32) -> Int32 {
    let answer = measures.height(text, font, isMarkdown: isMarkdown, width: width)
    if let cut = answer.cut { tree.record(cut, at: index) }
    return answer.first
  }

  /// Of a Text; 0 when it has none.
  private func textWidths(_ index: Int) -> (Int32, Int32) {
    guard let text = property(index, "text") else { return (0, 0) }
    return textWidths(index, text, font(of: index), isMarkdown: true)
  }

  private func textHeight(_ index: Int, _ width: Int32) -> Int32 {
    guard let text = property(index, "text") else { return 0 }
    return textHeight(index, text, font(of: index), isMarkdown: true, width: width)
  }

  /// A property that says something.
  @_lifetime(immortal)
  private func property(_ index: Int, _ name: StaticString) -> Span<UInt8>? {
    let tree = tree
    guard let text = tree.string(index, name), !text.isEmpty else { return nil }
    return text
  }

  /// Whether a property says anything.
  private func has(_ index: Int, _ name: StaticString) -> Bool {
    let tree = tree
    return tree.string(index, name) != nil
  }

  func font(of index: Int) -> Font { theme.font(typeSize(of: index)) }

  func typeSize(of index: Int) -> Theme.TypeSize {
    switch tree.word(index, "usageHint", otherwise: TextUsage.body) {
    case .body: .body
    case .h1: isNumber(index) ? .value : .h1
    case .h2: isNumber(index) ? .result : .h2
    case .h3: .h3
    case .h4: .h4
    case .h5: .h5
    case .caption: .caption
    }
  }

  /// A short text that begins with a digit or a sign is a number that somebody reads from afar: "21.5 °C", "€ 1,234",
  /// "12:45".
  private func isNumber(_ index: Int) -> Bool {
    guard let text = property(index, "text"), text.count <= 24, !isLetter(text[0]) else { return false }
    var (characters, digits) = (0, 0)
    for place in 0..<text.count {
      if text[place] & 0xC0 != 0x80 { characters += 1 }
      if text[place] >= UInt8(ascii: "0") && text[place] <= UInt8(ascii: "9") { digits += 1 }
    }
    return digits > 0 && characters <= 12 && characters <= 2 * digits + 4
  }

  private func isLetter(_ byte: UInt8) -> Bool { byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z") }

  // MARK: Widths

  func leafWidths(_ index: Int) -> (Int32, Int32) {
    switch tree[index].type {
    case .text: textWidths(index)
    case .image: pictureWidths(index)
    case .icon: iconWidths(index)
    case .divider: isVertical(index) ? (Int32(theme.hairline), Int32(theme.hairline)) : (0, Int32(theme.hairline))
    case .checkBox: labelledWidths(index, beside: theme.px(22) + theme.gap)
    case .textField, .dateTimeInput: fieldWidths(index)
    case .slider: (theme.px(120), theme.px(280))
    case .multipleChoice: choiceWidths(index)
    case .video: (theme.px(160), theme.px(480))
    case .audioPlayer: (theme.px(160), theme.px(360))
    default: (0, 0)
    }
  }

  private func iconWidths(_ index: Int) -> (Int32, Int32) {
    let tree = tree
    guard let name = tree.string(index, "name") else { return (0, 0) }
    if Icon(named: name) == .unknown, tree.iconAddress(index, color: 0) == nil { tree.record(.icon, at: index) }
    return (theme.iconSize, theme.iconSize)
  }

  private func labelledWidths(_ index: Int, beside: Int32) -> (Int32, Int32) {
    guard let label = property(index, "label") else { return (theme.target, theme.target) }
    let (least, most) = textWidths(index, label, theme.font(.body))
    return (least + beside, most + beside)
  }

  private func pictureWidths(_ index: Int) -> (Int32, Int32) {
    if isThumbnail(index) { return (theme.thumbnail, theme.thumbnail) }
    return switch tree.word(index, "usageHint", otherwise: ImageUsage.mediumFeature) {
    case .icon: (theme.iconSize, theme.iconSize)
    case .avatar: (theme.px(40), theme.px(40))
    case .smallFeature: (theme.px(100), theme.px(100))
    case .mediumFeature: (theme.px(80), theme.px(300))
    case .largeFeature, .header: (theme.px(100), theme.px(1200))
    }
  }

  // MARK: Heights

  func leafHeight(_ index: Int, _ width: Int32) -> Int32 { plainHeight(index, width) + faultHeight(index, width) }

  /// Without what is found fault with.
  private func plainHeight(_ index: Int, _ width: Int32) -> Int32 {
    switch tree[index].type {
    case .text: textHeight(index, width)
    case .image: pictureHeight(index, width)
    case .icon: has(index, "name") ? theme.iconSize : 0
    case .divider: isVertical(index) ? 0 : Int32(theme.hairline)
    case .checkBox: labelledHeight(index, width - theme.px(22) - theme.gap)
    case .textField: fieldLabelHeight(index, width) + fieldHeight(index)
    case .dateTimeInput: fieldLabelHeight(index, width) + theme.target
    case .slider: sliderLabelHeight(index) + theme.target
    case .multipleChoice: choiceHeight(index, width)
    case .video: min(width, theme.px(480)) * 9 / 16
    case .audioPlayer: theme.px(56)
    default: 0
    }
  }

  func isVertical(_ index: Int) -> Bool { tree.word(index, "axis", otherwise: Axis.horizontal) == .vertical }

  private func labelledHeight(_ index: Int, _ width: Int32) -> Int32 {
    guard let label = property(index, "label") else { return theme.target }
    return max(textHeight(index, label, theme.font(.body), width: width), theme.target)
  }

  /// The label above a field with the gap below it; 0 when there is none.
  func fieldLabelHeight(_ index: Int, _ width: Int32) -> Int32 {
    guard let label = property(index, "label") else { return 0 }
    return textHeight(index, label, theme.font(.caption), width: width) + theme.px(6)
  }

  func fieldHeight(_ index: Int) -> Int32 {
    let isLong = tree.word(index, "textFieldType", otherwise: TextFieldType.shortText) == .longText
    return isLong ? theme.target * 5 / 2 : theme.target
  }

  /// Where a slider shows its label and its value.
  func sliderLabelHeight(_ index: Int) -> Int32 {
    property(index, "label") == nil ? 0 : Int32(theme.font(.caption).size) * 3 / 2
  }

  /// A picture in a row that says nothing of its size stands for what is beside it.
  func isThumbnail(_ index: Int) -> Bool {
    guard let parent = tree[index].parent, tree[parent].type == .row, tree[index].weight <= 0 else { return false }
    return !has(index, "usageHint")
  }

  /// Where the hint leaves it open, a picture that is known gives it.
  func pictureHeight(_ index: Int, _ width: Int32) -> Int32 {
    if isThumbnail(index) { return theme.thumbnail }
    return switch tree.word(index, "usageHint", otherwise: ImageUsage.mediumFeature) {
    case .icon: theme.iconSize
    case .avatar: theme.px(40)
    case .smallFeature: theme.px(100)
    case .mediumFeature:
      ownHeight(index, min(width, theme.px(300)), atMost: theme.px(300)) ?? min(width, theme.px(300)) * 2 / 3
    case .largeFeature: ownHeight(index, width, atMost: theme.px(400)) ?? min(width / 2, theme.px(400))
    case .header: min(theme.px(200), width / 2)
    }
  }

  /// The height that keeps a picture's own shape; nil while nobody knows it.
  private func ownHeight(_ index: Int, _ width: Int32, atMost limit: Int32) -> Int32? {
    let tree = tree
    guard let url = tree.string(index, "url"), let size = pictures?.size(url), size.width > 0 else { return nil }
    return Int32(clamping: min(max(Int64(width) * Int64(size.height) / Int64(size.width), 1), Int64(limit)))
  }

  // MARK: Placeholders

  /// A cycle says where it begins again; a missing child is nothing.
  func placeholderWidths(_ index: Int) -> (Int32, Int32) {
    tree[index].kind == .cycle ? (theme.target, theme.px(80)) : (0, 0)
  }

  func placeholderHeight(_ index: Int) -> Int32 { tree[index].kind == .cycle ? theme.target : 0 }

  private var unknownTitle: Int32 { Int32(theme.font(.caption).size) * 3 / 2 }

  func unknownWidths(_ index: Int) -> (Int32, Int32) {
    let (least, most) = columnWidths(index, padding: theme.px(8))
    return (max(least, theme.px(60)), max(most, theme.px(160)))
  }

  func unknownHeight(_ index: Int, _ width: Int32) -> Int32 {
    let children = columnHeight(index, width - 2 * theme.px(8))
    return children + unknownTitle + 2 * theme.px(8) + (children > 0 ? theme.px(6) : 0)
  }

  /// Where the children of a component of an unknown type stand: below its name.
  func unknownInside(_ index: Int, _ rect: Rect) -> Rect {
    let inside = rect.inset(by: theme.px(8))
    let title = unknownTitle + theme.px(6)
    return Rect(inside.x, inside.y + title, inside.width, max(inside.height - title, 0))
  }
}
