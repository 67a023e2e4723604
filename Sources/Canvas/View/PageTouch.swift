import Codec
import Graphics
import Runtime

/// Gets the results of touches.
public protocol PageTouchDelegate: AnyObject {
  /// The page looks different.
  func pageChanged()
  /// A button was pressed whose action is for the agent.
  func pressed(_ hit: Hit)
}

/// Turns touches into actions on the page: taps, sliders, scrolling with inertia. A state machine without timers: the
/// owner calls `advance` at `nextDeadline`.
public final class PageTouch {
  private let view: DocumentView
  public unowned(unsafe) var delegate: any PageTouchDelegate
  private var gestures = PointerGestures(scale: 1)
  private var scale: Float = 1
  /// What the finger went down on.
  private var down: Hit?
  private var slider: Hit?
  private var scroller: Scroller?
  private var isDragging = false
  /// The content that moves by inertia, its start, and how far it has moved.
  private var kinetic: KineticScroll?
  private var travelled: Int32 = 0
  private var nextFrame: Int64?
  /// The last press of a button, which is told once in `Budget.a2uiPressMilliseconds`.
  private var lastPress: (id: UInt64, time: Int64)?

  @export(interface)
  public init(_ view: DocumentView, delegate: any PageTouchDelegate) {
    self.view = view
    self.delegate = delegate
  }

  /// The interface's scale in percent, which distances and speeds grow with.
  public func fit(scale percent: Int32) {
    scale = Float(percent) / 100
    gestures = PointerGestures(scale: scale)
    (down, slider, scroller, kinetic, nextFrame) = (nil, nil, nil, nil, nil)
  }

  /// When `advance` has to be called.
  public var nextDeadline: Int64? {
    guard let nextFrame else { return gestures.nextDeadline }
    return gestures.nextDeadline.map { min($0, nextFrame) } ?? nextFrame
  }

  /// Takes what a pointer does.
  public func feed(_ what: InputEvent.Pointer, id: Int, _ place: Point, at time: Int64) {
    gestures.feed(what, id: id, place, at: time) { take($0, time) }
  }

  /// A wheel moves what is under it.
  public func wheel(_ place: Point, x: Int32, y: Int32) {
    let isHorizontal = abs(x) > abs(y)
    guard let scroller = view.scroller(at: place, isHorizontal: isHorizontal) else { return }
    if view.scroll(scroller, by: isHorizontal ? -x : -y) { delegate.pageChanged() }
  }

  /// Advances time: content that was let go moves on.
  public func advance(to time: Int64) {
    gestures.advance(to: time) { take($0, time) }
    guard let frame = nextFrame, time >= frame, let kinetic, let scroller else { return }
    let now = Int32(clamping: kinetic.offset(at: time))
    let hasMoved = view.scroll(scroller, by: now - travelled)
    if hasMoved { delegate.pageChanged() }
    travelled = now
    // At most 30 frames a second, and none when it stands or has come to an end.
    let isOver = kinetic.isOver(at: time) || now != 0 && !hasMoved
    nextFrame = isOver ? nil : time + Budget.scrollFrameMilliseconds
    if isOver { self.kinetic = nil }
  }

  private func take(_ gesture: PointerGesture, _ time: Int64) {
    switch gesture {
    case .down(let place):
      (kinetic, nextFrame, isDragging, scroller) = (nil, nil, false, nil)
      down = view.hit(at: place)
      slider = down?.kind == .slider ? down : nil
      look(down, at: place)
    case .notTap:
      if slider == nil { down = nil }
      look(nil)
    case .tap(let place): tap(place, time)
    case .drag(let place, let x, let y): drag(place, x, y)
    case .release(_, let x, let y): release(x, y, time)
    case .cancel:
      (down, slider) = (nil, nil)
      look(nil)
    case .longPress, .panic: break
    }
  }

  /// What a finger is on looks pressed.
  private func look(_ hit: Hit?, at place: Point = Point(0, 0)) {
    if view.press(hit, at: place) { delegate.pageChanged() }
  }

  private func tap(_ place: Point, _ time: Int64) {
    look(nil)
    defer { (down, slider) = (nil, nil) }
    guard let hit = view.hit(at: place) else {
      if down == nil { report(view.tapNothing(), time) }
      return
    }
    if hit == down { report(view.tap(hit, at: place), time) }
  }

  /// Reports the result of a touch or a key to the delegate.
  func report(_ result: TouchResult, _ time: Int64) {
    switch result {
    case .nothing: return
    case .changed, .refused: delegate.pageChanged()
    case .action(let hit):
      if let lastPress, lastPress.id == hit.id, time - lastPress.time < Budget.a2uiPressMilliseconds { return }
      lastPress = (hit.id, time)
      delegate.pageChanged()
      delegate.pressed(hit)
    }
  }

  private func drag(_ place: Point, _ x: Int32, _ y: Int32) {
    if let slider {
      if view.slide(slider, to: place) == .changed { delegate.pageChanged() }
      return
    }
    if !isDragging {
      isDragging = true
      scroller = view.scroller(at: place, isHorizontal: abs(x) > abs(y))
    }
    guard let scroller else { return }
    if view.scroll(scroller, by: scroller.isHorizontal ? -x : -y) { delegate.pageChanged() }
  }

  private func release(_ x: Float, _ y: Float, _ time: Int64) {
    defer { (down, slider) = (nil, nil) }
    guard slider == nil, let scroller else { return }
    let velocity = scroller.isHorizontal ? -x : -y
    let kinetic = KineticScroll(velocity: velocity, at: time, scale: scale)
    guard !kinetic.isOver(at: time) else { return }
    self.kinetic = kinetic
    travelled = 0
    nextFrame = time + Budget.scrollFrameMilliseconds
  }
}
