import Camera
import Device
import Location
import Runtime

// What each room knows of its hardware, in the words of `device.health`.

extension CameraCommands {
  var hardware: HardwareState {
    guard policy.isEnabled else { return HardwareState(.absent, detail: "switched off in the configuration") }
    return switch journal.finding {
    case .present: HardwareState(.ok)
    case .failing(.noDevice), .failing(.disconnected): HardwareState(.absent, detail: "no camera found")
    case .failing(let error): HardwareState(.error, detail: error.wire.text)
    case .unknown: HardwareState(.absent, detail: "not looked for yet")
    }
  }
}

extension LocationService {
  var hardware: HardwareState {
    switch state {
    case .open: HardwareState(.ok, detail: latest == nil ? "no fix yet" : nil)
    case .absent: HardwareState(.absent, detail: "no receiver configured")
    case .lost(let reason): HardwareState(.error, detail: reason.text)
    }
  }
}
