import CLinux
import Canvas
import Graphics
import Runtime

/// Lists the displays of a board without taking them over.
public enum ScreenProbe {
  /// One display that could be used.
  public struct Entry {
    public let path: InlineText<64>
    public let driver: StaticString
    /// The panel's size before rotation; nil when nothing is connected.
    public let size: Size?
    /// Frames per 1000 s; 0: unknown.
    public let rate: Int
    public let bitsPerPixel: Int
    /// The mounting orientation that the panel reports.
    public let rotation: Rotation
    public let millimeters: Size?
    /// Modes for the configuration, with frames per 1000 s.
    public let modes: [(size: Size, rate: Int)]
    /// Why it cannot be examined.
    public let fault: DisplayFault?
  }

  /// All of them.
  public static func entries(root: String = "") -> [Entry] {
    var entries: [Entry] = []
    for number in 0..<Budget.displayCards { card(devicePath("/dev/dri/card", number), root, &entries) }
    for number in 0..<Budget.frameBuffers { frameBuffer(devicePath("/dev/fb", number), root, &entries) }
    return entries
  }

  /// True when a display is connected, or a frame buffer is there.
  static func hasDisplay(root: String) -> Bool {
    for entry in entries(root: root) where entry.size != nil { return true }
    return false
  }

  /// The beginning of a frame buffer's path; every other path is a card's.
  static func isFrameBuffer(_ path: InlineText<64>) -> Bool {
    let prefix: StaticString = "/dev/fb"
    guard path.count > prefix.utf8CodeUnitCount else { return false }
    for index in 0..<prefix.utf8CodeUnitCount where path.span[index] != prefix.utf8Start[index] { return false }
    return true
  }

  private static func card(_ path: InlineText<64>, _ root: String, _ entries: inout [Entry]) {
    do throws(DisplayFault) {
      guard let card = try DRMCard(path, root: root) else { return }
      defer { card.file.close() }
      guard let output = try card.output(nil) else {
        entries.append(none(path, "drm", nil))
        return
      }
      entries.append(
        Entry(
          path: path, driver: "drm", size: output.size, rate: Int(output.mode.rate), bitsPerPixel: 32,
          rotation: output.rotation, millimeters: output.millimeters, modes: modes(card, output), fault: nil))
    } catch {
      if error.errno != .noSuchFile { entries.append(none(path, "drm", error)) }
    }
  }

  private static func frameBuffer(_ path: InlineText<64>, _ root: String, _ entries: inout [Entry]) {
    do throws(DisplayFault) {
      let file = try openDevice(path, root: root, "open the frame buffer")
      defer { file.close() }
      var info = tl_fb_info()
      try accepted(tl_fb_describe(file.number, &info), "look at the frame buffer")
      guard let layout = FrameBuffer.layout(info) else {
        throw DisplayFault("use the frame buffer's format", .notSupported)
      }
      entries.append(
        Entry(
          path: path, driver: "fbdev", size: layout.size, rate: 0, bitsPerPixel: layout.format.bitsPerPixel,
          rotation: .none, millimeters: nil, modes: [], fault: nil))
    } catch {
      if error.errno != .noSuchFile { entries.append(none(path, "fbdev", error)) }
    }
  }

  private static func none(_ path: InlineText<64>, _ driver: StaticString, _ fault: DisplayFault?) -> Entry {
    Entry(
      path: path, driver: driver, size: nil, rate: 0, bitsPerPixel: 0, rotation: .none, millimeters: nil, modes: [],
      fault: fault)
  }

  private static func modes(_ card: DRMCard, _ output: DRMOutput) -> [(size: Size, rate: Int)] {
    var modes = [tl_drm_mode](repeating: tl_drm_mode(), count: Int(TL_DRM_MODES))
    var found = tl_drm_connector_t()
    guard tl_drm_connector(card.file.number, output.connector, 0, &found, &modes) >= 0 else { return [] }
    var list: [(size: Size, rate: Int)] = []
    let isInterlaced = output.mode.is_interlaced != 0
    for index in 0..<Int(found.mode_count) where DRMOutput.isUsable(modes[index], isInterlaced: isInterlaced) {
      list.append((Size(Int32(modes[index].width), Int32(modes[index].height)), Int(modes[index].rate)))
    }
    return list
  }
}
