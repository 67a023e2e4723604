import A2UI
import Graphics
import Runtime

/// Stores decoded pictures in the painter, and removes them.
public protocol PictureKeeper: AnyObject {
  /// Stores a picture; may remove others. Nil when there is no room. Only while a page is drawn.
  func keep(_ picture: DecodedPicture) -> Picture?
  /// Removes a picture that is not drawn any more. At any time.
  func retire(_ picture: Picture)
}

/// One picture that fills the screen: all of it, in the middle, on black.
public final class PicturePage: ScreenPage {
  private let keeper: any PictureKeeper
  /// Until it is drawn first.
  private var decoded: DecodedPicture?
  private var picture: Picture?
  private var size = Size(0, 0)

  /// A page of a picture.
  @export(interface)
  public init(_ picture: DecodedPicture, _ keeper: any PictureKeeper) {
    decoded = picture
    self.keeper = keeper
  }

  deinit {
    if let picture { keeper.retire(picture) }
  }

  public func fit(_ size: Size, _ theme: Theme) { self.size = size }

  public func draw(into list: DisplayList) {
    let screen = Rect(0, 0, size.width, size.height)
    list.add(.fill(screen, radius: 0, .solid(.black)))
    if let decoded {
      picture = keeper.keep(decoded)
      self.decoded = nil
    }
    guard let picture else { return }
    let (source, target) = ImageFit.contain.place(picture.size, in: screen)
    list.add(.picture(picture.handle, source: source, target, radius: 0, opacity: 255))
  }

  public var scrolled: Int32 {
    get { 0 }
    set {}
  }

  public func reacts(at place: Point) -> Bool { false }

  public func input(_ event: InputEvent, at instant: Int64) -> Bool { false }

  public var nextDeadline: Int64? { nil }

  public func advance(to now: Int64) -> Bool { false }
}
