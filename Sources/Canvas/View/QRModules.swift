import Graphics
import Runtime

/// The modules of a QR code (ISO/IEC 18004): a square of dark and light ones.
public final class QRModules {
  private let cells = FixedBuffer(capacity: Budget.qrModules * Budget.qrModules)
  /// Modules of a side; 0: there is no code.
  public private(set) var side: Int32 = 0

  /// No code.
  @export(interface)
  public init() {}

  /// Takes a code: `write` fills in rows of `side` bytes, of which the lowest bit is 1 where a module is dark, and
  /// gives the side; nil or more than there is room for: no code.
  public func fill(_ write: (UnsafeMutableBufferPointer<UInt8>) -> Int?) {
    side = 0
    guard let side = write(cells.bytes), side > 0, side <= Budget.qrModules else { return }
    self.side = Int32(side)
  }

  /// True for a dark module.
  public func isDark(_ x: Int32, _ y: Int32) -> Bool { cells.bytes[Int(y * side + x)] & 1 == 1 }

  /// Draws it, with the light margin of four modules that readers need, as large as fits into a square, in the middle.
  /// False when not even two pixels for each module do.
  func draw(into list: DisplayList, _ square: Rect) -> Bool {
    let module = min(square.width, square.height) / (side + 8)
    guard side > 0, module >= 2 else { return false }
    let size = module * (side + 8)
    let frame = Rect(square.x + (square.width - size) / 2, square.y + (square.height - size) / 2, size, size)
    list.add(.fill(frame, radius: Int16(2 * module), .solid(.white)))
    for y in 0..<side {
      var x: Int32 = 0
      while x < side {
        let start = x
        while x < side, isDark(x, y) { x += 1 }
        if x > start {
          let run = Rect(frame.x + (start + 4) * module, frame.y + (y + 4) * module, (x - start) * module, module)
          list.add(.fill(run, radius: 0, .solid(.black)))
        } else {
          x += 1
        }
      }
    }
    return true
  }
}

/// Makes QR codes. On the loop's thread, when a text changes.
public protocol QREncoder: AnyObject {
  /// Encodes a text; `modules` has no code when it is too long.
  func encode(_ text: Span<UInt8>, into modules: QRModules)
}
