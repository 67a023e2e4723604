/// Lends the one encoder of clips, its memory and the microphone to a recording of the screen.
public protocol ClipEncoderLender: AnyObject {
  /// Bytes of a whole clip or recording: what is in the budget and fits a message of the gateway.
  var clipLimit: Int { get }
  /// What is heard meanwhile; nil: nothing.
  var clipSound: (any ClipSoundSource)? { get }
  /// Lends the encoder until `takeBackEncoder`; false while a clip is made or sent.
  func lendEncoder() -> Bool
  func takeBackEncoder()
}
