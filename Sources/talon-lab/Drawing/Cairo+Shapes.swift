import Canvas
import Graphics

extension Cairo {
  private typealias Plain = @convention(c) (Handle) -> Void
  private typealias Numbers2 = @convention(c) (Handle, Double, Double) -> Void
  private typealias Numbers4 = @convention(c) (Handle, Double, Double, Double, Double) -> Void
  private typealias Numbers5 = @convention(c) (Handle, Double, Double, Double, Double, Double) -> Void
  private typealias Numbers6 = @convention(c) (Handle, Double, Double, Double, Double, Double, Double) -> Void

  /// A context of its own on white, with a pen three pixels wide.
  private func canvas(_ size: Size) -> Handle {
    let surface = symbol("cairo_image_surface_create", (@convention(c) (Int32, Int32, Int32) -> Handle).self)(
      0, size.width, size.height)
    let context = symbol("cairo_create", (@convention(c) (Handle) -> Handle).self)(surface)
    symbol("cairo_set_line_width", (@convention(c) (Handle, Double) -> Void).self)(context, 3)
    symbol("cairo_set_source_rgba", Numbers4.self)(context, 0.08, 0.47, 0.78, 0.7)
    return context
  }

  /// Functions that draw what `VectorBench` draws.
  func discs(_ size: Size, _ discs: [(x: Double, y: Double, radius: Double)]) -> () -> Void {
    let context = canvas(size)
    let (begin, arc) = (symbol("cairo_new_path", Plain.self), symbol("cairo_arc", Numbers5.self))
    let fill = symbol("cairo_fill", Plain.self)
    return {
      for disc in discs {
        begin(context)
        arc(context, disc.x, disc.y, disc.radius, 0, 2 * .pi)
        fill(context)
      }
    }
  }

  func curves(_ size: Size, _ curves: [[Double]]) -> () -> Void {
    let context = canvas(size)
    symbol("cairo_set_source_rgba", Numbers4.self)(context, 0, 0, 0, 1)
    let (move, curve) = (symbol("cairo_move_to", Numbers2.self), symbol("cairo_curve_to", Numbers6.self))
    let stroke = symbol("cairo_stroke", Plain.self)
    return {
      for points in curves {
        move(context, points[0], points[1])
        curve(context, points[2], points[3], points[4], points[5], points[6], points[7])
        stroke(context)
      }
    }
  }

  func chart(_ size: Size, _ points: [(x: Double, y: Double)]) -> () -> Void {
    let context = canvas(size)
    symbol("cairo_set_source_rgba", Numbers4.self)(context, 0, 0, 0, 1)
    let line = symbol("cairo_line_to", Numbers2.self)
    let stroke = symbol("cairo_stroke", Plain.self)
    return {
      for point in points { line(context, point.x, point.y) }
      stroke(context)
    }
  }
}
