import OwnAgent
import Runtime

/// The files of exports and imports, `export.md` and `import.md` in the agent's folder, which is its user's alone.
public final class TransferFiles: MemoryTransfers {
  private let exported: String
  private let imported: String

  /// Those of a folder. What the last run left of them is removed.
  @export(interface)
  public init(folder: String) throws(Errno) {
    exported = folder + "/export.md"
    imported = folder + "/import.md"
    _ = try Path(exported)
    removeAll()
  }

  public func makeExport() -> (any MarkdownSink)? { try? MarkdownFileSink(path: exported) }

  public func readExport(at place: Int64, into room: UnsafeMutableBufferPointer<UInt8>) -> Int? {
    guard place >= 0 else { return nil }
    do throws(Errno) {
      let file = try Syscall.openPlain(Path(exported), .read)
      defer { file.close() }
      return try Syscall.readAll(file, into: UnsafeMutableRawBufferPointer(room), at: place)
    } catch {
      return nil
    }
  }

  public func writeImport(_ piece: UnsafeBufferPointer<UInt8>, at place: Int64) -> Bool {
    do throws(Errno) {
      let path = try Path(imported)
      let file = place == 0 ? try Syscall.openNew(path) : try Syscall.openPlain(path, .write)
      defer { file.close() }
      try Syscall.writeAll(file, UnsafeRawBufferPointer(piece), at: place)
      return true
    } catch {
      return false
    }
  }

  public func openImport() -> (any MarkdownSource)? { try? MarkdownFileSource(path: imported) }

  public func removeAll() {
    for name in [exported, exported + ".new", imported] {
      do throws(Errno) { try Syscall.unlink(Path(name)) } catch {}
    }
  }
}
