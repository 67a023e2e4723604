import Runtime

/// Which card, and how it is to be used.
public struct SoundOrder: Sendable {
  /// Its id ("Loopback"), its name ("USB PnP Sound Device") or a part of where it is plugged in ("usb-0000:01:00.0-1.2"); empty: the
  /// first one that can do it. A number would be another card's after the next start.
  public var card: SoundName
  /// The device on the card; nil: its first one that can do it.
  public var device: Int?
  /// Samples a second and channels; nil: what suits best.
  public var rate: UInt32?
  public var channels: Int?
  /// The form of sample; nil: what suits best.
  public var format: SampleFormat?
  /// Which control of the mixer; empty: the usual one.
  public var control: SoundName
  /// Where to set it; nil: it is left as it is.
  public var level: MixerLevel?

  /// The first card, as it suits best.
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

/// Where a control of a mixer is to be.
public enum MixerLevel: Equatable, Sendable {
  /// Of its range.
  case percent(Int)
  /// Hundredths.
  case decibels(Int)
}

/// What a card turned out to be.
public struct SoundFacts: Equatable, Sendable {
  /// The card's id, and its name for a person.
  public var card: SoundName
  public var name: SoundName
  public var device: Int
  public var format: SampleFormat
  public var rate: UInt32
  public var channels: Int
  /// Frames between looks, and frames that the card holds.
  public var period, buffer: Int
  /// The mixer's switch is off: nothing can be heard.
  public var isMuted = false
  /// Why the mixer could not be set; nil: it was, or nobody asked.
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

/// What came of a look at a card that captures.
public enum SoundRead: Equatable, Sendable {
  /// So many frames.
  case frames(Int)
  /// None now.
  case nothing
  /// Some were lost (an overrun); what follows is new.
  case gap
}

/// Told when a card has something to hear, or room for something to say.
public protocol SoundDeviceOwner: AnyObject {
  /// Look at it.
  func soundReady()
}

/// A card that captures: ALSA's, or its simulated twin.
public protocol SoundCapture: AnyObject {
  /// Looks whether the card of an order is there, and leaves it closed. Blocks, as `open` does.
  func look(_ order: SoundOrder) throws(SoundError)
  /// Opens the card and sets it. Blocks: on a worker, where nothing else of this object is called meanwhile. Nothing stays open when
  /// it throws.
  func open(_ order: SoundOrder) throws(SoundError) -> SoundFacts
  /// Begins to capture, and to tell the owner. On the loop's thread.
  func start(_ owner: any SoundDeviceOwner) throws(SoundError)
  /// Takes what is there, frames of all channels as `SoundFacts` says, as many as fit.
  func read(into bytes: UnsafeMutableRawBufferPointer) throws(SoundError) -> SoundRead
  /// Tells the owner no more. On the loop's thread; harmless when it was not started.
  func stop()
  /// Closes the card. Blocks, as `open` does; harmless when there is none.
  func close()
}

/// A card that plays: ALSA's, or its simulated twin.
public protocol SoundPlayback: AnyObject {
  /// As of `SoundCapture`.
  func open(_ order: SoundOrder) throws(SoundError) -> SoundFacts
  /// Tells the owner from now on when there is room. It begins to play with `begin`.
  func start(_ owner: any SoundDeviceOwner) throws(SoundError)
  /// Takes frames; how many, 0 when there is no room. After a gap (an underrun) it begins anew by itself.
  func write(_ bytes: UnsafeRawBufferPointer) throws(SoundError) -> Int
  /// Begins to play what was written. Harmless when it plays.
  func begin() throws(SoundError)
  /// Frames that were written and are not heard yet.
  func waiting() throws(SoundError) -> Int
  /// True: room is told; false: it is not, for there is nothing to say.
  func listen(_ isOn: Bool)
  func stop()
  func close()
  /// Times that it had nothing to play in the middle, since it was opened.
  var gaps: Int { get }
}

/// Gives samples another rate.
public protocol Resampler: AnyObject {
  /// From now on of these rates, in samples a second. False when they are out of the question.
  func set(from: UInt32, to: UInt32) -> Bool
  /// Makes samples of samples: how many were taken, and how many are there. With room left it takes all.
  func run(_ input: UnsafeBufferPointer<Float>, into output: UnsafeMutableBufferPointer<Float>) -> (
    taken: Int, given: Int
  )
  /// Forgets what it heard.
  func reset()
}

/// Takes noise out of blocks.
public protocol Denoiser: AnyObject {
  /// Cleans `Budget.soundBlock` samples in place.
  func clean(_ block: UnsafeMutableBufferPointer<Int16>)
}

extension SoundFacts {
  /// Names what it is: "Loopback, device 1: S24_3LE, 2 channels, 44100 Hz".
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
