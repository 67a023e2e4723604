import Runtime
import Sound

/// A microphone on a sound card of the kernel.
public final class ALSACapture: SoundCapture, DescriptorHandler {
  private let loop: Loop
  private var stream: ALSAStream?
  private var owner: (any SoundDeviceOwner)?

  /// One that is closed. The loop tells it when frames are there.
  public init(loop: Loop) { self.loop = loop }

  public func look(_ order: SoundOrder) throws(SoundError) { try ALSACards.look(order, captures: true) }

  public func open(_ order: SoundOrder) throws(SoundError) -> SoundFacts {
    let stream = try ALSAStream(order, captures: true)
    self.stream = stream
    return stream.facts
  }

  public func start(_ owner: any SoundDeviceOwner) throws(SoundError) {
    guard let stream else { throw .disconnected }
    do throws(Errno) { try loop.watch(stream.descriptor, for: .readable, self) } catch {
      throw SoundError(error)
    }
    self.owner = owner
    do throws(SoundError) {
      try stream.start()
    } catch {
      stop()
      throw error
    }
  }

  public func read(into bytes: UnsafeMutableRawBufferPointer) throws(SoundError) -> SoundRead {
    guard let stream else { throw .disconnected }
    return try stream.read(into: bytes)
  }

  public func stop() {
    guard owner != nil, let stream else { return }
    loop.unwatch(stream.descriptor)
    owner = nil
  }

  public func close() { stream = nil }

  public func ready(_ descriptor: Descriptor, _ readiness: Readiness) { owner?.soundReady() }
}
