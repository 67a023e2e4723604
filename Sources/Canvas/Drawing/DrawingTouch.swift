import Codec
import Graphics
import Runtime

/// Fingers on a drawing: which element they belong to, and their gestures.
struct DrawingTouch {
  /// The id of the element that has the fingers, from the first down to the last up.
  var owner = InlineText<64>()
  var gestures: PointerGestures
  var fingers: TwoFingers
  /// The fingers that are down; one that draws; and a button of the sketch that is pressed.
  var down = InlineArray<10, Bool>(repeating: false)
  var pen: Int?
  var button: SketchButton?

  enum SketchButton { case clear, send }

  /// Nothing is down. `scale` is the interface's.
  init(scale: Float) {
    gestures = PointerGestures(scale: scale)
    fingers = TwoFingers(scale: scale)
  }

  var nextDeadline: Int64? { owner.isEmpty ? nil : gestures.nextDeadline }

  var isAnyDown: Bool {
    for id in 0..<down.count where down[id] { return true }
    return false
  }
}

extension DrawingPage {
  /// The front element that reacts to fingers at a place.
  func touchable(at place: Point, _ now: Int64) -> Int? {
    var found: Int?
    for index in 0..<drawing.count where !drawing.elements[index].isLeaving {
      let element = drawing.elements[index]
      guard element.kind == .interactive || element.kind == .sketch else { continue }
      if self.place(element.frame(at: now)).contains(place) { found = index }
    }
    return found
  }

  /// Takes what a pointer does. True when the page looks different after it.
  func take(_ what: InputEvent.Pointer, id: Int, _ place: Point, at instant: Int64) -> Bool {
    guard touch.down.indices.contains(id) else { return false }
    if what == .down, !touch.isAnyDown {
      guard let index = touchable(at: place, instant) else { return false }
      touch.owner = drawing.elements[index].id
    }
    guard !touch.owner.isEmpty, what == .down || touch.down[id] else { return false }
    touch.down[id] = what == .down || what == .move
    defer { if !touch.isAnyDown { touch.owner.clear() } }
    // The agent may have taken the element away meanwhile.
    guard let index = drawing.find(touch.owner.span) else { return false }
    if drawing.elements[index].kind == .sketch { return draw(what, id, place, drawing.elements[index]) }
    interact(what, id, place, index, at: instant)
    return false
  }

  func advanceTouch(to now: Int64) {
    guard !touch.owner.isEmpty, let index = drawing.find(touch.owner.span) else { return }
    var gestures = touch.gestures
    gestures.advance(to: now) { tell($0, index) }
    touch.gestures = gestures
  }

  // MARK: Interactive elements

  private func interact(_ what: InputEvent.Pointer, _ id: Int, _ place: Point, _ index: Int, at instant: Int64) {
    if let move = touch.fingers.feed(what, id: id, place) { tell(move, index) }
    var gestures = touch.gestures
    gestures.feed(what, id: id, place, at: instant) { tell($0, index) }
    touch.gestures = gestures
  }

  private func tell(_ gesture: PointerGesture, _ index: Int) {
    let wanted = drawing.elements[index].gestures
    switch gesture {
    case .tap(let place): if wanted.contains(.tap) { tell("tap", index, place) }
    case .longPress(let place): if wanted.contains(.longPress) { tell("longPress", index, place) }
    case .down, .notTap, .drag, .release, .cancel, .panic: break
    }
  }

  private func tell(_ move: TwoFingerMove, _ index: Int) {
    let wanted = drawing.elements[index].gestures
    if move.isPinch ? !wanted.contains(.pinch) : !wanted.contains(.pan) { return }
    tell(move.isPinch ? "pinch" : "pan", index, move.start) { writer in
      Self.length("dx", units(move.end.x &- move.start.x), &writer)
      Self.length("dy", units(move.end.y &- move.start.y), &writer)
      guard move.isPinch else { return }
      writer.key("scale")
      writer.decimal(Double(move.scale), fractionDigits: 2)
    }
  }

  private func tell(
    _ name: StaticString, _ index: Int, _ place: Point, _ more: (inout JSONWriter) -> Void = { _ in }
  ) {
    let written = writeAction(name, drawing.elements[index].id.span) { writer in
      let (x, y) = units(place)
      Self.length("x", x, &writer)
      Self.length("y", y, &writer)
      more(&writer)
    }
    if let written { delegate?.touched(written) }
  }

  /// To a tenth of a unit.
  private static func length(_ key: StaticString, _ units: Float, _ writer: inout JSONWriter) {
    writer.key(key)
    writer.decimal(Double(units), fractionDigits: 1)
  }

  private func writeAction(
    _ name: StaticString, _ id: Span<UInt8>, _ context: (inout JSONWriter) -> Void
  ) -> UnsafeBufferPointer<UInt8>? {
    var writer = JSONWriter(into: action.bytes)
    writer.beginObject()
    writer.key("name")
    writer.string(name)
    writer.key("surfaceId")
    writer.string("drawing")
    writer.key("sourceComponentId")
    writer.string(id)
    writer.key("context")
    writer.beginObject()
    context(&writer)
    writer.endObject()
    writer.endObject()
    guard writer.isComplete else { return nil }
    return UnsafeBufferPointer(action.bytes).extracting(0..<writer.count)
  }

  // MARK: Sketches

  /// The buttons of a sketch: in its lower corner on the right, as large as a finger.
  func sketchButtons(_ rect: Rect) -> (clear: Rect, send: Rect) {
    let (side, gap) = (theme.px(44), theme.px(8))
    let top = rect.maxY - side - gap
    return (Rect(rect.maxX - 2 * (side + gap), top, side, side), Rect(rect.maxX - side - gap, top, side, side))
  }

  /// Pixels; at least 1.
  func penWidth(_ element: DrawingElement) -> Int32 { max(pixels(element.borderWidth), 1) }

  private func draw(_ what: InputEvent.Pointer, _ id: Int, _ place: Point, _ element: DrawingElement) -> Bool {
    let rect = self.place(element.frame)
    guard rect.width > 0, rect.height > 0 else { return false }
    if what == .down {
      // One finger draws; a palm beside it does not.
      guard touch.pen == nil, touch.button == nil else { return false }
      touch.button = button(at: place, rect)
      if touch.button == nil { touch.pen = id }
    }
    if let button = touch.button { return press(button, what, place, rect, element) }
    guard touch.pen == id else { return false }
    let (x, y) = (share(place.x, rect.x, rect.width), share(place.y, rect.y, rect.height))
    let hasDrawn = what == .cancel ? false : sketch.add(x, y)
    guard what == .up || what == .cancel else { return hasDrawn }
    touch.pen = nil
    sketch.endLine()
    return true
  }

  private func share(_ value: Int32, _ start: Int32, _ length: Int32) -> Float {
    (Float(value) - Float(start)) / Float(length)
  }

  private func button(at place: Point, _ rect: Rect) -> DrawingTouch.SketchButton? {
    guard !sketch.isEmpty else { return nil }
    let buttons = sketchButtons(rect)
    return buttons.clear.contains(place) ? .clear : buttons.send.contains(place) ? .send : nil
  }

  private func press(
    _ button: DrawingTouch.SketchButton, _ what: InputEvent.Pointer, _ place: Point, _ rect: Rect,
    _ element: DrawingElement
  ) -> Bool {
    guard what == .up || what == .cancel else { return false }
    touch.button = nil
    guard what == .up, self.button(at: place, rect) == button else { return false }
    switch button {
    case .clear: sketch.clear()
    case .send: send(element, rect)
    }
    return true
  }

  private func send(_ element: DrawingElement, _ rect: Rect) {
    let size = Sketch.pictureSize(rect.size)
    let radius = Float(penWidth(element)) * Float(size.width) / Float(rect.width) / 2
    let bits = pixels.bytes.extracting(0..<Budget.sketchPictureBytes)
    let file = pixels.bytes.extracting(Budget.sketchPictureBytes..<2 * Budget.sketchPictureBytes)
    defer { pixels.release() }
    sketch.paint(into: bits, size, radius: max(radius, 0.6))
    let stride = (Int(size.width) + 7) / 8
    let png = TwoColorPNG(width: Int(size.width), height: Int(size.height), off: 0xFFFFFF, on: 0)
    guard let count = png.write(into: file, { bits[$1 * stride + $0 / 8] & 0x80 >> UInt8($0 % 8) != 0 }) else { return }
    let written = writeAction("sketch", element.id.span) { writer in
      writer.key("width")
      writer.int(Int64(size.width))
      writer.key("height")
      writer.int(Int64(size.height))
    }
    if let written { delegate?.sketched(written, UnsafeBufferPointer(file).extracting(0..<count)) }
  }
}
