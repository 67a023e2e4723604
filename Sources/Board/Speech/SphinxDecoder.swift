import CPocketSphinx
import Runtime

/// pocketsphinx 5prealpha with a model loaded, on the calling thread. A damaged model may end the process (see
/// CPocketSphinx.h): the agent runs it in a separate process (`SphinxRecognizer`).
public final class SphinxDecoder {
  private let decoder: OpaquePointer

  /// Loads a model: half a second on a computer, some seconds on a small board, and 100 MB for the English one.
  @export(interface)
  public init(_ model: SphinxModel) throws(SphinxModelError) {
    let opened = model.acoustic.withCString { acoustic in
      model.language.withCString { language in
        model.dictionary.withCString { dictionary in tl_sphinx_open(acoustic, language, dictionary) }
      }
    }
    guard let opened else { throw SphinxModelError(text: "\(model.acoustic): pocketsphinx does not take this model") }
    decoder = opened
  }

  deinit { tl_sphinx_close(decoder) }

  /// The text of an utterance of 16 kHz, and its confidence (the expected share of right words); nil: the decoder
  /// failed.
  public func decode(_ samples: UnsafeBufferPointer<Int16>) -> (text: String, confidence: Float)? {
    var confidence: Float = 0
    guard let text = tl_sphinx_decode(decoder, samples.baseAddress, Int32(samples.count), &confidence) else {
      return nil
    }
    return (String(cString: text), confidence)
  }
}
