/// The caller's word for JPEG, which the answer repeats.
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
