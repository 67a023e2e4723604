/// Limits of the canvas (limits of documents: canvas reference 1.14).
extension Budget {
  /// Commands of one frame. A full screen of 30 components has some 200.
  public static let drawCommands = 8192
  /// Bytes of text in one frame: a screen of 1920x1080 full of the smallest type has 20 KiB.
  public static let drawTextBytes = 128 * 1024
  /// Rectangles of damage; more become fewer and larger. `Damage` holds 8.
  public static let damageRects = 8
  /// Touch points that are tracked separately.
  public static let touchPoints = 10
  /// Decoded pictures, and their bytes together: one of the screen and icons, or a dozen of a gallery.
  public static let pictures = 64
  public static let pictureBytes = 32 * 1024 * 1024

  // MARK: Text

  /// One text while it is broken into lines: its bytes (as long as a string of a document), words and lines.
  public static let flowBytes = 64 * 1024
  public static let flowWords = 16 * 1024
  public static let flowLines = 4096
  /// A text of at least this many bytes gets one of four flow buffers for itself, so that its layout is kept.
  public static let longTextBytes = 2048
  /// Work of page layout in one turn of the loop, in bytes of text that are measured: some 10 ms on a core of 512 MHz,
  /// during which the loop does nothing else.
  public static let arrangedBytes = 8 * 1024
  /// What a component, a text or a line counts as, in the same unit.
  public static let arrangedStep = 32
  /// Turns after which a page is shown as far as it is arranged, with a warning. The largest store takes half as many,
  /// unless it has more texts and widths than `measuredTexts`.
  public static let arrangedTurns = 4096
  /// Work of page layout, in the same unit, that is done at once after something that a person did: most of it is
  /// remembered.
  public static let arrangedAtOnce = 512 * arrangedBytes
  /// Texts whose widths, or whose height at a width, are remembered; of two in the same place the newer one. 24 bytes
  /// each.
  public static let measuredTexts = 8192
  /// Input events that are queued while a page is laid out.
  public static let waitingInputs = 64
  /// Bytes of the text of a tab or an option: wider than any screen in its own type.
  public static let labelBytes = 1024
  /// Options that can be chosen in a choice without a data binding: one bit each of a word in its state.
  public static let unboundOptions = 64
}

// MARK: Layout
extension Budget {
  /// Widgets whose scroll offset, open state or focus is kept; the least recently used is reset.
  public static let widgetStates = 256
  /// Children of all nested rows and columns during layout: a list of all instances, inside a few others.
  public static let flexItems = a2uiInstances + 1024
  /// Rounds in which the children of one row or column get their lengths; pages need two or three.
  public static let flexRounds = 32
}

// MARK: Frames and pictures of the screen
extension Budget {
  /// Milliseconds after which a display that could not be opened is tried again (canvas reference 4.1).
  public static let displayRetryMilliseconds: Int64 = 5_000
  /// Bytes of one encoded picture of the screen (canvas reference 2.4). Reserved, and given back after each.
  public static let snapshotBytes = 8 * 1024 * 1024
  /// Pictures of the screen at once: one is made, the others wait.
  public static let snapshotInvokes = 2
  /// Milliseconds from one to the next: two a second (canvas reference 2.12).
  public static let snapshotMilliseconds: Int64 = 500
  /// With a screen, the largest inbound message and the largest parameters in it, in bytes: a push of `a2uiPushBytes`
  /// as lines in a string, whose quotation marks are escaped, and once more on the wire. Reserved, and given back after
  /// use.
  public static let canvasMessageBytes = 12 * 1024 * 1024
  public static let canvasParameterBytes = 6 * 1024 * 1024
  /// Bytes of a dump of a page: definitions and data as large as a store holds, and a line for each instance. Reserved.
  public static let dumpBytes = 16 * 1024 * 1024
  /// Pushes whose frame is not on the screen yet, and bytes of the answer of each: the ids of 64 surfaces, 16 warnings,
  /// and what the frame has no room for.
  public static let pushInvokes = 4
  public static let pushAnswerBytes = 32 * 1024
  /// Bytes of a push that the loop checks and applies at once, with no more work than it arranges in a turn. A worker
  /// does a longer one, of which it has a copy, as large as parameters can be. Reserved, and given back after each.
  public static let pushedAtOnce = arrangedBytes
}

// MARK: Touches
extension Budget {
  /// Milliseconds in which repeated presses of a button send its action once (canvas reference 1.14).
  public static let a2uiPressMilliseconds: Int64 = 200
  /// Milliseconds between frames of content that moves by itself: at most 30 a second (canvas reference 3.2).
  public static let scrollFrameMilliseconds: Int64 = 34
}

// MARK: Overlays
extension Budget {
  /// Milliseconds that a notification is shown on the screen; the colored border stays after it.
  public static let toastMilliseconds: Int64 = 10_000
  /// Modules of a side of a QR code: version 10, which holds 213 bytes with medium error correction.
  public static let qrModules = 57
  /// Presses that the gateway has not acknowledged; one more is refused. A person at a screen makes one at a time.
  public static let presses = 4
  /// Bytes of one press for the gateway: a line of 20,000, escaped.
  public static let pressBytes = 48 * 1024
  /// Milliseconds after which a press that the gateway has not acknowledged is dropped: the person is still looking at
  /// the screen.
  public static let pressAge: Int64 = 120_000
  /// Milliseconds between attempts.
  public static let pressRetry: Int64 = 5_000
}
