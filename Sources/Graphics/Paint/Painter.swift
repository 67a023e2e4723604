import Runtime

/// Draws display lists, and keeps the pictures that they show. `paint` is called on a worker, everything else on the
/// loop's thread while no worker paints.
public protocol Painter: AnyObject {
  /// Draws what the list shows inside the damage, and nothing outside of it. The background is black.
  func paint(_ list: DisplayList, _ damage: Damage, into pixels: PixelBuffer)
  /// Takes a decoded picture: pixels of `size`, premultiplied 0xAARRGGBB, rows without gaps, which are copied. Nil when
  /// the table is full (`Budget.pictures`, `Budget.pictureBytes`).
  func keep(_ pixels: UnsafeBufferPointer<UInt32>, _ size: Size) -> PictureHandle?
  /// Removes a picture. Commands that still use it draw nothing.
  func drop(_ picture: PictureHandle)
}
