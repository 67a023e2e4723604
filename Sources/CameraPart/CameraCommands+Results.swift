import Camera
import Codec
import Gateway
import Node
import Runtime

/// What becomes of the photos and clips that were made.
extension CameraCommands: CaptureDelegate, ClipDelegate, BlobDelegate {
  public func captured(_ job: CaptureJob) {
    scheduleClose()
    journal.count(job.faults, of: .photos)
    journal.learn(habit: job.habit)
    switch job.outcome {
    case .none: done()
    case .failed(let error): fail(error)
    case .photo(let photo):
      journal.learn(exposure: job.exposure)
      if current == .board { return write(photo) }
      if current == .chat { return lendToChat(photo) }
      keep(photo)
      send(photo.bytes) { writer in
        writer.key("format")
        writer.string(job.parameters.format.name)
        writer.key("width")
        writer.int(Int64(photo.width))
        writer.key("height")
        writer.int(Int64(photo.height))
        if let warning = job.exposure?.warning {
          writer.key("warning")
          writer.string(warning)
        }
      }
    }
  }

  public func recorded(_ job: ClipJob) {
    clipSound?.end()
    journal.count(job.faults, of: .clips)
    journal.learn(habit: job.habit)
    switch job.outcome {
    case .none: done()
    case .failed(let error): fail(error)
    case .clip(let bytes, let hasSound):
      send(bytes) { writer in
        writer.key("format")
        writer.string("mp4")
        writer.key("durationMs")
        writer.int(job.parameters.duration)
        writer.key("hasAudio")
        writer.bool(hasSound)
      }
    }
  }

  private func send(_ bytes: UnsafeBufferPointer<UInt8>, _ members: (inout JSONWriter) -> Void) {
    guard case .invoke(let token) = current else { return done() }
    current = nil
    journal.learn(nil, after: stream)
    if !router.succeed(token, blob: bytes, delegate: self, members) { done() }
  }

  func fail(_ error: CameraError) {
    // A canceled job has no caller, and says nothing about the camera.
    if current != nil { journal.learn(error, after: stream) }
    if case .invoke(let token) = current { router.fail(token, error) }
    if current == .board { boardSnap.fail(error) }
    if current == .chat { failChat(error) }
    done()
  }

  // MARK: Sending

  public func blobRead(upTo count: Int) {
    if recording.isTaken { recording.wasSent(upTo: count) }
  }

  /// The photo or clip was sent, or its connection was lost.
  public func blobReleased() { done() }

  func done() {
    current = nil
    // The photo's memory is lent to both: the next one waits for flash.
    isAnswered = isKeeping
    if isKeeping { return }
    if capture.isTaken { capture.release() }
    if recording.isTaken { recording.release() }
    startNext()
    keepWarm()
  }

  /// Lends a photo that is sent to those who keep it.
  private func keep(_ photo: Photo) {
    guard case .invoke = current, let photos else { return }
    isKeeping = true
    photos.keep(photo.bytes)
  }

  /// It is kept, or cannot be.
  func photoKept() {
    isKeeping = false
    if isAnswered { done() }
  }
}

/// How large they may be, and who has the encoder.
extension CameraCommands: ClipEncoderLender {
  /// The limit of the configuration, and of the gateway's message.
  var photoLimits: PhotoLimits {
    var limits = policy.limits
    limits.bytes = min(limits.bytes, Self.bytes(inMessage: messageLimit))
    return limits
  }

  /// Size limit in bytes of a clip of a camera or of the screen.
  public var clipLimit: Int { min(Budget.clipBytes, Self.bytes(inMessage: messageLimit)) }

  /// Lends the encoder and the buffer for clips to a recording of the screen, until `takeBackEncoder`; false while a
  /// camera's clip is made or sent. There is only one of each, because the largest clip has 19 MB, and an encoder
  /// another 10 MB.
  public func lendEncoder() -> Bool {
    guard !recording.isTaken, !isEncoderLent else { return false }
    isEncoderLent = true
    return true
  }

  public func takeBackEncoder() { isEncoderLent = false }

  /// Bytes for which a message has room as base64, besides its envelope (node-commands 1.4).
  static func bytes(inMessage limit: Int) -> Int {
    let envelope = max(min(Budget.mediaEnvelopeBytes, limit / 16), Budget.mediaEnvelopeMinimumBytes)
    return max(limit - envelope, 0) / 4 * 3
  }
}
