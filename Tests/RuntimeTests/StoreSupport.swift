import Runtime

/// A store in a folder of its own, with records as texts.
final class StoreUnderTest {
  let folder: TemporaryFolder
  let store: FileStore

  convenience init() throws { try self.init(in: TemporaryFolder()) }

  /// A store in a folder that may have a past.
  init(in folder: TemporaryFolder) throws {
    self.folder = folder
    store = try FileStore(folder: folder.file("state"))
  }

  /// The file of a generation of the record "key".
  func file(_ suffix: String = "") -> String { folder.file("state/key\(suffix)") }

  func save(_ text: String) throws(StoreError) {
    let bytes = Array(text.utf8)
    try bytes.withUnsafeBufferPointer { buffer throws(StoreError) in try store.save(Self.key, buffer) }
  }

  /// A loaded record: its text, and whether it is the newest.
  struct Loaded: Equatable {
    let text: String
    let origin: RecordOrigin
  }

  func load(room: Int = Budget.storeRecordBytes) throws(StoreError) -> Loaded? {
    let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: room)
    defer { buffer.deallocate() }
    guard let (count, origin) = try store.load(Self.key, into: buffer) else { return nil }
    return Loaded(text: String(decoding: buffer[..<count], as: UTF8.self), origin: origin)
  }

  private static var key: UnsafePointer<CChar> { ("key" as StaticString).path }
}

/// The reason for which `body` throws, or nil.
func storeReason(_ body: () throws(StoreError) -> Void) -> StoreError? {
  do throws(StoreError) {
    try body()
    return nil
  } catch {
    return error
  }
}
