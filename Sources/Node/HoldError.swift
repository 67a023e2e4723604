import Codec
import Runtime

/// Why commands end while a person holds the board (panic).
public enum HoldError: WireError {
  case held

  /// The reason with which connections end, and the sentence that is shown as their state.
  public static var reason: StaticString { "a person holds this board (panic)" }
  public static var sentence: StaticString {
    "held by a person (panic): hold the button for 3 s, or run talon panic release"
  }

  public var wire: (code: StaticString, text: StaticString) { ("UNAVAILABLE", Self.reason) }
}
