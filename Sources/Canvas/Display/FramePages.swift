import Runtime

/// The one or two pages of memory that a display is scanned out from. With two, the one that is not seen is drawn into, and
/// gets what it lacks of the frame before as well.
public struct FramePages {
  public let layout: PanelLayout
  public let rotation: Rotation
  private var pages = InlineList<2, Page>()
  /// The page that is seen, or will be once it was shown; the other one is drawn into.
  public private(set) var shown = 0

  private struct Page: @unchecked Sendable {
    let memory: UnsafeMutableRawBufferPointer
    /// What changed in the picture since this page was drawn into.
    var missing: Damage
  }

  /// Pages whose contents nobody knows. The memory belongs to the caller, and outlives this.
  public init(_ layout: PanelLayout, _ rotation: Rotation, _ first: UnsafeMutableRawBufferPointer) {
    self.layout = layout
    self.rotation = rotation
    add(first)
  }

  /// A second page.
  public mutating func add(_ memory: UnsafeMutableRawBufferPointer) {
    let size = pictureSize
    pages.append(Page(memory: memory, missing: Damage(Rect(0, 0, size.width, size.height))))
  }

  public var count: Int { pages.count }
  /// The size of the picture, as a person sees it.
  public var pictureSize: Size { rotation.turned(layout.size) }
  /// The page that is drawn into.
  public var next: Int { pages.count == 2 ? 1 - shown : 0 }

  /// Nobody knows any more what the pages hold: the next frame is drawn whole.
  public mutating func forget() {
    let size = pictureSize
    for index in 0..<pages.count { pages[index].missing = Damage(Rect(0, 0, size.width, size.height)) }
  }

  /// Draws what changed into the page `next`; answers what was written of it, in pixels of the panel.
  public mutating func draw(_ picture: PixelBuffer, _ damage: Damage) -> Damage {
    for index in 0..<pages.count { pages[index].missing.add(damage) }
    let missing = pages[next].missing
    var written = Damage()
    for index in 0..<missing.count {
      written.add(PanelCopy.copy(missing[index], of: picture, to: pages[next].memory, layout, rotation))
    }
    pages[next].missing = Damage()
    return written
  }

  /// The page that was drawn into is the one that is seen.
  public mutating func turn() { shown = next }

  /// Goes on with the page that is seen alone.
  public mutating func keepShownOnly() {
    guard pages.count == 2 else { return }
    let page = pages[shown]
    pages.removeAll()
    pages.append(page)
    shown = 0
  }
}
