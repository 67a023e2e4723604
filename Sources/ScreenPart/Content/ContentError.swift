import Canvas
import Codec
import Fetch
import Graphics
import Runtime

/// Why the content of an address is not shown.
enum ContentError: WireError {
  case badURL(WebURLError)
  /// An invalid `data:` address, or one that is too long.
  case badData(DataURL.Fault)
  case fetch(FetchFailure)
  case picture(PictureFault)
  /// This kind of content is not supported here.
  case unsupported(ContentKind)
  /// A page that cannot be shown without resources that are not here.
  case document(ReaderError)
  /// There is not enough memory for a page.
  case noMemory
  /// Another command replaced it before it was loaded.
  case replaced

  /// True when a later try may succeed.
  var isTransient: Bool {
    if case .fetch(let failure) = self { return failure.isTransient }
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
    case .document(let error):
      (error.kind == .outOfMemory ? "CANVAS_UNAVAILABLE" : "CANVAS_UNSUPPORTED_CONTENT", "")
    case .noMemory: ("CANVAS_UNAVAILABLE", "there is no memory for a page")
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
      writer.text(
        "; this screen shows PNG, JPEG, WebP, GIF, SVG, plain documents, and what is sent with canvas.a2ui.push")
    case .document(let error):
      writer.bytes(error.text.span)
      writer.text("; send what shall be shown with canvas.a2ui.push")
    case .badData, .replaced, .noMemory: break
    }
  }
}
