import Codec
import Runtime

/// What elements add to the text.
extension PageText {
  /// A visible element begins.
  func opened(_ tag: Tag) {
    switch tag.kind {
    case .row:
      output.endRow()
      output.breakLine(1)
      (cells, rowStart) = (0, output.count)
    case .cell:
      if cells == 0 { output.beginFirstCell() } else { output.beginCell(isOnLine: output.count > rowStart) }
      cells += 1
      return
    case .anchor:
      linkCount = addressCount
      for index in 0..<linkCount { link.bytes[index] = address.bytes[index] }
      linkStart = output.count
      return
    default: break
    }
    if tag.kind.feeds > 0 { output.breakLine(tag.kind.feeds) }
    if tag.kind == .heading { output.begin(.heading(tag.level)) }
    if tag.kind == .item { output.begin(.item(min(listDepth, 4))) }
  }

  /// A visible element ends.
  func closed(_ element: Element) {
    switch element.tag {
    case .heading, .item: output.endMark()
    case .row, .table: output.endRow()
    case .anchor: writeLink()
    default: break
    }
    if element.tag.feeds > 0 { output.breakLine(element.tag.feeds) }
  }

  /// An element without content.
  func showVoid(_ tag: Tag) {
    if tag.kind == .rule { closeParagraph() }
    guard !isHidden, !tag.isHidden else { return }
    switch tag.kind {
    case .lineBreak: output.addBreak()
    case .rule: output.breakLine(1)
    case .picture: writePicture()
    default: return
    }
  }

  private func closeParagraph() {
    if depth > 0, stack[depth - 1].tag == .paragraph { pop(to: depth - 1) }
  }

  private func writePicture() {
    let text = UnsafeBufferPointer(alternative.bytes).extracting(0..<alternativeCount)
    guard !text.span.trimmed.isEmpty else { return }
    output.put("[image: ")
    var decoder = PageDecoder(.utf8)
    for index in 0..<text.count {
      decoder.take(text[index])
      while let scalar = decoder.next() { output.put(scalar) }
    }
    output.put("]")
  }

  // MARK: Links

  private func writeLink() {
    guard linkCount > 0, output.count > linkStart, links < Budget.pageLinks else { return linkCount = 0 }
    links += 1
    output.put(0x20)
    output.put("(")
    for index in 0..<linkCount { output.putByte(link.bytes[index]) }
    output.put(")")
    linkCount = 0
  }

  /// Keeps the address of a link, if it leads to a page: whole, or relative to that of this page.
  func keepAddress(_ text: UnsafeBufferPointer<UInt8>) {
    var (start, end) = (0, text.count)
    while start < end, text[start] <= 0x20 { start += 1 }
    while end > start, text[end - 1] <= 0x20 { end -= 1 }
    let reference = text.extracting(start..<end)
    guard let first = reference.first, first != UInt8(ascii: "#") else { return }
    if !reference.span.hasPrefix(lowercased: "http://"), !reference.span.hasPrefix(lowercased: "https://") {
      guard !hasScheme(reference), keepBase(before: reference) else { return addressCount = 0 }
    }
    for index in 0..<reference.count where !keepAddressByte(reference[index]) { return addressCount = 0 }
  }

  /// True for `javascript:`, `mailto:` and the like (RFC 3986 section 3.1).
  private func hasScheme(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    for byte in text {
      if byte == UInt8(ascii: ":") { return true }
      if byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") { return false }
    }
    return false
  }

  /// Puts that part of the page's own address before a relative one that is the same for both (RFC 3986 section 5.2).
  private func keepBase(before reference: UnsafeBufferPointer<UInt8>) -> Bool {
    let own = UnsafeBufferPointer(base.bytes).extracting(0..<baseCount)
    var scheme = 0
    while scheme < own.count, own[scheme] != UInt8(ascii: ":") { scheme += 1 }
    guard scheme + 3 <= own.count else { return false }
    var (authority, query) = (scheme + 3, own.count)
    while authority < own.count, own[authority] != UInt8(ascii: "/"), own[authority] != UInt8(ascii: "?") {
      authority += 1
    }
    for index in (authority..<own.count).reversed()
    where own[index] == UInt8(ascii: "?") || own[index] == UInt8(ascii: "#") { query = index }
    let end: Int
    if reference.span.hasPrefix("//") {
      end = scheme + 1
    } else if reference[0] == UInt8(ascii: "/") {
      end = authority
    } else if reference[0] == UInt8(ascii: "?") {
      end = query
    } else {
      var folder = query
      while folder > authority, own[folder - 1] != UInt8(ascii: "/") { folder -= 1 }
      end = folder
    }
    for index in 0..<end where !keepAddressByte(own[index]) { return false }
    let needsSlash = end == authority && reference[0] != UInt8(ascii: "/")
    return needsSlash ? keepAddressByte(UInt8(ascii: "/")) : true
  }

  /// Adds a byte, as `%xx` where it is not visible ASCII, or would end the address for who reads the text.
  private func keepAddressByte(_ byte: UInt8) -> Bool {
    // Line feeds and tabs inside of an address are ignored, as in browsers.
    if byte == 0x0A || byte == 0x09 || byte == 0x0D { return true }
    if byte > 0x20, byte < 0x7F, byte != UInt8(ascii: "("), byte != UInt8(ascii: ")"), byte != UInt8(ascii: "\"") {
      guard addressCount < address.bytes.count else { return false }
      address.bytes[addressCount] = byte
      addressCount += 1
      return true
    }
    guard addressCount + 3 <= address.bytes.count else { return false }
    address.bytes[addressCount] = UInt8(ascii: "%")
    address.bytes[addressCount + 1] = Self.digit(byte >> 4)
    address.bytes[addressCount + 2] = Self.digit(byte & 15)
    addressCount += 3
    return true
  }

  private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? value + 48 : value + 55 }
}
