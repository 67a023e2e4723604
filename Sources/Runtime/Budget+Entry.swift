/// What is bounded about entering things on the screen.
extension Budget {
  // MARK: Fields

  /// Bytes that a person can enter into one field: two pages of text.
  public static let fieldBytes = 4096
  /// Fields and filters that are bound to nothing and have been entered into. The one that was not touched for longest
  /// goes back to what its component says.
  public static let fieldTexts = 16
  /// Buttons whose action is on its way: as many as answers may wait for the gateway.
  public static let busyWidgets = 8

  // MARK: Times in milliseconds

  /// How long the caret is there, and how long it is not; after so long without a key it stays, so that an idle board
  /// rests.
  public static let caretMilliseconds: Int64 = 530
  public static let caretRestMilliseconds: Int64 = 15_000
  /// How long the last character of a secret can be read (canvas reference 3.2).
  public static let secretMilliseconds: Int64 = 800
  /// Until a key that is held on the screen repeats, and then between repeats.
  public static let keyDelayMilliseconds: Int64 = 400
  public static let keyRepeatMilliseconds: Int64 = 60
  /// Two taps of the shift key within this are Caps Lock.
  public static let doubleTapMilliseconds: Int64 = 350
  /// How long a choice shakes that takes no more (canvas reference 3.2: short).
  public static let shakeMilliseconds: Int64 = 320
  /// After so long without a move the mouse's arrow is not shown any more.
  public static let cursorMilliseconds: Int64 = 15_000

  // MARK: Regular expressions

  /// Instructions of one expression, 12 bytes each, and ranges of characters in its classes, 8 bytes each; a longer one
  /// counts as fulfilled. What forms check (addresses, numbers, passwords) has at most 100.
  public static let patternInstructions = 512
  public static let patternRanges = 256
  /// Groups in each other.
  public static let patternDepth = 16
  /// Instructions times bytes of the text, one bit each; what has more counts as fulfilled.
  public static let patternStates = 512 * 1024
  /// Alternatives that wait to be tried, 8 bytes each, and steps of one match, some 5 ns each.
  public static let patternStack = 16 * 1024
  public static let patternSteps = 1_000_000
}
