import Runtime

/// The destination of a clip: a file, or memory.
public protocol ClipSink: AnyObject {
  /// Bytes that may be written, from offset 0 on.
  var capacity: Int { get }

  /// Writes all of `bytes` at `offset`, over what was there. Always within `capacity`.
  func write(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int) throws(Errno)
}

/// A sink from which the finished clip can be sent.
public protocol ClipStore: ClipSink {
  /// The bytes of a finished clip, valid until the next clip or `release`.
  func bytes(of clip: Clip) throws(Errno) -> UnsafeBufferPointer<UInt8>

  /// The first `count` bytes of the clip were read, and are not needed any more.
  func wasRead(upTo count: Int)

  /// Releases the memory.
  func release()
}

/// A clip in memory, of which only touched pages count: the largest clip, and room for its header.
public final class ClipMemory: ClipStore {
  private let storage: ReservedBuffer

  /// Reserves address space for the largest clip.
  @export(interface)
  public init() throws(Errno) {
    storage = try ReservedBuffer(capacity: Budget.clipHeaderBytes + Budget.clipBytes)
  }

  /// See `ClipSink`.
  public var capacity: Int { storage.bytes.count }

  /// See `ClipSink`.
  public func write(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int) throws(Errno) {
    guard let from = bytes.baseAddress else { return }
    guard offset >= 0, bytes.count <= capacity - offset else { throw .noSpace }
    (storage.bytes.baseAddress! + offset).update(from: from, count: bytes.count)
  }

  /// The bytes of a finished clip, valid until the next clip or `release`.
  public func bytes(of clip: Clip) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: storage.bytes[clip.range])
  }

  /// Memory is only released as a whole.
  public func wasRead(upTo count: Int) {}

  /// Releases the memory.
  public func release() { storage.release() }
}
