/// Makes clips from pictures with an encoder, or from a camera's own H.264. One clip at a time.
public final class ClipRecorder {
  /// Whether more is wanted.
  public enum Progress: Equatable, Sendable {
    case more
    /// It has its requested length, or is full.
    case done
  }

  /// Units of the camera that were skipped, because they or one that they depend on were damaged.
  public private(set) var damaged = 0
  /// True when the last picture was skipped by rate control.
  public private(set) var isAhead = false

  private let writer: ClipWriter
  private let encoder: any H264Encoder
  private var duration: Int64 = 0
  private var isComplete = false
  private var sound: SoundTrack?
  private var control = ClipRateControl(
    limit: 0, duration: 0, VideoFormat(width: 2, height: 2, picturesPerKilosecond: 1000, isFullRange: false))

  /// Sound may use one byte in this many.
  private static let soundShare = 4

  /// A recorder; writer and encoder must not be used elsewhere meanwhile.
  @export(interface)
  public init(writer: ClipWriter, encoder: any H264Encoder) {
    self.writer = writer
    self.encoder = encoder
  }

  /// Begins a clip.
  /// - Parameters:
  ///   - duration: microseconds.
  ///   - limit: bytes of the whole file.
  ///   - encodes: true for `take(_:at:)` with pictures; false for a camera that encodes by itself.
  ///   - orientation: makes the pictures of such a camera upright, applied by the player.
  ///   - pixelsPerBit: see `ClipRateControl`.
  ///   - sound: the sound; nil: none. A small clip has no sound.
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

  /// Takes a picture with a time in microseconds.
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

  /// Takes an access unit of the camera's own H.264. Damaged units are skipped, with all that depend on them.
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
      case .missingKeyframe, .missingParameters, .brokenUnit, .brokenParameters, .severalPictures,
        .timestampNotIncreasing:
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

  /// Takes parameter sets from an access unit before the clip: some cameras send them only once.
  public func pass(unit: UnsafeBufferPointer<UInt8>) {
    // A damaged one is ignored.
    do throws(ClipError) { try writer.learn(unit) } catch {}
  }

  /// Ends the clip, and the encoder's work.
  @export(interface)
  public func finish() throws(ClipError) -> Clip {
    defer { encoder.stop() }
    var progress = Progress.more
    while progress == .more, let picture = try encoder.drain() { progress = try add(picture) }
    defer { sound?.release() }
    guard isComplete else { return try writer.finish(sound) }
    // Pictures after the last one were skipped: it is extended to the requested length.
    return try writer.finish(lasting: duration - writer.elapsed, sound)
  }

  /// Ends it without a clip.
  public func abandon() {
    encoder.stop()
    sound?.abandon()
    sound?.release()
    sound = nil
  }

  /// Sound begins with the first picture.
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
      // Later pictures may depend on one that is not in the clip, so the clip ends here.
      guard error == .full || error == .tooManyPictures, writer.pictures > 0 else { throw error }
      return .done
    }
  }
}
