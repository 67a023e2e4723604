import OwnAgent
import Runtime

/// Writes an export into a file (0600), which appears at its path when it is whole.
public final class MarkdownFileSink: MarkdownSink {
  private let path: Path
  private let fresh: Path
  private var file: Descriptor?

  /// A sink for the file at `path`. Nothing is written yet.
  @export(interface)
  public init(path: String) throws(Errno) {
    self.path = try Path(path)
    fresh = try Path(path)
    try fresh.append(".new")
  }

  deinit { file?.close() }

  public func write(_ bytes: UnsafeBufferPointer<UInt8>) throws(MemoryFault) {
    do throws(Errno) {
      if file == nil { file = try Syscall.openNew(fresh) }
      if let file { try Syscall.writeAll(file, UnsafeRawBufferPointer(bytes)) }
    } catch { throw MemoryFault(.markdown, error) }
  }

  public func finish() throws(MemoryFault) {
    guard let file else { return }
    do throws(Errno) {
      try Syscall.fsync(file)
      file.close()
      self.file = nil
      try Syscall.rename(fresh, to: path)
    } catch { throw MemoryFault(.markdown, error) }
  }

  public func cancel() {
    file?.close()
    file = nil
    do throws(Errno) { try Syscall.unlink(fresh) } catch {}
  }
}

/// Reads a Markdown file.
public final class MarkdownFileSource: MarkdownSource {
  private let file: Descriptor

  /// Opens the regular file at `path`.
  @export(interface)
  public init(path: String) throws(Errno) { file = try Syscall.openPlain(Path(path), .read) }

  deinit { file.close() }

  public func read(into bytes: UnsafeMutableBufferPointer<UInt8>) throws(MemoryFault) -> Int {
    do throws(Errno) { return try Syscall.read(file, into: UnsafeMutableRawBufferPointer(bytes)) } catch {
      throw MemoryFault(.markdown, error)
    }
  }
}
