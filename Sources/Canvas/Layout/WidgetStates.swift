import A2UI
import Graphics
import Runtime

extension Pattern: TextMatcher {}

/// State of a widget that is not in the document: scroll position, open tab, caret. Found by the id of the instance and
/// the number of its surface, so that it survives everything but the end of both.
public struct WidgetState: BitwiseCopyable, Sendable {
  /// Of a list: pixels from its start.
  public var scroll: Int32 = 0
  /// Of tabs: which one is open.
  public var tab: Int32 = 0
  /// Of a modal.
  public var isOpen = false
  /// A modal whose entry cannot be seen has opened by itself once.
  public var hasOpenedItself = false

  /// What was entered where a component is bound to nothing: a number, 0 or 1, or which options.
  var hasValue = false
  var value: Double = 0
  var options: UInt64 = 0
  /// Of a field: something was entered; the text and expression that were checked last, and what came of it.
  var wasEdited = false
  var isWrong = false
  var checked: UInt64 = 0

  var key: UInt64 = 0
  var surface: UInt32 = 0
  var lastUse: UInt32 = 0

  init() {}
}

/// The states of all widgets that differ from what they begin with. Of a fixed size: the one that was not used for
/// longest makes room for a new one.
final class WidgetStates {
  /// What was entered where a component is bound to nothing.
  let texts: FieldTexts
  /// Checks what was entered.
  let pattern: Pattern
  private let states: UnsafeMutableBufferPointer<WidgetState>
  private(set) var count = 0
  private var uses: UInt32 = 0

  /// Reserves its memory; throws when the address space is full.
  init() throws(Errno) {
    texts = try FieldTexts()
    pattern = try Pattern()
    states = .allocate(capacity: Budget.widgetStates)
    states.initialize(repeating: WidgetState())
  }

  deinit { states.deallocate() }

  private func place(_ key: UInt64, _ surface: UInt32) -> Int? {
    for index in 0..<count where states[index].key == key && states[index].surface == surface { return index }
    return nil
  }

  /// The state of a widget, or what every widget begins with.
  subscript(key: UInt64, surface: UInt32) -> WidgetState {
    guard let place = place(key, surface) else { return WidgetState() }
    return states[place]
  }

  /// Changes the state of a widget.
  func change(_ key: UInt64, _ surface: UInt32, _ body: (inout WidgetState) -> Void) {
    let place = place(key, surface) ?? room()
    uses += 1
    body(&states[place])
    (states[place].key, states[place].surface, states[place].lastUse) = (key, surface, uses)
  }

  /// Forgets the states of a surface.
  func drop(surface: UInt32) {
    var index = 0
    while index < count {
      guard states[index].surface == surface else {
        index += 1
        continue
      }
      count -= 1
      states[index] = states[count]
    }
  }

  private func room() -> Int {
    if count < Budget.widgetStates {
      states[count] = WidgetState()
      count += 1
      return count - 1
    }
    var oldest = 0
    for index in 1..<count where states[index].lastUse < states[oldest].lastUse { oldest = index }
    states[oldest] = WidgetState()
    return oldest
  }
}
