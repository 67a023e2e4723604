import CLinux
import Canvas
import Runtime

/// When a frame is on the panel.
enum Shown {
  /// Already.
  case now
  /// When the descriptor of the scan-out says so.
  case later
  /// Never: another program has the screen.
  case dropped
}

/// A display of the kernel that is open, behind `ScreenDisplay`. All is called on the loop's thread but `show`.
protocol Scanout: AnyObject {
  var mode: DisplayMode { get }
  /// Readable when a frame that comes later is on the panel; nil when none does.
  var events: Descriptor? { get }
  /// How many frames came to the panel.
  func takeEvents() -> Int
  /// Draws what changed. On a worker.
  func show(_ pixels: PixelBuffer, _ damage: Damage) throws(DisplayFault) -> Shown
  /// Another program gets the screen, or gives it back, lit: then all has to be shown again.
  func release()
  func acquire()
  /// What is shown while it is dark is dropped.
  func setBlank(_ isBlank: Bool) throws(DisplayFault)
  /// True when the display is another one, or gone.
  func isOutdated() -> Bool
  func close()
}

/// Set on the loop's thread, looked at on a worker's.
final class SharedFlag {
  private let place = UnsafeMutablePointer<Int32>.allocate(capacity: 1)

  init() { place.initialize(to: 0) }
  deinit { place.deallocate() }

  var isSet: Bool {
    get { tl_load(place) != 0 }
    set { tl_store(place, newValue ? 1 : 0) }
  }
}

/// What a call of `CLinux` answered, or why it failed.
@discardableResult
func accepted(_ result: Int64, _ what: StaticString) throws(DisplayFault) -> Int64 {
  if result < 0 { throw DisplayFault(what, Errno(Int32(truncatingIfNeeded: -result))) }
  return result
}

/// Opens a device, to be read and written.
func openDevice(_ path: InlineText<64>, root: String, _ what: StaticString) throws(DisplayFault) -> Descriptor {
  do throws(Errno) {
    let full = try Path(root)
    try path.span.withUnsafeBufferPointer { bytes throws(Errno) in try full.append(bytes) }
    return try Syscall.open(full, [.readWrite, .nonBlocking, .noControllingTerminal])
  } catch {
    throw DisplayFault(what, error)
  }
}

/// "/dev/fb" and 1.
func devicePath(_ prefix: StaticString, _ number: Int) -> InlineText<64> {
  var path = InlineText<64>()
  path.fill { room in
    var digits = (number / 10, number % 10)
    var count = 0
    for byte in prefix.bytes {
      room[count] = byte
      count += 1
    }
    if digits.0 > 0 {
      room[count] = UInt8(truncatingIfNeeded: 48 + digits.0)
      count += 1
    }
    room[count] = UInt8(truncatingIfNeeded: 48 + digits.1)
    digits = (0, 0)
    return count + 1
  }
  return path
}
