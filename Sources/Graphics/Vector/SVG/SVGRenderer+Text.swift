import Codec
import Runtime

/// Where a text has come to.
struct SVGTextState {
  var x = 0.0
  var y = 0.0
  /// Parts of a text that begin at places of their own, and how wide each is.
  var part = 0
  let widths: UnsafeMutableBufferPointer<Double>
  var isMeasuring = false
  /// Something stands before it; a blank is between it and what comes next.
  var hasText = false
  var hasBlank = false
  let bytes = FixedBuffer(capacity: Budget.svgValueBytes)

  init() {
    widths = .allocate(capacity: Budget.svgTextParts)
    widths.initialize(repeating: 0)
  }

  func free() { widths.deallocate() }
}

extension SVGRenderer {
  /// Draws a text: first it is measured, so that its parts can stand around their places.
  func text(_ node: Int) {
    for index in 0..<Budget.svgTextParts { textState.widths[index] = 0 }
    walk(node, isMeasuring: true)
    walk(node, isMeasuring: false)
    report.drawn += 1
  }

  private func walk(_ node: Int, isMeasuring: Bool) {
    textState.isMeasuring = isMeasuring
    (textState.x, textState.y, textState.part) = (0, 0, 0)
    (textState.hasText, textState.hasBlank) = (false, false)
    place(node)
    run(node)
  }

  /// Moves to where an element says that its text begins.
  private func place(_ node: Int) {
    let (x, y) = (length(node, "x"), length(node, "y"))
    if x != nil || y != nil {
      if textState.hasText { textState.part = min(textState.part + 1, Budget.svgTextParts - 1) }
      textState.x = x ?? textState.x
      textState.y = y ?? textState.y
      textState.hasBlank = false
      if !textState.isMeasuring { textState.x -= style.anchor * textState.widths[textState.part] }
    } else if !textState.hasText, !textState.isMeasuring {
      textState.x -= style.anchor * textState.widths[0]
    }
    textState.x += length(node, "dx") ?? 0
    textState.y += length(node, "dy") ?? 0
  }

  private func run(_ node: Int) {
    var child = Int(tree[node].firstChild)
    while child >= 0 {
      switch tree[child].kind {
      case .characters: characters(child)
      case .span, .link:
        if enter(child) {
          if style.isDisplayed {
            if tree.value(child, "x") != nil || tree.value(child, "y") != nil || tree.value(child, "dx") != nil
              || tree.value(child, "dy") != nil
            {
              place(child)
            }
            run(child)
          }
          leave()
        }
      default: break
      }
      child = Int(tree[child].next)
    }
  }

  /// Draws or measures characters, with single blanks.
  private func characters(_ node: Int) {
    let count = collect(node)
    guard count > 0 else { return }
    let text = UnsafeBufferPointer(textState.bytes.bytes).extracting(0..<count)
    context.state.font = style.font
    context.state.align = .left
    context.state.baseline = .alphabetic
    let width = context.width(of: text.span)
    if textState.isMeasuring {
      textState.widths[textState.part] += width
    } else if style.isVisible {
      draw(text)
    }
    textState.x += width
  }

  private func draw(_ text: UnsafeBufferPointer<UInt8>) {
    let path = context.scratch
    path.removeAll()
    let y = textState.y + style.drop * style.font.size
    guard context.add(text.span, textState.x, y, nil, to: path) else { return }
    if set(style.fill, path, isStroke: false) {
      context.state.alpha = style.fillOpacity * fade
      context.fill(path, evenOdd: false)
    }
    if style.pen.width > 0, set(style.stroke, path, isStroke: true) {
      context.state.alpha = style.strokeOpacity * fade
      context.state.pen = style.pen
      context.stroke(path)
    }
  }

  private func collect(_ node: Int) -> Int {
    let (source, isRaw) = (tree[node], tree[node].isRaw)
    guard context.limit.spend(Int(source.end - source.start)) else { return 0 }
    var (place, count) = (Int(source.start), 0)
    func put(_ byte: UInt8) {
      guard count < Budget.svgValueBytes else { return report.isCut = true }
      textState.bytes.bytes[count] = byte
      count += 1
    }
    while place < Int(source.end) {
      let byte = tree.bytes[place]
      if TextReader.isBlank(byte) {
        if style.keepsBlanks { put(0x20) } else { textState.hasBlank = textState.hasText }
        place += 1
        continue
      }
      if textState.hasBlank { put(0x20) }
      textState.hasBlank = false
      textState.hasText = true
      if byte == UInt8(ascii: "&"), !isRaw, let character = Entities.read(tree.bytes, &place, end: Int(source.end)) {
        Entities.write(character, put)
      } else {
        put(byte)
        place += 1
      }
    }
    return count
  }

  // MARK: Pictures

  /// Draws a picture that stands in the document itself.
  func image(_ node: Int) {
    guard let url = tree.value(node, "href") ?? tree.value(node, "xlink:href"), let picture = read(url) else {
      return report.hasMissingPictures = true
    }
    let (width, height) = (Double(picture.size.width), Double(picture.size.height))
    let (w, h) = (length(node, "width"), length(node, "height"))
    let across = w ?? h.map { $0 * width / height } ?? width
    let down = h ?? w.map { $0 * height / width } ?? height
    guard across > 0, down > 0, context.save() else { return }
    defer { context.restore() }
    context.translate(length(node, "x") ?? 0, length(node, "y") ?? 0)
    let aspect = tree.value(node, "preserveAspectRatio")
    let fit = SVGFrame.fit(Matrix(width, 0, 0, height, 0, 0), across, down, aspect)
    context.path.removeAll()
    context.add(rectangle: 0, 0, across, down, to: context.path)
    context.clip()
    context.state.matrix = context.state.matrix.applied(after: fit)
    context.state.alpha = fade
    context.drawImage(
      UnsafeBufferPointer(picture.pixels), picture.size, 0, 0, width, height, 0, 0, width, height)
    report.drawn += 1
  }

  /// The picture of a `data:` address in base 64.
  private func read(_ url: UnsafeBufferPointer<UInt8>) -> DecodedPicture? {
    var reader = TextReader(url.span)
    guard let pictures, reader.take("data:") else { return nil }
    var place = reader.place
    while place < url.count, url[place] != UInt8(ascii: ",") { place += 1 }
    guard place >= 7, place < url.count else { return nil }
    let mark: StaticString = "base64"
    for index in 0..<6 where url[place - 6 + index] != mark.utf8Start[index] { return nil }
    let text = url.extracting((place + 1)...)
    do throws(Errno) {
      let memory = try ReservedBuffer(capacity: Base64Decoder.decodedLengthMax(of: text.count) + 1)
      guard let count = decode(text, into: memory.bytes) else { return nil }
      return pictures(UnsafeBufferPointer(memory.bytes).extracting(0..<count))
    } catch {
      return nil
    }
  }

  /// Base 64, whose lines are broken in many files.
  private func decode(_ text: UnsafeBufferPointer<UInt8>, into room: UnsafeMutableBufferPointer<UInt8>) -> Int? {
    var decoder = Base64Decoder(.standard, padding: .optional)
    var (count, start) = (0, 0)
    do throws(Base64Error) {
      while start < text.count {
        var end = start
        while end < text.count, !TextReader.isBlank(text[end]) { end += 1 }
        count += try decoder.decode(
          text.extracting(start..<end).span, into: UnsafeMutableBufferPointer(rebasing: room[count...]))
        start = end
        while start < text.count, TextReader.isBlank(text[start]) { start += 1 }
      }
      return count + (try decoder.finish(into: UnsafeMutableBufferPointer(rebasing: room[count...])))
    } catch {
      return nil
    }
  }
}
