import Codec
import Runtime

/// Why there are no kept photos.
public enum PhotosError: WireError {
  /// Where they are kept cannot be read or written.
  case unavailable(Errno)
  /// Canceled, or the time was up.
  case ended

  public var wire: (code: StaticString, text: StaticString) {
    switch self {
    case .unavailable: ("PHOTOS_UNAVAILABLE", "the photos that are kept cannot be reached: ")
    case .ended: ("UNAVAILABLE", "the time was up before the photos were ready")
    }
  }

  public func writeDetail(to writer: inout ByteWriter) {
    if case .unavailable(let reason) = self { writer.text(reason.text) }
  }
}
