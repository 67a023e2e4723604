import Board
import Enrolment
import Foundation
import Runtime
import Voice

/// Makes a vector of a phrase as a board does when somebody types it: by flite's linked voice and by espeak-ng.
struct TypedEnroller {
  let bank: SpeechBank
  let model: VoiceModel
  /// As a board without espeak-ng.
  let isFliteAlone: Bool
  let seed: UInt64

  /// Throws when espeak-ng is wanted and not there, or when the voices say next to nothing.
  func enrol(_ phrase: String) throws -> Enroller.Result {
    let espeak = isFliteAlone ? nil : SpellingServer.espeak("auto")
    guard isFliteAlone || espeak != nil else {
      throw SoundFile.Failure(description: "espeak-ng is not there: install Debian's package, or say --flite-alone")
    }
    let enroller = SpellingEnroller(bank, model, flite: FlitePhraseVoice(), espeak: espeak, seed: seed)
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: Budget.wakeFileBytes, alignment: 8)
    defer { bytes.deallocate() }
    let outcome = Array(phrase.utf8).withUnsafeBufferPointer { text -> SpellingEnroller.Outcome? in
      do throws(SpellingEnroller.Failure) { return try enroller.learn(text, into: bytes) { _ in true } } catch {
        return nil
      }
    }
    guard let outcome else {
      throw SoundFile.Failure(description: "\(phrase): the voices say next to nothing")
    }
    return Enroller.Result(phrase, outcome.fitted, Data(bytes[..<outcome.fitted.size]))
  }
}
