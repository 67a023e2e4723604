import Codec
import Runtime

/// Why a drawing cannot be shown.
public struct SVGError: Error {
  public enum Kind: Sendable {
    /// There is no `svg` element.
    case noDrawing
    /// All that it shows is made by scripts, HTML inside it, or other files.
    case unsupported
    case outOfMemory
  }

  public let kind: Kind
  /// For a person.
  public let text: StaticString
}

/// Parts that were left out of a drawing.
public struct SVGReport: Sendable {
  /// Shapes, texts and pictures that were drawn.
  public var drawn = 0
  public var hasScripts = false
  /// `foreignObject`: HTML inside.
  public var hasHTML = false
  /// Pictures of other addresses, or that cannot be read.
  public var hasMissingPictures = false
  /// Filters and patterns.
  public var hasEffects = false
  /// It goes beyond a bound of `Budget`.
  public var isCut = false
  /// Its time was over before all of it was drawn.
  public var isLate = false

  /// The most important missing part; nil: none.
  public var omission: SVGOmission? {
    if isLate { return .late }
    if hasScripts { return .scripts }
    if hasHTML { return .html }
    if hasMissingPictures { return .pictures }
    if isCut { return .cut }
    return hasEffects ? .effects : nil
  }
}

/// What is missing from a drawing; the numbers go from one process to another.
public enum SVGOmission: Int, Sendable {
  case late, scripts, html, pictures, cut, effects

  /// For a person.
  public var text: StaticString {
    switch self {
    case .late: "drawn in part: all of it takes more than 2 seconds of processor time"
    case .scripts: "drawn without its scripts"
    case .html: "drawn without the HTML inside it (foreignObject)"
    case .pictures: "drawn without the pictures it refers to"
    case .cut: "drawn in part: it is larger than what is drawn"
    case .effects: "drawn without filters and patterns"
    }
  }
}

/// Draws static SVG: shapes, text, gradients, clips, pictures inside the document, styles and classes. No scripts, no
/// animation, nothing is fetched. For workers; holds nothing between two drawings.
public enum SVG {
  /// Makes pixels of a picture inside the drawing (PNG and its like); nil when it cannot be read.
  public typealias PictureReader = (UnsafeBufferPointer<UInt8>) -> DecodedPicture?

  /// Does a document begin like a drawing: an `svg` element first, after declarations and comments?
  public static func isDrawing(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var reader = MarkupReader(bytes, isHTML: false)
    while let piece = reader.next() {
      switch piece {
      case .open(let name, _, _): return SVGTree.kind(of: bytes.extracting(name)) == .svg
      case .text(let range):
        for place in range where !TextReader.isBlank(bytes[place]) { return false }
      default: return false
      }
    }
    return false
  }

  /// How large a drawing wants to be, in pixels; at least 1, at most `Budget.pictureSidePixels`.
  public static func size(_ bytes: UnsafeBufferPointer<UInt8>) throws(SVGError) -> Size {
    let tree = try tree(bytes)
    let frame = SVGFrame(tree)
    func whole(_ length: Double) -> Int32 {
      Int32(clamping: length.rounded(.up).bounded(1, Double(Budget.pictureSidePixels)))
    }
    return Size(whole(frame.width), whole(frame.height))
  }

  /// Draws into pixels (premultiplied 0xAARRGGBB, rows without gaps), over what is there, stretched or shrunk to `size`
  /// as its `preserveAspectRatio` says. Without `fonts` there is no text, without `pictures` no pictures. When `meter`
  /// says so it ends where it is.
  @export(interface)
  public static func render(
    _ bytes: UnsafeBufferPointer<UInt8>, into pixels: UnsafeMutableBufferPointer<UInt32>, _ size: Size,
    fonts: (any OutlineSource)?, pictures: PictureReader?, meter: (any WorkMeter)? = nil
  ) throws(SVGError) -> SVGReport {
    let tree = try tree(bytes, WorkLimit(meter))
    let renderer: SVGRenderer
    do {
      renderer = try SVGRenderer(tree, fonts: fonts, pictures: pictures)
    } catch {
      throw SVGError(kind: .outOfMemory, text: "no memory for the drawing")
    }
    guard renderer.context.attach(pixels, size) else {
      throw SVGError(kind: .unsupported, text: "the drawing would have too many pixels")
    }
    let report = renderer.render(size)
    guard report.drawn == 0 else { return report }
    if report.isLate {
      throw SVGError(kind: .unsupported, text: "the drawing takes too much time: nothing of it is drawn")
    }
    if report.hasScripts { throw SVGError(kind: .unsupported, text: "the drawing is made by scripts") }
    if report.hasHTML {
      throw SVGError(kind: .unsupported, text: "all of the drawing is HTML inside it (foreignObject)")
    }
    if report.hasMissingPictures {
      throw SVGError(kind: .unsupported, text: "all of the drawing is pictures of other files")
    }
    throw SVGError(kind: .unsupported, text: "nothing in the drawing can be drawn")
  }

  private static func tree(
    _ bytes: UnsafeBufferPointer<UInt8>, _ limit: WorkLimit = WorkLimit()
  ) throws(SVGError) -> SVGTree {
    // Places in the document are 32 bits wide.
    guard bytes.count < Int(Int32.max) else { throw SVGError(kind: .outOfMemory, text: "the drawing is too large") }
    let tree: SVGTree
    do {
      tree = try SVGTree(bytes, limit)
    } catch {
      throw SVGError(kind: .outOfMemory, text: "no memory for the drawing")
    }
    guard tree.root >= 0 else { throw SVGError(kind: .noDrawing, text: "there is no svg element") }
    return tree
  }
}

/// The size of a drawing and its `viewBox`.
struct SVGFrame {
  var (width, height) = (300.0, 150.0)

  init(_ tree: SVGTree) {
    let box = SVGFrame.viewBox(tree, tree.root)
    let width = SVGFrame.length(tree, "width")
    let height = SVGFrame.length(tree, "height")
    switch (width, height) {
    case (let width?, let height?): (self.width, self.height) = (width, height)
    case (let width?, nil): (self.width, self.height) = (width, box.map { width * $0.d / $0.a } ?? width / 2)
    case (nil, let height?): (self.width, self.height) = (box.map { height * $0.a / $0.d } ?? height * 2, height)
    case (nil, nil): if let box { (self.width, self.height) = (box.a, box.d) }
    }
  }

  /// In pixels; nil for what is a share of a page, or nothing.
  private static func length(_ tree: SVGTree, _ name: StaticString) -> Double? {
    guard let text = tree.value(tree.root, name), text.last != UInt8(ascii: "%") else { return nil }
    guard let length = SVGStyler.length(text.span, 16, of: 100), length > 0, length.isFinite else { return nil }
    return length
  }

  /// Width and height in `a` and `d`, the upper left corner in `e` and `f`.
  static func viewBox(_ tree: SVGTree, _ node: Int) -> Matrix? {
    guard let text = tree.value(node, "viewBox") else { return nil }
    var reader = TextReader(text.span)
    var numbers = InlineArray<4, Double>(repeating: 0)
    for index in 0..<4 {
      reader.skipComma()
      guard let number = reader.number(), abs(number) < 1e12 else { return nil }
      numbers[index] = number
    }
    guard numbers[2] > 0, numbers[3] > 0 else { return nil }
    return Matrix(numbers[2], 0, 0, numbers[3], numbers[0], numbers[1])
  }

  /// Brings a `viewBox` into a rectangle at the origin as `preserveAspectRatio` says.
  static func fit(_ box: Matrix, _ width: Double, _ height: Double, _ aspect: UnsafeBufferPointer<UInt8>?) -> Matrix {
    var (x, y) = (width / box.a, height / box.d)
    var (left, top) = (0.5, 0.5)
    var isStretched = false
    var isSlice = false
    if let aspect {
      var reader = TextReader(aspect.span)
      reader.skipBlanks()
      if reader.take("defer") { reader.skipBlanks() }
      if reader.take("none") {
        isStretched = true
      } else if reader.take("xm") {
        left = reader.take("in") ? 0 : reader.take("ax") ? 1 : 0.5
        _ = reader.take("id")
        if reader.take("ym") { top = reader.take("in") ? 0 : reader.take("ax") ? 1 : 0.5 }
        _ = reader.take("id")
      }
      reader.skipBlanks()
      isSlice = reader.take("slice")
    }
    if !isStretched {
      let scale = isSlice ? max(x, y) : min(x, y)
      (x, y) = (scale, scale)
    }
    let (restX, restY) = (width - box.a * x, height - box.d * y)
    return Matrix(x, 0, 0, y, restX * left - box.e * x, restY * top - box.f * y)
  }
}
