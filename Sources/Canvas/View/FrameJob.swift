import Graphics
import Runtime

/// Paints one frame, and copies what changed to the display. On a worker.
final class FrameJob: Job {
  private let painter: any Painter
  private let display: any Display
  private let ended: (FrameJob) -> Void
  private(set) var list: DisplayList
  private var damage = Damage()
  private var pixels: PixelBuffer?
  /// True when the display is open; otherwise the frame is painted only for snapshots.
  private(set) var isForDisplay = false
  /// Why the display refused it.
  private(set) var fault: DisplayFault?

  init(_ painter: any Painter, _ display: any Display, ended: @escaping (FrameJob) -> Void) {
    self.painter = painter
    self.display = display
    self.ended = ended
    list = DisplayList()
  }

  /// Sets what to paint, and takes its list in exchange for the one of the frame before. Not while pending.
  func prepare(_ list: inout DisplayList, _ damage: Damage, _ pixels: PixelBuffer, isForDisplay: Bool) {
    (self.list, list) = (list, self.list)
    self.damage = damage
    self.pixels = pixels
    self.isForDisplay = isForDisplay
  }

  override func run() {
    fault = nil
    guard let pixels else { return }
    painter.paint(list, damage, into: pixels)
    guard isForDisplay else { return }
    do throws(DisplayFault) { try display.show(pixels, damage) } catch { fault = error }
  }

  override func finish() { ended(self) }
}
