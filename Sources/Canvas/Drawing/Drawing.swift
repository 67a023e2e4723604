import Codec
import Runtime

/// A drawing by coordinates: elements by id, from back to front in the order in which they came. Commands change it
/// whole or not at all.
///
/// A command is one operation, or `{"operations":[...]}`; each is `{"op":...}` with
/// - `clear`: takes out `ids`, or everything;
/// - `draw`: puts in `elements`, in place of those of the same ids;
/// - `update` and `animate`: change what `elements` name; `animate` takes its time.
/// `transition` (`instant`, `fade`, `slide`) and `durationMs` say how. `space` sets the units of coordinates: the
/// drawing is fitted into the screen; without it they are pixels.
public final class Drawing {
  private(set) var elements: UnsafeMutableBufferPointer<DrawingElement>
  private(set) var count = 0
  /// A copy from before the current command, to undo it after an error.
  private var backup: UnsafeMutableBufferPointer<DrawingElement>
  private var backupCount = 0
  /// Width and height in units; nil: pixels.
  private(set) var space: (width: Float, height: Float)?
  private var backupSpace: (width: Float, height: Float)?

  /// An empty one.
  @export(interface)
  public init() {
    precondition(Budget.drawingIdBytes == 64 && Budget.drawingTextBytes == 512)
    elements = .allocate(capacity: Budget.drawingElements)
    elements.initialize(repeating: DrawingElement())
    backup = .allocate(capacity: Budget.drawingElements)
    backup.initialize(repeating: DrawingElement())
  }

  deinit {
    elements.deallocate()
    backup.deallocate()
  }

  /// Takes a command at a monotonic instant.
  @export(interface)
  public func take(_ command: borrowing JSONView, at now: Int64) throws(DrawingError) {
    keep()
    var number = 0
    do throws(DrawingError) {
      if let space = command.member("space") { self.space = try read(space: space) }
      guard let list = command.member("operations") else { return try apply(command, at: now) }
      guard list.kind == .array else { throw DrawingError("operations must be an array") }
      var operations = list.elements()
      while let operation = operations.next() {
        number += 1
        guard number <= Budget.drawingOperations else {
          throw DrawingError("a command", hasAtMost: Budget.drawingOperations, "operations")
        }
        try apply(operation, at: now)
      }
    } catch {
      restore()
      var error = error
      error.operation = number
      throw error
    }
  }

  private func keep() {
    for index in 0..<count { backup[index] = elements[index] }
    (backupCount, backupSpace) = (count, space)
  }

  private func restore() {
    for index in 0..<backupCount { elements[index] = backup[index] }
    (count, space) = (backupCount, backupSpace)
  }

  // MARK: Operations

  private func apply(_ operation: borrowing JSONView, at now: Int64) throws(DrawingError) {
    guard operation.kind == .object else { throw DrawingError("an operation must be an object") }
    guard let op = operation.member("op") else { throw DrawingError("op required: clear, draw, update or animate") }
    let how = try DrawingManner(copy operation, isAnimation: op.equals("animate"))
    if op.equals("clear") { return try clear(operation.member("ids"), how, at: now) }
    let isNew = op.equals("draw")
    guard isNew || op.equals("update") || op.equals("animate") else {
      throw DrawingError("op must be clear, draw, update or animate")
    }
    guard let list = operation.member("elements"), list.kind == .array else {
      throw DrawingError("elements[] required")
    }
    var items = list.elements()
    var number = 0
    while let item = items.next() {
      number += 1
      do throws(DrawingError) {
        isNew ? try draw(item, how, at: now) : try update(item, how, at: now)
      } catch {
        var error = error
        error.element = number
        throw error
      }
    }
  }

  private func clear(_ ids: JSONView?, _ how: DrawingManner, at now: Int64) throws(DrawingError) {
    guard let ids else {
      for index in 0..<count { leave(index, how, at: now) }
      return sweep()
    }
    guard ids.kind == .array else { throw DrawingError("ids must be an array") }
    var items = ids.elements()
    while let id = items.next() {
      guard let index = find(id) else { throw DrawingError("ids names an element that is not there") }
      leave(index, how, at: now)
    }
    sweep()
  }

  private func draw(_ item: borrowing JSONView, _ how: DrawingManner, at now: Int64) throws(DrawingError) {
    var element = DrawingElement()
    try DrawingReader.readKind(item, into: &element)
    try DrawingReader.read(item, into: &element)
    guard item.member("bounds") != nil else {
      throw DrawingError("bounds {x, y, width, height} required")
    }
    element.move(to: element.frame, from: entry(of: element.frame, how.transition), at: now, over: how.duration)
    let place = find(element.id.span)
    try checkSingle(element.kind, except: place)
    if let place {
      elements[place] = element
      return
    }
    guard count < Budget.drawingElements else {
      throw DrawingError("a drawing", hasAtMost: Budget.drawingElements, "elements")
    }
    elements[count] = element
    count += 1
  }

  /// A video needs a connection, and a sketch memory: there is one of each.
  private func checkSingle(_ kind: DrawingElement.Kind, except place: Int?) throws(DrawingError) {
    guard kind == .video || kind == .sketch else { return }
    for index in 0..<count where elements[index].kind == kind && index != place && !elements[index].isLeaving {
      throw DrawingError("a drawing", hasAtMost: 1, kind == .video ? "video" : "sketch")
    }
  }

  private func update(_ item: borrowing JSONView, _ how: DrawingManner, at now: Int64) throws(DrawingError) {
    guard let id = item.member("id"), let index = find(id) else {
      throw DrawingError("id names no element that is there")
    }
    let place = elements[index].frame(at: now)
    try DrawingReader.read(item, into: &elements[index])
    elements[index].move(to: elements[index].frame, from: place, at: now, over: how.duration)
  }

  private func leave(_ index: Int, _ how: DrawingManner, at now: Int64) {
    let place = elements[index].frame(at: now)
    elements[index].isLeaving = true
    elements[index].move(to: entry(of: place, how.transition), from: place, at: now, over: how.duration)
  }

  /// Where an element comes from and goes to.
  private func entry(of frame: DrawingFrame, _ transition: DrawingTransition) -> DrawingFrame {
    var entry = frame
    switch transition {
    case .instant: break
    case .fade: entry.opacity = 0
    case .slide: entry.x = -frame.width - 1
    }
    return entry
  }

  // MARK: Time

  /// Removes elements whose exit is over. True while something moves.
  @discardableResult
  func settle(at now: Int64) -> Bool {
    var isMoving = false
    for index in 0..<count {
      if elements[index].isMoving(at: now) {
        isMoving = true
      } else {
        elements[index].duration = 0
      }
    }
    sweep()
    return isMoving
  }

  private func sweep() {
    var kept = 0
    for index in 0..<count where !(elements[index].isLeaving && elements[index].duration == 0) {
      if kept != index { elements[kept] = elements[index] }
      kept += 1
    }
    count = kept
  }

  /// The first element of a kind that stays; nil: none.
  func first(_ kind: DrawingElement.Kind) -> Int? {
    for index in 0..<count where elements[index].kind == kind && !elements[index].isLeaving { return index }
    return nil
  }

  // MARK: Ids

  private func find(_ id: borrowing JSONView) -> Int? {
    var text = InlineText<64>()
    guard id.kind == .string, text.fill({ id.copyString(into: $0) }) else { return nil }
    return find(text.span)
  }

  func find(_ id: Span<UInt8>) -> Int? {
    for index in 0..<count where elements[index].id.equals(id) && !elements[index].isLeaving { return index }
    return nil
  }

  private func read(space: borrowing JSONView) throws(DrawingError) -> (width: Float, height: Float)? {
    if space.isNull { return nil }
    var (width, height) = (Float(0), Float(0))
    guard space.member("width") != nil, space.member("height") != nil else {
      throw DrawingError("space must be {width, height}, or null")
    }
    try DrawingReader.number(space, "width", 1...Budget.drawingReach, &width)
    try DrawingReader.number(space, "height", 1...Budget.drawingReach, &height)
    return (width, height)
  }
}
