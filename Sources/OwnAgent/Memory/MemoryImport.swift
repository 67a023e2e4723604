import Codec
import Runtime

/// Gives Markdown, piece by piece, on a worker.
public protocol MarkdownSource: AnyObject {
  /// Puts the next bytes into `bytes`: how many, and 0 at the end.
  func read(into bytes: UnsafeMutableBufferPointer<UInt8>) throws(MemoryFault) -> Int
}

/// What became of a Markdown file.
public struct MemoryImport: Sendable {
  /// An entry that was not taken.
  public struct Fault: Equatable, Sendable {
    /// The line in which it begins, counted from 1.
    public let line: Int
    public let reason: MarkdownRefusal
  }

  /// Entries that were taken.
  public internal(set) var taken = 0
  /// Entries that were there already.
  public internal(set) var known = 0
  /// Entries that were not taken.
  public internal(set) var refused = 0
  /// The first of those.
  public internal(set) var faults = InlineList<8, Fault>()
}

/// Takes the entries of a Markdown file into a store, some in each transaction.
final class MemoryImporter: MarkdownDelegate {
  private let store: any MemoryStore
  private let target: Int64
  private(set) var report = MemoryImport()
  private(set) var fault: MemoryFault?
  /// A transaction has begun, in which so many entries were taken.
  private var isOpen = false
  private var uncommitted = 0
  private let piece = FixedBuffer(capacity: Budget.memoryPieceBytes)

  init(_ store: any MemoryStore, target: Int64) {
    self.store = store
    self.target = target
  }

  /// Reads `source` to its end. After a failure of the store, what was taken until then stays, and the same file can be
  /// imported again: entries with a time are known then.
  func run(_ source: any MarkdownSource, now: Int64) throws(MemoryFault) {
    let reader = MarkdownReader(now: now, self)
    var total: Int64 = 0
    do throws(MemoryFault) {
      while fault == nil {
        let count = try source.read(into: piece.bytes)
        total = total.adding(clamping: Int64(count))
        guard count > 0, total <= Budget.memoryImportBytes else { break }
        reader.read(UnsafeBufferPointer(rebasing: UnsafeBufferPointer(piece.bytes)[..<min(count, piece.bytes.count)]))
      }
      if fault == nil { reader.finish() }
      try commit()
    } catch {
      rollback()
      throw error
    }
    if let fault { throw fault }
  }

  func markdownRead(_ row: MemoryRow, line: Int) {
    guard fault == nil else { return }
    do throws(MemoryFault) { try add(row, line) } catch {
      rollback()
      fault = error
    }
  }

  private func add(_ row: MemoryRow, _ line: Int) throws(MemoryFault) {
    if try store.contains(row) { return report.known += 1 }
    if !isOpen { try store.begin() }
    isOpen = true
    let id = try store.add(row)
    do throws(MemoryFault) {
      _ = try MemoryTrimmer.trim(store, to: target, slack: MemoryTrimmer.slack(target), keeping: id)
      uncommitted += 1
    } catch {
      guard error.kind == .full, error.code == 0 else { throw error }
      // Nothing else may go for it.
      _ = try store.remove(id)
      markdownRefused(.full, line: line)
    }
    if uncommitted >= Budget.memoryImportEntries { try commit() }
  }

  private func commit() throws(MemoryFault) {
    guard isOpen else { return }
    try store.commit()
    report.taken += uncommitted
    isOpen = false
    uncommitted = 0
  }

  private func rollback() {
    if isOpen { store.rollback() }
    isOpen = false
    uncommitted = 0
  }

  func markdownRefused(_ reason: MarkdownRefusal, line: Int) {
    report.refused += 1
    report.faults.append(MemoryImport.Fault(line: line, reason: reason))
  }
}
