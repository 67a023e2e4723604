import Runtime

/// A quarter turn of the picture, clockwise, between what a person sees and how the panel is scanned out.
public enum Rotation: Int, Sendable {
  case none = 0
  case quarter = 90
  case half = 180
  case threeQuarters = 270
}

/// What a display is like while it is open.
public struct DisplayMode: Sendable {
  /// As a person sees it, after the rotation.
  public var size: Size
  public var rotation: Rotation
  /// Bits of one pixel in the memory that is scanned out; 0 when nothing is.
  public var bitsPerPixel: Int
  /// The visible area in millimetres, as a person sees it; nil when the display does not say.
  public var millimeters: Size?
  /// "drm", "fbdev" or "virtual", and the device.
  public var driver: StaticString
  public var path: InlineText<64>

  /// A mode; see the properties.
  public init(
    size: Size, rotation: Rotation, bitsPerPixel: Int, millimeters: Size?, driver: StaticString, path: InlineText<64>
  ) {
    self.size = size
    self.rotation = rotation
    self.bitsPerPixel = bitsPerPixel
    self.millimeters = millimeters
    self.driver = driver
    self.path = path
  }
}

/// Why a display cannot be used, for a person.
public struct DisplayFault: Error {
  public let errno: Errno
  /// What was tried, such as "set the mode 800x480".
  public let what: StaticString

  /// A fault; see the properties.
  public init(_ what: StaticString, _ errno: Errno) {
    self.what = what
    self.errno = errno
  }
}

/// Told of a display, on the loop's thread.
public protocol DisplayDelegate: AnyObject {
  /// The frame that was shown is on the panel; the next one may come.
  func displayIsReady()
  /// Another display, another mode, or none any more: it wants to be closed, and opened again when there is one.
  func displayChanged()
  /// The picture was lost (another program had the screen, or it was dark): all of it has to be shown again.
  func displayWantsAll()
  /// Another program gets the screen, or gives it back. What is shown meanwhile is shown to nobody.
  func displayIsAway(_ isAway: Bool)
}

/// Where the canvas is seen. Everything is called on the loop's thread but `show`.
public protocol Display: AnyObject {
  /// Takes the display and tells its mode. A text console is switched away.
  func open(_ delegate: any DisplayDelegate) throws(DisplayFault) -> DisplayMode
  /// Gives it back as it was found, console and all.
  func close()
  /// Copies what changed to the panel, converted and turned; `pixels` have the mode's size. May take as long as the copy of a
  /// whole frame: called on a worker. The delegate hears, on the loop's thread, when the panel has it.
  func show(_ pixels: PixelBuffer, _ damage: Damage) throws(DisplayFault)
  /// Dark and saving power, or lit again. What is shown while it is dark is lost: when it is lit, the delegate hears that all
  /// has to be shown again.
  func setBlank(_ isBlank: Bool) throws(DisplayFault)
  /// The backlight in percent; false when there is none that can be set.
  func setBrightness(_ percent: Int) throws(DisplayFault) -> Bool
}
