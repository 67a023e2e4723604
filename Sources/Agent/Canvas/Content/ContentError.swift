import Canvas
import Codec
import Fetch
import Runtime

/// Why what an address names is not shown.
enum ContentError: WireError {
  case badURL(WebURLError)
  /// A `data:` address that makes no sense, or too much of it.
  case badData(DataURL.Fault)
  case fetch(FetchFailure)
  case picture(PictureFault)
  /// Nothing here can show it.
  case unsupported(ContentKind)
  /// Another command came before it was there.
  case replaced

  /// Trying again later may help.
  var isPassing: Bool {
    if case .fetch(let failure) = self { return failure.isPassing }
    return false
  }

  var wire: (code: StaticString, text: StaticString) {
    switch self {
    case .badURL: ("INVALID_REQUEST", "url ")
    case .badData(.malformed): ("INVALID_REQUEST", "url is a data: address that is neither base64 nor percent-encoded")
    case .badData(.tooLarge): ("INVALID_REQUEST", "url is a data: address of more than 2 MiB")
    case .fetch: ("CANVAS_UNAVAILABLE", "")
    case .picture(let fault): (fault.kind == .unknownFormat ? "CANVAS_UNSUPPORTED_CONTENT" : "CANVAS_UNAVAILABLE", "")
    case .unsupported: ("CANVAS_UNSUPPORTED_CONTENT", "this is ")
    case .replaced: ("CANVAS_UNAVAILABLE", "another command took the screen before this was there")
    }
  }

  func writeDetail(to writer: inout ByteWriter) {
    switch self {
    case .badURL(let error): writer.text(error.text)
    case .fetch(let failure): failure.write(to: &writer)
    case .picture(let fault): writer.bytes(fault.text.span)
    case .unsupported(let kind):
      writer.text(kind.words)
      writer.text("; this screen shows PNG, JPEG, WebP, GIF and SVG, and what is sent with canvas.a2ui.push")
    case .badData, .replaced: break
    }
  }
}
