import A2UI
import Codec
import Graphics
import Locales
import Runtime

/// All surfaces of the documents as one page: one below the other, scrolled when they are longer than the screen, with
/// open modals in front. Pushes go to `store`; `update` takes them up.
public final class DocumentView {
  /// The documents.
  public let store: SurfaceStore
  let states: WidgetStates
  /// Sets its text; everything else on the screen shares it.
  public let flow: TextFlow
  /// The state of interaction.
  let person: Interaction
  private let pictures: any PictureShelf
  private var layouts: [SurfaceLayout] = []
  private let measures: TextMeasures
  /// A worker has the documents.
  public private(set) var isLent = false
  /// Not all trees are built yet.
  private var isBuilding = false
  /// The first layout that is not arranged yet, and for how many turns; nil: all are.
  private var arranging: Int?
  private var turns = 0
  /// How many of the layouts are used, and where each begins on the page.
  private var shown = 0
  private var places = InlineArray<64, Point>(repeating: Point(0, 0))
  private(set) var size = Size(0, 0)
  private(set) var theme = Theme()
  private var revision: UInt32?
  /// The height of the page.
  private var height: Int32 = 0

  /// Reserves its memory; throws when the address space is full.
  @export(interface)
  public init(measurer: any TextMeasurer, pictures: any PictureShelf) throws(Errno) {
    store = try SurfaceStore()
    states = try WidgetStates()
    person = try Interaction()
    flow = TextFlow(measurer: measurer)
    self.pictures = pictures
    let items = try FlexItems()
    layouts.reserveCapacity(Budget.a2uiSurfaces)
    measures = try TextMeasures(flow)
    for _ in 0..<Budget.a2uiSurfaces {
      layouts.append(try SurfaceLayout(store, measures: measures, states: states, items: items))
    }
    for layout in layouts { layout.pictures = pictures }
    store.matcher = states.pattern
    store.capital = { LetterCase.capital($0) }
  }

  /// How dates and numbers are written. `clock`: milliseconds since 1970; `local`: what a clock on the wall shows then.
  public func setLocale(
    _ locale: Locale, clock: @escaping () -> Int64, local: @escaping (Int64) -> LocalTime
  ) {
    (store.locale, store.clock, store.local) = (locale, clock, local)
    revision = nil
  }

  /// What the keyboard on the screen leaves free.
  var room: Size { Size(size.width, size.height - person.keyboard.frame.height) }

  /// Surfaces that are drawn.
  public var surfaceCount: Int { shown }

  /// A surface that is drawn, and where it stands on the screen.
  func layout(_ surface: Int) -> SurfaceLayout { layouts[surface] }
  func offset(_ surface: Int) -> Point { Point(places[surface].x, places[surface].y - scroll) }

  /// The tree of a surface that was hit, and its instance, for its action; nil when it is gone.
  public func instance(_ hit: Hit) -> (tree: InstanceTree, index: Int)? {
    guard hit.surface < shown, let index = layouts[hit.surface].tree.index(of: hit.id) else { return nil }
    return (layouts[hit.surface].tree, index)
  }

  /// Fits the page to a screen. `theme` without a document's own color.
  public func fit(_ size: Size, _ theme: Theme) {
    guard size != self.size || theme != self.theme else { return }
    (self.size, self.theme) = (size, theme)
    person.keyboard.fit(size, theme)
    person.picker.fit(size, theme)
    revision = nil
  }

  /// Makes the next `update` lay everything out again: a picture arrived, a widget opened.
  public func invalidate() { revision = nil }

  /// Lends `store` to a worker, which changes it. Until `takeBack` nobody else reads it, and nothing of the page is
  /// drawn, touched or told.
  public func lend() { isLent = true }

  /// The worker is done. `update` takes up what it has changed.
  public func takeBack() { isLent = false }

  /// True while the layout is incomplete: the page must not be drawn or touched, and `update` has to be called in the
  /// next turn of the loop, or when the documents are taken back.
  public var isPending: Bool { isLent || isBuilding || arranging != nil }

  /// Takes up what was pushed: builds trees, and measures so many bytes of text at most, or does as much other work
  /// (`Budget.arrangedBytes`); the next call goes on. False when nothing has changed since the last time.
  @discardableResult
  @export(interface)
  public func update(atMost bytes: Int = .max) -> Bool {
    if isLent { return false }
    if revision != store.revision { storeChanged() }
    guard isPending else {
      settle()
      return false
    }
    var left = bytes
    if isBuilding { guard buildMore(atMost: &left), left > 0 else { return true } }
    turns += 1
    measures.begin(left, isLast: turns > Budget.arrangedTurns)
    guard arrangeMore() else { return true }
    measures.begin(.max)
    followFocus()
    settle()
    return true
  }

  private func storeChanged() {
    let old = shown
    shown = 0
    for index in 0..<store.count where store.isRendering(store.surface(at: index)) { shown += 1 }
    for index in shown..<max(old, shown) { layouts[index].clear() }
    if shown == 0 { measures.removeAll() }
    revision = store.revision
    (isBuilding, arranging, turns) = (true, nil, 0)
  }

  /// Builds the trees of the surfaces that are shown. False when the turn is over before all are there.
  private func buildMore(atMost left: inout Int) -> Bool {
    var layout = 0
    for index in 0..<store.count where store.isRendering(store.surface(at: index)) {
      let tree = layouts[layout].tree
      let isBuilt = !tree.begin(store.surface(at: index)) || tree.updateMore(atMost: &left)
      // Values that components begin with are written while their trees are made.
      revision = store.revision
      layout += 1
      guard isBuilt else { return false }
    }
    (isBuilding, arranging) = (false, 0)
    begin(0)
    return true
  }

  /// Adds to the store's warnings what of the surfaces on the page limits keep off the screen. After `update`.
  public func reportOmissions() {
    store.reportUnread()
    for index in 0..<shown { layouts[index].tree.reportOmissions() }
  }

  /// Lays everything out at once after a change by the person.
  func arrange() {
    measures.begin(Budget.arrangedAtOnce, isLast: true)
    arranging = 0
    begin(0)
    _ = arrangeMore()
    measures.begin(.max)
  }

  private func begin(_ index: Int) {
    guard index < shown else { return }
    // A surface that has the screen for itself knows best where it stands.
    let own = shown == 1 ? size.height - 2 * theme.pageMargin : 0
    layouts[index].begin(
      width: shown == 1 ? pageWidth : columnWidth, room: max(own, 0), theme: theme(of: layouts[index]))
  }

  private var pageWidth: Int32 { max(size.width - 2 * theme.pageMargin, 1) }
  /// Several surfaces stand in one or in two columns.
  private var columns: Int32 { shown > 1 ? SurfaceLayout.columns(pageWidth, theme) : 1 }
  private var columnWidth: Int32 {
    (SurfaceLayout.columnsWidth(columns, in: pageWidth, theme) - (columns - 1) * theme.groupGap) / columns
  }

  /// False when the turn is over before all is arranged.
  private func arrangeMore() -> Bool {
    while let index = arranging, index < shown {
      guard layouts[index].arrangeMore() else { return false }
      layouts[index].placeModals(on: room)
      if measures.isSpent { return false }
      arranging = index + 1
      begin(index + 1)
    }
    arranging = nil
    placeSurfaces()
    if scroll > limit { scroll(to: limit) }
    return true
  }

  /// Surfaces take turns in the columns, so that none changes its column when another grows.
  private func placeSurfaces() {
    let (margin, gap) = (theme.pageMargin, theme.groupGap)
    let width = shown == 1 ? pageWidth : columnWidth
    let start = (size.width - columns * width - (columns - 1) * gap) / 2
    var ends = InlineArray<2, Int32>(repeating: margin)
    for index in 0..<shown {
      let column = index % Int(columns)
      let top = ends[column] + (index >= columns ? gap : 0)
      places[index] = Point(start + Int32(column) * (width + gap), top)
      ends[column] = top + layouts[index].height
    }
    height = max(ends[0], ends[1]) + margin
  }

  private func theme(of layout: SurfaceLayout) -> Theme {
    guard let surface = layout.tree.surface, let color = store.primaryColor(surface) else { return theme }
    return Theme(mode: theme.mode, scale: theme.scale, primary: Color(color))
  }

  // MARK: Scrolling

  /// How far the page is scrolled, and how far it can be. Pixels.
  public var scroll: Int32 { states[0, 0].scroll }
  public var limit: Int32 { max(height - room.height, 0) }

  /// Scrolls the page; what is beyond its ends stays there.
  public func scroll(to y: Int32) {
    states.change(0, 0) { $0.scroll = min(max(y, 0), limit) }
  }

  // MARK: Drawing

  /// Draws the page.
  @export(interface)
  public func draw(into list: DisplayList) {
    let screen = Rect(0, 0, size.width, size.height)
    list.add(.fill(screen, radius: 0, .solid(theme.page)))
    let free = Rect(0, 0, room.width, room.height)
    for index in 0..<shown { drawing(index, list, free).draw(0) }
    if limit > 0, shown > 0 {
      drawing(0, list, free).drawScrollMark(free, content: height, scroll: scroll, isHorizontal: false)
    }
    for index in 0..<shown { drawModals(index, list, free) }
    person.keyboard.draw(into: list, flow)
    person.picker.draw(into: list, flow, screen, theme)
  }

  private func drawing(_ index: Int, _ list: DisplayList, _ screen: Rect) -> SurfaceDrawing {
    SurfaceDrawing(
      layout: layouts[index], surface: index, list: list, pictures: pictures, visible: screen,
      offset: offset(index), ink: layouts[index].theme.text, person: person)
  }

  /// How far a modal has come, of `Motion.whole`.
  private func slideProgress(_ layout: SurfaceLayout, _ modal: Int) -> Int32 {
    guard person.slidModal == (layout.surface, layout.tree[modal].id) else { return Motion.whole }
    return person.slide.progress(at: person.now)
  }

  /// Nothing moves that does not have to.
  public func setStill(_ isStill: Bool) { person.isStill = isStill }

  private func drawModals(_ index: Int, _ list: DisplayList, _ screen: Rect) {
    let layout = layouts[index]
    layout.forEachOpenModal { modal, content in
      let progress = slideProgress(layout, modal)
      let down = theme.px(32) * (Motion.whole - progress) / Motion.whole
      let frame = layout.modalFrame(content, on: room).offset(0, down)
      let dark = UInt8(clamping: Int32(theme.backdrop.alpha) * progress / Motion.whole)
      list.add(.fill(screen, radius: 0, .solid(theme.backdrop.opacity(dark))))
      let radius = layout.theme.cardRadius
      list.add(.shadow(frame, radius: radius, blur: Int16(theme.px(24)), down: Int16(theme.px(8)), theme.shadow))
      list.add(.fill(frame, radius: radius, .solid(theme.modal)))
      list.add(.border(frame, radius: radius, width: theme.hairline, theme.cardBorder))
      list.add(.icon(.close, layout.modalCloser(frame), theme.mutedText))
      if person.showsRing, person.focus?.hit.kind == .closer, person.focus?.hit.id == layout.tree[modal].id {
        let ring = layout.modalCloser(frame).inset(by: -theme.px(4))
        list.add(.border(ring, radius: theme.fieldRadius, width: Int16(theme.px(2)), theme.accent))
      }
      let inside = layout.modalInside(frame, content)
      let edge = inside.inset(x: -layout.modalPadding, y: 0)
      list.add(.clip(edge, radius: 0))
      let scroll = layout.state(modal).scroll
      let drawing = SurfaceDrawing(
        layout: layout, surface: index, list: list, pictures: pictures, visible: edge, offset: Point(0, down - scroll),
        ink: layout.theme.text, person: person)
      drawing.draw(content)
      list.add(.endClip)
    }
  }
}
