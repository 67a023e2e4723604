import Runtime

/// Reads and writes the outbox's record. Writing happens on a worker, so that an fsync never holds up the loop.
final class OutboxJob: Job {
  private static let record: StaticString = "outbox"

  private let store: any RecordStore
  private let buffer: ReservedBuffer
  private var count = 0
  private var failure: StoreError?
  /// Told of the end. It owns this job and lives as long as the program.
  unowned(unsafe) var owner: Outbox! = nil

  init(store: any RecordStore) throws(Errno) {
    self.store = store
    buffer = try ReservedBuffer(capacity: Budget.outboxRecordBytes)
  }

  /// The record as it is on flash; nil when there never was one. Blocks: at start only.
  func load() throws(StoreError) -> UnsafeBufferPointer<UInt8>? {
    guard let (count, _) = try store.load(Self.record.path, into: buffer.bytes) else { return nil }
    return UnsafeBufferPointer(rebasing: UnsafeBufferPointer(buffer.bytes)[..<count])
  }

  /// Takes what `write` puts into the buffer as the new record.
  func prepare(_ write: (UnsafeMutableBufferPointer<UInt8>) -> Int) {
    count = write(buffer.bytes)
    failure = nil
  }

  override func run() {
    do throws(StoreError) {
      try store.save(
        Self.record.path, UnsafeBufferPointer(rebasing: UnsafeBufferPointer(buffer.bytes)[..<count]))
    } catch {
      failure = error
    }
  }

  override func finish() { owner.stored(failure) }
}
