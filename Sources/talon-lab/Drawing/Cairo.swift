import Canvas
import Glibc
import Graphics

/// Debian's cairo, as far as the bench's page needs it. Loaded when it is there: nothing else of Talon asks for it.
final class Cairo {
  typealias Handle = UnsafeMutableRawPointer
  private let library: Handle

  /// Nil when this machine has no cairo.
  init?() {
    guard let library = dlopen("libcairo.so.2", RTLD_NOW) else { return nil }
    self.library = library
  }

  deinit { dlclose(library) }

  func symbol<T>(_ name: String, _ type: T.Type) -> T { unsafeBitCast(dlsym(library, name), to: type) }

  /// A function that draws the page of `PaintBench` on a surface of its own.
  func page(_ size: Size, cards: [Rect], texts: [(String, Point)]) -> () -> Void {
    typealias Numbers2 = @convention(c) (Handle, Double, Double) -> Void
    typealias Numbers3 = @convention(c) (Handle, Double, Double, Double) -> Void
    typealias Plain = @convention(c) (Handle) -> Void
    let surface = symbol("cairo_image_surface_create", (@convention(c) (Int32, Int32, Int32) -> Handle).self)(
      1, size.width, size.height)
    let context = symbol("cairo_create", (@convention(c) (Handle) -> Handle).self)(surface)
    let color = symbol("cairo_set_source_rgb", Numbers3.self)
    let paint = symbol("cairo_paint", Plain.self)
    let begin = symbol("cairo_new_path", Plain.self)
    let arc = symbol(
      "cairo_arc", (@convention(c) (Handle, Double, Double, Double, Double, Double) -> Void).self)
    let close = symbol("cairo_close_path", Plain.self)
    let fill = symbol("cairo_fill", Plain.self)
    let gradient = symbol(
      "cairo_pattern_create_linear", (@convention(c) (Double, Double, Double, Double) -> Handle).self)
    let stop = symbol(
      "cairo_pattern_add_color_stop_rgb", (@convention(c) (Handle, Double, Double, Double, Double) -> Void).self)
    let source = symbol("cairo_set_source", (@convention(c) (Handle, Handle) -> Void).self)
    let drop = symbol("cairo_pattern_destroy", Plain.self)
    let move = symbol("cairo_move_to", Numbers2.self)
    let show = symbol("cairo_show_text", (@convention(c) (Handle, UnsafePointer<CChar>) -> Void).self)
    let flush = symbol("cairo_surface_flush", Plain.self)
    symbol("cairo_select_font_face", (@convention(c) (Handle, UnsafePointer<CChar>, Int32, Int32) -> Void).self)(
      context, "DejaVu Sans", 0, 0)
    symbol("cairo_set_font_size", (@convention(c) (Handle, Double) -> Void).self)(context, 14)
    return {
      color(context, 0.06, 0.08, 0.1)
      paint(context)
      for card in cards {
        let (x, y) = (Double(card.x), Double(card.y))
        let (right, bottom) = (Double(card.maxX), Double(card.maxY))
        begin(context)
        arc(context, right - 14, y + 14, 14, -.pi / 2, 0)
        arc(context, right - 14, bottom - 14, 14, 0, .pi / 2)
        arc(context, x + 14, bottom - 14, 14, .pi / 2, .pi)
        arc(context, x + 14, y + 14, 14, .pi, 1.5 * .pi)
        close(context)
        let ramp = gradient(0, y, 0, bottom)
        stop(ramp, 0, 0.12, 0.16, 0.22)
        stop(ramp, 1, 0.08, 0.1, 0.14)
        source(context, ramp)
        fill(context)
        drop(ramp)
      }
      color(context, 0.9, 0.91, 0.92)
      for (text, place) in texts {
        move(context, Double(place.x), Double(place.y))
        show(context, text)
      }
      flush(surface)
    }
  }
}
