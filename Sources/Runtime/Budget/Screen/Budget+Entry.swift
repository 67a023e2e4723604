/// Limits of fields, the screen's keyboard and other input widgets.
extension Budget {
  // MARK: Fields

  /// Bytes that a person can enter into one field: two pages of text.
  public static let fieldBytes = 4096
  /// Edited fields and filters without a data binding. The least recently used goes back to its component's value.
  public static let fieldTexts = 16
  /// Buttons that show how far their press is.
  public static let busyWidgets = 8

  // MARK: Times in milliseconds

  /// Half the period of the blinking caret. After the second time without a key it stops blinking, so that an idle
  /// board does not draw.
  public static let caretMilliseconds: Int64 = 530
  public static let caretRestMilliseconds: Int64 = 15_000
  /// How long the last character of a secret is readable (canvas reference 3.2).
  public static let secretMilliseconds: Int64 = 800
  /// Until a key that is held on the screen repeats, and then between repeats.
  public static let keyDelayMilliseconds: Int64 = 400
  public static let keyRepeatMilliseconds: Int64 = 60
  /// Two taps of the shift key within this time are Caps Lock.
  public static let doubleTapMilliseconds: Int64 = 350
  /// How long a choice shakes when no more options can be chosen (canvas reference 3.2: short).
  public static let shakeMilliseconds: Int64 = 320
  /// Between two places of the spinner on a button whose press waits: a twelfth of a turn.
  public static let spinnerMilliseconds: Int64 = 80
  /// Between two frames of a movement, and how long movements are: short enough that nobody waits for them.
  public static let motionFrameMilliseconds: Int64 = 16
  public static let fadeMilliseconds: Int64 = 160
  public static let slideMilliseconds: Int64 = 200
  public static let rippleMilliseconds: Int64 = 220
  /// Readings of the light one after the other that make it night or day, and the time between two.
  public static let nightReadings = 3
  public static let nightReadingMilliseconds: Int64 = 10_000
  /// The technical side of home is shown after a touch.
  public static let homeDetailsMilliseconds: Int64 = 20_000
  /// The mouse pointer is hidden after this time without a move.
  public static let cursorMilliseconds: Int64 = 15_000

  // MARK: Regular expressions

  /// Instructions of one expression, 12 bytes each, and ranges of characters in its classes, 8 bytes each; a longer
  /// expression counts as matched. What forms check (addresses, numbers, passwords) has at most 100.
  public static let patternInstructions = 512
  public static let patternRanges = 256
  /// Nesting of groups.
  public static let patternDepth = 16
  /// Instructions times bytes of the text, one bit each; beyond it the text counts as matched.
  public static let patternStates = 512 * 1024
  /// Depth of the backtracking stack, 8 bytes an entry, and steps of one match, some 5 ns each.
  public static let patternStack = 16 * 1024
  public static let patternSteps = 1_000_000
}
