import Runtime

/// A source of NMEA 0183 bytes: a position receiver on a serial port, or its simulated twin. Everything
/// happens on the loop's thread.
public protocol PositionSource: AnyObject {
  /// How the source is.
  var state: PositionSourceState { get }

  /// Begins to deliver to `sink`, which the source keeps until `stop`. Never fails: a source that cannot be
  /// opened says so through `lost`, and a source that can come back is tried again.
  func start(_ sink: any PositionSink)

  /// Closes the source. Nothing is delivered afterwards.
  func stop()
}

/// Where a position source delivers.
public protocol PositionSink: AnyObject {
  /// The source is open; the next byte may stand anywhere in a sentence.
  func positionSourceOpened()

  /// The source is closed, or could not be opened. Told once until it opens again or the reason changes.
  func positionSourceLost(_ reason: Errno)

  /// The next bytes. `monotonic` is when they were first known to be there, in milliseconds of
  /// `Clock.monotonic`; they may be read, and delivered, a little later.
  func positionSourceReceived(_ bytes: Span<UInt8>, at monotonic: Int64)
}

/// How a position source is.
public enum PositionSourceState: Equatable, Sendable {
  /// None is configured, or it is not started.
  case absent
  /// Open. Says nothing about whether there is a fix.
  case open
  /// Not there, for this reason.
  case lost(Errno)
}
