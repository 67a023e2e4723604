import Runtime

extension DrawCommand {
  /// Around all that the command can paint, without clips. Text is taken larger than it is: its glyphs are not known
  /// here.
  public var bounds: Rect {
    switch self {
    case .fill(let rect, _, _), .border(let rect, _, _, _), .icon(_, let rect, _), .arc(let rect, _, _, _, _),
      .picture(_, _, let rect, _, _), .clip(let rect, _):
      return rect
    case .shadow(let rect, _, let blur, let down, _):
      return rect.offset(0, Int32(down)).inset(by: -Int32(max(blur, 0)))
    case .text(_, let font, let start, let advance, _):
      // Accents above capitals and slanted or joined letters go beyond the line's box.
      let size = Int32(font.size)
      return Rect(start.x - size / 2, start.y - size - size / 3, advance + size, 2 * size)
    case .line(let from, let to, let width, _):
      let reach = Int32(width) / 2 + 2
      let (left, top) = (min(from.x, to.x), min(from.y, to.y))
      return Rect(left, top, max(from.x, to.x) - left, max(from.y, to.y) - top).inset(by: -reach)
    case .endClip: return .empty
    }
  }

  /// The same, with places and sizes that can be added up (`Budget.farthestPixel`).
  var clamped: DrawCommand {
    switch self {
    case .fill(let rect, let radius, let fill): .fill(rect.clamped, radius: radius, fill)
    case .border(let rect, let radius, let width, let color):
      .border(rect.clamped, radius: radius, width: width, color)
    case .shadow(let rect, let radius, let blur, let down, let color):
      .shadow(rect.clamped, radius: radius, blur: blur, down: down, color)
    case .text(let slice, let font, let start, let advance, let color):
      .text(slice, font, start: start.clamped, advance: near(advance), color)
    case .line(let from, let to, let width, let color): .line(from.clamped, to.clamped, width: width, color)
    case .icon(let icon, let rect, let color): .icon(icon, rect.clamped, color)
    case .arc(let rect, let start, let sweep, let width, let color):
      .arc(rect.clamped, start: start, sweep: sweep, width: width, color)
    case .picture(let handle, let source, let rect, let radius, let opacity):
      .picture(handle, source: source.clamped, rect.clamped, radius: radius, opacity: opacity)
    case .clip(let rect, let radius): .clip(rect.clamped, radius: radius)
    case .endClip: .endClip
    }
  }
}

private func near(_ value: Int32) -> Int32 { min(max(value, -Budget.farthestPixel), Budget.farthestPixel) }

extension Point {
  fileprivate var clamped: Point { Point(near(x), near(y)) }
}

extension Rect {
  fileprivate var clamped: Rect { Rect(near(x), near(y), near(width), near(height)) }
}
