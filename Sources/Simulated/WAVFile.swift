import Codec
import Runtime
import Sound

/// A WAV file that is read sequentially: a file, or a pipe.
public final class WAVFile {
  private let path: Path
  private let beginning = FixedBuffer(capacity: Budget.wavHeaderBytes)
  private var file: Descriptor?
  /// Samples in `beginning` that were not returned yet.
  private var early = 0..<0
  /// Bytes of samples until the end; nil: unknown.
  private var left: Int?
  /// Its header, once it was opened.
  public private(set) var header: WAVHeader?
  /// True for a pipe.
  public private(set) var isPipe = false

  /// A closed file. Throws when the path is too long.
  @export(interface)
  public init(path: String) throws(Errno) { self.path = try Path(path) }

  deinit { close() }

  /// Checks that it exists.
  public func look() throws(SoundError) {
    do throws(Errno) { try Syscall.access(path) } catch { throw Self.error(error) }
  }

  /// Opens it and reads the header. Waits for a pipe.
  public func open() throws(SoundError) -> WAVHeader {
    close()
    do throws(SoundError) {
      let found = try readHeader()
      header = found
      return found
    } catch {
      close()
      throw error
    }
  }

  public func close() {
    file?.close()
    file = nil
    (early, left, header) = (0..<0, nil, nil)
  }

  private func readHeader() throws(SoundError) -> WAVHeader {
    let file = try opened()
    var count = 0
    var remaining = Budget.wavPipeMilliseconds
    while true {
      let text = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(beginning.bytes)[..<count])
      do throws(WAVError) {
        if let found = try WAVHeader.read(Span(_unsafeElements: text)) {
          early = found.dataOffset..<count
          left = found.dataBytes
          if let left, early.count > left { early = early.lowerBound..<(early.lowerBound + left) }
          return found
        }
      } catch {
        throw .notWAV(error.text)
      }
      guard count < beginning.bytes.count else { throw .notWAV("its data chunk is too far from its start") }
      let room = UnsafeMutableRawBufferPointer(
        UnsafeMutableBufferPointer(rebasing: beginning.bytes[count...]))
      if let more = try read(file, room), more > 0 {
        count += more
      } else {
        guard isPipe else { throw .notWAV(WAVError.cutOff.text) }
        guard remaining > 0 else { throw .stalled }
        Syscall.pause(milliseconds: 20)
        remaining -= 20
      }
    }
  }

  private func opened() throws(SoundError) -> Descriptor {
    do throws(Errno) {
      let file = try Syscall.open(path, [.read, .nonBlocking])
      self.file = file
      isPipe = try Syscall.status(file).isPipe
      return file
    } catch {
      throw Self.error(error)
    }
  }

  /// Reads the next samples, and returns how many bytes, 0 at the end, nil when a pipe has none now.
  public func read(into bytes: UnsafeMutableRawBufferPointer) throws(SoundError) -> Int? {
    guard let file else { throw .disconnected }
    var room = bytes
    if let left, left < room.count { room = UnsafeMutableRawBufferPointer(rebasing: room[..<left]) }
    if room.isEmpty { return 0 }
    let count: Int?
    if early.isEmpty {
      count = try read(file, room)
    } else {
      let taken = min(early.count, room.count)
      room.copyMemory(
        from: UnsafeRawBufferPointer(
          UnsafeBufferPointer(rebasing: UnsafeBufferPointer(beginning.bytes)[early])
        )
        .prefixBytes(taken))
      early = (early.lowerBound + taken)..<early.upperBound
      count = taken
    }
    if let count, left != nil { left! -= count }
    return count
  }

  private func read(_ file: Descriptor, _ room: UnsafeMutableRawBufferPointer) throws(SoundError) -> Int? {
    do throws(Errno) {
      return try Syscall.read(file, into: room)
    } catch {
      if error == .wouldBlock { return nil }
      throw SoundError(error)
    }
  }

  private static func error(_ errno: Errno) -> SoundError {
    errno == .noSuchFile ? .noCard(SoundName(cutting: "the recording" as StaticString)) : SoundError(errno)
  }
}

extension UnsafeRawBufferPointer {
  /// The first bytes.
  fileprivate func prefixBytes(_ count: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: self[..<count])
  }
}
