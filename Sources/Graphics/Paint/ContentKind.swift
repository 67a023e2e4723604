import Codec
import Runtime

/// The kind of content by its first bytes; the server's content type is used only where these do not tell.
public enum ContentKind: Equatable, Sendable {
  case picture(PictureFormat)
  case svg, html
  case otherPicture, pdf, video, audio, archive, json, text, unknown

  /// Looks at the first bytes. `type`: as the server names it, in lower case.
  public init(_ bytes: UnsafeBufferPointer<UInt8>, type: Span<UInt8>) {
    if let format = PictureFormat(bytes) {
      self = .picture(format)
    } else if let kind = Self.binary(bytes) {
      self = kind
    } else {
      self = Self.text(bytes, type)
    }
  }

  private static func binary(_ bytes: UnsafeBufferPointer<UInt8>) -> ContentKind? {
    if has(bytes, "%PDF-", at: 0) { return .pdf }
    if has(bytes, "ftyp", at: 4) {
      let isPicture = has(bytes, "avif", at: 8) || has(bytes, "heic", at: 8) || has(bytes, "mif1", at: 8)
      return isPicture ? .otherPicture : has(bytes, "M4A", at: 8) ? .audio : .video
    }
    if has(bytes, "RIFF", at: 0) { return has(bytes, "WAVE", at: 8) ? .audio : .video }
    if has(bytes, "OggS", at: 0) || has(bytes, "ID3", at: 0) || has(bytes, "fLaC", at: 0) { return .audio }
    if has(bytes, "BM", at: 0) || has(bytes, "II*", at: 0) || has(bytes, "MM", at: 0) { return .otherPicture }
    if has(bytes, "PK", at: 0) { return .archive }
    guard bytes.count >= 4 else { return nil }
    switch (bytes[0], bytes[1], bytes[2], bytes[3]) {
    case (0x1A, 0x45, 0xDF, 0xA3): return .video
    case (0x1F, 0x8B, _, _): return .archive
    case (0, 0, 1, 0), (0xFF, 0x0A, _, _): return .otherPicture
    case (0xFF, 0xE0...0xFF, _, _): return .audio
    default: return nil
    }
  }

  private static func text(_ bytes: UnsafeBufferPointer<UInt8>, _ type: Span<UInt8>) -> ContentKind {
    guard isText(bytes) else { return .unknown }
    var start = has(bytes, "\u{FEFF}", at: 0) ? 3 : 0
    skipSpace(bytes, &start)
    guard start < bytes.count else { return .unknown }
    if bytes[start] == UInt8(ascii: "<"), let kind = markup(bytes, start) { return kind }
    if equals(type, "image/svg+xml") { return .svg }
    if equals(type, "text/html") || equals(type, "application/xhtml+xml") { return .html }
    if bytes[start] == UInt8(ascii: "{") || bytes[start] == UInt8(ascii: "[") { return .json }
    return .text
  }

  /// The first element, after declarations and comments: `svg`, or one of HTML's.
  private static func markup(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> ContentKind? {
    var place = start
    while place < min(bytes.count, 64 * 1024), bytes[place] == UInt8(ascii: "<") {
      if has(bytes, "<svg", at: place) { return .svg }
      if has(bytes, "<!--", at: place) {
        place += 4
        while place < bytes.count, !has(bytes, "-->", at: place) { place += 1 }
        place += 3
      } else if has(bytes, "<!doctype svg", at: place) {
        return .svg
      } else if has(bytes, "<!doctype", at: place) {
        return .html
      } else if has(bytes, "<?", at: place) {
        while place < bytes.count, bytes[place] != UInt8(ascii: ">") { place += 1 }
        place += 1
      } else {
        return isHTML(bytes, place) ? .html : nil
      }
      skipSpace(bytes, &place)
    }
    return nil
  }

  private static func isHTML(_ bytes: UnsafeBufferPointer<UInt8>, _ place: Int) -> Bool {
    let names: [StaticString] = [
      "html", "head", "body", "title", "meta", "style", "script", "div", "h1", "h2", "p", "table", "ul",
    ]
    for name in names where has(bytes, name, at: place + 1) {
      let end = place + 1 + name.utf8CodeUnitCount
      if end >= bytes.count || bytes[end] <= 0x20 || bytes[end] == UInt8(ascii: ">") { return true }
    }
    return false
  }

  private static func isText(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    for index in 0..<min(bytes.count, 1024) where bytes[index] < 0x20 && (bytes[index] < 9 || bytes[index] > 13) {
      return false
    }
    return true
  }

  private static func skipSpace(_ bytes: UnsafeBufferPointer<UInt8>, _ place: inout Int) {
    while place < bytes.count, bytes[place] <= 0x20 { place += 1 }
  }

  /// True when `text` stands there, its letters in any case.
  private static func has(_ bytes: UnsafeBufferPointer<UInt8>, _ text: StaticString, at place: Int) -> Bool {
    guard bytes.count >= place + text.utf8CodeUnitCount else { return false }
    for index in 0..<text.utf8CodeUnitCount where folded(bytes[place + index]) != folded(text.utf8Start[index]) {
      return false
    }
    return true
  }

  private static func folded(_ byte: UInt8) -> UInt8 {
    byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
  }

  private static func equals(_ type: Span<UInt8>, _ text: StaticString) -> Bool {
    guard type.count == text.utf8CodeUnitCount else { return false }
    for index in 0..<type.count where type[index] != text.utf8Start[index] { return false }
    return true
  }

  /// A description: "a PDF document".
  public var words: StaticString {
    switch self {
    case .picture: "a picture"
    case .svg: "an SVG drawing"
    case .html: "an HTML page"
    case .otherPicture: "a picture in a format that is not read here"
    case .pdf: "a PDF document"
    case .video: "a video"
    case .audio: "sound"
    case .archive: "an archive"
    case .json: "JSON"
    case .text: "text"
    case .unknown: "of no kind that is known"
    }
  }
}

/// Decodes fetched content into pixels. On a worker.
public protocol PictureCodec: AnyObject {
  /// A picture, as large as the limit says; nil when this kind of content is none that can be drawn.
  func decode(
    _ bytes: UnsafeBufferPointer<UInt8>, _ kind: ContentKind, _ limit: PictureLimit
  ) throws(PictureFault) -> DecodedPicture?
}
