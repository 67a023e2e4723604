import CLinux
import Camera
import Codec
import Runtime

/// A camera that is open.
struct V4L2Device {
  let file: Descriptor
  let entry: CameraEntry
  /// What the kernel calls a buffer of it: single- or multi-planar.
  let type: UInt32
  /// Its file.
  let node: V4L2Node
  /// The driver's own word for the device: of a bare sensor perhaps its kind.
  let card: CameraText

  /// Parts of processors that stream pictures of memory, not of the world; they look like cameras otherwise.
  private static let imposters: InlineArray<2, StaticString> = ["bcm2835-isp", "pispbe"]

  /// Opens a node; nil when no camera is behind it: metadata, output, radio, memory to memory.
  init?(_ node: V4L2Node) throws(CameraError) {
    do throws(Errno) { file = try node.open() } catch { throw V4L2Camera.error(error) }
    var found = tl_video_card()
    guard tl_video_query(file.number, &found) >= 0, found.type != 0, !Self.isImposter(found) else {
      file.close()
      return nil
    }
    type = found.type
    self.node = node
    card = Self.text(&found.card)
    let name = node.kernelName
    entry = CameraEntry(id: node.id, name: name.isEmpty ? card : name, bus: Self.text(&found.bus))
  }

  func close() { file.close() }

  private static func isImposter(_ card: tl_video_card) -> Bool {
    var driver = card.driver
    let name = text(&driver)
    for index in 0..<imposters.count where name == CameraText(cutting: imposters[index]) { return true }
    return false
  }

  /// A text of the kernel, which has its end within its bytes.
  static func text<Characters>(_ characters: inout Characters) -> CameraText {
    withUnsafeBytes(of: &characters) { bytes in
      var count = 0
      while count < bytes.count, bytes[count] != 0 { count += 1 }
      let text = UnsafeBufferPointer(rebasing: bytes.assumingMemoryBound(to: UInt8.self)[..<count])
      return CameraText(cutting: Span(_unsafeElements: text))
    }
  }

  // MARK: Modes

  /// True when the camera streams at all in a way that can be used.
  func isUsable(_ wish: ModeWish) -> Bool {
    var isUsable = false
    forEachSize(wish) { offer in isUsable = isUsable || wish.mode(of: offer) != nil }
    return isUsable
  }

  /// The mode that serves best; nil when none can be used.
  func best(_ wish: ModeWish) -> CameraMode? {
    var best: CameraMode?
    forEachOffer(wish) { offer in
      guard let mode = wish.mode(of: offer) else { return }
      if best.map({ wish.prefers(mode, to: $0) }) ?? true { best = mode }
    }
    return best
  }

  /// All that the camera offers, with rates; of a range of sizes those of the size that is wished for.
  func forEachOffer(_ wish: ModeWish, _ body: (CameraOffer) -> Void) {
    forEachSize(wish) { offer in
      var offer = offer
      addRates(to: &offer, wish.size(of: offer))
      body(offer)
    }
  }

  private func forEachSize(_ wish: ModeWish, _ body: (CameraOffer) -> Void) {
    for number in 0..<UInt32(Budget.cameraFormats) {
      var code: UInt32 = 0
      guard tl_video_format(file.number, type, number, &code) >= 0 else { return }
      forEachSize(of: FourCC(code), wish, body)
    }
  }

  private func forEachSize(of code: FourCC, _ wish: ModeWish, _ body: (CameraOffer) -> Void) {
    let format = V4L2Format.format(of: code)
    for number in 0..<UInt32(Budget.cameraModes) {
      var sizes = tl_video_sizes()
      guard tl_video_frame_sizes(file.number, code.value, number, &sizes) >= 0 else {
        if number == 0 { body(granted(code, format, wish)) }
        return
      }
      body(CameraOffer(code: code, format: format, sizes))
    }
  }

  /// A driver that tells no sizes is asked what it would grant.
  private func granted(_ code: FourCC, _ format: PixelFormat?, _ wish: ModeWish) -> CameraOffer {
    let anything = CameraOffer.Side(least: 0, most: Budget.cameraSidePixels)
    let size = wish.size(of: CameraOffer(code: code, format: format, width: anything, height: anything))
    var picture = tl_video_picture()
    picture.fourcc = code.value
    picture.width = UInt32(max(size.width, Self.usual.width))
    picture.height = UInt32(max(size.height * 3 / 4, Self.usual.height))
    let isKnown = tl_video_try_picture(file.number, type, &picture) >= 0 && picture.fourcc == code.value
    let width = isKnown ? Int(clamping: picture.width) : Self.usual.width
    let height = isKnown ? Int(clamping: picture.height) : Self.usual.height
    return CameraOffer(
      code: code, format: format, width: CameraOffer.Side(least: width, most: width),
      height: CameraOffer.Side(least: height, most: height))
  }

  /// A size that every camera is likely to have.
  private static let usual = FrameSize(width: 640, height: 480)

  private func addRates(to offer: inout CameraOffer, _ size: FrameSize) {
    for number in 0..<UInt32(offer.rates.count) {
      var interval = tl_video_interval()
      let result = tl_video_frame_interval(
        file.number, offer.code.value, UInt32(clamping: size.width), UInt32(clamping: size.height), number, &interval)
      guard result >= 0 else { return }
      offer.add(rate: Self.rate(interval.least_numerator, interval.least_denominator))
      if interval.is_range != 0 {
        offer.add(rate: Self.rate(interval.most_numerator, interval.most_denominator))
        offer.isRateRange = true
        return
      }
    }
  }

  /// Frames in a thousand seconds, of the seconds between two; 0 when they make no sense.
  static func rate(_ numerator: UInt32, _ denominator: UInt32) -> Int {
    if numerator == 0 { return 0 }
    return Int(clamping: (UInt64(denominator) * 1000 + UInt64(numerator) / 2) / UInt64(numerator))
  }
}

extension CameraOffer {
  /// What the kernel says of a format's sizes.
  init(code: FourCC, format: PixelFormat?, _ sizes: tl_video_sizes) {
    self.init(
      code: code, format: format,
      width: Side(sizes.least_width, sizes.most_width, sizes.step_width),
      height: Side(sizes.least_height, sizes.most_height, sizes.step_height))
  }
}

extension CameraOffer.Side {
  fileprivate init(_ least: UInt32, _ most: UInt32, _ step: UInt32) {
    self.init(least: Int(clamping: least), most: Int(clamping: most), step: Int(clamping: step))
  }
}
