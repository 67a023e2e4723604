import CQuickJS
import Canvas
import Codec
import Graphics
import Runtime

/// The canvas of scripts: its pixels, its 2D context, and the images that scripts have loaded. Used by the worker while
/// a script runs, and by the loop's thread otherwise.
final class ScriptCanvas {
  private let outlines: (any OutlineSource)?
  private let pictures: (any PictureReader)?
  /// Shared memory for the pixels; nil: memory of its own.
  private let surface: SharedMemory?
  private var context: Context2D?
  /// Nil: the script's canvas has size 0, or nothing was drawn yet.
  private(set) var pixels: PixelBuffer?
  private var images: [DecodedPicture?] = Array(repeating: nil, count: Budget.scriptImages)
  private let text = FixedBuffer(capacity: 256)
  private let base64 = ScratchMemory(capacity: Budget.scriptImageBytes)

  init(outlines: (any OutlineSource)?, pictures: (any PictureReader)?, surface: SharedMemory? = nil) {
    self.outlines = outlines
    self.pictures = pictures
    self.surface = surface
  }

  /// True when something was drawn since the last call.
  func takeChange() -> Bool {
    guard let context, context.hasChanged else { return false }
    context.hasChanged = false
    return true
  }

  /// Clears everything when the script context is created or dropped.
  func reset() {
    context = nil
    pixels = nil
    for index in images.indices { images[index] = nil }
  }

  // MARK: Calls

  /// Executes a drawing call; false for any other call.
  func answer(_ call: borrowing ScriptCall, _ answer: inout ScriptAnswer) {
    if call.what == TL_SCRIPT_SIZE { return size(call, &answer) }
    guard let context else { return answer.fail("the canvas has no pixels") }
    switch call.what {
    case TL_SCRIPT_IMAGE: image(call, &answer)
    case TL_SCRIPT_DROP_IMAGE: dropImage(call.whole(0))
    case TL_SCRIPT_DRAW_IMAGE: drawImage(context, call)
    case TL_SCRIPT_SET: set(context, call)
    case TL_SCRIPT_GET: get(context, call, &answer)
    case TL_SCRIPT_SET_STYLE, TL_SCRIPT_DASHES, TL_SCRIPT_GET_DASHES, TL_SCRIPT_LINEAR, TL_SCRIPT_RADIAL,
      TL_SCRIPT_ADD_STOP,
      TL_SCRIPT_DROP_GRADIENT:
      style(context, call, &answer)
    case TL_SCRIPT_FILL_TEXT, TL_SCRIPT_STROKE_TEXT, TL_SCRIPT_MEASURE_TEXT: draw(text: context, call, &answer)
    default: draw(context, call, &answer)
    }
  }

  /// Resizes the canvas, which resets its context.
  private func size(_ call: borrowing ScriptCall, _ answer: inout ScriptAnswer) {
    let most = Double(Budget.paintSidePixels)
    // False for NaN, too.
    guard call[0] <= most, call[1] <= most, max(call[0], 1) * max(call[1], 1) <= Double(Budget.shownPixels) else {
      return answer.fail("the canvas would have more than 2 million pixels")
    }
    let size = Size(Int32(clamping: max(call[0], 1)), Int32(clamping: max(call[1], 1)))
    do throws(Errno) {
      if context == nil { context = try Context2D(text: outlines) }
      if pixels?.size != size { pixels = try newPixels(size) }
    } catch {
      return answer.fail("no memory for the canvas")
    }
    guard let context, let pixels else { return }
    let drawn = context.hasChanged
    _ = context.attach(pixels.pixels, size)
    context.reset()
    context.hasChanged = drawn
  }

  private func newPixels(_ size: Size) throws(Errno) -> PixelBuffer {
    guard let surface else { return try PixelBuffer(size) }
    guard let pixels = PixelBuffer(size, in: surface) else { throw .outOfMemory }
    return pixels
  }

  // MARK: Paths

  private func draw(_ context: Context2D, _ call: borrowing ScriptCall, _ answer: inout ScriptAnswer) {
    var fault: Context2D.ArgumentFault?
    switch call.what {
    case TL_SCRIPT_SAVE: if !context.save() { answer.fail("save: more than 64 states") }
    case TL_SCRIPT_RESTORE: context.restore()
    case TL_SCRIPT_TRANSLATE: context.translate(call[0], call[1])
    case TL_SCRIPT_ROTATE: context.rotate(call[0])
    case TL_SCRIPT_SCALE: context.scale(call[0], call[1])
    case TL_SCRIPT_TRANSFORM: context.transform(call[0], call[1], call[2], call[3], call[4], call[5])
    case TL_SCRIPT_SET_TRANSFORM: context.setTransform(call[0], call[1], call[2], call[3], call[4], call[5])
    case TL_SCRIPT_RESET_TRANSFORM: context.resetTransform()
    case TL_SCRIPT_GET_TRANSFORM:
      let matrix = context.currentTransform
      for value in [matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f] { answer.add(value) }
    case TL_SCRIPT_BEGIN_PATH: context.beginPath()
    case TL_SCRIPT_CLOSE_PATH: context.closePath()
    case TL_SCRIPT_MOVE_TO: context.moveTo(call[0], call[1])
    case TL_SCRIPT_LINE_TO: context.lineTo(call[0], call[1])
    case TL_SCRIPT_QUADRATIC_TO: context.quadraticCurveTo(call[0], call[1], call[2], call[3])
    case TL_SCRIPT_BEZIER_TO: context.bezierCurveTo(call[0], call[1], call[2], call[3], call[4], call[5])
    case TL_SCRIPT_ARC:
      fault = context.arc(call[0], call[1], call[2], call[3], call[4], counterclockwise: call.isTrue(5))
    case TL_SCRIPT_ARC_TO: fault = context.arcTo(call[0], call[1], call[2], call[3], call[4])
    case TL_SCRIPT_ELLIPSE:
      fault = context.ellipse(
        call[0], call[1], call[2], call[3], call[4], call[5], call[6], counterclockwise: call.isTrue(7))
    case TL_SCRIPT_RECT: context.rect(call[0], call[1], call[2], call[3])
    case TL_SCRIPT_ROUND_RECT:
      fault = context.roundRect(call[0], call[1], call[2], call[3], radii: call.numbers(from: 4))
    case TL_SCRIPT_FILL: context.fill(evenOdd: call.isTrue(0))
    case TL_SCRIPT_STROKE: context.stroke()
    case TL_SCRIPT_CLIP: context.clip(evenOdd: call.isTrue(0))
    case TL_SCRIPT_IN_PATH: answer.set(context.isPointInPath(call[0], call[1], evenOdd: call.isTrue(2)))
    case TL_SCRIPT_CLEAR_RECT: context.clearRect(call[0], call[1], call[2], call[3])
    case TL_SCRIPT_FILL_RECT: context.fillRect(call[0], call[1], call[2], call[3])
    case TL_SCRIPT_STROKE_RECT: context.strokeRect(call[0], call[1], call[2], call[3])
    default: answer.fail("not known here")
    }
    if fault != nil { answer.fail("IndexSizeError: a radius is negative") }
  }

  private func draw(text context: Context2D, _ call: borrowing ScriptCall, _ answer: inout ScriptAnswer) {
    let most: Double? = call.given > 2 && call[2].isFinite ? call[2] : nil
    switch call.what {
    case TL_SCRIPT_FILL_TEXT: context.fillText(call.text, call[0], call[1], maxWidth: most)
    case TL_SCRIPT_STROKE_TEXT: context.strokeText(call.text, call[0], call[1], maxWidth: most)
    default:
      let measured = context.measureText(call.text)
      answer.add(measured.width)
      answer.add(measured.ascent)
      answer.add(measured.descent)
    }
  }

  // MARK: Styles

  // The HTML standard ignores invalid values of a property.
  private func set(_ context: Context2D, _ call: borrowing ScriptCall) {
    let text = call.text
    switch call.whole(0) {
    case TL_SCRIPT_FILL_STYLE: _ = context.setFillStyle(text)
    case TL_SCRIPT_STROKE_STYLE: _ = context.setStrokeStyle(text)
    case TL_SCRIPT_LINE_WIDTH: context.lineWidth = call[1]
    case TL_SCRIPT_MITER_LIMIT: context.miterLimit = call[1]
    case TL_SCRIPT_GLOBAL_ALPHA: context.globalAlpha = call[1]
    case TL_SCRIPT_DASH_OFFSET: context.lineDashOffset = call[1]
    case TL_SCRIPT_SMOOTHING: context.imageSmoothingEnabled = call.isTrue(1)
    case TL_SCRIPT_LINE_CAP: _ = context.setLineCap(text)
    case TL_SCRIPT_LINE_JOIN: _ = context.setLineJoin(text)
    case TL_SCRIPT_OPERATION: _ = context.setGlobalCompositeOperation(text)
    case TL_SCRIPT_TEXT_ALIGN: _ = context.setTextAlign(text)
    case TL_SCRIPT_TEXT_BASELINE: _ = context.setTextBaseline(text)
    case TL_SCRIPT_FONT: _ = context.setFont(text)
    default: return
    }
  }

  private func get(_ context: Context2D, _ call: borrowing ScriptCall, _ answer: inout ScriptAnswer) {
    switch call.whole(0) {
    case TL_SCRIPT_FILL_STYLE:
      if let gradient = context.fillGradient { return answer.set(Double(gradient.number)) }
      write(&answer) { context.writeFillStyle(to: &$0) }
    case TL_SCRIPT_STROKE_STYLE:
      if let gradient = context.strokeGradient { return answer.set(Double(gradient.number)) }
      write(&answer) { context.writeStrokeStyle(to: &$0) }
    case TL_SCRIPT_LINE_WIDTH: answer.set(context.lineWidth)
    case TL_SCRIPT_MITER_LIMIT: answer.set(context.miterLimit)
    case TL_SCRIPT_GLOBAL_ALPHA: answer.set(context.globalAlpha)
    case TL_SCRIPT_DASH_OFFSET: answer.set(context.lineDashOffset)
    case TL_SCRIPT_SMOOTHING: answer.set(context.imageSmoothingEnabled ? 1.0 : 0.0)
    case TL_SCRIPT_LINE_CAP: answer.set(context.lineCap)
    case TL_SCRIPT_LINE_JOIN: answer.set(context.lineJoin)
    case TL_SCRIPT_OPERATION: answer.set(context.globalCompositeOperation)
    case TL_SCRIPT_TEXT_ALIGN: answer.set(context.textAlign)
    case TL_SCRIPT_TEXT_BASELINE: answer.set(context.textBaseline)
    case TL_SCRIPT_FONT: write(&answer) { context.writeFont(to: &$0) }
    default: return
    }
  }

  private func write(_ answer: inout ScriptAnswer, _ body: (inout ByteWriter) -> Void) {
    var writer = ByteWriter(into: text.bytes)
    body(&writer)
    let count = min(writer.count, text.bytes.count)
    answer.set(UnsafeBufferPointer(text.bytes).extracting(0..<count))
  }

  private func style(_ context: Context2D, _ call: borrowing ScriptCall, _ answer: inout ScriptAnswer) {
    switch call.what {
    case TL_SCRIPT_SET_STYLE:
      let gradient = Self.gradient(call[1])
      _ = call[0] == 0 ? context.setFillStyle(gradient) : context.setStrokeStyle(gradient)
    case TL_SCRIPT_DASHES: _ = context.setLineDash(call.numbers(from: 0))
    case TL_SCRIPT_GET_DASHES:
      answer.beginList()
      for index in 0..<context.lineDashCount { answer.add(context.lineDash(index)) }
    case TL_SCRIPT_LINEAR:
      answer.take(context.createLinearGradient(call[0], call[1], call[2], call[3]))
    case TL_SCRIPT_RADIAL:
      answer.take(context.createRadialGradient(call[0], call[1], call[2], call[3], call[4], call[5]))
    case TL_SCRIPT_ADD_STOP:
      switch context.addColorStop(Self.gradient(call[0]), call[1], call.text) {
      case .added: return
      case .badOffset: answer.fail("IndexSizeError: the offset of a color stop is from 0 to 1")
      case .badColor: answer.fail("SyntaxError: the color of a stop is not known")
      case .full: answer.fail("a gradient has at most 32 color stops")
      }
    default: context.drop(Self.gradient(call[0]))
    }
  }

  private static func gradient(_ number: Double) -> Context2D.GradientHandle {
    Context2D.GradientHandle(UInt32(exactly: number) ?? .max)
  }

  // MARK: Pictures

  private func image(_ call: borrowing ScriptCall, _ answer: inout ScriptAnswer) {
    guard let pictures else { return answer.fail("images are not available") }
    var place = 0
    while place < images.count, images[place] != nil { place += 1 }
    guard place < images.count else { return answer.fail("more than 8 images are loaded") }
    let text = call.text
    guard text.count <= Budget.scriptImageBytes else { return answer.fail("the image has more than 512 KiB") }
    var start = 0
    while start < text.count, text[start] != UInt8(ascii: ",") { start += 1 }
    guard start < text.count, Self.endsInBase64(text.extracting(0..<start)) else {
      return answer.fail("an image's data: URL is written in base64")
    }
    defer { base64.release() }
    do throws(Base64Error) {
      let payload = text.extracting((start + 1)..<text.count)
      let count = try Base64Decoder.decode(payload, .standard, padding: .optional, into: base64.bytes)
      let picture = pictures.read(UnsafeBufferPointer(base64.bytes).extracting(0..<count))
      guard let picture else { return answer.fail("the image cannot be decoded: PNG, JPEG, WebP and GIF can") }
      images[place] = picture
      answer.add(Double(place + 1))
      answer.add(Double(picture.original.width))
      answer.add(Double(picture.original.height))
    } catch {
      answer.fail("the image's data: URL is not base64")
    }
  }

  private static func endsInBase64(_ head: Span<UInt8>) -> Bool {
    let ending = (";base64" as StaticString).bytes
    guard head.count >= ending.count else { return false }
    for index in 0..<ending.count where head[head.count - ending.count + index] != ending[index] { return false }
    return true
  }

  private func dropImage(_ place: Int) {
    guard place > 0, place <= images.count else { return }
    images[place - 1] = nil
  }

  private func drawImage(_ context: Context2D, _ call: borrowing ScriptCall) {
    let place = call.whole(0)
    guard place > 0, place <= images.count, let picture = images[place - 1] else { return }
    // A large picture was scaled down while decoding: scripts use its original pixels as units.
    let x = Double(picture.size.width) / Double(max(picture.original.width, 1))
    let y = Double(picture.size.height) / Double(max(picture.original.height, 1))
    context.drawImage(
      UnsafeBufferPointer(picture.pixels), picture.size, call[1] * x, call[2] * y, call[3] * x, call[4] * y, call[5],
      call[6],
      call[7], call[8])
  }
}
