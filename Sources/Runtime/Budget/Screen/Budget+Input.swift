/// Limits of touch panels, mice and keys.
extension Budget {
  /// Input devices that are read at once: a touch panel, a keyboard (up to three devices), a mouse, an encoder, the
  /// power key, and as many again. One more is ignored. Each is a descriptor of the loop.
  public static let inputDevices = 12
  /// Number of device nodes that are searched, up to /dev/input/event63: the kernel's static range.
  public static let inputNumbers = 64
  /// Events taken from one device before the loop gets its turn: four reports of ten fingers. 24 bytes each.
  public static let inputEventsPerTurn = 256
  /// Events of the kernel that one call reads. 24 bytes each.
  public static let inputEventsPerRead = 64
  /// Steps of an encoder or a wheel that one report may have; more is noise.
  public static let inputSteps: Int32 = 16
  /// Contacts of one report of a touch panel: ten fingers, and some ghost touches.
  public static let inputContacts = 16

  // MARK: Gestures

  /// Longest tap in milliseconds, and how far a finger may move meanwhile (in pixels, before the interface's scale).
  public static let tapMilliseconds: Int64 = 500
  public static let tapSlop: Int32 = 12
  /// Milliseconds after which a resting finger is a long press.
  public static let longPressMilliseconds: Int64 = 600
  /// Milliseconds after which three resting fingers are panic: as long as the button.
  public static let panicTouchMilliseconds: Int64 = 3_000
  /// Fingers of the panic gesture.
  public static let panicFingers = 3
  /// Taps of the other panic gesture, and milliseconds from the first finger that comes down to the last that is
  /// lifted. Three taps that are meant take 0.4 to 0.9 s.
  public static let panicTaps = 3
  public static let panicTapsMilliseconds: Int64 = 1_200
  /// Longest of these taps in milliseconds: a finger that rests longer means something else.
  public static let panicTapMilliseconds: Int64 = 300
  /// How far these taps may be from the first one, in pixels before the interface's scale: a fingertip.
  public static let panicTapReach: Int32 = 40
  /// Positions from which a finger's speed is computed, and their greatest age in milliseconds.
  public static let velocitySamples = 8
  public static let velocityMilliseconds: Int64 = 100
  /// Slowest and fastest fling, in pixels a second before the interface's scale.
  public static let flingMinimum: Float = 80
  public static let flingMaximum: Float = 6_000
}
