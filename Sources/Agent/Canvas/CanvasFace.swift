import A2UI
import Canvas
import Codec
import Runtime

/// What the canvas needs of the board.
public struct CanvasParts {
  public var display: any Display
  /// Fingers, mice, keys; nil: the screen is for looking only.
  public var input: (any InputSource)?
  public var painter: any Painter
  public var measurer: any TextMeasurer
  public var snapshots: any SnapshotCodec
  /// Of the screen while there is no display.
  public var size: Size
  public var mode: Theme.Mode
  /// In percent; nil: as the panel wants it.
  public var scale: Int32?
  /// The backlight in percent; nil: as it is.
  public var brightness: Int?
  #if TALON_SCRIPT
    /// Nil: no scripts run.
    public var scripts: ScriptParts?
  #endif

  /// Parts; see the properties.
  public init(
    display: any Display, input: (any InputSource)? = nil, painter: any Painter, measurer: any TextMeasurer, snapshots: any SnapshotCodec, size: Size,
    mode: Theme.Mode = .dark, scale: Int32? = nil, brightness: Int? = nil
  ) {
    self.display = display
    self.input = input
    self.painter = painter
    self.measurer = measurer
    self.snapshots = snapshots
    self.size = size
    self.mode = mode
    self.scale = scale
    self.brightness = brightness
  }
}

/// Told when a frame is on the screen.
protocol CanvasFaceOwner: AnyObject {
  func frameShown()
  /// No worker paints just now: the moment to give pictures back.
  func aboutToDraw()
  /// A button was pressed whose action is for the agent.
  func pressed(_ tree: InstanceTree, _ index: Int)
  /// Three fingers rested on the screen.
  func panicWanted()
}

/// What is on the screen: the documents of agents, another page that they asked for, or home while there is nothing. Pushes
/// change the documents; frames follow.
final class CanvasFace: FrameOwner {
  enum View { case home, documents, page }

  private let face: CanvasParts
  private(set) var pump: FramePump! = nil
  let documents: DocumentView
  private let home: HomeView
  /// What is shown in view `page`.
  private(set) var page: (any ScreenPage)?
  private(set) var touch: PageTouch! = nil
  private let clock: any Clock
  /// What is shown.
  private(set) var view = View.home
  private(set) var isHidden = false
  unowned(unsafe) var owner: any CanvasFaceOwner

  init(
    _ face: CanvasParts, runner: any JobRunner, clock: any Clock, log: Log, owner: any CanvasFaceOwner
  ) throws(Errno) {
    self.face = face
    self.owner = owner
    self.clock = clock
    documents = try DocumentView(measurer: face.measurer, pictures: NoPictures())
    home = HomeView(measurer: face.measurer)
    touch = PageTouch(documents, owner: self)
    pump = FramePump(
      display: face.display, painter: face.painter, size: face.size, runner: runner, clock: clock, log: log, owner: self)
  }

  private final class NoPictures: PictureShelf {
    func picture(_ url: Span<UInt8>) -> Picture? { nil }
  }

  // MARK: What is shown

  /// Shows the canvas: the page that is there, or documents where there are any, else home. The number of the frame that shows it.
  func present() -> UInt64 { show(view == .page ? .page : documents.surfaceCount > 0 ? .documents : .home) }

  func show(_ view: View) -> UInt64 {
    self.view = view
    if isHidden {
      isHidden = false
      pump.setBlank(false)
    }
    return pump.request()
  }

  /// Shows a page; it stays until something else is shown. The number of the frame that shows it.
  func show(_ page: any ScreenPage) -> UInt64 {
    self.page = page
    page.fit(pump.size, theme)
    return show(.page)
  }

  /// A page looks different. The number of the frame that shows it, or of the last one while another page is shown.
  @discardableResult
  func changed(_ page: any ScreenPage) -> UInt64 {
    guard view == .page, self.page === page, !isHidden else { return 0 }
    return pump.request()
  }

  /// Hides it; what was pushed is kept.
  func hide() {
    isHidden = true
    pump.setBlank(true)
  }

  /// The documents have changed: they are shown, or home when nothing is left of them. The number of the frame that shows it.
  func documentsChanged(isPush: Bool) -> UInt64 {
    documents.update()
    let next: View = documents.surfaceCount > 0 ? .documents : .home
    if isPush { return show(next) }
    if view == .documents { view = next }
    return pump.request()
  }

  /// Tells home what it says. A frame follows where that has changed.
  func say(_ facts: HomeFacts) {
    guard home.take(facts), view == .home, !isHidden else { return }
    pump.request()
  }

  // MARK: FrameOwner

  func draw(into list: DisplayList, _ size: Size) {
    owner.aboutToDraw()
    switch view {
    case .documents: documents.draw(into: list)
    case .home: home.draw(into: list)
    case .page: page?.draw(into: list)
    }
  }

  func frameShown(_ number: UInt64) { owner.frameShown() }

  func screenChanged() {
    documents.fit(pump.size, theme)
    documents.update()
    home.fit(pump.size, theme)
    page?.fit(pump.size, theme)
    touch.fit(scale: scale)
    face.input?.start(self, size: pump.size, rotation: pump.mode?.rotation ?? .none)
    if let percent = face.brightness { pump.setBrightness(percent) }
    if isHidden { pump.setBlank(true) }
  }

  private var theme: Theme {
    let scale = face.scale ?? Theme.scale(for: pump.size, millimeters: pump.mode?.millimeters)
    return Theme(mode: face.mode, scale: scale)
  }

  // MARK: Life

  /// Opens the display, and with it the devices that touch it.
  func start() { pump.start() }

  /// Gives all of it back.
  func stop() {
    face.input?.stop()
    pump.stop()
  }

  /// When `advance` wants to be called.
  var nextDeadline: Int64? {
    earlier(pump.nextDeadline, earlier(touch.nextDeadline, visiblePage?.nextDeadline))
  }

  private func earlier(_ one: Int64?, _ other: Int64?) -> Int64? {
    guard let one, let other else { return one ?? other }
    return min(one, other)
  }

  /// The page in place of the documents, while a person sees it.
  private var visiblePage: (any ScreenPage)? { view == .page && !isHidden ? page : nil }

  func advance(to now: Int64) {
    pump.advance(to: now)
    touch.advance(to: now)
    if let page = visiblePage, page.advance(to: now) { pump.request() }
  }

  /// In percent.
  var scale: Int32 { theme.scale }
}

extension CanvasFace: InputDelegate {
  func input(_ event: InputEvent, at instant: Int64) {
    if let page = visiblePage {
      if page.input(event, at: instant) { pump.request() }
      return
    }
    guard view == .documents, !isHidden else { return }
    switch event {
    case .pointer(let what, let id, let place): touch.feed(what, id: id, place, at: instant)
    case .wheel(let place, let x, let y): touch.wheel(place, x: x, y: y)
    case .hover, .key, .character: break
    }
  }

  func inputsChanged(hasTouch: Bool, hasKeyboard: Bool, hasKeys: Bool) {}
}

extension CanvasFace: PageTouchOwner {
  func pageChanged() {
    documents.update()
    pump.request()
  }

  func pressed(_ hit: Hit) {
    guard let (tree, index) = documents.instance(hit) else { return }
    owner.pressed(tree, index)
  }

  func panicWanted() { owner.panicWanted() }
}
