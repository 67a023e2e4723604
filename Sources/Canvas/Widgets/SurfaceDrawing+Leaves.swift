import A2UI
import Graphics
import Runtime

// Text, icons, pictures and players.

extension SurfaceDrawing {
  func drawText(_ index: Int, _ rect: Rect) {
    guard let flow = layout.textFlow(index) else { return }
    let color = layout.typeSize(of: index) == .caption && ink == theme.text ? theme.mutedText : ink
    let parent = tree[index].parent.map { tree[$0].type }
    // In a row it stands in the middle of its height (canvas reference 1.10, rule 9), elsewhere at the top.
    flow.arrangeOnce(width: max(rect.width, 1))
    let y = parent == .row ? max((rect.height - flow.progress.height) / 2, 0) : 0
    flow.draw(into: list, at: Point(rect.x, rect.y + y), width: rect.width, color, visible: visible)
  }

  func drawIcon(_ index: Int, _ rect: Rect) {
    guard let name = tree.string(index, "name") else { return }
    let size = min(theme.iconSize, rect.height)
    let place = Rect(rect.x, rect.y + (rect.height - size) / 2, size, size)
    guard let address = tree.iconAddress(index, color: ink.argb) else {
      return list.add(.icon(Icon(named: name), place, ink))
    }
    // One with a path of its own is a picture, which appears once it is drawn.
    guard let picture = pictures.picture(address, Size(size, size)) else { return }
    let source = Rect(0, 0, picture.size.width, picture.size.height)
    list.add(.picture(picture.handle, source: source, place, radius: 0, opacity: 255))
  }

  func drawDivider(_ index: Int, _ rect: Rect) {
    let width = Int32(theme.hairline)
    let line =
      layout.isVertical(index)
      ? Rect(rect.x, rect.y, width, rect.height)
      : Rect(rect.x, rect.y + (rect.height - width) / 2, rect.width, width)
    list.add(.fill(line, radius: 0, .solid(theme.divider)))
  }

  // MARK: Pictures

  func drawPicture(_ index: Int, _ rect: Rect) {
    let usage = tree.word(index, "usageHint", otherwise: ImageUsage.mediumFeature)
    let isRound = usage == .avatar
    var place = rect
    let isThumbnail = layout.isThumbnail(index)
    if isThumbnail || usage == .avatar || usage == .icon || usage == .smallFeature {
      // Stretching does not make them larger.
      let side = min(layout[index].most, rect.width)
      place = Rect(rect.x, rect.y + max((rect.height - side) / 2, 0), side, min(side, rect.height))
    } else if usage == .mediumFeature {
      let width = min(layout[index].most, rect.width)
      place = Rect(rect.x, rect.y, width, min(layout.pictureHeight(index, width), rect.height))
    }
    let radius = isRound ? Int16(place.width / 2) : usage == .icon ? 0 : theme.pictureRadius
    let fit = tree.word(index, "fit", otherwise: usage == .header || isRound || isThumbnail ? ImageFit.cover : .fill)
    // What is not stretched is shown pixel by pixel.
    let isPlain = fit == .none || fit == .scaleDown
    let wanted = isPlain ? Size(Budget.pictureSidePixels, Budget.pictureSidePixels) : Size(place.width, place.height)
    guard let url = tree.string(index, "url"), let picture = pictures.picture(url, wanted) else {
      return drawMissingPicture(index, place, radius)
    }
    let (source, target) = fit.place(picture.size, in: place)
    list.add(.picture(picture.handle, source: source, target, radius: target == place ? radius : 0, opacity: 255))
  }

  /// What stands there until the picture comes: what it shows, in words, or the name of its file.
  private func drawMissingPicture(_ index: Int, _ rect: Rect, _ radius: Int16) {
    list.add(.fill(rect, radius: radius, .solid(theme.placeholder)))
    let side = min(theme.iconSize, rect.width, rect.height)
    let font = theme.font(.caption)
    let line = Int32(font.size) * 3 / 2
    let hasRoom = rect.height > side + line + theme.px(16) && rect.width > theme.px(72)
    let top = rect.y + (rect.height - side - (hasRoom ? line : 0)) / 2
    list.add(.icon(.photo, Rect(rect.x + (rect.width - side) / 2, top, side, side), theme.mutedText))
    guard hasRoom, let words = string(index, "altText", or: "url") else { return }
    let padding = theme.px(8)
    let room = Rect(rect.x + padding, top + side + theme.px(2), rect.width - 2 * padding, line)
    drawLine(words.lastPathPart, font, in: room, theme.mutedText, .center)
  }

  /// The first of two properties that is there.
  @_lifetime(borrow self)
  private func string(_ index: Int, _ first: StaticString, or second: StaticString) -> Span<UInt8>? {
    if let text = tree.string(index, first) { return _overrideLifetime(text, borrowing: self) }
    guard let text = tree.string(index, second) else { return nil }
    return _overrideLifetime(text, borrowing: self)
  }

  // MARK: Players

  func drawVideo(_ index: Int, _ rect: Rect) {
    let size = min(theme.px(480), rect.width)
    let tile = Rect(rect.x, rect.y, size, min(rect.height, size * 9 / 16))
    list.add(.fill(tile, radius: theme.pictureRadius, .solid(theme.placeholder)))
    let side = min(theme.px(44), tile.height / 2)
    let center = Rect(tile.x + (tile.width - side) / 2, tile.y + (tile.height - side) / 2, side, side)
    list.add(.icon(.play, center, theme.text))
    guard let url = tree.string(index, "url") else { return }
    let font = theme.font(.caption)
    let line = Int32(font.size) * 3 / 2
    let room = Rect(tile.x + theme.px(10), tile.maxY - line - theme.px(6), tile.width - theme.px(20), line)
    drawLine(url, font, in: room, theme.mutedText, .center)
  }

  func drawAudio(_ index: Int, _ rect: Rect) {
    list.add(.fill(rect, radius: theme.fieldRadius, .solid(theme.placeholder)))
    let side = theme.iconSize
    let icon = Rect(rect.x + theme.px(12), rect.y + (rect.height - side) / 2, side, side)
    list.add(.icon(.play, icon, theme.text))
    guard let words = string(index, "description", or: "url") else { return }
    let start = icon.maxX + theme.px(12)
    drawLine(
      words.lastPathPart, theme.font(.body), in: Rect(start, rect.y, rect.maxX - start - theme.px(12), rect.height),
      theme.text)
  }
}

extension ImageFit {
  /// Which part of a picture goes where (CSS object-fit).
  func place(_ picture: Size, in rect: Rect) -> (source: Rect, target: Rect) {
    let whole = Rect(0, 0, picture.width, picture.height)
    guard picture.width > 0, picture.height > 0, !rect.isEmpty else { return (whole, rect) }
    let (wide, high) = (Int64(picture.width) * Int64(rect.height), Int64(picture.height) * Int64(rect.width))
    switch self {
    case .fill: return (whole, rect)
    case .cover:
      // The picture is cut to the shape of the rectangle.
      if wide > high {
        let width = Int32(high / Int64(rect.height))
        return (Rect((picture.width - width) / 2, 0, width, picture.height), rect)
      }
      let height = Int32(wide / Int64(rect.width))
      return (Rect(0, (picture.height - height) / 2, picture.width, height), rect)
    case .none:
      let (width, height) = (min(picture.width, rect.width), min(picture.height, rect.height))
      let source = Rect((picture.width - width) / 2, (picture.height - height) / 2, width, height)
      return (source, Rect(rect.x + (rect.width - width) / 2, rect.y + (rect.height - height) / 2, width, height))
    case .scaleDown where picture.width <= rect.width && picture.height <= rect.height:
      return ImageFit.none.place(picture, in: rect)
    case .contain, .scaleDown:
      let width = wide > high ? rect.width : Int32(wide / Int64(picture.height))
      let height = wide > high ? Int32(high / Int64(picture.width)) : rect.height
      return (whole, Rect(rect.x + (rect.width - width) / 2, rect.y + (rect.height - height) / 2, width, height))
    }
  }
}

extension Span where Element == UInt8 {
  /// What stands after the last slash: the name of a file. All of it when there is none, or nothing after it.
  var lastPathPart: Span<UInt8> {
    @_lifetime(copy self)
    get {
      var start = count
      while start > 0, self[start - 1] != UInt8(ascii: "/") { start -= 1 }
      return start == count ? self : extracting(start..<count)
    }
  }
}
