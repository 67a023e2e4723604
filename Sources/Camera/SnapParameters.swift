import Codec
import Runtime

/// What `camera.snap` asks for (node-commands 4.2, the Linux column), with defaults and clamps applied.
/// Unknown keys are ignored; `null` counts as absent.
public struct SnapParameters: Sendable {
  /// Which camera.
  public private(set) var choice = CameraChoice()
  /// Most pixels across, at least 2.
  public private(set) var maxWidth = 1600
  /// 0.05...1.
  public private(set) var quality = 0.9
  /// Echoed in the answer.
  public private(set) var format = PhotoFormat.jpg
  /// Milliseconds of warm-up, 0...10000.
  public private(set) var delay: Int64

  /// What the protocol says when nobody says anything, in milliseconds.
  public static let protocolDelay: Int64 = 2000
  /// The longest warm-up in milliseconds.
  public static let longestDelay: Int64 = 10_000

  /// No JPEG is wider (ITU-T T.81 B.2.2: 16 bits), so more need not be kept.
  private static let widestJPEG = 65_535.0

  /// All defaults.
  /// - Parameter defaultDelay: the warm-up when the caller names none: `protocolDelay`, unless configured.
  public init(defaultDelay: Int64 = protocolDelay) {
    delay = Self.clamped(Double(defaultDelay))
  }

  /// Reads the parameters; throws `.wrongType`, `.unknownImageFormat`, or `.unknownDevice` for an id longer
  /// than any camera's.
  public init(_ view: JSONView, defaultDelay: Int64 = protocolDelay) throws(CameraError) {
    self.init(defaultDelay: defaultDelay)
    if view.isNull { return }
    guard view.kind == .object else { throw .wrongType(key: "params", wanted: "an object") }
    if let id = try Self.text(view.member("deviceId"), "deviceId") {
      if id.isLonger { throw .unknownDevice(id.text) }
      choice.device = id.text.isEmpty ? nil : id.text
    }
    choice.position = Self.position(view.member("facing"))
    if let width = try Self.number(view.member("maxWidth"), "maxWidth"), width >= 2 {
      maxWidth = Int(min(width, Self.widestJPEG))
    }
    if let wanted = try Self.number(view.member("quality"), "quality") {
      quality = min(max(wanted, 0.05), 1)
    }
    if let word = try Self.text(view.member("format"), "format") {
      guard !word.isLonger, let known = Self.format(word.text) else { throw .unknownImageFormat(word.text) }
      format = known
    }
    if let wanted = try Self.number(view.member("delayMs"), "delayMs") { delay = Self.clamped(wanted) }
  }

  private static func clamped(_ delay: Double) -> Int64 { Int64(min(max(delay, 0), Double(longestDelay))) }

  private static func format(_ word: CameraText) -> PhotoFormat? {
    if word == CameraText(cutting: "jpg") { return .jpg }
    if word == CameraText(cutting: "jpeg") { return .jpeg }
    return nil
  }

  /// Other words are of other platforms' cameras: then any will do.
  private static func position(_ view: JSONView?) -> CameraPosition? {
    guard let view else { return nil }
    if view.equals("front") { return .front }
    return view.equals("back") ? .back : nil
  }

  private static func number(_ view: JSONView?, _ key: StaticString) throws(CameraError) -> Double? {
    guard let view, !view.isNull else { return nil }
    guard let number = view.double else { throw .wrongType(key: key, wanted: "a number") }
    return number
  }

  /// A string, and whether it was longer than `CameraText` holds.
  private static func text(
    _ view: JSONView?, _ key: StaticString
  ) throws(CameraError) -> (text: CameraText, isLonger: Bool)? {
    guard let view, !view.isNull else { return nil }
    guard view.kind == .string else { throw .wrongType(key: key, wanted: "a string") }
    var room = InlineArray<256, UInt8>(repeating: 0)
    var span = room.mutableSpan
    let count = span.withUnsafeMutableBufferPointer { view.copyString(into: $0) }
    // Longer than even this: show what it begins with as it stands in the text, escapes and all.
    guard let count else { return (CameraText(cutting: view.rawText.extracting(1...)), true) }
    return (CameraText(cutting: room.span.extracting(0..<count)), count > Budget.cameraTextBytes)
  }
}
