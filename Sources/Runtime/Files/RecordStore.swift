/// Why a record could not be read or written.
public enum StoreError: Error, Equatable {
  /// The file system refused.
  case system(Errno)
  /// Neither the record nor its previous generation is whole.
  case torn
  /// A newer release has written it, in a format that this one does not know. It stays as it is.
  case newer
  /// The record is larger than the store's limit, or than the buffer to load it into.
  case tooLarge
}

/// Where a loaded record came from.
public enum RecordOrigin: Equatable {
  /// The newest generation.
  case current
  /// The newest was torn or missing after a power cut; this is the generation before it.
  case previous
}

/// Small records that survive a power cut at any step. Calls block: use them at start or on a worker.
public protocol RecordStore: AnyObject {
  /// Reads the record `name` into `bytes`: its length and origin, or nil when there never was one.
  func load(
    _ name: UnsafePointer<CChar>, into bytes: UnsafeMutableBufferPointer<UInt8>
  ) throws(StoreError) -> (count: Int, origin: RecordOrigin)?

  /// Replaces the record `name`. When this returns, the new contents are on flash; when it throws or
  /// power fails, either the old or the new contents are.
  func save(_ name: UnsafePointer<CChar>, _ bytes: UnsafeBufferPointer<UInt8>) throws(StoreError)
}

/// Records as files in one folder (0700), each 0600: a header with magic, length and CRC-32, then the contents.
///
/// The magic's last byte is the version of the format, of header and contents: "1" so far. A release reads what the two
/// before it wrote, and writes what the one before it reads, so that a board can go back; a format of another number is
/// written by the release after the one that reads it. Contents that only have more than an older release knows keep
/// the number. What has a higher number, or is larger than any record of this release, was written by a newer one: the
/// generation before it is used where it is of ours, and it is set aside as `name.newer` before ours takes its place.
///
/// Writing: `name.new` is written and fsynced, `name` becomes `name.old` if it is whole, `name.new` becomes
/// `name`, the folder is fsynced. Each step leaves at least one whole generation on flash.
public final class FileStore: RecordStore {
  private static let magic: StaticString = "TLN"
  /// The version of the format, a digit.
  private static let version = UInt8(ascii: "1")
  /// Magic, count and checksum, four bytes each.
  private static let headerBytes = 12

  private let folder: Path
  private let target = Path()
  private let other = Path()
  private let recordBytes: Int
  private let buffer: FixedBuffer

  /// A store in `folder`, which is made (0700) if it does not exist; its parent must. Records have at most
  /// `recordBytes` bytes. Several stores may share a folder, each with record names of its own and for its own thread.
  @export(interface)
  public init(folder: String, recordBytes: Int = Budget.storeRecordBytes) throws(StoreError) {
    self.recordBytes = recordBytes
    buffer = FixedBuffer(capacity: recordBytes + Self.headerBytes)
    do throws(Errno) {
      self.folder = try Path(folder)
      do throws(Errno) {
        try Syscall.makeFolder(self.folder, permissions: 0o700)
        // The new folder must itself survive a power cut.
        try FreshFile.sync(folder: Path(folder + "/.."))
      } catch {
        if error != .exists { throw error }
      }
    } catch {
      throw .system(error)
    }
  }

  public func load(
    _ name: UnsafePointer<CChar>, into bytes: UnsafeMutableBufferPointer<UInt8>
  ) throws(StoreError) -> (count: Int, origin: RecordOrigin)? {
    let newest: Newest
    do throws(Errno) { newest = try findNewest(name) } catch { throw .system(error) }
    switch newest {
    case .none: return nil
    case .torn: throw .torn
    case .newer: throw .newer
    case .current(let count): return (try copy(count, into: bytes), .current)
    case .previous(let count), .superseded(let count), .interrupted(let count):
      return (try copy(count, into: bytes), .previous)
    }
  }

  private func copy(
    _ count: Int, into bytes: UnsafeMutableBufferPointer<UInt8>
  ) throws(StoreError) -> Int {
    guard count <= bytes.count else { throw .tooLarge }
    for index in 0..<count { bytes[index] = buffer.bytes[Self.headerBytes + index] }
    return count
  }

  // MARK: Reading

  /// The newest whole generation and the length of its contents, which stand in `buffer`.
  private enum Newest {
    case none, torn
    case current(Int)
    case previous(Int)
    /// The newest is a newer release's, the one before is of ours; or there is none of ours.
    case superseded(Int)
    case newer
    /// A first save was interrupted before its last rename: `name.new` is whole and there is nothing else.
    case interrupted(Int)
  }

  private func findNewest(_ name: UnsafePointer<CChar>) throws(Errno) -> Newest {
    let current = try read(name, "")
    if case .whole(let count) = current { return .current(count) }
    let previous = try read(name, ".old")
    if case .whole(let count) = previous { return current == .newer ? .superseded(count) : .previous(count) }
    if current == .newer || previous == .newer { return .newer }
    if case .whole(let count) = try read(name, ".new") { return .interrupted(count) }
    return current == .missing && previous == .missing ? .none : .torn
  }

  private enum Found: Equatable {
    case missing, torn, newer
    case whole(Int)
  }

  private func read(_ name: UnsafePointer<CChar>, _ suffix: StaticString) throws(Errno) -> Found {
    try point(target, at: name, suffix)
    let file: Descriptor
    do throws(Errno) {
      file = try Syscall.openPlain(target, .read)
    } catch {
      if error == .noSuchFile { return .missing }
      throw error
    }
    defer { file.close() }
    let count = try Syscall.readAll(file, into: UnsafeMutableRawBufferPointer(buffer.bytes))
    return verify(count, of: try Syscall.status(file).size)
  }

  /// - Parameter size: of the file, which may be larger than the buffer.
  private func verify(_ count: Int, of size: Int64) -> Found {
    let raw = UnsafeRawBufferPointer(buffer.bytes)
    guard count >= Self.headerBytes, raw[..<3].elementsEqual(Self.magic.bytes), raw[3] >= Self.version else {
      return .torn
    }
    let length = raw.loadUnaligned(fromByteOffset: 4, as: UInt32.self).littleEndian
    guard Int64(length) == size - Int64(Self.headerBytes) else { return .torn }
    guard Int64(count) == size else { return .newer }
    var checksum = Checksum()
    checksum.update(UnsafeRawBufferPointer(rebasing: raw[Self.headerBytes..<count]))
    let expected = raw.loadUnaligned(fromByteOffset: 8, as: UInt32.self).littleEndian
    guard checksum.value == expected else { return .torn }
    return raw[3] == Self.version ? .whole(Int(length)) : .newer
  }

  // MARK: Writing

  public func save(
    _ name: UnsafePointer<CChar>, _ bytes: UnsafeBufferPointer<UInt8>
  ) throws(StoreError) {
    guard bytes.count <= recordBytes else { throw .tooLarge }
    do throws(Errno) {
      let isWhole = try settle(name)
      try point(target, at: name, ".new")
      // Always a new file, because an existing one may be a link to another. The folder's owner writes it (root becomes
      // that user first, `Privileges`), so its owner is never changed.
      try FreshFile.write(target, pack(bytes))
      do throws(Errno) {
        // The order matters: the old generation is renamed only once the new one is on flash.
        if isWhole { try rename(name, "", to: ".old") }
        try rename(name, ".new", to: "")
      } catch {
        // It would only take room: `settle` has seen to it that another generation is whole, or that there was none.
        discard(name)
        throw error
      }
      try FreshFile.sync(folder: folder)
    } catch {
      throw .system(error)
    }
  }

  /// Finishes an interrupted save, and returns whether `name` is whole. Only a whole record may become `name.old`: a
  /// torn one would replace the last good generation.
  private func settle(_ name: UnsafePointer<CChar>) throws(Errno) -> Bool {
    switch try findNewest(name) {
    case .current: return true
    case .none, .torn, .previous: return false
    case .superseded, .newer:
      try setNewerAside(name)
      return false
    case .interrupted:
      try rename(name, ".new", to: "")
      try FreshFile.sync(folder: folder)
      return true
    }
  }

  /// The newest generation that is not ours becomes `name.newer`, each in one step: a power cut leaves it in the one
  /// place or in the other.
  private func setNewerAside(_ name: UnsafePointer<CChar>) throws(Errno) {
    if try read(name, ".old") == .newer { try rename(name, ".old", to: ".newer") }
    if try read(name, "") == .newer { try rename(name, "", to: ".newer") }
    try FreshFile.sync(folder: folder)
  }

  private func pack(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeRawBufferPointer {
    let raw = UnsafeMutableRawBufferPointer(buffer.bytes)
    for (index, byte) in Self.magic.bytes.enumerated() { raw[index] = byte }
    raw[3] = Self.version
    var checksum = Checksum()
    checksum.update(UnsafeRawBufferPointer(bytes))
    raw.storeBytes(of: UInt32(bytes.count).littleEndian, toByteOffset: 4, as: UInt32.self)
    raw.storeBytes(of: checksum.value.littleEndian, toByteOffset: 8, as: UInt32.self)
    for (index, byte) in bytes.enumerated() { raw[Self.headerBytes + index] = byte }
    return UnsafeRawBufferPointer(rebasing: raw[..<(Self.headerBytes + bytes.count)])
  }

  private func rename(
    _ name: UnsafePointer<CChar>, _ from: StaticString, to: StaticString
  ) throws(Errno) {
    try point(target, at: name, from)
    try point(other, at: name, to)
    try Syscall.rename(target, to: other)
  }

  private func discard(_ name: UnsafePointer<CChar>) {
    do throws(Errno) {
      try point(target, at: name, ".new")
      try Syscall.unlink(target)
    } catch {}
  }

  private func point(
    _ path: Path, at name: UnsafePointer<CChar>, _ suffix: StaticString
  ) throws(Errno) {
    path.truncate()
    try path.append(cString: folder.cString)
    try path.append("/")
    try path.append(cString: name)
    try path.append(suffix)
  }
}
