import Codec
import Runtime

/// Reads what the camera commands' parameters have in common. `null` counts as absent everywhere.
enum ParameterReader {
  /// Throws unless `params` is an object, or nothing.
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

  /// A string, and whether it was longer than `CameraText` holds.
  static func text(
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

  /// A camera's id; nil, for the first camera, also when it is empty. Throws `.unknownDevice` for an id longer than any
  /// camera's.
  static func device(_ view: JSONView?) throws(CameraError) -> CameraText? {
    guard let id = try text(view, "deviceId") else { return nil }
    if id.isLonger { throw .unknownDevice(id.text) }
    return id.text.isEmpty ? nil : id.text
  }

  /// "front" or "back"; nil when the caller does not mind.
  static func facing(_ view: JSONView?) throws(CameraError) -> CameraPosition? {
    guard let word = try text(view, "facing") else { return nil }
    if !word.isLonger, word.text == CameraText(cutting: "front") { return .front }
    if !word.isLonger, word.text == CameraText(cutting: "back") { return .back }
    throw .unknownWord(key: "facing", wanted: "front or back")
  }
}
