import Codec
import Runtime

/// Reads what a search provider answered into at most `Budget.searchResults` results, each bounded and cleaned: what
/// strangers wrote is in them.
public final class SearchResults {
  /// Why an answer gave no results.
  public enum Fault: Error, Equatable, Sendable {
    /// Not JSON.
    case malformed
    /// JSON, but not that of this provider.
    case unknown

    public var text: StaticString {
      switch self {
      case .malformed: "the search provider's answer is not JSON"
      case .unknown: "the search provider's answer has no list of results"
      }
    }
  }

  /// Where a result's texts end.
  private struct Lengths {
    var (title, address, snippet) = (0, 0, 0)
  }

  private static let share = Budget.searchTitleBytes + Budget.searchAddressBytes + Budget.searchSnippetBytes

  private let room = FixedBuffer(capacity: Budget.searchResults * SearchResults.share)
  private let field = FixedBuffer(capacity: Budget.searchFieldBytes)
  private let page: PageText
  private let plain = PlainText()
  private var lengths = InlineArray<8, Lengths>(repeating: Lengths())
  /// Results that were read.
  public private(set) var count = 0

  /// Takes the memory of the results. `page` cleans texts with markup while they are read.
  @export(interface)
  public init(_ page: PageText) {
    precondition(lengths.count == Budget.searchResults)
    self.page = page
  }

  /// Reads an answer, in place of the one before. Results without an address of the web are left out.
  public func read(_ provider: SearchProvider, _ answer: UnsafeBufferPointer<UInt8>) throws(Fault) {
    count = 0
    do throws(JSONError) {
      try JSONValidator.check(answer.span, depthLimit: Budget.jsonDepth)
    } catch {
      throw .malformed
    }
    let root = JSONView(answer.span)
    guard root.kind == .object else { throw .unknown }
    if provider == .brave {
      // Brave leaves `web` out where nothing was found.
      guard let web = root.member("web") else {
        guard root.member("query") != nil || root.member("type") != nil else { throw .unknown }
        return
      }
      return try read(list: web.member("results"), provider)
    }
    try read(list: root.member("results"), provider)
  }

  private func read(list: JSONView?, _ provider: SearchProvider) throws(Fault) {
    guard let list, list.kind == .array else { throw .unknown }
    var elements = list.elements()
    while count < Budget.searchResults, let element = elements.next() {
      guard let address = element.member("url"), keepAddress(address) else { continue }
      let hasMarks = provider == .brave
      lengths[count].title = clean(
        element.member("title"), hasMarks, into: part(count, 0, Budget.searchTitleBytes))
      lengths[count].snippet = clean(
        element.member(provider == .brave ? "description" : "content"), hasMarks,
        into: part(count, Budget.searchTitleBytes + Budget.searchAddressBytes, Budget.searchSnippetBytes))
      count += 1
    }
  }

  private func part(_ index: Int, _ start: Int, _ length: Int) -> UnsafeMutableBufferPointer<UInt8> {
    let first = index * Self.share + start
    return UnsafeMutableBufferPointer(rebasing: room.bytes[first..<first + length])
  }

  /// The beginning of a string, unescaped; what does not fit is dropped.
  private func unescape(_ value: JSONView?) -> UnsafeBufferPointer<UInt8> {
    guard let value, let length = value.stringLength else { return UnsafeBufferPointer(start: nil, count: 0) }
    // The copy fills the memory also where it has to be cut.
    _ = value.copyString(into: field.bytes)
    return UnsafeBufferPointer(field.bytes).extracting(0..<min(length, field.bytes.count))
  }

  private func clean(_ value: JSONView?, _ hasMarks: Bool, into room: UnsafeMutableBufferPointer<UInt8>) -> Int {
    let text = unescape(value)
    if hasMarks {
      page.begin(into: room, charset: .utf8)
      page.take(text.span)
      return Self.withoutLines(room, page.end())
    }
    plain.begin(into: room, keepsLines: false, charset: .utf8)
    plain.take(text.span)
    return plain.end()
  }

  /// A result's texts are lines.
  private static func withoutLines(_ text: UnsafeMutableBufferPointer<UInt8>, _ count: Int) -> Int {
    for index in 0..<count where text[index] == 0x0A { text[index] = 0x20 }
    return count
  }

  /// An address of the web in visible ASCII that fits.
  private func keepAddress(_ value: JSONView) -> Bool {
    guard let length = value.stringLength, length <= Budget.searchAddressBytes else { return false }
    let text = unescape(value)
    guard text.span.hasPrefix(lowercased: "https://") || text.span.hasPrefix(lowercased: "http://") else {
      return false
    }
    let address = part(count, Budget.searchTitleBytes, Budget.searchAddressBytes)
    for index in 0..<text.count {
      guard text[index] > 0x20, text[index] < 0x7F else { return false }
      address[index] = text[index]
    }
    lengths[count].address = text.count
    return true
  }

  // MARK: Results

  /// The title of a result below `count`; may be empty.
  public func title(_ index: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(part(index, 0, lengths[index].title))
  }

  /// Its address.
  public func address(_ index: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(part(index, Budget.searchTitleBytes, lengths[index].address))
  }

  /// An excerpt of it; may be empty.
  public func snippet(_ index: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(
      part(index, Budget.searchTitleBytes + Budget.searchAddressBytes, lengths[index].snippet))
  }

  /// Writes the results for a language model: number and title, address, excerpt.
  public func write(to writer: inout ByteWriter) {
    if count == 0 { return writer.text("Nothing was found.") }
    for index in 0..<count {
      if index > 0 { writer.text("\n\n") }
      writer.decimal(Int64(index + 1))
      writer.text(". ")
      writer.bytes(title(index).span)
      writer.text("\n")
      writer.bytes(address(index).span)
      guard !snippet(index).isEmpty else { continue }
      writer.text("\n")
      writer.bytes(snippet(index).span)
    }
  }
}
