import Runtime

/// Gets changes of one file.
public protocol FileWatcherDelegate: AnyObject {
  /// The file has other contents, or another file has its name. Called once for a burst,
  /// `Budget.fileSettleMilliseconds` after its first event.
  func fileChanged()
}

/// Watches one file by `inotify(7)`, on its folder: editors write another file and give it the name.
public final class FileWatcher: DescriptorHandler, TimerHandler {
  /// Bytes of an event before its name: `struct inotify_event`.
  private static let headerBytes = 16
  private static let overflow: UInt32 = 0x4000

  private let loop: Loop
  private let clock: any Clock
  private let buffer = FixedBuffer(capacity: Budget.fileEventBytes)
  private var name: [UInt8] = []
  private var descriptor: Descriptor?
  private var delegate: (any FileWatcherDelegate)?
  private var isSettling = false

  /// An idle watcher; call `start`.
  @export(interface)
  public init(loop: Loop, clock: any Clock) {
    self.loop = loop
    self.clock = clock
  }

  deinit { stop() }

  /// Starts watching the file at `path`, which need not exist; its folder must, and this user may list it.
  public func start(_ path: String, _ delegate: any FileWatcherDelegate) throws(Errno) {
    stop()
    let bytes = Array(path.utf8)
    let slash = bytes.lastIndex(of: UInt8(ascii: "/"))
    let folder = slash.map { $0 == 0 ? "/" : String(decoding: bytes[..<$0], as: UTF8.self) } ?? "."
    name = Array(bytes[(slash.map { $0 + 1 } ?? 0)...])
    let descriptor = try Syscall.watchFolder(Path(folder))
    do throws(Errno) {
      try loop.watch(descriptor, for: .readable, self)
    } catch {
      descriptor.close()
      throw error
    }
    (self.descriptor, self.delegate) = (descriptor, delegate)
  }

  /// Stops watching. Harmless when it does not watch.
  public func stop() {
    (delegate, isSettling) = (nil, false)
    loop.cancelTimer(TimerID(0), of: self)
    guard let descriptor else { return }
    loop.unwatch(descriptor)
    descriptor.close()
    self.descriptor = nil
  }

  public func ready(_ descriptor: Descriptor, _ readiness: Readiness) {
    while true {
      do throws(Errno) {
        let count = try Syscall.read(descriptor, into: UnsafeMutableRawBufferPointer(buffer.bytes))
        if count == 0 { return }
        if isAboutFile(UnsafeBufferPointer(rebasing: UnsafeBufferPointer(buffer.bytes)[..<count])) { settle() }
      } catch {
        return
      }
    }
  }

  /// True when an event of these is about the file, or some were lost.
  private func isAboutFile(_ events: UnsafeBufferPointer<UInt8>) -> Bool {
    var place = 0
    while place + Self.headerBytes <= events.count {
      if Self.number(events, place + 4) & Self.overflow != 0 { return true }
      let length = Int(Self.number(events, place + 12))
      let start = place + Self.headerBytes
      guard length <= events.count - start else { return false }
      if isName(UnsafeBufferPointer(rebasing: events[start..<start + length])) { return true }
      place = start + length
    }
    return false
  }

  private static func number(_ bytes: UnsafeBufferPointer<UInt8>, _ place: Int) -> UInt32 {
    UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: place, as: UInt32.self)
  }

  /// The kernel's names end in zeros.
  private func isName(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard text.count > name.count, text[name.count] == 0 else { return false }
    for index in 0..<name.count where text[index] != name[index] { return false }
    return true
  }

  private func settle() {
    if isSettling { return }
    isSettling = true
    loop.setTimer(TimerID(0), of: self, at: clock.monotonic + Budget.fileSettleMilliseconds)
  }

  public func timerFired(_ id: TimerID) {
    isSettling = false
    delegate?.fileChanged()
  }
}
