import Camera
import Canvas
import Graphics
import Runtime

/// Makes a recording of the screen on a worker, in short steps, so that painting and other jobs run between them:
/// `begin`, then submit steps. Made once at start.
final class RecordJob: Job {
  enum Step {
    /// Converts the pixels to the encoder's picture.
    case convert
    /// Encodes that picture, or the previous one again.
    case encode
    /// Completes the file.
    case finish
    /// Ends without a file.
    case abandon
  }

  enum Outcome {
    case more
    /// The file is full.
    case done
    /// The file; its bytes are valid until `release`.
    case file(UnsafeBufferPointer<UInt8>, hasSound: Bool)
    case failed(RecordError)
  }

  private let recorder: ClipRecorder
  private let store: any ClipStore
  private let memory: ReservedBuffer
  /// Two rows of the picture for its conversion.
  private let rows: UnsafeMutablePointer<UInt32>
  private let ended: () -> Void

  private var format = VideoFormat(width: 2, height: 2, picturesPerKilosecond: 1000, isFullRange: true)
  private var duration: Int64 = 0
  private var limit = 0
  private var sound: SoundTrack?
  private var hasBegun = false
  private var isDone = false
  private var image: PlanarImage?
  private var pixels: PixelBuffer?
  private var scaler: BufferScaler?
  private var time: Int64 = 0

  /// The current step, or the last one.
  private(set) var step = Step.abandon
  private(set) var outcome = Outcome.more
  /// The last picture was skipped, because the file would exceed its bit rate.
  var isAhead: Bool { recorder.isAhead }

  init(encoder: any H264Encoder, store: any ClipStore, ended: @escaping () -> Void) throws(Errno) {
    self.store = store
    self.ended = ended
    recorder = ClipRecorder(writer: try ClipWriter(sink: store), encoder: encoder)
    memory = try ReservedBuffer(capacity: Budget.recordPictureBytes)
    rows = .allocate(capacity: 2 * Budget.clipLongEdge)
  }

  deinit { rows.deallocate() }

  // MARK: Before a step; not while pending

  /// Begins a recording of a screen of this size. `limit`: bytes of the whole file. `sound`: the source of its sound,
  /// only for this job until it ends; nil without sound.
  func begin(_ size: Size, _ parameters: RecordParameters, limit: Int, sound: SoundTrack? = nil) {
    format = VideoFormat(
      ofScreen: Int(size.width), Int(size.height), picturesPerKilosecond: Int(parameters.rate) * 1000)
    duration = parameters.duration * 1000
    self.limit = limit
    self.sound = sound
    (hasBegun, isDone, image) = (false, false, nil)
  }

  /// Sets the time of the first picture, in milliseconds of `Clock.monotonic`.
  func start(at instant: Int64) { sound?.epoch = instant * 1000 }

  func convert(_ pixels: PixelBuffer) {
    self.pixels = pixels
    step = .convert
  }

  /// `time`: microseconds since the first picture, greater than those of the picture before.
  func encode(at time: Int64) {
    self.time = time
    step = .encode
  }

  func finishFile() { step = .finish }

  func abandon() { step = .abandon }

  /// The file is not needed any more.
  func release() {
    outcome = .more
    (image, pixels, scaler) = (nil, nil, nil)
    memory.release()
    store.release()
  }

  /// The first `count` bytes of the file were sent.
  func wasSent(upTo count: Int) { store.wasRead(upTo: count) }

  // MARK: On a worker

  override func run() {
    outcome = .more
    do throws(RecordError) {
      switch step {
      case .convert: convert()
      case .encode: try encode()
      case .finish: outcome = try makeFile()
      case .abandon: recorder.abandon()
      }
    } catch {
      outcome = .failed(error)
    }
  }

  override func finish() { ended() }

  private func convert() {
    guard let pixels else { return }
    if image == nil {
      image = PlanarImage(in: memory.bytes, width: format.width, height: format.height, chroma: .quarter)
      scaler = BufferScaler(pixels, Size(Int32(format.width), Int32(format.height)))
    }
    guard let image, let scaler else { return }
    let lower = rows + format.width
    var y = 0
    while y < format.height {
      scaler.row(Int32(y), into: rows)
      scaler.row(Int32(y + 1), into: lower)
      image.take(rows, lower, at: y)
      y += 2
    }
  }

  private func encode() throws(RecordError) {
    guard let image else { throw .nothing }
    do throws(ClipError) {
      if !hasBegun {
        try recorder.begin(
          format, duration: duration, limit: limit, encodes: true, pixelsPerBit: Budget.recordPixelsPerBit,
          sound: sound)
        hasBegun = true
      }
      isDone = try recorder.take(image, at: time) == .done
    } catch {
      throw RecordError(error)
    }
    if isDone { outcome = .done }
  }

  private func makeFile() throws(RecordError) -> Outcome {
    guard hasBegun, let image else { throw .nothing }
    let clip: Clip
    do throws(ClipError) {
      // The last picture lasts until the end.
      if !isDone { _ = try recorder.take(image, at: duration) }
      clip = try recorder.finish()
    } catch {
      throw RecordError(error)
    }
    do throws(Errno) {
      return .file(try store.bytes(of: clip), hasSound: clip.hasSound)
    } catch {
      throw .noRoom(error)
    }
  }
}
