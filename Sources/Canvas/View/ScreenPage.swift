import Graphics
import Runtime

/// A page that fills the screen instead of the documents: home, a picture, a drawing, a conversation. On the loop's
/// thread.
public protocol ScreenPage: AnyObject {
  /// Fits it to a screen: before it is drawn first, and whenever the screen or the theme is another.
  func fit(_ size: Size, _ theme: Theme)
  /// Draws all of it. No worker paints meanwhile: this is the moment to give the painter pictures and to take them
  /// back.
  func draw(into list: DisplayList)
  /// How far it is scrolled down, in pixels; 0 where nothing scrolls. What is set once it fits is kept within what
  /// there is.
  var scrolled: Int32 { get set }
  /// Handles an input event. True when the page looks different after it.
  func input(_ event: InputEvent, at instant: Int64) -> Bool
  /// True where something reacts to a tap.
  func reacts(at place: Point) -> Bool
  /// When `advance` has to be called; nil: nothing moves.
  var nextDeadline: Int64? { get }
  /// Advances time. True when the page looks different after it.
  func advance(to now: Int64) -> Bool
}
