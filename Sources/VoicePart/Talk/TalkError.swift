import Codec
import Talk

/// Why a push-to-talk command has no result (node-commands 7.4).
enum TalkError: WireError {
  case notAnObject, disabled, isStarting, isSubmitting, isStopped, noRecognizer, noMicrophone, held

  init(_ failure: TalkLoop.Failure) {
    self =
      switch failure {
      case .isStarting: .isStarting
      case .isSubmitting: .isSubmitting
      case .isStopped: .isStopped
      case .microphone: .noMicrophone
      case .noRecognizer: .noRecognizer
      case .held: .held
      }
  }

  var wire: (code: StaticString, text: StaticString) {
    switch self {
    case .notAnObject: ("INVALID_REQUEST", "parameters must be an object")
    case .disabled: ("UNAVAILABLE", "talk is switched off: [talk] enabled allows it")
    case .isStarting: ("UNAVAILABLE", "Push to Talk is already starting")
    case .isSubmitting: ("UNAVAILABLE", "what was said before is being submitted")
    case .isStopped: ("UNAVAILABLE", "Push to Talk was stopped before it had begun")
    case .noRecognizer: ("UNAVAILABLE", "Speech recognizer unavailable")
    case .noMicrophone: ("UNAVAILABLE", "the microphone does not record")
    case .held: ("UNAVAILABLE", "a person holds this board (panic)")
    }
  }
}
