import A2UI
import Canvas
import Codec
import Fetch
import Gateway
import Runtime

/// Told when a frame is on the screen.
protocol CanvasFaceOwner: AnyObject {
  /// All of the documents is arranged: the frame that shows them comes.
  func documentsArranged()
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
  enum View { case home, documents, page, chat }

  private let face: CanvasParts
  private(set) var pump: FramePump! = nil
  let documents: DocumentView
  let overlay: OverlayView
  let pictures: Pictures
  private let home: HomeView
  /// What is shown in view `page`, and behind the conversation.
  private(set) var page: (any ScreenPage)?
  /// Another one for each page that is shown in place of another.
  private(set) var pageNumber: UInt64 = 0
  /// The conversation; nil: people at the screen have none.
  let chat: ChatPage?
  /// Lives as long as the face.
  unowned(unsafe) var chatOwner: (any ChatOwner)?
  /// What the conversation stands before.
  var behindChat = View.home
  /// The agent's page has come before the conversation, which waits for the person.
  var isChatWaiting = false
  private(set) var input: PageInput! = nil
  var cursor = MouseCursor()
  /// What devices there are.
  var hasTouch = false
  var hasKeyboard = false
  /// Sees every touch, whatever is shown, for the gesture that holds the board.
  var watch = PointerGestures(scale: 1)
  let clock: any Clock
  /// What is shown.
  private(set) var view = View.home
  private(set) var isHidden = false
  /// Nobody uses the screen: it is dark.
  var rest: ScreenRest
  /// Another program has the screen.
  private var isAway = false
  /// What the last frame of the documents had no room for.
  private(set) var frameOmission: StaticString?
  unowned(unsafe) var owner: any CanvasFaceOwner
  /// What people did while the documents were being arranged.
  var waitingInputs = BoundedQueue<WaitingInput>(capacity: Budget.waitingInputs)

  struct WaitingInput {
    var event: InputEvent
    var instant: Int64
  }

  init(
    _ face: CanvasParts, host: CanvasHost, runner: any JobRunner, clock: any Clock, log: Log, owner: any CanvasFaceOwner
  ) throws(Errno) {
    self.face = face
    self.owner = owner
    self.clock = clock
    rest = ScreenRest(after: face.restsAfter, at: clock.monotonic)
    let loader = try ContentLoader(
      face.fetching.documents, host: host, codec: face.fetching.pictures, runner: runner, clock: clock)
    pictures = Pictures(face.painter, loader, host: host, clock: clock, log: log)
    documents = try DocumentView(measurer: face.measurer, pictures: pictures)
    overlay = OverlayView(flow: documents.flow)
    home = HomeView(flow: documents.flow, encoder: face.codes)
    let offset = face.offset
    chat =
      face.hasChat
      ? try ChatPage(
        flow: documents.flow, wall: { clock.wall < Budget.earliestWall ? 0 : clock.wall }, local: { $0 + offset($0) * 60_000 })
      : nil
    input = PageInput(documents, owner: self, wall: { clock.wall + offset(clock.wall) * 60_000 })
    input.setKeyboard(face.keyboard, face.letters)
    chat?.setKeyboard(face.keyboard, face.letters)
    pump = FramePump(
      display: face.display, painter: face.painter, size: face.size, runner: runner, clock: clock, log: log, owner: self)
    pictures.owner = self
    home.owner = self
  }

  // MARK: What is shown

  /// Shows the canvas: the page that was hidden, or documents where there are any, else home. The number of the frame that shows
  /// it.
  func present() -> UInt64 {
    if isHidden, view == .page { return show(.page) }
    return show(documents.surfaceCount > 0 ? .documents : .home)
  }

  func show(_ view: View) -> UInt64 {
    // What the agent shows can be seen when it is told so: the conversation makes room.
    if self.view == .chat { suspendChat() }
    setView(view)
    if view != .page { page = nil }
    return pump.request()
  }

  /// Another one is in front, and lit.
  func setView(_ view: View) {
    self.view = view
    if isHidden {
      isHidden = false
      _ = rest.wake(at: clock.monotonic)
      pump.setBlank(false)
    }
    wake()
  }

  /// Shows a page; it stays until something else is shown. The number of the frame that shows it.
  func show(_ page: any ScreenPage) -> UInt64 {
    self.page = page
    pageNumber &+= 1
    page.fit(pump.size, theme)
    return show(.page)
  }

  /// Shows a newer state of the page that is shown, scrolled as far.
  func renew(_ page: any ScreenPage) {
    guard view == .page, let old = self.page else { return }
    page.fit(pump.size, theme)
    page.scrolled = old.scrolled
    self.page = page
    if !isHidden { pump.request() }
  }

  /// A person sees the page of this number.
  func isVisible(_ number: UInt64) -> Bool { view == .page && isSeen && pageNumber == number }

  /// A page looks different. The number of the frame that shows it, or of the last one while another page is shown.
  @discardableResult
  func changed(_ page: any ScreenPage) -> UInt64 {
    guard let shown = visiblePage, shown === page else { return 0 }
    return pump.request()
  }

  /// Hides it; what was pushed is kept.
  func hide() {
    isHidden = true
    pump.setBlank(true)
  }

  /// The documents have changed: they are shown, or home when nothing is left of them. The number of the frame that shows it.
  func documentsChanged(isPush: Bool) -> UInt64 {
    documents.update(atMost: Budget.arrangedBytes)
    let next: View = documents.surfaceCount > 0 ? .documents : .home
    if next == .home, page == nil { pictures.clear() }
    if isPush { return show(next) }
    if view == .documents { view = next }
    if view == .chat, behindChat == .documents { behindChat = next }
    return pump.request()
  }

  /// Tells home what it says. A frame follows where that has changed.
  func say(_ facts: HomeFacts) {
    guard home.take(facts), isHomeVisible else { return }
    pump.request()
  }

  /// Tells what stands in front of all pages. A frame follows where that has changed.
  func say(_ facts: OverlayFacts) {
    let before = overlay.facts
    guard overlay.take(facts, at: clock.monotonic) else { return }
    // A person is wanted, or shall know that the board holds still.
    if facts.border != before.border && facts.border != .none || facts.isHeld != before.isHeld { wake() }
    overlayChanged()
  }

  /// A notification.
  func toast(_ title: Span<UInt8>, _ body: Span<UInt8>) {
    overlay.toast(title, body, at: clock.monotonic)
    wake()
    overlayChanged()
  }

  /// A person has seen it.
  func endToast() {
    if overlay.endToast() { overlayChanged() }
  }

  /// How a press fares.
  func say(_ status: PressStatus, _ name: Span<UInt8>) {
    overlay.say(status, name, at: clock.monotonic)
    overlayChanged()
  }

  private func overlayChanged() {
    if isSeen { pump.request() }
  }

  /// True while home can be seen.
  var isHomeVisible: Bool { view == .home && isSeen }

  /// The display is lit.
  var isSeen: Bool { !isHidden && !rest.isResting }

  /// There is something to see, or somebody who looks.
  private func wake() {
    if rest.wake(at: clock.monotonic) { light() }
  }

  /// Lights the display after a rest; what changed meanwhile is drawn.
  func light() {
    guard !isHidden else { return }
    pump.setBlank(false)
    pump.request()
  }

  // MARK: FrameOwner

  /// Documents are drawn when all of them is arranged.
  var isReady: Bool { view != .documents || !documents.isPending || overlay.coversAll }

  func draw(into list: DisplayList, _ size: Size) {
    pictures.beginDrawing()
    owner.aboutToDraw()
    // Home has a way of its own.
    overlay.setChat(isChatWaiting && view != .home)
    if !overlay.coversAll { drawPage(into: list) }
    overlay.draw(into: list)
    cursor.draw(into: list, theme)
  }

  private func drawPage(into list: DisplayList) {
    switch view {
    case .documents:
      documents.draw(into: list)
      frameOmission =
        list.isCut
        ? "not all of the page is drawn: the screen shows more parts, or more text, than one frame has room for"
        : pictures.leftOut > 0 ? "not all pictures of the page are shown: there are more than one frame has room for" : nil
    case .home: home.draw(into: list)
    case .page: page?.draw(into: list)
    case .chat: chat?.draw(into: list)
    }
  }

  func frameShown(_ number: UInt64) { owner.frameShown() }

  func screenChanged() {
    documents.fit(pump.size, theme)
    documents.update(atMost: Budget.arrangedBytes)
    home.fit(pump.size, theme)
    page?.fit(pump.size, theme)
    chat?.fit(pump.size, theme)
    overlay.fit(pump.size, theme)
    input.fit(scale: scale)
    watch = PointerGestures(scale: Float(scale) / 100)
    face.input?.start(self, size: pump.size, rotation: pump.mode?.rotation ?? .none)
    if let percent = face.brightness { pump.setBrightness(percent) }
    // Who plugs a display in looks at it; it is lit already.
    _ = rest.wake(at: clock.monotonic)
    if isHidden { pump.setBlank(true) }
  }

  func screenIsAway(_ isAway: Bool) {
    self.isAway = isAway
    if isAway {
      face.input?.stop()
    } else {
      _ = rest.wake(at: clock.monotonic)
      face.input?.start(self, size: pump.size, rotation: pump.mode?.rotation ?? .none)
      pump.setBlank(isHidden)
    }
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
    if documents.isPending { return clock.monotonic }
    let shown = view == .documents && isSeen ? input.nextDeadline : visiblePage?.nextDeadline
    let page = earlier(cursor.nextDeadline, earlier(shown, pictures.nextDeadline))
    let front = earlier(rest.isResting ? nil : overlay.nextDeadline, watch.nextDeadline)
    return earlier(earlier(restDeadline, earlier(pump.nextDeadline, page)), front)
  }

  private func earlier(_ one: Int64?, _ other: Int64?) -> Int64? {
    guard let one, let other else { return one ?? other }
    return min(one, other)
  }

  /// The page in place of the documents, while a person sees it.
  var visiblePage: (any ScreenPage)? {
    guard isSeen else { return nil }
    switch view {
    case .home: return home
    case .page: return page
    case .chat: return chat
    case .documents: return nil
    }
  }

  /// A hidden screen is dark already, and another program's is not ours.
  private var restDeadline: Int64? { isHidden || isAway ? nil : rest.nextDeadline }

  func advance(to now: Int64) {
    pump.advance(to: now)
    arrangeMore()
    if restDeadline != nil, rest.advance(to: now) { pump.setBlank(true) }
    if cursor.advance(to: now), isSeen { pump.request() }
    if view == .documents, isSeen, !documents.isPending { input.advance(to: now) }
    pictures.advance(to: now)
    if let page = visiblePage, page.advance(to: now) { pump.request() }
    if !rest.isResting, overlay.advance(to: now) { overlayChanged() }
    watch.advance(to: now) { tell($0) }
  }

  /// In percent.
  var scale: Int32 { theme.scale }
}

extension CanvasFace: PicturesOwner {
  func picturesChanged() {
    documents.invalidate()
    documents.update(atMost: Budget.arrangedBytes)
    pump.request()
  }
}

extension CanvasFace: PageTouchOwner {
  func pageChanged() {
    documents.update(atMost: Budget.arrangedBytes)
    pump.request()
  }

  func pressed(_ hit: Hit) {
    guard let (tree, index) = documents.instance(hit) else { return }
    owner.pressed(tree, index)
  }
}
