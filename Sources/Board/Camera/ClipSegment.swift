import Camera
import Runtime

/// A clip in a memory file (memfd): while it is recorded its pages do not count as this process's memory, which leaves
/// room for the encoder.
public final class ClipSegment: ClipStore {
  private var file: Descriptor?
  private var mapped: UnsafeMutableRawBufferPointer?
  /// Where the clip begins in the mapping, and up to where pages were already unmapped from this process.
  private var start = 0, forgotten = 0

  /// Bytes read before their pages are released: small compared with the clip, large compared with a page.
  private static let step = 256 * 1024

  /// An empty segment. Takes memory when it is written to.
  @export(interface)
  public init() {}

  deinit { release() }

  /// See `ClipSink`: the largest clip, and room for its header.
  public var capacity: Int { Budget.clipHeaderBytes + Budget.clipBytes }

  /// See `ClipSink`. `pwrite(2)` into a `memfd_create(2)` file.
  public func write(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int) throws(Errno) {
    guard offset >= 0, bytes.count <= capacity - offset else { throw .noSpace }
    try Syscall.writeAll(try open(), UnsafeRawBufferPointer(bytes), at: Int64(offset))
  }

  /// The bytes of a finished clip, valid until `release`. Pages count as this process's memory once they are read.
  public func bytes(of clip: Clip) throws(Errno) -> UnsafeBufferPointer<UInt8> {
    unmap()
    let whole = try Syscall.map(try open(), count: clip.range.upperBound)
    mapped = whole
    (start, forgotten) = (clip.range.lowerBound, 0)
    return UnsafeBufferPointer(rebasing: UnsafeBufferPointer(whole.bindMemory(to: UInt8.self))[clip.range])
  }

  /// Call when the first `count` bytes of the clip were read: their pages are released from this process in steps. They
  /// can still be read again.
  public func wasRead(upTo count: Int) {
    guard let mapped else { return }
    let end = min(start + count, mapped.count)
    guard end - forgotten >= Self.step else { return }
    Syscall.forget(UnsafeMutableRawBufferPointer(rebasing: mapped[..<end]))
    forgotten = end
  }

  /// Frees all memory.
  public func release() {
    unmap()
    file?.close()
    file = nil
  }

  private func unmap() {
    if let mapped { Syscall.unmap(mapped) }
    mapped = nil
  }

  private func open() throws(Errno) -> Descriptor {
    if let file { return file }
    let opened = try Syscall.memoryFile()
    file = opened
    return opened
  }
}
