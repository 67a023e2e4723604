/// Shows people at the board that it is time for something that they wanted to be reminded of, by what the board has:
/// its screen, its light.
public protocol ReminderNotifier: AnyObject {
  /// Shows a text in UTF-8, which is valid until this returns. It is not written to the log.
  func remind(_ text: UnsafeBufferPointer<UInt8>)
}
