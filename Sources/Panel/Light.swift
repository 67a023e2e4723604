import Runtime

/// Which elements of a light are lit. A light of one color is lit when any of them is.
public struct LightColor: Equatable, Sendable {
  public var red: Bool
  public var green: Bool
  public var blue: Bool

  /// A color; see the properties.
  public init(red: Bool = false, green: Bool = false, blue: Bool = false) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  public static let dark = LightColor()
}

/// A status light: LEDs of the kernel, or GPIO lines.
public protocol Light: AnyObject {
  /// Opens the device. Throws the kernel's reason; it may be tried again.
  func open() throws(Errno)
  /// Switches it off and closes it.
  func close()
  /// Lights exactly these elements, steadily, and ends a pattern of `play`.
  func show(_ color: LightColor) throws(Errno)
  /// Lets the kernel repeat a pattern. False when it cannot: then `show` is called for each step.
  func play(_ pattern: LightPattern) throws(Errno) -> Bool
}

/// Gets a button's edges. They may bounce and may be delivered late and several at once, so their timestamps count.
public protocol ButtonDelegate: AnyObject {
  /// The button was pressed or released at a monotonic instant in milliseconds, by the kernel's timestamp.
  func buttonChanged(isPressed: Bool, at instant: Int64)
  /// Edges were lost. Only the level at a monotonic instant in milliseconds is known.
  func buttonMissed(isPressed: Bool, at instant: Int64)
  /// The button failed. It is stopped, and may be started again.
  func buttonFailed(_ reason: Errno)
}

/// A push button on a GPIO line.
public protocol Button: AnyObject {
  /// Opens the line and starts reporting. Before it returns it reports the initial level as a change at the current
  /// time. Throws the kernel's reason; it may be tried again.
  func start(_ delegate: any ButtonDelegate) throws(Errno)
  /// Delivers the edges that are still in the kernel's queue, so that a button that was released long ago does not seem
  /// pressed.
  func catchUp()
  /// Closes the line.
  func stop()
}
