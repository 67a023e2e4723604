import Simulated

enum LoopbackFrames {
  /// A server's text frame.
  static func text(_ text: String) -> [UInt8] { LoopbackGateway.frame(0x81, Array(text.utf8)) }
}
