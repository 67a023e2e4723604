import CLinux
import Canvas
import Graphics
import Runtime

/// A frame buffer of the kernel (fbdev) in its current mode. Where its memory holds two pictures, pages are flipped.
final class FrameBuffer: Scanout {
  /// FB_TYPE_PACKED_PIXELS; FB_VISUAL_MONO01, _MONO10, _TRUECOLOR, _DIRECTCOLOR.
  private static let packed: UInt32 = 0
  private static let darkOnes: UInt32 = 0, brightOnes: UInt32 = 1, trueColor: UInt32 = 2, directColor: UInt32 = 4
  /// FB_NONSTD_REV_PIX_IN_B: the leftmost pixel of a byte has its highest bits.
  private static let highFirst: UInt32 = 2

  private let file: Descriptor
  private let path: InlineText<64>
  private let root: String
  private let memory: UnsafeMutableRawBufferPointer
  private var pages: FramePages
  private let topBefore: UInt32
  /// Another program has the screen; the screen is blanked.
  private let isAway = SharedFlag()
  private let isBlank = SharedFlag()
  let mode: DisplayMode

  /// Opens and maps /dev/fbN.
  init(_ path: InlineText<64>, _ choice: ScreenChoice, root: String) throws(DisplayFault) {
    let file = try openDevice(path, root: root, "open the frame buffer")
    do throws(DisplayFault) {
      var info = tl_fb_info()
      try accepted(tl_fb_describe(file.number, &info), "look at the frame buffer")
      guard let layout = Self.layout(info) else { throw DisplayFault("use the frame buffer's format", .notSupported) }
      let length = Int(clamping: Int64(info.bytes) + Int64(info.page_offset))
      var address: UnsafeMutableRawPointer?
      try accepted(tl_mmap(file.number, numericCast(length), 0, &address), "map the frame buffer")
      memory = UnsafeMutableRawBufferPointer(start: address, count: length)
      let rotation = choice.rotation ?? .none
      guard let first = Self.page(0, of: memory, info, layout) else {
        Syscall.unmap(memory)
        throw DisplayFault("use the frame buffer's memory", .invalidArgument)
      }
      pages = FramePages(layout, rotation, first)
      topBefore = info.top
      var millimeters: Size?
      // Drivers that do not know it report 0, or all ones.
      if (1...10_000).contains(info.width_mm), (1...10_000).contains(info.height_mm) {
        millimeters = rotation.turned(Size(Int32(info.width_mm), Int32(info.height_mm)))
      }
      mode = DisplayMode(
        size: pages.pictureSize, rotation: rotation, bitsPerPixel: layout.format.bitsPerPixel, millimeters: millimeters,
        driver: "fbdev", path: path)
      if let second = Self.page(1, of: memory, info, layout), tl_fb_pan(file.number, 0) >= 0 { pages.add(second) }
      // With one page the picture is at the top of the memory.
      if pages.count == 1, info.top != 0 { _ = tl_fb_pan(file.number, 0) }
    } catch {
      file.close()
      throw error
    }
    self.file = file
    self.path = path
    self.root = root
  }

  /// The pixel layout that the kernel reports; nil when it is not supported.
  static func layout(_ info: tl_fb_info) -> PanelLayout? {
    guard info.type == packed, info.width > 0, info.height > 0, info.width <= UInt32(Budget.displaySide),
      info.height <= UInt32(Budget.displaySide), Int(info.width) * Int(info.height) <= Budget.displayPixels,
      let kind = kind(info), let format = PanelFormat(bitsPerPixel: Int(clamping: info.bits_per_pixel), kind: kind)
    else { return nil }
    return PanelLayout(
      format: format, size: Size(Int32(info.width), Int32(info.height)), stride: Int(clamping: info.line_bytes))
  }

  private static func kind(_ info: tl_fb_info) -> PanelFormat.Kind? {
    // On little-endian processors the leftmost pixel is the lowest bit in the kernel's drawing (FB_LEFT_POS).
    let isLowFirst = info.nonstandard & highFirst == 0
    switch info.visual {
    case darkOnes, brightOnes: return .gray(isInverted: info.visual == darkOnes, isLowFirst: isLowFirst)
    case trueColor, directColor: break
    default: return nil
    }
    if info.grayscale == 1 { return .gray(isInverted: false, isLowFirst: isLowFirst) }
    // More than 1 is a fourcc, which does not define the bits.
    guard info.grayscale == 0 else { return nil }
    func channel(_ channel: tl_fb_channel) -> PanelFormat.Channel {
      PanelFormat.Channel(channel.offset, channel.length)
    }
    return .color(red: channel(info.red), green: channel(info.green), blue: channel(info.blue))
  }

  /// The memory of the second picture; nil when there is no room, or the view cannot be moved there.
  private static func page(
    _ number: Int, of memory: UnsafeMutableRawBufferPointer, _ info: tl_fb_info, _ layout: PanelLayout
  ) -> UnsafeMutableRawBufferPointer? {
    if number > 0 {
      guard info.pan_step > 0, info.height % info.pan_step == 0, info.virtual_height / 2 >= info.height else {
        return nil
      }
    }
    let start = Int(info.page_offset) + number * Int(info.height) * layout.stride
    guard start + layout.byteCount <= memory.count else { return nil }
    return UnsafeMutableRawBufferPointer(rebasing: memory[start..<(start + layout.byteCount)])
  }

  // MARK: Scanout

  var events: Descriptor? { nil }
  func takeEvents() -> Int { 0 }

  func show(_ pixels: PixelBuffer, _ damage: Damage) throws(DisplayFault) -> Shown {
    guard !isAway.isSet, !isBlank.isSet else { return .dropped }
    _ = pages.draw(pixels, damage)
    guard pages.count == 2 else { return .now }
    let top = UInt32(pages.next) * UInt32(pages.layout.size.height)
    if tl_fb_pan(file.number, top) >= 0 {
      pages.turn()
    } else {
      // The view stays where it is; the frame is drawn there as well.
      pages.keepShownOnly()
      _ = pages.draw(pixels, Damage())
    }
    return .now
  }

  func release() { isAway.isSet = true }
  func acquire() {
    isAway.isSet = false
    _ = try? setBlank(false)
    if pages.count == 2 { _ = tl_fb_pan(file.number, UInt32(pages.shown) * UInt32(pages.layout.size.height)) }
  }

  func setBlank(_ isBlank: Bool) throws(DisplayFault) {
    try accepted(tl_fb_blank(file.number, isBlank ? 1 : 0), "blank the frame buffer")
    self.isBlank.isSet = isBlank
  }

  func isOutdated() -> Bool {
    guard let now = try? openDevice(path, root: root, "open the frame buffer") else { return true }
    defer { now.close() }
    var info = tl_fb_info()
    return tl_fb_describe(now.number, &info) < 0 || Self.layout(info) != pages.layout
  }

  func close() {
    _ = tl_fb_blank(file.number, 0)
    if pages.count == 2 || topBefore != 0 { _ = tl_fb_pan(file.number, topBefore) }
    Syscall.unmap(memory)
    file.close()
  }
}

/// No display: the canvas exists only for snapshots.
final class VirtualScanout: Scanout {
  let mode: DisplayMode

  /// `size` after rotation.
  init(_ size: Size) {
    mode = DisplayMode(
      size: size, rotation: .none, bitsPerPixel: 0, millimeters: nil, driver: "virtual", path: InlineText())
  }

  var events: Descriptor? { nil }
  func takeEvents() -> Int { 0 }
  func show(_ pixels: PixelBuffer, _ damage: Damage) throws(DisplayFault) -> Shown { .now }
  func release() {}
  func acquire() {}
  func setBlank(_ isBlank: Bool) throws(DisplayFault) {}
  func isOutdated() -> Bool { false }
  func close() {}
}
