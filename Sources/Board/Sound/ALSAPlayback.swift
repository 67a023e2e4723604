import Runtime
import Sound

/// A speaker on a sound card of the kernel.
public final class ALSAPlayback: SoundPlayback, DescriptorHandler {
  private let loop: Loop
  private var stream: ALSAStream?
  private var delegate: (any SoundDeviceDelegate)?
  private var isPlaying = false
  private var isListening = false
  public private(set) var gaps = 0

  /// A closed speaker. `loop` watches for room in the buffer.
  @export(interface)
  public init(loop: Loop) { self.loop = loop }

  public func open(_ order: SoundOrder) throws(SoundError) -> SoundFacts {
    let stream = try ALSAStream(order, captures: false)
    self.stream = stream
    (isPlaying, gaps) = (false, 0)
    return stream.facts
  }

  public func start(_ delegate: any SoundDeviceDelegate) throws(SoundError) {
    guard stream != nil else { throw .disconnected }
    self.delegate = delegate
    listen(true)
    guard isListening else {
      self.delegate = nil
      throw .noMemory
    }
  }

  public func write(_ bytes: UnsafeRawBufferPointer) throws(SoundError) -> Int {
    guard let stream else { throw .disconnected }
    if let count = try stream.write(bytes) { return count }
    gaps += 1
    isPlaying = false
    return try stream.write(bytes) ?? 0
  }

  public func begin() throws(SoundError) {
    guard let stream, !isPlaying else { return }
    try stream.start()
    isPlaying = true
  }

  public func waiting() throws(SoundError) -> Int {
    guard let stream else { throw .disconnected }
    return try stream.waiting()
  }

  public func listen(_ isOn: Bool) {
    guard isOn != isListening, let stream else { return }
    if isOn {
      do throws(Errno) { try loop.watch(stream.descriptor, for: .writable, self) } catch { return }
    } else {
      loop.unwatch(stream.descriptor)
    }
    isListening = isOn
  }

  public func stop() {
    listen(false)
    delegate = nil
  }

  public func close() { stream = nil }

  public func ready(_ descriptor: Descriptor, _ readiness: Readiness) { delegate?.soundReady() }
}
