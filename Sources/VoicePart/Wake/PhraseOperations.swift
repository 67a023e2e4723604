import Codec
import Node
import Runtime

extension WakeService {
  /// The operation `wake-learnt`, `{phrase}`: the phrases learned on this board have changed and are read again. The
  /// answer tells whether the phrase is one of the wake phrases.
  func takePhrase(_ control: Control, _ call: Int, _ request: borrowing JSONView) {
    guard let phrase = control.learnedPhrase(call, request) else { return }
    control.finishWakes(call, phrase.span.withUnsafeBufferPointer { learned($0) })
  }
}

extension Control: TakeDelegate {
  func takeBegan(_ call: Int) { sendPart(call, "started") { _ in } }

  func takeEnded(_ call: Int, _ samples: UnsafeBufferPointer<Int16>) {
    // All targets are little-endian, as the samples are sent.
    let bytes = UnsafeRawBufferPointer(samples).bindMemory(to: UInt8.self)
    finish(call) { writer in
      writer.beginObject()
      writer.key("rate")
      writer.int(Int64(Budget.soundRate))
      writer.key("samples")
      writer.base64(Span(_unsafeElements: bytes))
      writer.endObject()
    }
  }

  func takeFailed(_ call: Int, _ failure: DeskFailure) { fail(call, failure) }
}
