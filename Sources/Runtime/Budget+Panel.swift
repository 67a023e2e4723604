/// What bounds the light, the button and what they stand for.
extension Budget {

  // MARK: Light

  /// Steps of a pattern: a long flash, five short ones, and what is dark between them. 16 bytes each.
  public static let lightSteps = 16
  /// Milliseconds for which what passes quickly (a photo, a command) is shown at least, so that it can be seen, and so that a
  /// thousand commands a second are no thousand writes to the light.
  public static let lightDwell: Int64 = 250
  /// Milliseconds before a light or a button that failed is tried again: the first time, and at most, for it doubles.
  public static let panelRetry: ClosedRange<Int64> = 1_000...60_000

  /// Bytes of the list of triggers of an LED that are looked at for the one in use. Boards have 0.3 to 1 KiB.
  public static let ledTriggersBytes = 4096
  /// Colours of one LED of the kernel (multi_index): red, green, blue, and some with white, amber, ultraviolet.
  public static let ledColors = 8
  /// Bytes of a pattern for the kernel: two pairs of numbers a step.
  public static let ledPatternBytes = lightSteps * 2 * 24
  /// How often the files that come with a trigger are looked at, 5 ms apart, until udev has given them to our group: 50 ms.
  public static let ledTriggerLooks = 10

  // MARK: Button

  /// Milliseconds for which a contact has to be still before it counts. Contacts bounce for 1 to 10 ms; nobody presses for less.
  public static let buttonDebounce: Int64 = 30
  /// Milliseconds for which the button is held for panic, and for the offer of a factory reset.
  public static let buttonPanic: Int64 = 3_000, buttonReset: Int64 = 10_000
  /// Milliseconds for which that offer stands.
  public static let buttonOffer: Int64 = 30_000
  /// Milliseconds between the end of the press that brought the offer and a press that confirms it: what comes sooner is a worn
  /// contact, not a person who has thought.
  public static let buttonConfirmPause: Int64 = 1_000
  /// Milliseconds after which a button that is still down is stuck.
  public static let buttonStuck: Int64 = 60_000
  /// Edges taken from the kernel in one turn of the loop; it keeps 16.
  public static let buttonEdgesPerTurn = 64
  /// Edges in a second, from which on a line is no button but an aerial, and is left alone for a while. A worn contact makes
  /// 20 at a press.
  public static let buttonEdgesPerSecond = 200

  // MARK: What they stand for

  /// The record of the panic button on flash: one byte.
  public static let holdRecordBytes = 1
  /// Things that a self-test tries.
  public static let selfTestChecks = 8
}
