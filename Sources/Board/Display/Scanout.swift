import CLinux
import Canvas
import Graphics
import Runtime

/// When a frame is on the panel.
enum Shown {
  /// Already.
  case now
  /// When the scanout's descriptor becomes readable.
  case later
  /// Never: another program has the screen.
  case dropped
}

/// An open display of the kernel, used by `ScreenDisplay`. All calls are on the loop's thread, except `show`.
protocol Scanout: AnyObject {
  var mode: DisplayMode { get }
  /// Readable when a frame shown `.later` is on the panel; nil when frames are shown at once.
  var events: Descriptor? { get }
  /// Number of frames shown so far.
  func takeEvents() -> Int
  /// Draws the changed region. On a worker.
  func show(_ pixels: PixelBuffer, _ damage: Damage) throws(DisplayFault) -> Shown
  /// Releases the screen to another program, or takes it back, unblanked: then everything has to be shown again.
  func release()
  func acquire()
  /// Blanks or unblanks the display. Frames shown while it is blanked are dropped.
  func setBlank(_ isBlank: Bool) throws(DisplayFault)
  /// True when the display was replaced or is gone.
  func isOutdated() -> Bool
  func close()
}

/// A flag that is set on the loop's thread and read on a worker's.
final class SharedFlag {
  private let place = UnsafeMutablePointer<Int32>.allocate(capacity: 1)

  init() { place.initialize(to: 0) }
  deinit { place.deallocate() }

  var isSet: Bool {
    get { tl_load(place) != 0 }
    set { tl_store(place, newValue ? 1 : 0) }
  }
}

/// The result of a `CLinux` call; throws when it is an error.
@discardableResult
func accepted(_ result: Int64, _ what: StaticString) throws(DisplayFault) -> Int64 {
  if result < 0 { throw DisplayFault(what, Errno(Int32(truncatingIfNeeded: -result))) }
  return result
}

/// Opens a device for reading and writing.
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
