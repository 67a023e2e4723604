import Runtime

/// A quarter turn of the picture, clockwise, between what a person sees and how the panel is scanned out.
public enum Rotation: Int, Sendable {
  case none = 0
  case quarter = 90
  case half = 180
  case threeQuarters = 270
}

/// Properties of an open display.
public struct DisplayMode: Sendable {
  /// After rotation, after the rotation.
  public var size: Size
  public var rotation: Rotation
  /// Bits per pixel of the scanout memory; 0 for a virtual display.
  public var bitsPerPixel: Int
  /// The visible area in millimeters, after rotation; nil when the display does not say.
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

/// Why a display cannot be used.
public struct DisplayFault: Error {
  public let errno: Errno
  /// What was tried, such as "set the mode 800x480".
  public let what: StaticString
  /// What the kernel's reason means, and what to do.
  public var trouble: DeviceTrouble { DeviceTrouble(errno, of: .display) }

  /// A fault; see the properties.
  public init(_ what: StaticString, _ errno: Errno) {
    self.what = what
    self.errno = errno
  }
}

/// Gets events of a display, on the loop's thread.
public protocol DisplayDelegate: AnyObject {
  /// The next frame may be shown. `isVisible`: the last one is on the panel; false where it was dropped, because the
  /// display is blanked or another program has it.
  func displayIsReady(isVisible: Bool)
  /// The display or its mode has changed, or it is gone: close it, and open it again when there is one.
  func displayChanged()
  /// The picture was lost (another program had the screen, or it was blanked): show all of it again.
  func displayWantsAll()
  /// Another program got the screen, or gave it back. Frames in between are not visible.
  func displayIsAway(_ isAway: Bool)
}

/// The display of the canvas. Everything is called on the loop's thread, except `show`.
public protocol Display: AnyObject {
  /// Opens the display and returns its mode. Hides the text console.
  func open(_ delegate: any DisplayDelegate) throws(DisplayFault) -> DisplayMode
  /// Closes the display and restores the text console.
  func close()
  /// Copies the changed area to the panel, converted and rotated; `pixels` have the mode's size. May take as long as
  /// copying a whole frame: called on a worker. The delegate is called on the loop's thread when the frame is on the
  /// panel, or was dropped.
  func show(_ pixels: PixelBuffer, _ damage: Damage) throws(DisplayFault)
  /// Blanks the display to save power, or unblanks it. Frames shown while it is blanked are lost: after unblanking the
  /// delegate is asked to show everything again.
  func setBlank(_ isBlank: Bool) throws(DisplayFault)
  /// The backlight in percent; false when there is none that can be set.
  func setBrightness(_ percent: Int) throws(DisplayFault) -> Bool
}
