import Codec
import Fetch
import Runtime

/// Why a page was not read, or a search gave nothing.
public enum PageFailure: Error {
  /// Another read or search is going on.
  case busy
  /// The address is not one that can be fetched.
  case address(WebURLError)
  /// No search provider is configured.
  case noProvider
  case search(SearchError)
  /// The provider's answer.
  case answer(SearchResults.Fault)
  /// The host and the type of content that is no text.
  case type(host: InlineText<64>, InlineText<64>)
  case fetch(FetchFailure)
  /// The host of a page that did not end in time.
  case timedOut(host: InlineText<64>)

  /// True when it may work later.
  public var isTransient: Bool {
    switch self {
    case .busy, .timedOut: true
    case .fetch(let failure): failure.isTransient
    default: false
    }
  }

  /// What a model or a person reads, without a period.
  public func write(to writer: inout ByteWriter) {
    switch self {
    case .busy: writer.text("another page is being read; try again when it is done")
    case .address(let error):
      writer.text("the address ")
      writer.text(error == .scheme ? "must begin with https://" : error.text)
    case .noProvider: writer.text("no search provider is configured")
    case .search(let error): writer.text(error.text)
    case .answer(let fault): writer.text(fault.text)
    case .type(let host, let type): Self.write(type, of: host, to: &writer)
    case .fetch(let failure): Self.write(failure, to: &writer)
    case .timedOut(let host):
      writer.bytes(host.span)
      writer.text(" took too long")
    }
  }

  private static func write(_ type: InlineText<64>, of host: InlineText<64>, to writer: inout ByteWriter) {
    writer.bytes(host.span)
    guard !type.isEmpty else { return writer.text(" does not say what its content is, so it is not read") }
    writer.text(" has content of the type ")
    // The type is of the server, which may write anything.
    for index in 0..<type.span.count {
      let byte = type.span[index]
      writer.byte(byte > 0x20 && byte < 0x7F ? byte : UInt8(ascii: "?"))
    }
    writer.text(", which is not read: only text, HTML and JSON are")
  }

  /// The sentences of a fetch, but those that speak of pictures on a screen.
  private static func write(_ failure: FetchFailure, to writer: inout ByteWriter) {
    let text: StaticString
    switch failure.kind {
    case .plaintext: text = " is not encrypted: use https"
    case .refusedAddress: text = " has an address of this board or its network, from which nothing is read"
    case .tooLarge: text = " sent more than is read of one page"
    case .proxy: text = " was not reached: the proxy makes no tunnel"
    default: return failure.write(to: &writer)
    }
    writer.bytes(failure.host.span)
    writer.text(text)
  }
}
