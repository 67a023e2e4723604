import Camera
import Device
import Gateway
import Location
import Motion
import Runtime

// What each room knows of its hardware, in the words of `device.health`.

extension CameraCommands {
  var hardware: HardwareState {
    guard policy.isEnabled else {
      return HardwareState(.absent, detail: "switched off in the configuration", isPermitted: false)
    }
    return switch journal.finding {
    case .present: HardwareState(.ok, detail: isOpen ? "in use" : nil)
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
    case .absent: HardwareState(.absent, detail: "no receiver configured", isPermitted: false)
    case .lost(let reason):
      HardwareState(
        .error, detail: reason.text, isPermitted: reason != .accessDenied && reason != .notPermitted)
    }
  }
}

extension MotionService {
  var hardware: HardwareState {
    switch source {
    case .absent: .noSensor
    case .opening: HardwareState(.absent, detail: "not looked for yet")
    case .open: HardwareState(.ok)
    case .lost(.absent): HardwareState(.absent, detail: "no motion sensor answers")
    case .lost(.noPermission): HardwareState(.error, detail: MotionError.noPermission.wire.text, isPermitted: false)
    case .lost(let error): HardwareState(.error, detail: error.wire.text)
    }
  }
}

extension HardwareState {
  static var noSensor: HardwareState { HardwareState(.absent, detail: "no sensor configured", isPermitted: false) }
}

extension Agent {
  /// What is known of the hardware and of the agent's own work.
  var hardware: HardwareReport {
    var report = HardwareReport(
      camera: camera.hardware, location: location.hardware, motion: motion?.hardware ?? .noSensor, services: services)
    #if TALON_SOUND
      report.microphone =
        microphoneHardware ?? HardwareState(.absent, detail: "no microphone configured", isPermitted: false)
    #endif
    #if TALON_CANVAS
      report.canvas = canvasHardware
    #endif
    return report
  }

  private var services: ServiceReport {
    var report = ServiceReport()
    report.gateway = HardwareState(session.state == .online ? .ok : .error, detail: session.state.word)
    report.connections = session.connections
    if let desk {
      report.console = HardwareState(desk.session.state == .online ? .ok : .error, detail: desk.stateWord)
    }
    report.wake = wakeHardware
    let counters = outbox.counters
    report.waiting = UInt64(outbox.count)
    report.delivered = counters.delivered
    report.dropped = counters.droppedByCount + counters.droppedByBytes + counters.droppedByAge
    if counters.failedWrites > 0 {
      report.outbox = HardwareState(.error, detail: "could not be written to flash at some time")
    }
    return report
  }
}
