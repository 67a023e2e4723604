import Camera
import Codec
import ConsentPart
import Runtime

extension CameraSettingsTable {
  /// Which side of the board a request for a camera is about: known where its parameters, or the only camera, decide.
  func side(_ parameters: borrowing JSONView) -> CameraSide {
    if let name = parameters.member("deviceId"), name.kind == .string, name.stringLength ?? 1 > 0 {
      for index in 0..<count where name.equals(self[index].name.span) { return Self.side(self[index].position) }
      return .unknown
    }
    if let facing = parameters.member("facing") {
      if facing.equals("front"), has(.front) { return .front }
      if facing.equals("back"), has(.back) { return .other }
    }
    return count == 1 ? Self.side(self[0].position) : .unknown
  }

  private static func side(_ position: CameraPosition) -> CameraSide {
    switch position {
    case .front: .front
    case .unknown: .unknown
    default: .other
    }
  }
}
