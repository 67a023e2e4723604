/// The word for JPEG that the caller used; the answer echoes it.
public enum PhotoFormat: Sendable {
  case jpg, jpeg

  /// The word.
  public var name: StaticString {
    switch self {
    case .jpg: "jpg"
    case .jpeg: "jpeg"
    }
  }
}
