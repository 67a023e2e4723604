import Board
import Canvas
import Graphics
import Runtime

/// Paths of a 2D context at 1280x800, beside cairo drawing the same: a chart's worth of discs, curves and lines.
enum VectorBench {
  private static let size = Size(1280, 800)

  static func measurements() throws -> [Measurement] {
    let pixels = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: 1280 * 800)
    defer { pixels.deallocate() }
    pixels.initialize(repeating: 0xFFFF_FFFF)
    let context = try Context2D(text: try FontShelf())
    _ = context.attach(pixels, size)
    let cairo = Cairo()
    var result: [Measurement] = []
    func add(_ name: String, _ ours: () -> Void, _ theirs: (() -> Void)?) {
      ours()
      let value = Stopwatch.bestOfThread(of: 30, ours) * 1e3
      var yardstick: (name: String, value: Double)?
      if let theirs {
        theirs()
        yardstick = ("cairo", Stopwatch.bestOfThread(of: 30, theirs) * 1e3)
      }
      result.append(Measurement(name: name, value: value, unit: "ms", yardstick: yardstick))
    }
    _ = context.setFillStyle("rgba(20, 120, 200, 0.7)".utf8.span)
    add("2D context: fill 200 discs", { discs(context) }, cairo?.discs(size, discs))
    context.lineWidth = 3
    add("2D context: stroke 100 curves", { curves(context) }, cairo?.curves(size, curves))
    add("2D context: stroke a line of 1280 points", { chart(context) }, cairo?.chart(size, chart))
    _ = context.setFont("16px sans-serif".utf8.span)
    add("2D context: 50 lines of text", { texts(context) }, nil)
    return result
  }

  static var discs: [(x: Double, y: Double, radius: Double)] {
    var result: [(x: Double, y: Double, radius: Double)] = []
    for index in 0..<200 {
      let (x, y) = (40 + index * 97 % 1200, 40 + index * 61 % 720)
      result.append((x: Double(x), y: Double(y), radius: Double(10 + index % 40)))
    }
    return result
  }

  static var curves: [[Double]] {
    var result: [[Double]] = []
    for index in 0..<100 {
      var curve: [Double] = []
      for part in 0..<8 {
        let most = part % 2 == 0 ? 1280 : 800
        curve.append(Double((index * 131 + part * 373) % most))
      }
      result.append(curve)
    }
    return result
  }

  static var chart: [(x: Double, y: Double)] {
    var result: [(x: Double, y: Double)] = []
    for index in 0..<1280 {
      let y = 250 + index * 7919 % 300
      result.append((x: Double(index), y: Double(y)))
    }
    return result
  }

  private static let discList = discs
  private static let curveList = curves
  private static let chartList = chart

  private static func discs(_ context: Context2D) {
    for disc in discList {
      context.beginPath()
      context.arc(disc.x, disc.y, disc.radius, 0, 7)
      context.fill()
    }
  }

  private static func curves(_ context: Context2D) {
    for curve in curveList {
      context.beginPath()
      context.moveTo(curve[0], curve[1])
      context.bezierCurveTo(curve[2], curve[3], curve[4], curve[5], curve[6], curve[7])
      context.stroke()
    }
  }

  private static func chart(_ context: Context2D) {
    context.beginPath()
    for point in chartList { context.lineTo(point.x, point.y) }
    context.stroke()
  }

  private static func texts(_ context: Context2D) {
    for row in 0..<50 { context.fillText("Line of text, 42 °C and some more".utf8.span, 20, Double(row) * 16) }
  }
}
