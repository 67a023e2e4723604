import Runtime

/// Draws display lists into memory, with the processor alone. All memory except that of pictures is allocated at the
/// start.
public final class SoftwarePainter: Painter {
  let raster = Raster()
  let glyphs: any GlyphSource
  let cache = GlyphCache()
  let line = GlyphLine()
  let shadows = Shadows()
  let strokes = StrokeMask()
  let pictures = PictureTable()
  let scaler = PictureScaler()
  /// How much of each pixel of a row is inside of a border, or of what has a shadow.
  let inside = ScratchRow<UInt8>(Budget.paintSidePixels)
  /// Colors along the gradient that is being painted.
  let ramp = ScratchRow<UInt32>(Gradient.steps)

  /// A painter whose text is made of these glyphs. They belong to it alone.
  @export(interface)
  public init(glyphs: any GlyphSource) { self.glyphs = glyphs }

  /// See `Painter`.
  @export(interface)
  public func paint(_ list: DisplayList, _ damage: Damage, into pixels: PixelBuffer) {
    for index in 0..<damage.count {
      raster.begin(pixels, damage[index])
      let bounds = raster.bounds
      guard !bounds.isEmpty else { continue }
      let first = firstVisible(list, in: bounds)
      if first == 0 { fill(bounds, .solid(.black)) }
      for place in first..<list.count { paint(list, list[place]) }
    }
  }

  /// The last command that covers all of it and lets nothing through: nothing before it is seen. 0 when there is none.
  private func firstVisible(_ list: DisplayList, in bounds: Rect) -> Int {
    var depth = 0
    var first = 0
    for index in 0..<list.count {
      switch list[index] {
      case .clip: depth += 1
      case .endClip: depth -= 1
      case .fill(let rect, 0, let fill) where depth == 0 && rect.contains(bounds) && fill.isOpaque: first = index
      default: break
      }
    }
    return first
  }

  private func paint(_ list: DisplayList, _ command: DrawCommand) {
    switch command {
    case .clip(let rect, let radius): raster.clip(rect, radius)
    case .endClip: raster.endClip()
    case _ where command.bounds.intersection(raster.bounds).isEmpty: return
    case .fill(let rect, let radius, let fill): self.fill(rect, radius, fill)
    case .border(let rect, let radius, let width, let color): border(rect, radius, width, color)
    case .shadow(let rect, let radius, let blur, let down, let color): shadow(rect, radius, blur, down, color)
    case .text(let slice, let font, let start, _, let color):
      text(list.text(slice), font, start, color, in: command.bounds)
    case .line(let from, let to, let width, let color): stroke(from, to, width, color)
    case .icon(let icon, let rect, let color): self.icon(icon, rect, color)
    case .arc(let rect, let start, let sweep, let width, let color): arc(rect, start, sweep, width, color)
    case .picture(let handle, let source, let rect, let radius, let opacity):
      picture(handle, source, rect, radius, UInt32(opacity))
    }
  }

  // MARK: Pictures

  /// See `Painter`.
  public func keep(_ pixels: UnsafeBufferPointer<UInt32>, _ size: Size) -> PictureHandle? {
    pictures.keep(pixels, size)
  }

  /// See `Painter`.
  public func drop(_ picture: PictureHandle) { pictures.drop(picture) }
}

extension Fill {
  /// Nothing after it is seen.
  var isOpaque: Bool {
    switch self {
    case .solid(let color): color.alpha == 255
    case .gradient(let first, let second, _): first.alpha == 255 && second.alpha == 255
    }
  }
}
