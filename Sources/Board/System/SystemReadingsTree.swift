import Runtime

/// Small files below one folder: the real root, or a copy in a test. Every result is nil when the file cannot be read.
final class SystemReadingsTree {
  /// `PAGE_SIZE`: no attribute of sysfs is longer (kernel document sysfs).
  private static let attributeBytes = 4096

  private let path: Path
  private let rootLength: Int
  private let text = FixedBuffer(capacity: Budget.readingBytes)
  private let attribute = FixedBuffer(capacity: SystemReadingsTree.attributeBytes)
  private let entries = FixedBuffer(capacity: SystemReadingsTree.attributeBytes)

  /// The tree below `root`, which is empty for the real one.
  init(root: String) throws(Errno) {
    path = try Path(root)
    rootLength = path.length
  }

  /// Reads up to `Budget.readingBytes` of a file and parses them.
  func file<Value>(_ name: StaticString, _ parse: (Span<UInt8>) -> Value?) -> Value? {
    do throws(Errno) {
      try setPath(name)
      return parse(Span(_unsafeElements: try read(into: text)))
    } catch {
      return nil
    }
  }

  /// Reads and parses the attribute of an object in a class folder. May be called while a file is parsed.
  func attribute<Value>(
    _ folder: StaticString, _ object: Span<UInt8>, _ name: StaticString, _ parse: (Span<UInt8>) -> Value?
  ) -> Value? {
    do throws(Errno) {
      try setPath(folder, object, name)
      return parse(Span(_unsafeElements: try read(into: attribute)))
    } catch {
      return nil
    }
  }

  /// True when the object of a class folder has this file or folder.
  func exists(_ folder: StaticString, _ object: Span<UInt8>, _ name: StaticString) -> Bool {
    do throws(Errno) {
      try setPath(folder, object, name)
      _ = try Syscall.status(path)
      return true
    } catch {
      return false
    }
  }

  /// True when this user may open a file of a folder to read and to write.
  func isOpen(_ folder: StaticString, _ name: Span<UInt8>) -> Bool {
    do throws(Errno) {
      try setPath(folder, name)
      try Syscall.access(path)
      return true
    } catch {
      return false
    }
  }

  /// Opens a file while `body` runs.
  func open<Value>(_ name: StaticString, _ body: (Descriptor) throws(Errno) -> Value) -> Value? {
    do throws(Errno) {
      try setPath(name)
      let file = try Syscall.open(path, .read)
      defer { file.close() }
      return try body(file)
    } catch {
      return nil
    }
  }

  /// Calls `body` with the name of each object in a class folder, `limit` at most.
  func forEachObject(
    in folder: StaticString, limit: Int = Budget.readingsPerClass, _ body: (Span<UInt8>) -> Void
  ) {
    do throws(Errno) {
      try setPath(folder)
      let opened = try Syscall.open(path, [.read, .directory])
      defer { opened.close() }
      var count = 0
      try Syscall.entries(of: opened, scratch: UnsafeMutableRawBufferPointer(entries.bytes)) { name in
        count += 1
        guard count <= limit else { return }
        var length = 0
        while name[length] != 0 { length += 1 }
        name.withMemoryRebound(to: UInt8.self, capacity: length) { bytes in
          body(Span(_unsafeElements: UnsafeBufferPointer(start: bytes, count: length)))
        }
      }
    } catch {
      return
    }
  }

  private func read(into buffer: FixedBuffer) throws(Errno) -> UnsafeBufferPointer<UInt8> {
    let file = try Syscall.open(path, .read)
    defer { file.close() }
    let count = try Syscall.readAll(file, into: UnsafeMutableRawBufferPointer(buffer.bytes))
    return UnsafeBufferPointer(rebasing: buffer.bytes[..<count])
  }

  private func setPath(_ name: StaticString) throws(Errno) {
    path.truncate(to: rootLength)
    try path.append(name)
  }

  private func setPath(_ folder: StaticString, _ object: Span<UInt8>) throws(Errno) {
    try setPath(folder)
    try path.append("/")
    try object.withUnsafeBufferPointer { bytes throws(Errno) in try path.append(bytes) }
  }

  private func setPath(
    _ folder: StaticString, _ object: Span<UInt8>, _ name: StaticString
  ) throws(Errno) {
    try setPath(folder, object)
    try path.append("/")
    try path.append(name)
  }
}
