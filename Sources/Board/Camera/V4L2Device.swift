import CLinux
import Camera
import Codec
import Runtime

/// An open camera.
struct V4L2Device {
  let file: Descriptor
  let entry: CameraEntry
  /// The buffer type: single- or multi-planar capture.
  let type: UInt32
  /// Its device file.
  let node: V4L2Node
  /// The driver's name of the card; for a raw sensor this may be the sensor's name.
  let card: CameraText

  /// Image processors that look like cameras but only process pictures from memory.
  private static let nonCameraDrivers: InlineArray<2, StaticString> = ["bcm2835-isp", "pispbe"]

  /// Opens a node; nil when it is no camera: metadata, output, radio, memory to memory. Throws what kept its driver
  /// from saying what it is.
  init?(_ node: V4L2Node) throws(CameraError) {
    do throws(Errno) { file = try node.open() } catch { throw V4L2Camera.error(error) }
    var found = tl_video_card()
    let result = tl_video_query(file.number, &found)
    guard result >= 0, found.type != 0, !Self.isImposter(found) else {
      file.close()
      // ENOTTY is no device of Video4Linux.
      if result < 0, result != -Self.noSuchCall { try V4L2Camera.check(result) }
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
    for index in 0..<nonCameraDrivers.count where name == CameraText(cutting: nonCameraDrivers[index]) { return true }
    return false
  }

  /// A zero-terminated text of the kernel.
  static func text<Characters>(_ characters: inout Characters) -> CameraText {
    withUnsafeBytes(of: &characters) { bytes in
      var count = 0
      while count < bytes.count, bytes[count] != 0 { count += 1 }
      let text = UnsafeBufferPointer(rebasing: bytes.assumingMemoryBound(to: UInt8.self)[..<count])
      return CameraText(cutting: Span(_unsafeElements: text))
    }
  }

  // MARK: Modes

  /// True when the camera has any usable way of streaming.
  func isUsable(_ selection: ModeSelection) -> Bool {
    var isUsable = false
    forEachSize(selection) { offer in isUsable = isUsable || selection.mode(of: offer) != nil }
    return isUsable
  }

  /// The best mode; nil when none can be used.
  /// - Parameter refused: the mode must have fewer pixels than this one.
  func best(_ selection: ModeSelection, smallerThan refused: CameraMode? = nil) -> CameraMode? {
    var best: CameraMode?
    forEachOffer(selection) { offer in
      guard let mode = selection.mode(of: offer) else { return }
      if let refused, mode.width * mode.height >= refused.width * refused.height { return }
      if best.map({ selection.prefers(mode, to: $0) }) ?? true { best = mode }
    }
    return best
  }

  /// All formats, sizes and rates that the camera offers; for a range of sizes, the rates at the wanted size.
  func forEachOffer(_ selection: ModeSelection, _ body: (CameraOffer) -> Void) {
    forEachSize(selection) { offer in
      var offer = offer
      addRates(to: &offer, selection.size(of: offer))
      body(offer)
    }
  }

  private func forEachSize(_ selection: ModeSelection, _ body: (CameraOffer) -> Void) {
    for number in 0..<UInt32(Budget.cameraFormats) {
      var code: UInt32 = 0
      guard tl_video_format(file.number, type, number, &code) >= 0 else {
        if number == 0 { forEachGranted(selection, body) }
        return
      }
      forEachSize(of: FourCC(code), selection, body)
    }
  }

  /// For a driver that lists no formats: the usual ones, unless it would grant others in their place.
  private func forEachGranted(_ selection: ModeSelection, _ body: (CameraOffer) -> Void) {
    for index in 0..<Self.usualFormats.count {
      let code = FourCC(Self.usualFormats[index])
      var picture = tl_video_picture()
      picture.fourcc = code.value
      (picture.width, picture.height) = (UInt32(Self.usual.width), UInt32(Self.usual.height))
      let result = tl_video_try_picture(file.number, type, &picture)
      // A driver that cannot be asked (ENOTTY) still grants something.
      guard result >= 0 ? picture.fourcc == code.value : result == -Self.noSuchCall else { continue }
      forEachSize(of: code, selection, body)
    }
  }

  /// What nearly every camera has one of.
  private static let usualFormats: InlineArray<6, StaticString> = ["MJPG", "YUYV", "UYVY", "NV12", "YU12", "GREY"]
  /// ENOTTY
  private static let noSuchCall: Int64 = 25

  private func forEachSize(of code: FourCC, _ selection: ModeSelection, _ body: (CameraOffer) -> Void) {
    let format = V4L2Format.format(of: code)
    for number in 0..<UInt32(Budget.cameraModes) {
      var sizes = tl_video_sizes()
      guard tl_video_frame_sizes(file.number, code.value, number, &sizes) >= 0 else {
        if number == 0 { body(granted(code, format, selection)) }
        return
      }
      body(CameraOffer(code: code, format: format, sizes))
    }
  }

  /// For a driver that lists no sizes: the size that it would grant.
  private func granted(_ code: FourCC, _ format: PixelFormat?, _ selection: ModeSelection) -> CameraOffer {
    let anything = CameraOffer.Side(least: 0, most: Budget.cameraSidePixels)
    let size = selection.size(of: CameraOffer(code: code, format: format, width: anything, height: anything))
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

  /// A size that nearly every camera has.
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

  /// Frames per 1000 s, from the interval between two frames in seconds; 0 for an invalid interval.
  static func rate(_ numerator: UInt32, _ denominator: UInt32) -> Int {
    if numerator == 0 { return 0 }
    return Int(clamping: (UInt64(denominator) * 1000 + UInt64(numerator) / 2) / UInt64(numerator))
  }
}

extension CameraOffer {
  /// From the kernel's list of a format's sizes.
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
