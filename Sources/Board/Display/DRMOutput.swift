import CLinux
import Canvas
import Graphics
import Runtime

/// An open DRM card (kernel mode setting).
struct DRMCard {
  let file: Descriptor
  let path: InlineText<64>
  let resources: tl_drm_resources_t

  /// nil for a card that cannot be used as a display: render-only, or without dumb buffers.
  init?(_ path: InlineText<64>, root: String) throws(DisplayFault) {
    let file = try openDevice(path, root: root, "open the card")
    var found = tl_drm_resources_t()
    guard tl_drm_resources(file.number, &found) >= 0, found.connector_count > 0, found.crtc_count > 0,
      tl_drm_has_dumb_buffers(file.number) == 1
    else {
      file.close()
      return nil
    }
    self.file = file
    self.path = path
    resources = found
  }

  /// The connector to use: the first with a display, else the first of which the kernel does not know whether it has
  /// one (composite video, VGA and panels that cannot tell); nil when there is neither.
  func output(_ mode: ScreenMode?) throws(DisplayFault) -> DRMOutput? {
    if let output = try output(mode, .connected) { return output }
    return try output(mode, .unknown)
  }

  /// The first connector in this state that has a usable mode.
  func output(_ mode: ScreenMode?, _ connection: DRMConnection) throws(DisplayFault) -> DRMOutput? {
    var found = resources
    let count = Int(found.connector_count)
    return try withUnsafeBytes(of: &found.connectors) { ids throws(DisplayFault) in
      let ids = ids.bindMemory(to: UInt32.self)
      for index in 0..<count {
        if let output = try DRMOutput(self, connector: ids[index], mode), output.connection == connection {
          return output
        }
      }
      return nil
    }
  }

  /// The index of a CRTC in the card's list, as used in masks; nil when it is not in the list.
  func crtc(_ possible: UInt32) -> UInt32? {
    var found = resources
    let count = Int(found.crtc_count)
    return withUnsafeBytes(of: &found.crtcs) { ids in
      let ids = ids.bindMemory(to: UInt32.self)
      for index in 0..<count where possible >> UInt32(index) & 1 == 1 { return ids[index] }
      return nil
    }
  }
}

/// What the kernel knows of a connector (`enum drm_connector_status`).
enum DRMConnection {
  case connected, disconnected, unknown

  init(kernel value: UInt32) {
    switch value {
    case UInt32(TL_DRM_CONNECTED): self = .connected
    case UInt32(TL_DRM_DISCONNECTED): self = .disconnected
    default: self = .unknown
    }
  }
}

/// A connector that may have a display, with its CRTC and mode.
struct DRMOutput {
  /// DRM_MODE_CONNECTOR_*: types for which each page flip sends a whole picture.
  private static let virtual: UInt32 = 15, spi: UInt32 = 19, usb: UInt32 = 20

  let connector: UInt32
  /// Never `.disconnected`.
  let connection: DRMConnection
  let crtc: UInt32
  let mode: tl_drm_mode
  let type: UInt32
  /// The panel's physical size before rotation; nil when it is unknown.
  let millimeters: Size?
  /// The panel's mounting orientation.
  let rotation: Rotation
  /// True when the configured mode does not exist.
  let lacksMode: Bool

  /// nil when nothing is connected.
  init?(_ card: DRMCard, connector id: UInt32, _ requested: ScreenMode?) throws(DisplayFault) {
    let modes = UnsafeMutableBufferPointer<tl_drm_mode>.allocate(capacity: Int(TL_DRM_MODES))
    modes.initialize(repeating: tl_drm_mode())
    defer { modes.deallocate() }
    var found = tl_drm_connector_t()
    try accepted(tl_drm_connector(card.file.number, id, 1, &found, modes.baseAddress), "look at a connector")
    let connection = DRMConnection(kernel: found.connection)
    if connection == .disconnected { return nil }
    let usable = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(modes)[..<Int(found.mode_count)])
    guard let chosen = Self.choose(usable, requested), let crtc = Self.crtc(card, &found) else { return nil }
    connector = id
    self.connection = connection
    self.crtc = crtc
    mode = chosen.mode
    lacksMode = chosen.lacksRequestedMode
    type = found.type
    millimeters =
      found.width_mm > 0 && found.height_mm > 0
      ? Size(Int32(clamping: found.width_mm), Int32(clamping: found.height_mm)) : nil
    rotation = Self.rotation(card, id)
  }

  /// True when pages are flipped; false when changed regions are sent.
  var hasPages: Bool { type != Self.virtual && type != Self.spi && type != Self.usb }
  /// True for a bus on which a whole picture takes long.
  var isSlow: Bool { type == Self.spi }
  var size: Size { Size(Int32(mode.width), Int32(mode.height)) }

  /// The configured mode at the nearest rate, otherwise the display's preferred mode. Interlaced modes count where
  /// there are no others, as for composite video.
  static func choose(
    _ modes: UnsafeBufferPointer<tl_drm_mode>, _ requested: ScreenMode?
  ) -> (mode: tl_drm_mode, lacksRequestedMode: Bool)? {
    let isInterlaced = !modes.contains { isUsable($0, isInterlaced: false) }
    var best: tl_drm_mode?
    var distance = Int.max
    if let requested {
      for mode in modes where isUsable(mode, isInterlaced: isInterlaced) {
        guard Int32(mode.width) == requested.size.width, Int32(mode.height) == requested.size.height else { continue }
        let far = requested.rate.map { abs($0 * 1000 - Int(mode.rate)) } ?? (mode.is_preferred != 0 ? 0 : 1)
        guard far < distance else { continue }
        (best, distance) = (mode, far)
      }
      if let best { return (best, false) }
    }
    for mode in modes where isUsable(mode, isInterlaced: isInterlaced) {
      if mode.is_preferred != 0 { return (mode, requested != nil) }
      if best == nil { best = mode }
    }
    return best.map { ($0, requested != nil) }
  }

  /// True for a mode of this kind that fits into the budget.
  static func isUsable(_ mode: tl_drm_mode, isInterlaced: Bool) -> Bool {
    (mode.is_interlaced != 0) == isInterlaced && mode.width > 0 && mode.height > 0
      && mode.width <= UInt32(Budget.displaySide) && mode.height <= UInt32(Budget.displaySide)
      && Int(mode.width) * Int(mode.height) <= Budget.displayPixels
  }

  /// The CRTC that it has now, or the first possible one.
  private static func crtc(_ card: DRMCard, _ found: inout tl_drm_connector_t) -> UInt32? {
    var (now, possible): (UInt32, UInt32) = (0, 0)
    let file = card.file.number
    if found.encoder != 0, tl_drm_encoder(file, found.encoder, &now, &possible) >= 0, now != 0 { return now }
    let count = Int(found.encoder_count)
    return withUnsafeBytes(of: &found.encoders) { ids in
      let ids = ids.bindMemory(to: UInt32.self)
      for index in 0..<count {
        guard tl_drm_encoder(card.file.number, ids[index], &now, &possible) >= 0 else { continue }
        if let crtc = card.crtc(possible) { return crtc }
      }
      return nil
    }
  }

  /// Values of the connector's property: normal, upside down, left side up, right side up.
  private static func rotation(_ card: DRMCard, _ id: UInt32) -> Rotation {
    var (property, value): (UInt32, UInt64) = (0, 0)
    guard tl_drm_property(card.file.number, id, "panel orientation", &property, &value) >= 0 else { return .none }
    return [Rotation.none, .half, .threeQuarters, .quarter][Int(value & 3)]
  }

  /// True when it still has a display with the same mode and CRTC, and is still the one to use.
  func isCurrent(_ card: DRMCard, _ requested: ScreenMode?) -> Bool {
    if connection == .unknown, let other = try? card.output(requested, .connected), other.connector != connector {
      return false
    }
    guard let now = try? DRMOutput(card, connector: connector, requested) else { return false }
    return now.mode.width == mode.width && now.mode.height == mode.height && now.mode.rate == mode.rate
  }
}
