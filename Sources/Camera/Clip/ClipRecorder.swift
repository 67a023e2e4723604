/// Makes clips: of plain pictures through an encoder, or of a camera's own H.264. One clip at a time.
public final class ClipRecorder {
  /// Whether more is wanted.
  public enum Progress: Equatable, Sendable {
    case more
    /// As long as was asked, or full.
    case done
  }

  /// Units of the camera that were left out, for they were damaged or needed one that was.
  public private(set) var damaged = 0
  /// True when the picture that was taken last was left out, for the clip is ahead of the bytes that it may have by now.
  public private(set) var isAhead = false

  private let writer: ClipWriter
  private let encoder: any H264Encoder
  private var duration: Int64 = 0
  private var isComplete = false
  private var sound: SoundTrack?
  private var control = ClipRateControl(
    limit: 0, duration: 0, VideoFormat(width: 2, height: 2, picturesPerKilosecond: 1000, isFullRange: false))

  /// Sound may have one byte in so many.
  private static let soundShare = 4

  /// A recorder over these two, which nobody else uses meanwhile.
  public init(writer: ClipWriter, encoder: any H264Encoder) {
    self.writer = writer
    self.encoder = encoder
  }

  /// Begins a clip.
  /// - Parameters:
  ///   - duration: microseconds.
  ///   - limit: bytes of the whole file.
  ///   - encodes: true for `take(_:at:)` with pictures; false for a camera that encodes by itself.
  ///   - orientation: what turns the pictures of such a camera upright, which the player does.
  ///   - pixelsPerBit: see `ClipRateControl`.
  ///   - sound: what shall be heard; nil: nothing. A clip that may have few bytes keeps them for its pictures.
  public func begin(
    _ format: VideoFormat, duration: Int64, limit: Int, encodes: Bool, _ orientation: Orientation = Orientation(),
    pixelsPerBit: Int = ClipRateControl.goodPixelsPerBit, sound: SoundTrack? = nil
  ) throws(ClipError) {
    damaged = 0
    isComplete = false
    isAhead = false
    self.duration = duration
    let soundBytes = sound == nil ? 0 : SoundTrack.bytes(duration: duration)
    self.sound = soundBytes <= limit / Self.soundShare ? sound : nil
    self.sound?.begin(duration: duration)
    let kept = self.sound == nil ? 0 : soundBytes
    control = ClipRateControl(limit: limit - kept, duration: duration, format, pixelsPerBit: pixelsPerBit)
    let display = encodes ? ClipDisplay(isFullRange: format.isFullRange) : ClipDisplay(orientation: orientation)
    writer.begin(limit: limit, interval: format.interval, display, soundBytes: kept)
    if encodes { try encoder.start(format, most: control.most) }
  }

  /// Takes a picture of `time` microseconds.
  public func take(_ image: PlanarImage, at time: Int64) throws(ClipError) -> Progress {
    isAhead = false
    listen(at: time)
    switch control.next(at: time, spent: writer.bytes) {
    case .stop: return complete()
    case .leaveOut:
      isAhead = true
      return .more
    case .encode(let order):
      guard let picture = try encoder.encode(image, at: time, order) else { return .more }
      return try add(picture)
    }
  }

  /// Takes an access unit of the camera's own H.264. What is damaged is left out, with all that leans on it.
  public func take(unit: UnsafeBufferPointer<UInt8>, at time: Int64) throws(ClipError) -> Progress {
    if writer.pictures > 0, case .stop = control.next(at: time, spent: writer.bytes) { return complete() }
    do throws(ClipError) {
      if case .picture = try writer.add(unit, at: time) {
        if writer.pictures == 1 { _ = control.next(at: time, spent: writer.bytes) }
        listen(at: time)
      }
    } catch {
      switch error {
      case .emptyUnit: break
      case .missingKeyframe, .missingParameters, .brokenUnit, .brokenParameters, .severalPictures, .timeStoodStill:
        damaged += 1
        writer.interrupt()
      case .full, .tooManyPictures:
        guard writer.pictures > 0 else { throw error }
        return .done
      default: throw error
      }
    }
    return .more
  }

  /// Looks at an access unit that shall not be in the clip: some cameras send their parameter sets once.
  public func pass(unit: UnsafeBufferPointer<UInt8>) {
    // A damaged one teaches nothing.
    do throws(ClipError) { try writer.learn(unit) } catch {}
  }

  /// Ends the clip, and the encoder's work.
  public func finish() throws(ClipError) -> Clip {
    defer { encoder.stop() }
    var progress = Progress.more
    while progress == .more, let picture = try encoder.drain() { progress = try add(picture) }
    defer { sound?.release() }
    guard isComplete else { return try writer.finish(sound) }
    // Pictures behind the last one were left out: it stands for them, and the clip is as long as was asked.
    return try writer.finish(lasting: duration - writer.elapsed, sound)
  }

  /// Ends it without a clip.
  public func abandon() {
    encoder.stop()
    sound?.abandon()
    sound?.release()
    sound = nil
  }

  /// The first picture says when sound begins.
  private func listen(at time: Int64) {
    sound?.start(at: time)
    sound?.listen()
  }

  private func complete() -> Progress {
    isComplete = true
    return .done
  }

  private func add(_ picture: EncodedPicture) throws(ClipError) -> Progress {
    do throws(ClipError) {
      _ = try writer.add(picture.bytes, at: picture.time)
      return .more
    } catch {
      // A picture that is not in the clip may not be leant on: this is its end.
      guard error == .full || error == .tooManyPictures, writer.pictures > 0 else { throw error }
      return .done
    }
  }
}
