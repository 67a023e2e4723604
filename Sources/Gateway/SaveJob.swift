import Runtime

/// Told when a record is on flash, or cannot be.
protocol SaveDelegate: AnyObject {
  /// The save that was begun last has ended; `failure` is nil on success.
  func saved(failure: StoreError?)
}

/// Writes a gateway's record on a worker, so that an fsync never holds up the loop.
final class SaveJob: Job {
  private let store: any RecordStore
  private let buffer = FixedBuffer(capacity: Budget.storeRecordBytes)
  private var name = InlineArray<25, UInt8>(repeating: 0)
  private var count = 0
  private var failure: StoreError?
  private var delegate: (any SaveDelegate)?

  init(store: any RecordStore) { self.store = store }

  /// Takes a copy of the record as it is now.
  func prepare(_ record: GatewayRecord, _ delegate: any SaveDelegate) {
    name = record.name
    count = record.encode(into: buffer.bytes)
    failure = nil
    self.delegate = delegate
  }

  override func run() {
    do throws(StoreError) {
      try GatewayRecord.save(name, buffer.bytes, count, to: store)
    } catch {
      failure = error
    }
  }

  override func finish() {
    let delegate = delegate
    self.delegate = nil
    delegate?.saved(failure: failure)
  }
}
