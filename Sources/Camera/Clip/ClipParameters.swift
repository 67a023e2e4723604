import Codec
import Runtime

/// The parameters of `camera.clip` (node-commands 4.2, the Linux column), with defaults and clamping applied. Unknown
/// keys are ignored; `null` counts as absent.
public struct ClipParameters: Sendable {
  /// The camera.
  public private(set) var choice = CameraChoice()
  /// Milliseconds, within `Budget.clipMilliseconds`. Echoed in the answer.
  public private(set) var duration: Int64 = 3000
  /// Whether sound is wanted.
  public private(set) var includesAudio = true

  /// All defaults.
  public init() {}

  /// Reads the parameters; throws `.wrongType`, `.unknownVideoFormat`, or `.unknownDevice` for an id
  /// longer than any camera's.
  public init(_ view: JSONView) throws(CameraError) {
    try ParameterReader.check(view)
    if view.isNull { return }
    choice = try ParameterReader.choice(view)
    if let wanted = try ParameterReader.number(view.member("durationMs"), "durationMs") {
      let bounds = Budget.clipMilliseconds
      duration = Int64(clamping: wanted.bounded(Double(bounds.lowerBound), Double(bounds.upperBound)))
    }
    if let wanted = try ParameterReader.flag(view.member("includeAudio"), "includeAudio") { includesAudio = wanted }
    if let word = try ParameterReader.text(view.member("format"), "format") {
      guard !word.isLonger, word.text == CameraText(cutting: "mp4") else { throw .unknownVideoFormat(word.text) }
    }
  }
}
