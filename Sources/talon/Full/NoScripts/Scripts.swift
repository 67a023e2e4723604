import Runtime
import ScreenPart

/// Scripts in a build without them: they do nothing. A build with scripts has another file with this name.
final class Scripts {
  init?(_ configuration: CanvasConfiguration, loop: Loop) throws(Errno) { return nil }
  func connect(_ screen: inout CanvasParts) throws(Errno) {}
  func stop() {}
  static func runConfined(_ name: String) -> Int32? { nil }
}
