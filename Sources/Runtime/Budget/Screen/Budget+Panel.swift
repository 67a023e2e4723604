/// Limits of the light, the button, panic and the self-test.
extension Budget {

  // MARK: Light

  /// Steps of a pattern: a long flash, five short ones, and the dark steps between them. 16 bytes each.
  public static let lightSteps = 16
  /// Least milliseconds for which a short event (a photo, a command) is shown, so that it is visible, and so that a
  /// thousand commands a second do not become a thousand writes to the light.
  public static let lightDwell: Int64 = 250
  /// First and longest pause in milliseconds before a light or a button that failed is tried again; it doubles in
  /// between.
  public static let panelRetry: ClosedRange<Int64> = 1_000...60_000

  /// Bytes read of an LED's list of triggers, to find the one in use. Boards have 0.3 to 1 KiB.
  public static let ledTriggersBytes = 4096
  /// Colors of one LED of the kernel (multi_index): red, green, blue, and some with white, amber, ultraviolet.
  public static let ledColors = 8
  /// Bytes of a pattern for the kernel (ledtrig-pattern): two pairs of numbers a step.
  public static let ledPatternBytes = lightSteps * 2 * 24
  /// Tries, 5 ms apart, to open the files that appear with a trigger, until udev has given them to Talon's group: 50
  /// ms.
  public static let ledTriggerTries = 10

  // MARK: Button

  /// Debounce time in milliseconds. Contacts bounce for 1 to 10 ms; presses are longer than this.
  public static let buttonDebounce: Int64 = 30
  /// Milliseconds for which the button is held for panic, and for the offer of a factory reset.
  public static let buttonPanic: Int64 = 3_000, buttonReset: Int64 = 10_000
  /// Milliseconds after which a press is no short one any more: it says no to a question. A person who means a short
  /// press has released the button after half of that.
  public static let buttonHeld: Int64 = 1_000
  /// Milliseconds after which that offer expires.
  public static let buttonOffer: Int64 = 30_000
  /// Least milliseconds between the press that made the offer and the press that confirms it: sooner is a worn contact,
  /// not a decision.
  public static let buttonConfirmPause: Int64 = 1_000
  /// Milliseconds after which a button that is still down is reported as stuck.
  public static let buttonStuck: Int64 = 60_000
  /// Edges taken from the kernel in one turn of the loop; it keeps 16.
  public static let buttonEdgesPerTurn = 64
  /// Edges in a second above which a line is not connected (it picks up noise) and is ignored for a while. A worn
  /// contact makes 20 at a press.
  public static let buttonEdgesPerSecond = 200

  // MARK: Panic and self-test

  /// Bytes of the panic record on flash.
  public static let holdRecordBytes = 1
  /// Checks of a self-test.
  public static let selfTestChecks = 8
}
