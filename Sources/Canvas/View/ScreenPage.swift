import Runtime

/// Something that fills the screen in place of the documents: home, a picture, a drawing, a conversation. On the loop's thread.
public protocol ScreenPage: AnyObject {
  /// Fits it to a screen: before it is drawn first, and whenever the screen or the theme is another.
  func fit(_ size: Size, _ theme: Theme)
  /// Draws all of it. No worker paints meanwhile: this is the moment to give the painter pictures and to take them back.
  func draw(into list: DisplayList)
  /// How far it is scrolled down, in pixels; 0 where nothing scrolls. What is set once it fits is kept within what there is.
  var scrolled: Int32 { get set }
  /// What a person did. True when the page looks different after it.
  func input(_ event: InputEvent, at instant: Int64) -> Bool
  /// When `advance` wants to be called; nil: nothing moves.
  var nextDeadline: Int64? { get }
  /// Lets time pass. True when the page looks different after it.
  func advance(to now: Int64) -> Bool
}
