import Codec
import Runtime

/// Reads common parameters of camera commands. `null` counts as absent.
enum ParameterReader {
  /// Throws unless `params` is an object, or absent.
  static func check(_ params: JSONView) throws(CameraError) {
    guard params.isNull || params.kind == .object else { throw .wrongType(key: "params", wanted: "an object") }
  }

  static func number(_ view: JSONView?, _ key: StaticString) throws(CameraError) -> Double? {
    guard let view, !view.isNull else { return nil }
    guard let number = view.double else { throw .wrongType(key: key, wanted: "a number") }
    return number
  }

  static func flag(_ view: JSONView?, _ key: StaticString) throws(CameraError) -> Bool? {
    guard let view, !view.isNull else { return nil }
    guard let flag = view.bool else { throw .wrongType(key: key, wanted: "true or false") }
    return flag
  }

  /// A string, and whether it was truncated to `CameraText`.
  static func text(
    _ view: JSONView?, _ key: StaticString
  ) throws(CameraError) -> (text: CameraText, isLonger: Bool)? {
    guard let view, !view.isNull else { return nil }
    guard view.kind == .string else { throw .wrongType(key: key, wanted: "a string") }
    var room = InlineArray<256, UInt8>(repeating: 0)
    var span = room.mutableSpan
    let count = span.withUnsafeMutableBufferPointer { view.copyString(into: $0) }
    // Even longer: keep its beginning, with escapes as in the JSON.
    guard let count else { return (CameraText(cutting: view.rawText.extracting(1...)), true) }
    return (CameraText(cutting: room.span.extracting(0..<count)), count > Budget.cameraTextBytes)
  }

  /// The camera: an empty id counts as absent, and so does a facing other than "front" and "back", because a board's
  /// cameras may have none. Throws `.unknownDevice` for an id longer than any camera's.
  static func choice(_ params: JSONView) throws(CameraError) -> CameraChoice {
    var choice = CameraChoice()
    if let id = try text(params.member("deviceId"), "deviceId") {
      if id.isLonger { throw .unknownDevice(id.text) }
      choice.device = id.text.isEmpty ? nil : id.text
    }
    if let facing = params.member("facing") {
      if facing.equals("front") { choice.position = .front }
      if facing.equals("back") { choice.position = .back }
    }
    return choice
  }
}
