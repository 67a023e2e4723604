import A2UI
import Canvas
import Codec
import Consent
import Fetch
import Gateway
import Graphics
import Locales
import Runtime

/// Gets the events of the screen.
protocol CanvasFaceDelegate: AnyObject {
  /// All documents are arranged: the frame that shows them follows.
  func documentsArranged()
  func frameShown()
  /// No worker paints now: pictures may be released.
  func aboutToDraw()
  /// A button with an action for the agent was pressed.
  func pressed(_ tree: InstanceTree, _ index: Int)
  /// A link of a text was pressed.
  func linkPressed(_ text: Span<UInt8>)
  /// Three fingers were held on the screen.
  func panicWanted()
  /// Somebody has touched an answer to the question of this number.
  func answered(_ answer: ConsentAnswer, to question: Int)
  /// The same for the question about a link.
  func linkAnswered(_ yes: Bool, to question: Int)
  /// Somebody has touched an answer to the gateway's request of this number: 0 allows, 1 refuses, 2 leaves it.
  func approvalAnswered(_ choice: Int, to request: Int)
  /// A free place of the screen was tapped three times.
  func panicTapped()
}

/// What is on the screen: the documents of agents, another page that they asked for, or home when there is none. A push
/// changes the documents; frames follow.
final class CanvasFace {
  enum View { case home, documents, page, chat }

  let face: CanvasParts
  private(set) var pump: FramePump! = nil
  let documents: DocumentView
  let overlay: OverlayView
  let pictures: Pictures
  let home: HomeView
  /// What is shown in view `page`, also while it is behind the conversation.
  private(set) var page: (any ScreenPage)?
  /// A new number for each page that replaces another.
  private(set) var pageNumber: UInt64 = 0
  /// The conversation; nil without one.
  let chat: ChatPage?
  /// Lives as long as the face.
  unowned(unsafe) var chatDelegate: (any ChatDelegate)?
  /// The view behind the conversation.
  var behindChat = View.home
  /// The agent's page is in front of the conversation, which the person has not closed.
  var isChatWaiting = false
  private(set) var input: PageInput! = nil
  var cursor = MouseCursor()
  /// The devices that exist.
  var hasTouch = false
  var hasKeyboard = false
  /// Gets every touch, whatever is shown, for the gesture that holds the board.
  var watch = PointerGestures(scale: 1)
  /// The other gesture that holds the board; nil where the owner does not want it.
  var tripleTap: TripleTap?
  let clock: any Clock
  /// The current view.
  private(set) var view = View.home
  private(set) var isHidden = false
  /// A question has lit the screen that the agent had hidden.
  private var isShownToAsk = false
  /// Blanks the display when nobody uses it.
  var blanker: ScreenBlanker
  /// Another view comes out of the color of the page.
  var fade = Motion(length: Budget.fadeMilliseconds)
  /// When the screen is dim and warm; nil: never.
  let night: NightKeeper?
  /// True while another program has the display.
  var isAway = false
  /// What the last frame of the documents had no room for.
  var frameOmission: StaticString?
  unowned(unsafe) var delegate: any CanvasFaceDelegate
  /// Input that arrived while the documents were being arranged.
  var waitingInputs = BoundedQueue<WaitingInput>(capacity: Budget.waitingInputs)

  struct WaitingInput {
    var event: InputEvent
    var instant: Int64
  }

  init(
    _ face: CanvasParts, host: CanvasHost, runner: any JobRunner, clock: any Clock, log: Log,
    delegate: any CanvasFaceDelegate
  ) throws(Errno) {
    self.face = face
    self.delegate = delegate
    self.clock = clock
    if face.hasPanicTap { tripleTap = TripleTap(scale: 1) }
    blanker = ScreenBlanker(after: face.restsAfter, at: clock.monotonic)
    let loader = try ContentLoader(
      face.fetching.documents, host: host, codec: face.fetching.pictures, runner: runner, clock: clock)
    pictures = Pictures(face.painter, loader, host: host, clock: clock, log: log)
    documents = try DocumentView(measurer: face.measurer, pictures: pictures)
    overlay = OverlayView(flow: documents.flow, answers: ConsentAnswer.allCases.map { $0.label })
    home = HomeView(flow: documents.flow, encoder: face.codes)
    let offset = face.offset
    let local = { (wall: Int64) in wall.adding(clamping: offset(wall).multiplied(clamping: 60_000)) }
    night = NightKeeper(face.night, face.light, runner: runner, clock: clock, offset: offset)
    chat =
      face.hasChat
      ? try ChatPage(
        flow: documents.flow, wall: { BelievableDate.of(clock.wall) ?? 0 },
        local: local)
      : nil
    input = PageInput(documents, delegate: self, wall: { local(clock.wall) })
    documents.setStill(face.isStill)
    input.setKeyboard(face.keyboard, face.letters)
    chat?.setKeyboard(face.keyboard, face.letters)
    chat?.locale = face.locale
    documents.setLocale(
      face.locale, clock: { clock.wall },
      local: { LocalTime(wallMilliseconds: local($0)) })
    pump = FramePump(
      display: face.display, painter: face.painter, size: face.size, runner: runner, clock: clock, log: log,
      delegate: self
    )
    pictures.delegate = self
    chat?.shelf = pictures
    home.delegate = self
  }

  // MARK: Views

  /// Shows the canvas: the hidden page, or documents if there are any, otherwise home. Returns the number of the frame
  /// that shows it.
  func present() -> UInt64 {
    if isHidden, view == .page { return show(.page) }
    return show(documents.surfaceCount > 0 ? .documents : .home)
  }

  func show(_ view: View) -> UInt64 {
    // The conversation is closed, so that the agent's page is visible when the command is answered.
    if self.view == .chat { suspendChat() }
    setView(view)
    if view != .page { page = nil }
    return pump.request()
  }

  /// Another view is in front, and the display is lit.
  func setView(_ view: View) {
    if view != self.view, isSeen, !face.isStill { fade.begin(at: clock.monotonic) }
    self.view = view
    isShownToAsk = false
    if isHidden {
      isHidden = false
      _ = blanker.wake(at: clock.monotonic)
      pump.setBlank(false)
    }
    wake()
  }

  /// Shows a page until another is shown. Returns the number of the frame that shows it.
  func show(_ page: any ScreenPage) -> UInt64 {
    self.page = page
    pageNumber &+= 1
    page.fit(pump.size, theme)
    return show(.page)
  }

  /// Replaces the shown page by a newer version, at the same scroll position.
  func renew(_ page: any ScreenPage) {
    guard view == .page, let old = self.page else { return }
    page.fit(pump.size, theme)
    page.scrolled = old.scrolled
    self.page = page
    if !isHidden { pump.request() }
  }

  /// True while a person can see the page with this number.
  func isVisible(_ number: UInt64) -> Bool { view == .page && isSeen && pageNumber == number }

  /// A page needs to be drawn. Returns the number of the frame that shows it, or of the last one while another page is
  /// shown.
  @discardableResult
  func changed(_ page: any ScreenPage) -> UInt64 {
    guard let shown = visiblePage, shown === page else { return 0 }
    return pump.request()
  }

  /// Hides the page; documents are kept.
  func hide() {
    isHidden = true
    darken()
  }

  /// Nobody sees anything on the display.
  private func darken() {
    pump.setBlank(true)
    overlay.darkened()
  }

  /// The documents have changed: shows them, or home when none is left. Returns the number of the frame that shows
  /// them.
  @discardableResult
  func documentsChanged(isPush: Bool) -> UInt64 {
    documents.update(atMost: Budget.arrangedBytes)
    let next: View = documents.surfaceCount > 0 ? .documents : .home
    if next == .home, page == nil { pictures.clear() }
    if isPush { return show(next) }
    if view == .documents { view = next }
    if view == .chat, behindChat == .documents { behindChat = next }
    return pump.request()
  }

  /// Sets the texts of home. A frame follows when they have changed.
  func say(_ facts: HomeFacts) {
    guard home.take(facts), isHomeVisible else { return }
    pump.request()
  }

  /// Sets what is in front of all pages. A frame follows when it has changed.
  func say(_ facts: OverlayFacts) {
    let before = overlay.facts
    guard overlay.take(facts, at: clock.monotonic) else { return }
    // A person is needed, or has to see that the board is held.
    if facts.border != before.border && facts.border != .none || facts.isHeld != before.isHeld { wake() }
    if facts.consent?.number != before.consent?.number || facts.consent?.kind != before.consent?.kind
      || facts.approval?.number != before.approval?.number
    {
      showConsent(facts.consent != nil || facts.approval != nil)
    }
    if facts.orb != before.orb, facts.orb != .none { wake() }
    overlayChanged()
  }

  /// Shows a notification.
  func toast(_ title: Span<UInt8>, _ body: Span<UInt8>) {
    overlay.toast(title, body, at: clock.monotonic)
    wake()
    overlayChanged()
  }

  /// A person has seen it.
  func endToast() {
    if overlay.endToast() { overlayChanged() }
  }

  /// What became of presses: the button shows it, and a notification says why one has failed. `isLast`: it is about the
  /// press that was made last.
  func say(_ status: PressStatus, ofButton: Bool, isLast: Bool, reason: Span<UInt8>) {
    if ofButton { documents.changePress(to: status, isLast: isLast, at: clock.monotonic) }
    if status == .failed { toast(Self.notSent.utf8Bytes, reason) }
    overlayChanged()
  }

  private static let notSent: StaticString = "Not sent"

  /// A question lights the display, also one that the agent has hidden, until it is answered.
  private func showConsent(_ isAsking: Bool) {
    if isAsking, isHidden { (isHidden, isShownToAsk) = (false, true) }
    if isAsking {
      _ = blanker.wake(at: clock.monotonic)
      light()
    } else if isShownToAsk {
      isShownToAsk = false
      hide()
    }
  }

  func overlayChanged() {
    if isSeen { pump.request() }
  }

  /// True while home is visible.
  var isHomeVisible: Bool { view == .home && isSeen }

  /// True while the display is lit.
  var isSeen: Bool { !isHidden && !blanker.isBlanked }

  /// There is something to see, or a person who looks.
  private func wake() {
    if blanker.wake(at: clock.monotonic) { light() }
  }

  /// Lights the display; what changed while it was blank is drawn.
  func light() {
    guard !isHidden else { return }
    pump.setBlank(false)
    pump.request()
  }

  // MARK: Life

  /// Opens the display, and its input devices.
  func start() { pump.start() }

  /// Closes all of it.
  func stop() {
    face.input?.stop()
    pump.stop()
  }

  /// True when no worker has anything of it.
  var isStopped: Bool { pump.isStopped && night?.isStopped ?? true }

  /// When `advance` is to be called.
  var nextDeadline: Int64? {
    if documents.isPending, !documents.isLent { return clock.monotonic }
    let shown = view == .documents && isSeen ? inputDeadline : visiblePage?.nextDeadline
    let page = earliest(cursor.nextDeadline, earliest(shown, pictures.nextDeadline))
    let front = earliest(blanker.isBlanked ? nil : overlay.nextDeadline, watch.nextDeadline)
    let ours = earliest(
      earliest(blankDeadline, fade.nextFrame(after: clock.monotonic)), isSeen ? night?.nextDeadline : nil)
    return earliest(earliest(ours, earliest(pump.nextDeadline, page)), front)
  }

  /// What blinks or repeats on a page rests while a worker has it.
  private var inputDeadline: Int64? { documents.isLent ? nil : input.nextDeadline }

  /// The page that replaces the documents, while it is visible.
  var visiblePage: (any ScreenPage)? {
    guard isSeen else { return nil }
    switch view {
    case .home: return home
    case .page: return page
    case .chat: return chat
    case .documents: return nil
    }
  }

  /// A hidden screen is already dark, and another program's display is not blanked.
  private var blankDeadline: Int64? { isHidden || isAway ? nil : blanker.nextDeadline }

  func advance(to now: Int64) {
    pump.advance(to: now)
    if fade.advance(to: now), isSeen { pump.request() }
    if isSeen, night?.advance(to: now) == true {
      fitAll()
      pump.request()
    }
    arrangeMore()
    if blankDeadline != nil, blanker.advance(to: now) { darken() }
    if cursor.advance(to: now), isSeen { pump.request() }
    if view == .documents, isSeen, !documents.isPending { input.advance(to: now) }
    pictures.advance(to: now)
    if let page = visiblePage, page.advance(to: now) { pump.request() }
    if !blanker.isBlanked, overlay.advance(to: now) { overlayChanged() }
    watch.advance(to: now) { handle($0, at: now) }
  }

  /// In percent.
  var scale: Int32 { theme.scale }
}

extension CanvasFace: PicturesDelegate {
  func picturesChanged() {
    documents.invalidate()
    documents.update(atMost: Budget.arrangedBytes)
    chat?.picturesArrived()
    pump.request()
  }
}
