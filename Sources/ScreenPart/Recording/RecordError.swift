import Camera
import Codec
import Runtime

/// Why there is no recording of the screen.
enum RecordError: WireError {
  /// The parameters are not an object.
  case noObject
  /// A parameter is of the wrong type: its name, and what it must be.
  case wrongType(StaticString)
  case badFormat
  case badScreen
  /// Another recording runs.
  case busy
  /// A camera's clip has the encoder.
  case encoderTaken
  /// The invoke's deadline is before the end of the recording.
  case noTime
  /// The display changed.
  case screenChanged
  /// No picture was painted.
  case nothing
  case encoder
  /// The kernel has no memory for it.
  case noRoom(Errno)
  /// Not one picture fits into the gateway's message.
  case tooLarge

  init(_ error: ClipError) {
    switch error {
    case .full, .tooManyPictures: self = .tooLarge
    case .sink(let reason): self = .noRoom(reason)
    case .noPictures: self = .nothing
    default: self = .encoder
    }
  }

  var wire: (code: StaticString, text: StaticString) {
    switch self {
    case .noObject: ("INVALID_REQUEST", "expected object params")
    case .wrongType(let words): ("INVALID_REQUEST", words)
    case .badFormat: ("INVALID_REQUEST", "screen format must be mp4")
    case .badScreen: ("INVALID_REQUEST", "there is one screen, screenIndex 0")
    case .busy:
      ("UNAVAILABLE", "the screen is being recorded, or its last recording is still on its way; one at a time")
    case .encoderTaken:
      ("UNAVAILABLE", "a camera's clip is being made or sent, and there is one encoder: ask again when that is done")
    case .noTime:
      ("UNAVAILABLE", "the recording would not be done in time: ask for a shorter one, or with a longer timeout")
    case .screenChanged: ("UNAVAILABLE", "the screen changed its size while it was recorded")
    case .nothing: ("UNAVAILABLE", "the screen was not painted yet")
    case .encoder: ("UNAVAILABLE", "the video encoder failed")
    case .noRoom: ("UNAVAILABLE", "no memory for the recording: ")
    case .tooLarge: ("PAYLOAD_TOO_LARGE", "not one picture of the screen fits a message of the gateway")
    }
  }

  func writeDetail(to writer: inout ByteWriter) {
    if case .noRoom(let reason) = self { writer.text(reason.text) }
  }
}
