import Runtime

/// A source of positions: a receiver on a serial port, a daemon that reads one, or a simulated twin. Everything happens
/// on the loop's thread.
public protocol PositionSource: AnyObject {
  /// How the source is.
  var state: PositionSourceState { get }

  /// What its bytes are.
  var language: PositionLanguage { get }

  /// The line to the receiver, where there is one that can be talked to.
  var line: (any ReceiverLine)? { get }

  /// Begins to deliver to `sink`, which the source keeps until `stop`. Never fails: a source that cannot be
  /// opened says so through `lost`, and a source that can come back is tried again.
  func start(_ sink: any PositionSink)

  /// A device was plugged in: a source that is lost is tried again at once.
  func retry()

  /// Closes the source. Nothing is delivered afterwards.
  func stop()
}

/// What the bytes of a source are.
public enum PositionLanguage: Sendable {
  /// NMEA 0183, UBX and RTCM, as they come.
  case receiver
  /// The JSON lines of gpsd.
  case gpsd
}

/// The serial line to a receiver.
public protocol ReceiverLine: AnyObject {
  /// Sends bytes. What the line does not take at once is dropped: who expects an answer asks again.
  func send(_ bytes: Span<UInt8>)

  /// Changes the speed, in bits a second, and drops what came at the old one.
  func setSpeed(_ baud: UInt32)
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
