import Runtime

/// Which elements of a light are lit. A light of one colour is lit when any of them is.
public struct LightColor: Equatable, Sendable {
  public var red: Bool
  public var green: Bool
  public var blue: Bool

  /// A colour; see the properties.
  public init(red: Bool = false, green: Bool = false, blue: Bool = false) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  public static let dark = LightColor()
}

/// A status light: an LED of the kernel, or GPIO lines.
public protocol Light: AnyObject {
  /// Takes the device. Throws what the kernel says; it may be tried again.
  func open() throws(Errno)
  /// Leaves it dark and gives it back.
  func close()
  /// Lights exactly these elements, steadily, and ends what `play` began.
  func show(_ color: LightColor) throws(Errno)
  /// Lets the kernel repeat a pattern by itself. False when it cannot: then `show` is called for each step.
  func play(_ pattern: LightPattern) throws(Errno) -> Bool
}

/// Told of a button's edges. They may bounce, and come late and in bunches: who is told judges them by their stamps.
public protocol ButtonDelegate: AnyObject {
  /// The button went down or came up at a monotonic instant in milliseconds, by the kernel's own time stamp of the edge.
  func buttonChanged(isPressed: Bool, at instant: Int64)
  /// Edges were lost. All that is known is how the button is at a monotonic instant in milliseconds.
  func buttonMissed(isPressed: Bool, at instant: Int64)
  /// The button can no longer be read. It is stopped, and may be started again.
  func buttonFailed(_ reason: Errno)
}

/// A push button on a GPIO line.
public protocol Button: AnyObject {
  /// Takes the line and begins to report. Before it returns it tells whether the button is down already, as a change of now.
  /// Throws what the kernel says; it may be tried again.
  func start(_ delegate: any ButtonDelegate) throws(Errno)
  /// Reports what the kernel has kept and not told yet, so that nobody takes a button for pressed that was released long ago.
  func catchUp()
  /// Gives the line back.
  func stop()
}
