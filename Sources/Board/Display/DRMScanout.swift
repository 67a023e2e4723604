import CLinux
import Canvas
import Graphics
import Runtime

/// A display driven by kernel mode setting: two buffers that are flipped at vertical blank, or one buffer whose changed
/// regions are sent.
final class DRMScanout: Scanout {
  private let card: DRMCard
  private let output: DRMOutput
  private let requested: ScreenMode?
  private var saved = tl_drm_crtc()
  private var hasSaved = false
  private var buffers = InlineList<2, Buffer>()
  private var pages: FramePages
  private var reportsDamage = true
  private var dpms: UInt32?
  /// The display is blanked and flips no pages.
  private let isBlank = SharedFlag()
  let mode: DisplayMode

  private struct Buffer: @unchecked Sendable {
    let buffer: tl_drm_buffer
    let memory: UnsafeMutableRawBufferPointer
  }

  /// Sets the mode and shows a black picture.
  init(_ card: DRMCard, _ output: DRMOutput, _ choice: ScreenChoice) throws(DisplayFault) {
    self.card = card
    self.output = output
    requested = choice.mode
    let rotation = choice.rotation ?? output.rotation
    let (format, first) = try Self.firstBuffer(card, output, choice.bitsPerPixel)
    guard let layout = PanelLayout(format: format, size: output.size, stride: Int(first.buffer.stride)),
      first.memory.count >= layout.byteCount
    else {
      Self.free(first, card)
      throw DisplayFault("use a buffer of the card", .invalidArgument)
    }
    buffers.append(first)
    pages = FramePages(layout, rotation, first.memory)
    mode = DisplayMode(
      size: rotation.turned(output.size), rotation: rotation, bitsPerPixel: format.bitsPerPixel,
      millimeters: output.millimeters.map { rotation.turned($0) }, driver: "drm", path: card.path)
    addSecondBuffer(layout)
    hasSaved = tl_drm_get_crtc(card.file.number, output.crtc, &saved) >= 0
    var value: UInt64 = 0
    var property: UInt32 = 0
    if tl_drm_property(card.file.number, output.connector, "DPMS", &property, &value) >= 0 { dpms = property }
    do throws(DisplayFault) { try setMode() } catch {
      freeBuffers()
      throw error
    }
  }

  // MARK: Buffers

  /// 32 bits per pixel, unless the configuration, the bus, the card or its memory require 16.
  private static func firstBuffer(
    _ card: DRMCard, _ output: DRMOutput, _ bitsPerPixel: Int?
  ) throws(DisplayFault) -> (PanelFormat, Buffer) {
    let prefersWords = (bitsPerPixel ?? (output.isSlow ? 16 : 32)) == 16
    do throws(DisplayFault) {
      return (prefersWords ? .rgb565 : .xrgb8888, try make(card, output.size, isWords: prefersWords))
    } catch {
      return (prefersWords ? .xrgb8888 : .rgb565, try make(card, output.size, isWords: !prefersWords))
    }
  }

  private static func make(_ card: DRMCard, _ size: Size, isWords: Bool) throws(DisplayFault) -> Buffer {
    var buffer = tl_drm_buffer()
    let fourcc: UInt32 = isWords ? TL_DRM_RGB565 : TL_DRM_XRGB8888
    try accepted(
      tl_drm_make_buffer(card.file.number, UInt32(size.width), UInt32(size.height), fourcc, &buffer), "take a buffer")
    var address: UnsafeMutableRawPointer?
    let result = tl_mmap(card.file.number, numericCast(buffer.bytes), buffer.offset, &address)
    guard result >= 0 else {
      tl_drm_free_buffer(card.file.number, &buffer)
      throw DisplayFault("map a buffer", Errno(Int32(truncatingIfNeeded: -result)))
    }
    let memory = UnsafeMutableRawBufferPointer(start: address, count: Int(buffer.bytes))
    // Black, and written without being read.
    memory.baseAddress?.initializeMemory(as: UInt8.self, repeating: 0, count: memory.count)
    return Buffer(buffer: buffer, memory: memory)
  }

  private func addSecondBuffer(_ layout: PanelLayout) {
    guard output.hasPages,
      let second = try? Self.make(card, output.size, isWords: layout.format.bitsPerPixel == 16)
    else { return }
    guard second.memory.count >= layout.byteCount, Int(second.buffer.stride) == layout.stride else {
      return Self.free(second, card)
    }
    buffers.append(second)
    pages.add(second.memory)
  }

  private static func free(_ buffer: Buffer, _ card: DRMCard) {
    Syscall.unmap(buffer.memory)
    var raw = buffer.buffer
    tl_drm_free_buffer(card.file.number, &raw)
  }

  private func freeBuffers() {
    for index in 0..<buffers.count { Self.free(buffers[index], card) }
    buffers.removeAll()
  }

  private func setMode() throws(DisplayFault) {
    var mode = output.mode
    try accepted(
      tl_drm_set_crtc(
        card.file.number, output.crtc, output.connector, buffers[pages.shown].buffer.buffer, &mode), "set the mode")
  }

  // MARK: Frames

  var events: Descriptor? { card.file }

  func takeEvents() -> Int {
    let flips = tl_drm_flips(card.file.number)
    return flips > 0 ? Int(flips) : 0
  }

  func show(_ pixels: PixelBuffer, _ damage: Damage) throws(DisplayFault) -> Shown {
    guard !isBlank.isSet else { return .dropped }
    var written = pages.draw(pixels, damage)
    if pages.count == 2 {
      switch flip() {
      case .some(let shown): return shown
      case nil:
        // The card does not flip: the frame is drawn again, into the visible buffer.
        pages.keepShownOnly()
        written = pages.draw(pixels, Damage())
      }
    }
    return try reportDamage(written)
  }

  /// nil when the card cannot flip pages.
  private func flip() -> Shown? {
    let next = buffers[pages.next].buffer.buffer
    for _ in 0..<Budget.displayFlipTries {
      let result = tl_drm_page_flip(card.file.number, output.crtc, next)
      if result >= 0 {
        pages.turn()
        return .later
      }
      let reason = Errno(Int32(truncatingIfNeeded: -result))
      if Self.isAway(reason) { return .dropped }
      guard reason == .busy else { return isBlank.isSet ? .dropped : nil }
      Syscall.pause(milliseconds: Budget.displayFlipMilliseconds)
    }
    return nil
  }

  private func reportDamage(_ written: Damage) throws(DisplayFault) -> Shown {
    guard reportsDamage, !written.isEmpty else { return .now }
    var clips = InlineArray<8, tl_drm_clip>(repeating: tl_drm_clip())
    for index in 0..<written.count {
      let rect = written[index]
      clips[index] = tl_drm_clip(
        left: UInt16(clamping: rect.x), top: UInt16(clamping: rect.y), right: UInt16(clamping: rect.maxX),
        bottom: UInt16(clamping: rect.maxY))
    }
    let buffer = buffers[pages.shown].buffer.buffer
    var span = clips.mutableSpan
    let result = span.withUnsafeMutableBufferPointer {
      tl_drm_dirty(card.file.number, buffer, $0.baseAddress, UInt32(written.count))
    }
    if result >= 0 { return .now }
    let reason = Errno(Int32(truncatingIfNeeded: -result))
    if Self.isAway(reason) { return .dropped }
    if reason == .outOfMemory || reason == .wouldBlock || reason == .noSuchDevice {
      throw DisplayFault("send a picture", reason)
    }
    // The panel is scanned out from this memory and needs no notification.
    reportsDamage = false
    return .now
  }

  /// Another program is the card's DRM master.
  private static func isAway(_ reason: Errno) -> Bool { reason == .accessDenied || reason == .notPermitted }

  // MARK: Others

  func release() { _ = tl_drm_drop_master(card.file.number) }

  func acquire() {
    _ = tl_drm_set_master(card.file.number)
    // The previous master set its own mode. If setting ours is refused, the next frame is dropped as well. Setting a
    // mode also unblanks the display.
    _ = try? setMode()
    _ = try? setBlank(false)
  }

  func setBlank(_ isBlank: Bool) throws(DisplayFault) {
    guard let dpms else { throw DisplayFault("blank the display", .notSupported) }
    let wasBlank = self.isBlank.isSet
    // Set before blanking and cleared after unblanking: a worker may be about to flip pages.
    if isBlank { self.isBlank.isSet = true }
    // DRM_MODE_DPMS_OFF and _ON.
    let result = tl_drm_set_property(card.file.number, output.connector, dpms, isBlank ? 3 : 0)
    self.isBlank.isSet = result < 0 ? wasBlank : isBlank
    try accepted(result, "blank the display")
  }

  func isOutdated() -> Bool { !output.isCurrent(card, requested) }

  func close() {
    _ = try? setBlank(false)
    if hasSaved { _ = tl_drm_restore_crtc(card.file.number, &saved, output.connector) }
    freeBuffers()
    _ = tl_drm_drop_master(card.file.number)
    card.file.close()
  }

  /// True when the configured mode does not exist.
  var lacksMode: Bool { output.lacksMode }
}
