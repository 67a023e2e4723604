import Runtime
import Sound

/// A microphone on a sound card of the kernel.
public final class ALSACapture: SoundCapture, DescriptorHandler {
  private let loop: Loop
  private var stream: ALSAStream?
  private var delegate: (any SoundDeviceDelegate)?

  /// A closed microphone. `loop` watches for captured frames.
  @export(interface)
  public init(loop: Loop) { self.loop = loop }

  public func look(_ order: SoundOrder) throws(SoundError) { try ALSACards.look(order, captures: true) }

  public func open(_ order: SoundOrder) throws(SoundError) -> SoundFacts {
    let stream = try ALSAStream(order, captures: true)
    self.stream = stream
    return stream.facts
  }

  public func start(_ delegate: any SoundDeviceDelegate) throws(SoundError) {
    guard let stream else { throw .disconnected }
    do throws(Errno) { try loop.watch(stream.descriptor, for: .readable, self) } catch {
      throw SoundError(error)
    }
    self.delegate = delegate
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
    guard delegate != nil, let stream else { return }
    loop.unwatch(stream.descriptor)
    delegate = nil
  }

  public func close() { stream = nil }

  public func ready(_ descriptor: Descriptor, _ readiness: Readiness) { delegate?.soundReady() }
}
