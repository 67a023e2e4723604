import Graphics
import Runtime

/// Input events in pixels of the canvas (after calibration and rotation).
public enum InputEvent: Equatable, Sendable {
  /// A finger, a pen or the mouse's left button, by its number 0..<`Budget.touchPoints`.
  case pointer(Pointer, id: Int, Point)
  /// The mouse moves while nothing is pressed.
  case hover(Point)
  /// A wheel or a touchpad: how far the content moves, in pixels, to the right and down. As with a finger that drags
  /// it: what is scrolled by an offset has a smaller one afterwards where this is positive.
  case wheel(Point, x: Int32, y: Int32)
  /// A key goes down, comes up, or repeats.
  case key(Key, isDown: Bool, isRepeat: Bool, Modifiers)
  /// A key or a keyboard layout gave a character.
  case character(Unicode.Scalar)

  public enum Pointer: UInt8, Sendable {
    case down, move, up
    /// Cancelled: it has no effect.
    case cancel
  }
}

/// Keys that are not characters.
public enum Key: UInt8, Sendable {
  case enter, escape, tab, backspace, delete, space
  case left, right, up, down, home, end, pageUp, pageDown
  /// A rotary encoder or a few GPIO keys: next or previous target, and activate.
  case next, previous, activate
  /// To the conversation with the agent, and back.
  case chat
}

/// Keys held together with another.
public struct Modifiers: OptionSet, Sendable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let shift = Modifiers(rawValue: 1)
  public static let control = Modifiers(rawValue: 2)
  public static let alt = Modifiers(rawValue: 4)
}

/// Gets input events, on the loop's thread.
public protocol InputDelegate: AnyObject {
  /// An event, with the kernel's timestamp in monotonic milliseconds.
  func input(_ event: InputEvent, at instant: Int64)
  /// Devices were added or removed.
  func inputsChanged(hasTouch: Bool, hasKeyboard: Bool, hasKeys: Bool)
}

/// All input devices of the board together, including devices that are plugged in later.
public protocol InputSource: AnyObject {
  /// Grabs the devices and begins to report. `size` and `rotation` are those of the display.
  func start(_ delegate: any InputDelegate, size: Size, rotation: Rotation)
  /// Releases the devices.
  func stop()
}
