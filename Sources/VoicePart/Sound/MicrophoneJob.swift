import Runtime
import Sound

/// Opens and closes the device and its light, on a worker.
final class MicrophoneJob: Job {
  enum Action { case open, close, look }

  private let capture: any SoundCapture
  private let settings: MicrophoneSettings
  private let indicator: (any Indicator)?
  /// The action. Not changed while pending.
  var action = Action.look
  private(set) var facts: SoundFacts?
  private(set) var failure: SoundError?
  unowned(unsafe) var microphone: Microphone?

  init(_ capture: any SoundCapture, _ settings: MicrophoneSettings, _ indicator: (any Indicator)?) {
    self.capture = capture
    self.settings = settings
    self.indicator = settings.light == .unlit ? nil : indicator
  }

  var hasLight: Bool { indicator != nil }

  override func run() {
    (facts, failure) = (nil, nil)
    do throws(SoundError) {
      switch action {
      case .look: try capture.look(settings.order)
      case .close: close()
      case .open: try open()
      }
    } catch {
      failure = error
    }
  }

  /// The light is lit before the device is opened.
  private func open() throws(SoundError) {
    if let indicator, !indicator.light(true), settings.light == .required {
      _ = indicator.light(false)
      throw .noIndicator
    }
    do throws(SoundError) {
      facts = try capture.open(settings.opening)
    } catch {
      _ = indicator?.light(false)
      throw error
    }
  }

  /// The light stays lit until the device is closed.
  private func close() {
    capture.close()
    _ = indicator?.light(false)
  }

  override func finish() { microphone?.ended(self) }
}
