import Canvas
import Codec
import Graphics
import Runtime

// What a frame consists of, and how the screen is.

extension CanvasFace: FrameDelegate {
  /// Documents are drawn only when all of them are arranged.
  var isReady: Bool { view != .documents || !documents.isPending || overlay.coversAll }

  func draw(into list: DisplayList, _ size: Size) {
    pictures.beginDrawing()
    delegate.aboutToDraw()
    // Home is drawn in its own way.
    overlay.setChat(isChatWaiting && view != .home)
    if !overlay.coversAll {
      drawPage(into: list)
      drawFade(into: list, size)
    }
    overlay.draw(into: list)
    cursor.draw(into: list, theme)
  }

  private func drawFade(into list: DisplayList, _ size: Size) {
    guard fade.isMoving else { return }
    let left = Motion.whole - fade.progress(at: clock.monotonic)
    let cover = theme.page.opacity(UInt8(clamping: left))
    list.add(.fill(Rect(0, 0, size.width, size.height), radius: 0, .solid(cover)))
  }

  /// A picture of the screen shows what is there, and not how it comes. False when nothing moves.
  func endFade() -> Bool {
    guard fade.isMoving else { return false }
    fade.end()
    pump.request()
    return true
  }

  private func drawPage(into list: DisplayList) {
    switch view {
    case .documents:
      documents.draw(into: list)
      frameOmission =
        list.isCut
        ? "not all of the page is drawn: the screen shows more parts, or more text, than one frame has room for"
        : pictures.leftOut > 0
          ? "not all pictures of the page are shown: there are more than one frame has room for" : nil
    case .home: home.draw(into: list)
    case .page: page?.draw(into: list)
    case .chat: chat?.draw(into: list)
    }
  }

  func frameShown(_ number: UInt64, isVisible: Bool) {
    if isVisible, isSeen, !isAway { overlay.shown(at: clock.monotonic) } else { overlay.darkened() }
    delegate.frameShown()
  }

  /// All that is shown has the colors and the lengths of this theme.
  func fitAll() {
    documents.fit(pump.size, theme)
    documents.update(atMost: Budget.arrangedBytes)
    home.fit(pump.size, theme)
    page?.fit(pump.size, theme)
    chat?.fit(pump.size, theme)
    overlay.fit(pump.size, theme)
  }

  func screenChanged() {
    fitAll()
    input.fit(scale: scale)
    watch = PointerGestures(scale: Float(scale) / 100)
    if tripleTap != nil { tripleTap = TripleTap(scale: Float(scale) / 100) }
    face.input?.start(self, size: pump.size, rotation: pump.mode?.rotation ?? .none)
    if let percent = face.brightness { pump.setBrightness(percent) }
    // A person who plugs a display in looks at it; it is already lit.
    _ = blanker.wake(at: clock.monotonic)
    overlay.darkened()
    if isHidden { pump.setBlank(true) }
  }

  func screenIsAway(_ isAway: Bool) {
    self.isAway = isAway
    if isAway {
      overlay.darkened()
      face.input?.stop()
    } else {
      _ = blanker.wake(at: clock.monotonic)
      face.input?.start(self, size: pump.size, rotation: pump.mode?.rotation ?? .none)
      pump.setBlank(isHidden)
    }
  }

  var theme: Theme {
    let scale = face.scale ?? Theme.scale(for: pump.size, millimeters: pump.mode?.millimeters)
    return Theme(mode: night?.isNight == true ? .night : face.mode, scale: scale)
  }
}
