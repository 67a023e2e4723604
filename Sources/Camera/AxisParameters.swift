import Codec
import Runtime

/// The parameters of `camera.ptz.status` and `camera.ptz.control` (node-commands 4.2).
public struct AxisParameters: Sendable {
  /// The camera by name, id or bus; nil: the only one. With several cameras it is required, so that the wrong one is
  /// never moved.
  public private(set) var device: CameraText?
  public private(set) var operation = AxisOperation.look

  /// The defaults.
  init() {}

  /// Reads the parameters; throws `.wrongType`, or `.unknownDevice` for an id longer than any.
  /// - Parameter moves: true for `camera.ptz.control`.
  public init(_ view: JSONView, moves: Bool) throws(CameraError) {
    try ParameterReader.check(view)
    device = try ParameterReader.choice(view).device
    if moves { operation = try Self.operation(view) }
  }

  private static func operation(_ view: JSONView) throws(CameraError) -> AxisOperation {
    guard let word = view.member("operation") else {
      throw .wrongType(key: "operation", wanted: "\"set\", \"move\" or \"home\"")
    }
    if word.equals("home") { return .home }
    if word.equals("set") { return .set(try values(view.member("target"), "target")) }
    if word.equals("move") { return .move(try values(view.member("delta"), "delta")) }
    throw .wrongType(key: "operation", wanted: "\"set\", \"move\" or \"home\"")
  }

  private static func values(_ view: JSONView?, _ key: StaticString) throws(CameraError) -> AxisValues {
    guard let view, view.kind == .object else {
      throw .wrongType(key: key, wanted: "an object with panDegrees, tiltDegrees or zoomPercent")
    }
    var values = AxisValues()
    for axis in CameraAxis.allCases {
      guard let number = view.member(axis.key), !number.isNull else { continue }
      guard let value = number.double, value.isFinite else { throw .wrongType(key: axis.key, wanted: "a number") }
      values[axis] = value
    }
    if values == AxisValues() {
      throw .wrongType(key: key, wanted: "an object with panDegrees, tiltDegrees or zoomPercent")
    }
    return values
  }
}

extension CameraAxis {
  /// The name of its value in a request, with the unit.
  var key: StaticString {
    switch self {
    case .pan: "panDegrees"
    case .tilt: "tiltDegrees"
    case .zoom: "zoomPercent"
    }
  }
}

extension CameraAxes {
  /// Writes the result of `camera.ptz.status`.
  public func writeStatus(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("axes")
    writer.beginObject()
    for axis in CameraAxis.allCases {
      guard let state = self[axis] else { continue }
      writer.key(axis.word)
      Self.write(state, axis, to: &writer)
    }
    writer.endObject()
    writer.key("canHome")
    writer.bool(self != CameraAxes())
    writer.endObject()
  }

  /// Writes the result of `camera.ptz.control`.
  /// - Parameter adjusted: axes whose values were adjusted.
  public func writeMoved(to writer: inout JSONWriter, _ adjusted: AxisSet) {
    writer.beginObject()
    writer.key("state")
    writeStatus(to: &writer)
    writer.key("adjusted")
    writer.beginArray()
    for axis in CameraAxis.allCases where adjusted.contains(axis) { writer.string(axis.key) }
    writer.endArray()
    writer.endObject()
  }

  private static func write(_ state: AxisState, _ axis: CameraAxis, to writer: inout JSONWriter) {
    let scale = AxisScale(axis, state.range)
    func member(_ key: StaticString, _ value: Double) {
      writer.key(key)
      writer.double(value)
    }
    writer.beginObject()
    member("current", scale.shown(state.value))
    member("min", scale.shown(state.range.minimum))
    member("max", scale.shown(state.range.maximum))
    member("step", Double(state.range.step) / scale.factor)
    member("default", scale.shown(state.home))
    writer.key("unit")
    writer.string(axis == .zoom ? "percent" : "degrees")
    writer.key("canSet")
    writer.bool(true)
    writer.key("canMove")
    writer.bool(true)
    writer.endObject()
  }
}
