// The board's own agent: what it reads of the web (this folder), and the messages that it sends and gets (Messages).

import Codec
import Runtime

/// Reads HTML as it arrives, in pieces of any size, and makes bounded plain text of it for a language model: the title
/// first, headings and items marked, cells and addresses of links beside their text. What a person who looks at the
/// page would not see is left out: scripts, comments, controls, elements that are hidden by attributes or inline
/// styles, and characters that are not drawn (`CleanScalar`). Style sheets are not read, so what only they hide is not
/// known here.
///
/// Follows the rules of browsers (WHATWG HTML, 13.2) where it matters for what is seen: which end closes what, where a
/// comment or script ends. Memory is taken once; depth, names, attributes and text are bounded.
public final class PageText {
  /// Where the reader is in the markup.
  enum Place {
    case text, entity, tagOpen, endTagOpen, tagName, beforeAttribute, attributeName, afterAttributeName, beforeValue
    case value, quotedValue(UInt32), markupDeclaration, bogusComment
    case commentStart, commentStartDash, comment, commentDash, commentEnd, commentEndBang
    case raw, rawLess, rawEndName, rawBang, rawBangDash, rawName
  }

  /// An element that is open.
  struct Element {
    var tag = PageTag.other
    var isHidden = false
    var name: UInt32 = 0
  }

  /// What is known of the tag that is being read.
  struct Tag {
    var isEnd = false
    var isSelfClosed = false
    var isHidden = false
    var isOpen = false
    var name: UInt32 = 0
    var kind = PageTag.other
    var level = 1
  }

  /// Where a reference stands, to which the reader returns: a value with its quote.
  enum EntityPlace { case text, raw, value(UInt32) }

  /// Attributes whose value matters.
  enum Attribute { case none, style, address, description, label, content, ariaHidden }

  var decoder = PageDecoder()
  var output = PageOutput()
  var title = PageOutput()
  var place = Place.text
  var tag = Tag()
  var attribute = Attribute.none
  /// An attribute was named whose value may follow.
  var isNamed = false
  var entity: EntityReader
  var entityPlace = EntityPlace.text
  var style: StyleReader
  var stack = InlineArray<128, Element>(repeating: Element())
  var depth = 0
  /// Open elements that are hidden; and: an element that is not seen began deeper than the limit, so nothing is shown.
  var hiddenCount = 0
  var isLost = false
  /// A form has begun, and its end was not read.
  var hasForm = false
  var (preDepth, listDepth) = (0, 0)
  /// An end of line directly after `pre` is none.
  var isPreStart = false
  /// Cells of the current row, and where its text began.
  var (cells, rowStart) = (0, 0)
  var hasTitle = false
  /// Links whose address was written.
  var links = 0
  /// The name of an element or attribute; the value of an attribute; the address of the tag, and of the open link; and
  /// the description of the tag.
  let name: FixedBuffer
  let value: FixedBuffer
  let address: FixedBuffer
  let link: FixedBuffer
  let alternative: FixedBuffer
  var (nameCount, valueCount, addressCount, linkCount, alternativeCount) = (0, 0, 0, 0, 0)
  /// Where the open link's text began in the output.
  var linkStart = 0
  /// The address of the page, to resolve others.
  let base: FixedBuffer
  var baseCount = 0
  private let titleRoom: FixedBuffer
  private let scratch: FixedBuffer
  /// The element whose content is no markup, and how far a script is in a comment (WHATWG HTML, 13.2.5.17 to 31).
  var raw = Tag()
  var (scriptLevel, dashes) = (0, 0)

  /// Takes the memory of a reader.
  @export(interface)
  public init() {
    precondition(stack.count == Budget.pageDepth)
    name = FixedBuffer(capacity: 16)
    value = FixedBuffer(capacity: Budget.pageAttributeBytes)
    address = FixedBuffer(capacity: Budget.pageLinkBytes)
    link = FixedBuffer(capacity: Budget.pageLinkBytes)
    alternative = FixedBuffer(capacity: Budget.pageAltBytes)
    base = FixedBuffer(capacity: Budget.fetchURLBytes)
    titleRoom = FixedBuffer(capacity: Budget.pageTitleBytes)
    scratch = FixedBuffer(capacity: Budget.pageEntityBytes + Budget.pageStyleBytes)
    entity = EntityReader(
      UnsafeMutableBufferPointer(rebasing: scratch.bytes[..<Budget.pageEntityBytes]))
    style = StyleReader(UnsafeMutableBufferPointer(rebasing: scratch.bytes[Budget.pageEntityBytes...]))
  }

  /// Starts a page, whose text is written into `room`, which must live until the next one. `charset`: what the server
  /// named; `base`: the page's address, beginning with http:// or https://, by which others are resolved.
  public func begin(
    into room: UnsafeMutableBufferPointer<UInt8>, charset: PageCharset? = nil,
    base address: UnsafeBufferPointer<UInt8> = UnsafeBufferPointer(start: nil, count: 0)
  ) {
    decoder = PageDecoder(charset)
    output.begin(into: room)
    title.begin(into: titleRoom.bytes)
    (place, tag, attribute, isNamed) = (.text, Tag(), .none, false)
    (depth, hiddenCount, isLost, hasForm) = (0, 0, false, false)
    (preDepth, listDepth, isPreStart, cells, rowStart) = (0, 0, false, 0, 0)
    (hasTitle, links, linkCount, linkStart) = (false, 0, 0, 0)
    (nameCount, valueCount, addressCount, alternativeCount) = (0, 0, 0, 0)
    (raw, scriptLevel, dashes) = (Tag(), 0, 0)
    baseCount = address.count <= base.bytes.count ? address.count : 0
    for index in 0..<baseCount { base.bytes[index] = address[index] }
  }

  /// Reads the next bytes of the page. Bytes after `isFull` change nothing.
  public func take(_ bytes: Span<UInt8>) {
    var index = 0
    while index < bytes.count, !output.isCut {
      decoder.take(bytes[index])
      while let scalar = decoder.next() { character(scalar) }
      index += 1
    }
  }

  /// The page has ended. What is half read is left out, as in browsers.
  /// - Returns: the length of the text
  public func end() -> Int {
    decoder.end()
    while let scalar = decoder.next() { character(scalar) }
    if case .entity = place { endEntity() }
    closeAll()
    if title.count > 0, !hasTitle { endTitle() }
    output.end()
    return output.count
  }

  /// The text is as long as it may be: the rest of the page does not matter.
  public var isFull: Bool { output.isCut }

  /// The text so far; whole after `end`.
  public var text: UnsafeBufferPointer<UInt8> { output.text }

  /// Nothing is shown now.
  var isHidden: Bool { hiddenCount > 0 || isLost }

  // MARK: Characters

  /// One character of the page, with references not resolved.
  func character(_ scalar: UInt32) {
    switch place {
    case .text:
      if scalar == 0x3C { return place = .tagOpen }
      if scalar == 0x26 { return beginEntity() }
      show(scalar)
    case .entity: entityCharacter(scalar)
    case .tagOpen, .endTagOpen, .tagName: tagCharacter(scalar)
    case .beforeAttribute, .attributeName, .afterAttributeName: attributeCharacter(scalar)
    case .beforeValue, .value, .quotedValue: valueCharacter(scalar)
    case .raw, .rawLess, .rawEndName, .rawBang, .rawBangDash, .rawName: rawCharacter(scalar)
    default: commentCharacter(scalar)
    }
  }

  /// A character of the page's text.
  func show(_ scalar: UInt32) {
    guard !isHidden else { return }
    if preDepth > 0 {
      let isFirst = isPreStart
      isPreStart = false
      if isFirst, scalar == 0x0A { return }
      return output.putKept(scalar)
    }
    output.put(scalar)
  }

  // MARK: References

  func beginEntity() {
    entity.begin()
    switch place {
    case .raw: entityPlace = .raw
    case .value: entityPlace = .value(0)
    case .quotedValue(let quote): entityPlace = .value(quote)
    default: entityPlace = .text
    }
    place = .entity
  }

  private func entityCharacter(_ scalar: UInt32) {
    var isInValue = false
    if case .value = entityPlace { isInValue = true }
    let step = entity.take(scalar, inAttribute: isInValue)
    guard step != .more else { return }
    finishEntity(step)
    if case .done(_, isTaken: true) = step { return }
    character(scalar)
  }

  private func endEntity() { finishEntity(entity.end()) }

  private func finishEntity(_ step: EntityReader.Step) {
    switch entityPlace {
    case .text: place = .text
    case .raw: place = .raw
    case .value(let quote): place = quote == 0 ? .value : .quotedValue(quote)
    }
    if case .done(let scalar, _) = step { return deliver(scalar) }
    deliver(0x26)
    for index in 0..<entity.count { deliver(UInt32(entity[index])) }
  }

  /// A character that stands for itself.
  private func deliver(_ scalar: UInt32) {
    switch entityPlace {
    case .text: show(scalar)
    case .raw: showRaw(scalar)
    case .value: keepValue(scalar)
    }
  }
}
