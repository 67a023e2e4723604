import Runtime

/// A source of positions: a receiver on a serial port, gpsd, or a simulated receiver. All calls are on the loop's
/// thread.
public protocol PositionSource: AnyObject {
  /// The source's state.
  var state: PositionSourceState { get }

  /// The format of its bytes.
  var language: PositionLanguage { get }

  /// The line to the receiver, if commands can be sent.
  var line: (any ReceiverLine)? { get }

  /// Starts delivering to `sink`, which the source retains until `stop`. Never fails: a source that cannot be opened
  /// calls `positionSourceLost`, and is tried again if that can help.
  func start(_ sink: any PositionSourceDelegate)

  /// A device was plugged in: tries a lost source again at once.
  func retry()

  /// Closes the source. Nothing is delivered afterwards.
  func stop()
}

/// The format of a source's bytes.
public enum PositionLanguage: Sendable {
  /// NMEA 0183, UBX and RTCM, as they come.
  case receiver
  /// The JSON lines of gpsd.
  case gpsd
}

/// The serial line to a receiver.
public protocol ReceiverLine: AnyObject {
  /// Sends bytes. What the line does not take at once is dropped; the caller repeats commands without an answer.
  func send(_ bytes: Span<UInt8>)

  /// Changes the baud rate, and drops bytes received at the old one.
  func setSpeed(_ baud: UInt32)
}

/// Gets the bytes and the state of a position source.
public protocol PositionSourceDelegate: AnyObject {
  /// The source is open; the next byte may be anywhere in a sentence.
  func positionSourceOpened()

  /// The source was lost, or could not be opened. Called once until it opens again or the reason changes.
  func positionSourceLost(_ reason: Errno)

  /// The next bytes. `monotonic` is when they became readable, in milliseconds of `Clock.monotonic`; they may be
  /// delivered a little later.
  func positionSourceReceived(_ bytes: Span<UInt8>, at monotonic: Int64)
}

/// The state of a position source.
public enum PositionSourceState: Equatable, Sendable {
  /// None is configured, or it is not started.
  case absent
  /// Open, with or without a fix.
  case open
  /// Lost, for this reason.
  case lost(Errno)
}
