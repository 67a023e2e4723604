/// What is bounded about touch panels, mice and keys.
extension Budget {
  /// Input devices that are read at once: a touch panel, a keyboard with its three halves, a mouse, an encoder, the power
  /// key, and as many to spare. One more is not read. Each is a descriptor of the loop.
  public static let inputDevices = 12
  /// Highest number of a device that is looked for, /dev/input/event63. The kernel has as many before it grows.
  public static let inputNumbers = 64
  /// Events taken from one device before the loop gets its turn: four reports of ten fingers. 24 bytes each.
  public static let inputEventsPerTurn = 256
  /// Events of the kernel that one call reads. 24 bytes each.
  public static let inputEventsPerRead = 64
  /// Steps of an encoder or a wheel that one report may have; more is noise.
  public static let inputSteps: Int32 = 16
  /// Contacts of one report of a touch panel; ten fingers, and some that the panel made up.
  public static let inputContacts = 16

  // MARK: Gestures

  /// Milliseconds from down to up within which it is a tap, and how far a finger may move meanwhile (in pixels, before the
  /// interface's scale).
  public static let tapMilliseconds: Int64 = 500
  public static let tapSlop: Int32 = 12
  /// Milliseconds for which a finger rests until that is a long press.
  public static let longPressMilliseconds: Int64 = 600
  /// Milliseconds for which three fingers rest until that is panic: as long as the button.
  public static let panicTouchMilliseconds: Int64 = 3_000
  /// Fingers of the panic gesture.
  public static let panicFingers = 3
  /// Places of a finger from which its speed is told, and the milliseconds that they may be old.
  public static let velocitySamples = 8
  public static let velocityMilliseconds: Int64 = 100
  /// Pixels a second (before scale) from which letting go is a fling, and at most of one.
  public static let flingLeast: Float = 80
  public static let flingMost: Float = 6_000
}
