import Codec
import Runtime

/// The parameters of `screen.record` (node-commands 4.3), with defaults and limits applied; `null` counts as absent.
struct RecordParameters {
  /// Milliseconds.
  var duration: Int64 = 10_000
  /// Pictures per second.
  var rate: Int64 = 10
  /// Whether the recording has sound.
  private(set) var includesAudio = true

  init() {}

  init(_ params: borrowing JSONView) throws(RecordError) {
    guard params.isNull || params.kind == .object else { throw .noObject }
    if let value = try Self.number(params.member("durationMs"), "durationMs must be a number") {
      let bounds = Budget.clipMilliseconds
      duration = Int64(clamping: value.bounded(Double(bounds.lowerBound), Double(bounds.upperBound)))
    }
    if let value = try Self.number(params.member("fps"), "fps must be a number") {
      rate = Int64(clamping: value.bounded(Budget.recordRate.lowerBound, Budget.recordRate.upperBound).rounded())
    }
    for name: StaticString in ["screenIndex", "monitor"] {
      if let screen = params.member(name), !screen.isNull, screen.double != 0 { throw .badScreen }
    }
    if let format = params.member("format"), !format.isNull, !format.equals("mp4") { throw .badFormat }
    if let audio = params.member("includeAudio"), !audio.isNull {
      guard let wanted = audio.bool else { throw .wrongType("includeAudio must be true or false") }
      includesAudio = wanted
    }
  }

  private static func number(_ value: JSONView?, _ complaint: StaticString) throws(RecordError) -> Double? {
    guard let value, !value.isNull else { return nil }
    guard let number = value.double else { throw .wrongType(complaint) }
    return number
  }
}
