extension DrawCommand {
  /// Around all that the command can paint, without clips. Text is taken larger than it is: its glyphs are not known here.
  public var bounds: Rect {
    switch self {
    case .fill(let rect, _, _), .border(let rect, _, _, _), .icon(_, let rect, _), .arc(let rect, _, _, _, _),
      .picture(_, _, let rect, _), .clip(let rect, _):
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
}
