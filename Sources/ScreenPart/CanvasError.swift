import Codec

/// Why a canvas command has no result.
enum CanvasError: WireError {
  /// The parameters are not an object.
  case noObject
  /// A parameter is missing, or of the wrong type.
  case missing(StaticString)
  case badFormat
  case badWidth
  case badQuality
  case badScreen
  /// The snapshot has more bytes than a message may have.
  case tooLarge
  /// The dumped page has more bytes than a message may have.
  case pageTooLarge

  var wire: (code: StaticString, text: StaticString) {
    switch self {
    case .noObject: ("INVALID_REQUEST", "expected object params")
    case .missing(let name): ("INVALID_REQUEST", name)
    case .badFormat: ("INVALID_REQUEST", "format must be png, jpeg or jpg")
    case .badWidth: ("INVALID_REQUEST", "maxWidth must be a number above 0")
    case .badQuality: ("INVALID_REQUEST", "quality must be from 0 to 1")
    case .badScreen: ("INVALID_REQUEST", "there is one screen, screenIndex 0")
    case .tooLarge: ("UNAVAILABLE", "screen snapshot payload too large; reduce maxWidth or use jpeg")
    case .pageTooLarge: ("UNAVAILABLE", "the page is too large to be told whole")
    }
  }
}
