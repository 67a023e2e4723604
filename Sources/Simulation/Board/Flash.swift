import CLinux
import Glibc
import Runtime

/// The board's flash: a folder on the machine that runs the simulation, written through the real `FileStore`, and cut
/// off or refused as the simulation wants. It remembers what must be found again.
final class Flash {
  /// What happens to the coming writes.
  enum Mood: Equatable {
    case good
    /// Each call that writes is refused for a while.
    case refusing(Errno)
    /// Each save takes many seconds.
    case slow
    /// The power goes at this call of the next save.
    case cut(step: Int)
  }

  unowned(unsafe) let life: Life
  let folder: String
  var mood = Mood.good {
    didSet { if mood == .good, oldValue != .good { goodSince = life.now } }
  }
  /// Since when nothing is wrong with it.
  private(set) var goodSince: Int64 = 0
  /// The power went during a save.
  private(set) var wasCut = false
  /// What `save` promised to keep.
  private(set) var promised: [String: [UInt8]] = [:]
  /// What a save that was not finished may have left instead.
  private var possible: [String: [[UInt8]]] = [:]
  private(set) var saves = 0
  private(set) var failures = 0

  /// The record that is being saved.
  private var current = ""
  private var step = 0
  private var isUnsynced = false
  private var delay: Int64 = 0

  /// Where the power shall go, if anywhere.
  private var cut: (save: Int, call: Int)? { life.options.cut }
  /// Calls of the save in which it went there; nil before.
  private(set) var callsAtCut: Int?

  /// Makes an empty folder.
  init(_ life: Life, folder: String) {
    self.life = life
    self.folder = folder
    mkdir(folder, 0o700)
  }

  deinit { remove() }

  /// Takes the folder away: at the end of a run, whoever still holds this flash.
  func remove() {
    for path in [state, folder] {
      if let stream = opendir(path) {
        while let entry = readdir(stream) {
          let name = withUnsafePointer(to: &entry.pointee.d_name) {
            $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
          }
          if name != ".", name != ".." { unlink(path + "/" + name) }
        }
        closedir(stream)
      }
      rmdir(path)
    }
  }

  /// Where the records are.
  var state: String { folder + "/state" }

  /// A store as a board opens it at start.
  func open(recordBytes: Int = Budget.storeRecordBytes) throws(StoreError) -> FlashStore {
    FlashStore(self, try FileStore(folder: state, recordBytes: recordBytes))
  }

  /// The power comes back.
  func powerReturns() { wasCut = false }

  /// Forgets what was promised of a record: a person changes it.
  func expects(_ name: String, _ bytes: [UInt8]) {
    promised[name] = bytes
    possible[name] = nil
  }

  // MARK: Saving

  fileprivate func save(
    _ name: UnsafePointer<CChar>, _ bytes: UnsafeBufferPointer<UInt8>, to store: FileStore
  ) throws(StoreError) {
    if wasCut { throw .system(.inputOutput) }
    let key = String(cString: name)
    // A flash that lies: it takes what it does not keep.
    if life.options.plant == .losesWrites, key.hasPrefix("gateway-"), promised[key] != nil { return }
    if let cut, saves == cut.save { mood = .cut(step: cut.call) }
    saves += 1
    current = key
    do throws(StoreError) {
      try interposed { () throws(StoreError) in try store.save(name, bytes) }
      if wasCut { throw .system(.inputOutput) }
      promised[key] = Array(bytes)
      possible[key] = nil
    } catch {
      failures += 1
      possible[key, default: []].append(Array(bytes))
      throw error
    }
  }

  /// Tears the file that was being written when the power went: any part of it may be there.
  private func tear(_ length: Int) { truncate(state + "/" + current + ".new", off_t(length)) }

  /// True when what stands under `name` is what was promised, or what a save that failed may have left.
  func isKept(_ name: String, _ found: [UInt8]?) -> Bool {
    guard let found else { return promised[name] == nil }
    if promised[name] == found { return true }
    return possible[name]?.contains(found) ?? false
  }

  /// What stands under `name` now, as a board finds it.
  func found(_ name: String) -> [UInt8]? {
    let buffer = FixedBuffer(capacity: Budget.storeRecordBytes)
    guard let store = try? FileStore(folder: state),
      let found = try? name.withCString({ name throws(StoreError) in try store.load(name, into: buffer.bytes) })
    else { return nil }
    return Array(buffer.bytes[..<found.count])
  }

  /// Removes a record, as if it had never been stored.
  func lose(_ name: String) {
    for suffix in ["", ".old", ".new"] { unlink(state + "/" + name + suffix) }
  }

  /// What was found at start is what the next start will find.
  func settled(_ name: String, _ found: [UInt8]?) {
    guard let found else { return }
    promised[name] = found
    possible[name] = nil
  }

  // MARK: Faults

  /// How long the last save took, told once: milliseconds.
  func takeDelay() -> Int64 {
    defer { delay = 0 }
    return delay
  }

  /// Runs `body` while calls fail as the mood wants.
  private func interposed<Value, Failure: Error>(
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    if mood == .slow { delay += life.random(below: 20_000) }
    if mood == .good || mood == .slow { return try body() }
    step = 0
    isUnsynced = false
    tl_interpose_thread(
      { context, call, _ in Unmanaged<Flash>.fromOpaque(context!).takeUnretainedValue().before(tl_call(UInt32(call))) },
      Unmanaged.passUnretained(self).toOpaque())
    defer {
      tl_interpose_thread(nil, nil)
      afterwards()
    }
    return try body()
  }

  private func before(_ call: tl_call) -> Int32 {
    defer { step += 1 }
    switch mood {
    case .good, .slow: return 0
    case .refusing(let errno):
      let writes = call == TL_CALL_write || call == TL_CALL_fsync || call == TL_CALL_rename || call == TL_CALL_mkdir
      return writes ? errno.number : 0
    case .cut(let last):
      if step >= last {
        wasCut = true
        return Errno.inputOutput.number
      }
      if call == TL_CALL_write { isUnsynced = true }
      if call == TL_CALL_fsync { isUnsynced = false }
      return 0
    }
  }

  private func afterwards() {
    guard case .cut(let last) = mood else { return }
    // The save had fewer calls: the power goes right after it.
    wasCut = true
    mood = .good
    callsAtCut = step
    if isUnsynced { tear(last * 7 % 40) }
  }
}

/// A store on the simulated flash.
final class FlashStore: RecordStore {
  private let flash: Flash
  private let store: FileStore

  fileprivate init(_ flash: Flash, _ store: FileStore) {
    self.flash = flash
    self.store = store
  }

  func load(
    _ name: UnsafePointer<CChar>, into bytes: UnsafeMutableBufferPointer<UInt8>
  ) throws(StoreError) -> (count: Int, origin: RecordOrigin)? {
    try store.load(name, into: bytes)
  }

  func save(_ name: UnsafePointer<CChar>, _ bytes: UnsafeBufferPointer<UInt8>) throws(StoreError) {
    try flash.save(name, bytes, to: store)
  }
}
