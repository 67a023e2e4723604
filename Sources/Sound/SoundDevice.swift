import Runtime

/// The configuration of a card.
public struct SoundOrder: Sendable {
  /// Its id ("Loopback"), its name ("USB PnP Sound Device") or a part of its USB path ("usb-0000:01:00.0-1.2"); empty:
  /// the first suitable one. Not a number, because numbers change at the next start.
  public var card: SoundName
  /// The device on the card; nil: its first suitable one.
  public var device: Int?
  /// Samples a second and channels; nil: the most suitable.
  public var rate: UInt32?
  public var channels: Int?
  /// The sample format; nil: the most suitable.
  public var format: SampleFormat?
  /// The mixer control; empty: the usual one.
  public var control: SoundName
  /// The level to set; nil: it is left as it is.
  public var level: MixerLevel?

  /// The first card, with suitable settings.
  public init(
    card: SoundName = SoundName(), device: Int? = nil, rate: UInt32? = nil, channels: Int? = nil,
    format: SampleFormat? = nil,
    control: SoundName = SoundName(), level: MixerLevel? = nil
  ) {
    self.card = card
    self.device = device
    self.rate = rate
    self.channels = channels
    self.format = format
    self.control = control
    self.level = level
  }
}

/// The level of a mixer control.
public enum MixerLevel: Equatable, Sendable {
  /// Percent of its range.
  case percent(Int)
  /// Hundredths of a decibel.
  case decibels(Int)
}

/// Facts about an opened card.
public struct SoundFacts: Equatable, Sendable {
  /// The card's id, and its name for a person.
  public var card: SoundName
  public var name: SoundName
  public var device: Int
  public var format: SampleFormat
  public var rate: UInt32
  public var channels: Int
  /// Frames of a period, and of the card's buffer.
  public var period, buffer: Int
  /// The mixer's switch is off: muted.
  public var isMuted = false
  /// Why the mixer could not be set; nil: it was set, or not configured.
  public var mixerTrouble: SoundError?

  /// Facts; see the properties.
  public init(
    card: SoundName, name: SoundName, device: Int, format: SampleFormat, rate: UInt32, channels: Int,
    period: Int, buffer: Int
  ) {
    self.card = card
    self.name = name
    self.device = device
    self.format = format
    self.rate = rate
    self.channels = channels
    self.period = period
    self.buffer = buffer
  }

  /// Bytes of a sample of all channels.
  public var frameBytes: Int { channels * format.bytes }

  public static func == (left: SoundFacts, right: SoundFacts) -> Bool {
    left.card == right.card && left.device == right.device && left.format == right.format
      && left.rate == right.rate
      && left.channels == right.channels && left.isMuted == right.isMuted
  }
}

/// The result of reading from a card.
public enum SoundRead: Equatable, Sendable {
  /// This many frames.
  case frames(Int)
  /// None now.
  case nothing
  /// Some were lost (overrun).
  case gap
}

/// Gets the readiness of a card.
public protocol SoundDeviceDelegate: AnyObject {
  /// There is something to read, or room to write.
  func soundReady()
}

/// A capturing sound card: ALSA, or simulated.
public protocol SoundCapture: AnyObject {
  /// Checks whether a card is there, without opening it. Blocks, like `open`.
  func look(_ order: SoundOrder) throws(SoundError)
  /// Opens and configures the card. Blocks, so for a worker; no other method may be called meanwhile. Nothing stays
  /// open when it throws.
  func open(_ order: SoundOrder) throws(SoundError) -> SoundFacts
  /// Starts capturing, and calling the delegate. On the loop's thread.
  func start(_ delegate: any SoundDeviceDelegate) throws(SoundError)
  /// Reads available frames of all channels in the format of `SoundFacts`, as many as fit.
  func read(into bytes: UnsafeMutableRawBufferPointer) throws(SoundError) -> SoundRead
  /// Stops calling the delegate. On the loop's thread; does nothing when it was not started.
  func stop()
  /// Closes the card. Blocks, like `open`; does nothing when it is closed.
  func close()
}

/// A playing sound card: ALSA, or simulated.
public protocol SoundPlayback: AnyObject {
  /// As in `SoundCapture`.
  func open(_ order: SoundOrder) throws(SoundError) -> SoundFacts
  /// Starts calling the delegate when there is room. Playback starts with `begin`.
  func start(_ delegate: any SoundDeviceDelegate) throws(SoundError)
  /// Writes frames, and returns how many, 0 when there is no room. After an underrun it restarts by itself.
  func write(_ bytes: UnsafeRawBufferPointer) throws(SoundError) -> Int
  /// Starts playing what was written. Does nothing when it plays.
  func begin() throws(SoundError)
  /// Frames that were written and not played yet.
  func waiting() throws(SoundError) -> Int
  /// Whether to call the delegate when there is room.
  func listen(_ isOn: Bool)
  func stop()
  func close()
  /// Underruns since it was opened.
  var gaps: Int { get }
}

/// Converts the sample rate.
public protocol Resampler: AnyObject {
  /// Sets the rates, in samples a second. False when they are not supported.
  func set(from: UInt32, to: UInt32) -> Bool
  /// Converts samples, and returns how many were taken and how many were made. With enough room it takes all.
  func run(_ input: UnsafeBufferPointer<Float>, into output: UnsafeMutableBufferPointer<Float>) -> (
    taken: Int, given: Int
  )
  /// Clears its history.
  func reset()
}

/// Removes noise from blocks.
public protocol Denoiser: AnyObject {
  /// Cleans `Budget.soundBlock` samples in place.
  func clean(_ block: UnsafeMutableBufferPointer<Int16>)
}

extension SoundFacts {
  /// Writes a description: "Loopback, device 1: S24_3LE, 2 channels, 44100 Hz".
  public func write(to line: inout LogLine) {
    line.add(card.span)
    line.add(", device ")
    line.add(Int64(device))
    line.add(": ")
    format.write { line.add($0) }
    line.add(channels == 1 ? ", 1 channel, " : ", ")
    if channels != 1 {
      line.add(Int64(channels))
      line.add(" channels, ")
    }
    line.add(Int64(rate))
    line.add(" Hz")
  }
}
