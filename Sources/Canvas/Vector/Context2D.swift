import Codec
import Runtime

/// The 2D context of HTML's canvas (WHATWG HTML, "The 2D rendering context"): its state, and drawing into pixels. It
/// belongs to one thread at a time. All memory is taken at the start; each operation does a bounded amount of work.
///
/// Arguments that are no finite numbers, and texts that are no such value, are ignored as the standard says. What goes
/// beyond a bound of `Budget` is not drawn, and `isCut` says so.
public final class Context2D {
  /// Names a gradient: a place in the context's table and how often that place was used before.
  public struct GradientHandle: Equatable, Sendable {
    public var number: UInt32

    public init(_ number: UInt32) { self.number = number }
  }

  /// How wide a text is and how high its font, in the units of the drawing.
  public struct TextSize: Sendable {
    public var width = 0.0
    /// From the alphabetic baseline, both positive.
    public var ascent = 0.0
    public var descent = 0.0
  }

  /// Premultiplied 0xAARRGGBB, rows without gaps.
  var pixels: UnsafeMutableBufferPointer<UInt32>
  /// Pixels across and down.
  public internal(set) var size = Size(0, 0)
  /// Something was beyond a bound and is not drawn, or drawn in part.
  public internal(set) var isCut = false
  /// Something was drawn; whoever has shown it sets it back.
  public var hasChanged = false

  let states: UnsafeMutablePointer<State>
  var depth = 0
  /// Saves that had no room.
  var lostSaves = 0
  /// Cannot be drawn without.
  let text: (any OutlineSource)?

  /// A context without pixels; see `attach`. Without `text`, texts are not drawn and have no width. Throws when there is
  /// no address space left.
  public init(text: (any OutlineSource)?) throws(Errno) {
    self.text = text
    pixels = UnsafeMutableBufferPointer(start: nil, count: 0)
    states = .allocate(capacity: Budget.canvasStates)
    states.initialize(repeating: State(), count: Budget.canvasStates)
  }

  deinit {
    states.deinitialize(count: Budget.canvasStates)
    states.deallocate()
  }

  /// Draws into these pixels from here on (premultiplied 0xAARRGGBB, rows without gaps), which stay valid until others
  /// take their place; false when they are too few or too many (`Budget.shownPixels`, `Budget.paintSidePixels`). The
  /// state begins anew, the pixels stay as they are.
  public func attach(_ pixels: UnsafeMutableBufferPointer<UInt32>, _ size: Size) -> Bool { false }

  /// Begins anew, as when the canvas's width or height is set: transparent pixels, an empty path, the first state.
  public func reset() {}

  // MARK: State

  /// Keeps the state for `restore`. False when there is no room (`Budget.canvasStates`): then a script gets an error.
  @discardableResult
  public func save() -> Bool { false }

  /// Takes back the state of the last `save`; nothing when there was none.
  public func restore() {}
}
