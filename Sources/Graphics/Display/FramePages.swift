import Runtime

/// The one or two memory pages of a scanout. With two, the hidden page is drawn into, including the changes of the
/// previous frame that it lacks.
public struct FramePages {
  public let layout: PanelLayout
  public let rotation: Rotation
  private var pages = InlineList<2, Page>()
  /// The visible page; the other one is drawn into.
  public private(set) var shown = 0

  private struct Page: @unchecked Sendable {
    let memory: UnsafeMutableRawBufferPointer
    /// The changed area since this page was last drawn into.
    var missing: Damage
  }

  /// Pages with unknown contents. The memory belongs to the caller and outlives this object.
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
  /// The size of the picture, after rotation.
  public var pictureSize: Size { rotation.turned(layout.size) }
  /// The page that is drawn into.
  public var next: Int { pages.count == 2 ? 1 - shown : 0 }

  /// Marks the contents of the pages as unknown: the next frame is drawn completely.
  public mutating func forget() {
    let size = pictureSize
    for index in 0..<pages.count { pages[index].missing = Damage(Rect(0, 0, size.width, size.height)) }
  }

  /// Draws the changed area into the page `next`; returns what was written, in pixels of the panel.
  @export(interface)
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

  /// Swaps the pages after a flip.
  public mutating func turn() { shown = next }

  /// Continues with the visible page only.
  public mutating func keepShownOnly() {
    guard pages.count == 2 else { return }
    let page = pages[shown]
    pages.removeAll()
    pages.append(page)
    shown = 0
  }
}
