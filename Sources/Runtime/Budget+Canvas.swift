/// What is bounded about the canvas (limits of documents: canvas reference 1.14).
extension Budget {
  /// Commands of one frame. A full screen of 30 components has some 200.
  public static let drawCommands = 8192
  /// Bytes of text in one frame: a screen of 1920x1080 full of the smallest type has 20 KiB.
  public static let drawTextBytes = 128 * 1024
  /// Rectangles of damage; more become fewer and larger. `Damage` holds 8.
  public static let damageRects = 8
  /// Fingers that are told apart.
  public static let touchPoints = 10
  /// Decoded pictures, and their bytes together: one of the screen and icons, or a dozen of a gallery.
  public static let pictures = 64
  public static let pictureBytes = 32 * 1024 * 1024

  // MARK: Text

  /// One text while it is broken into lines: its bytes (as long as a string of a document), words and lines.
  public static let flowBytes = 64 * 1024
  public static let flowWords = 16 * 1024
  public static let flowLines = 4096
}

// MARK: Layout
extension Budget {
  /// Widgets that are scrolled, opened or focused; the one that was not touched for longest begins anew.
  public static let widgetStates = 256
  /// Children of all rows and columns that stand in each other, while they are arranged: a list of all instances, in a few
  /// others.
  public static let flexItems = a2uiInstances + 1024
}

// MARK: Frames and pictures of the screen
extension Budget {
  /// Milliseconds after which a display that could not be opened is tried again (canvas reference 4.1).
  public static let displayRetryMilliseconds: Int64 = 5_000
  /// Bytes of one encoded picture of the screen (canvas reference 2.4). Reserved, and given back after each.
  public static let snapshotBytes = 8 * 1024 * 1024
  /// Pictures of the screen at once: one is made, the others wait.
  public static let snapshotInvokes = 2
  /// Pushes whose frame is not on the screen yet, and bytes of the answer of each: the ids of 64 surfaces and 16 warnings.
  public static let pushInvokes = 4
  public static let pushAnswerBytes = 32 * 1024
}

// MARK: Touches
extension Budget {
  /// Milliseconds in which a button tells its action once (canvas reference 1.14).
  public static let a2uiPressMilliseconds: Int64 = 200
  /// Milliseconds between frames of content that moves by itself: at most 30 a second (canvas reference 3.2).
  public static let scrollFrameMilliseconds: Int64 = 34
}
