import Device
import Location
import Runtime

// What each room knows of its hardware, in the words of `device.health`.

extension CameraCommands {
  var hardware: HardwareState {
    switch state {
    case .present: HardwareState(.ok)
    case .absent: HardwareState(.absent, detail: "no camera found")
    case .failing: HardwareState(.error, detail: "the last capture failed")
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
